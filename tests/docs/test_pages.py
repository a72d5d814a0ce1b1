"""The pages: everything is documented, and what they show works."""

import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from mohs.analysis.difficulty import STRATEGIES
from mohs.cli import main, parsers
from mohs.errors import MohsError
from mohs.measures import MEASURES
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.models import MODELS
from mohs.retrieval.stoplists import stop_words

from .shelf import OTHERWISE, furnish

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]

# Pages whose commands need nothing but each other, so they are run as they stand.
RUN = [
    DOCS / "index.md",
    DOCS / "tutorial.md",
    DOCS / "commands" / "sample.md",
    DOCS / "guide" / "difficulty.md",
    *(
        DOCS / "guide" / f"{name}.md"
        for name in ("collections", "few-systems", "measures", "numeric", "retrieval")
    ),
    DOCS / "guide" / "terrier.md",
    DOCS / "guide" / "wordings.md",
]

# Where the pages have their cluster.
SCHEDULER = "tcp://127.0.0.1:8786"
# Demo and reproductions have tests of their own, and grids on clusters, too.
ELSEWHERE = {
    *(DOCS / "commands" / f"{command}.md" for command in ("demo", "reproduce")),
    *(DOCS / "guide" / f"{name}.md" for name in ("papers", "scale")),
}
# Other pages speak of files that readers have.
SHELVED = [
    page
    for page in PAGES
    if page not in {*RUN, *ELSEWHERE} and "```sh\nmohs " in page.read_text("utf-8")
]
# Blocks marked as real need collections of text.
REAL = DOCS / "guide" / "wordings.md"

COMMANDS = parsers()
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CARGO = tomllib.loads((ROOT / "core" / "Cargo.toml").read_text("utf-8"))


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of one language."""
    fence = rf"^```{language}\n(.*?)^```"
    return re.findall(fence, page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def shown(program: str) -> list[tuple[str, str]]:
    """Return page and line of every command of a program that a page shows."""
    return [
        (page.name, line)
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.replace("\\\n", " ").splitlines()
        if line.split()[:1] == [program]
    ]


def declared() -> Iterator[str]:
    """Yield every requirement of the package, its extras, groups and crate."""
    project = PYPROJECT["project"]
    yield from project["dependencies"]
    yield from CARGO["dependencies"]
    for part in (project["optional-dependencies"], PYPROJECT["dependency-groups"]):
        for entries in part.values():
            yield from (entry for entry in entries if isinstance(entry, str))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_command_has_a_page_and_every_page_a_command() -> None:
    pages = {path.stem for path in (DOCS / "commands").glob("*.md")} - {"index"}
    assert pages == set(COMMANDS)
    index = (DOCS / "commands" / "index.md").read_text("utf-8")
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    for command in COMMANDS:
        assert f"({command}.md)" in index
        assert f"commands/{command}.md" in navigation


@pytest.mark.parametrize(("page", "line"), shown("mohs"))
def test_a_command_that_is_shown_can_be_given(page: str, line: str) -> None:
    words = shlex.split(line)
    assert words[1] in COMMANDS, page
    COMMANDS[words[1]].parse_intermixed_args(words[2:])


@pytest.mark.parametrize(("page", "line"), shown("make"))
def test_a_make_target_that_is_shown_exists(page: str, line: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(rf"^{line.split()[1]}:", makefile, re.MULTILINE), page


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that pages name and do not make."""
    folder = tmp_path_factory.mktemp("shelf")
    furnish(folder)
    return folder


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Where a cluster is."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="inproc",
        dashboard_address=None,
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize("page", RUN, ids=name)
def test_the_commands_of_a_page_work_as_they_stand(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "sh"):
        skip_without(block)
        assert given(block, tmp_path) or re.search(r" -o | > ", block)


@pytest.mark.parametrize("page", SHELVED, ids=name)
def test_the_commands_of_a_page_work_on_what_it_names(
    page: Path, shelf: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(shelf, folder)
    OTHERWISE.get(name(page), lambda _: None)(folder)
    for block in blocks(page, "sh"):
        if SCHEDULER in block:
            address = request.getfixturevalue("scheduler")
            given(block.replace(SCHEDULER, address), folder)
        elif block.startswith("mohs "):
            skip_without(block)
            given(block, folder)


def given(block: str, folder: Path) -> str:
    """Give the commands of a block in a folder, and return what they print."""
    lines = block.replace("\\\n", " ").splitlines()
    if all(line.startswith("mohs ") and "2>" not in line for line in lines):
        return "".join(given_here(line, folder) for line in lines)
    path = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["/bin/sh", "-ec", block],
        cwd=folder,
        env={"PATH": f"{path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, block) == (0, block), done.stderr
    return done.stdout


def given_here(line: str, folder: Path) -> str:
    """Give a command in this process, which has long been started."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(line)[1:])
    assert (code, line) == (0, line), err.getvalue()
    return out.getvalue()


def skip_without(block: str) -> None:
    """Skip where something is missing that a block needs, but for what pip installs."""
    missing = {
        "krovetz": find_spec("krovetzstemmer") is None,
        "terrier": not has_terrier(),
    }
    for word, lacking in missing.items():
        if lacking and re.search(rf"\b{word}\b", block):
            pytest.skip(f"make oracles fetches what this needs: {block}")


@cache
def has_terrier() -> bool:
    try:
        return bool(stop_words("terrier"))
    except MohsError:
        return False


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_the_grid_of_a_paper_works_on_real_collections(tmp_path: Path) -> None:
    pytest.importorskip("krovetzstemmer", reason="make oracles compiles it")
    for name in ("vaswani", "cranfield"):
        place = Path(os.environ["MOHS_DATA"], "collections", name)
        (tmp_path / name).symlink_to(place.resolve())
    [script] = blocks(REAL, "python")
    (tmp_path / "reword.py").write_text(script, "utf-8")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    out = [
        subprocess.run(
            ["/bin/sh", "-ec", block],
            cwd=tmp_path,
            env={"PATH": path, "HOME": os.environ["HOME"]},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for block in blocks(REAL, r" \{ \.sh \.real \}")
    ]
    tables = [text.split("term\t")[1:] for text in out]
    assert list(map(len, tables)) == [2, 1]
    text = REAL.read_text("utf-8")
    shares = {line.split("\t")[0]: line.split("\t")[7] for line in out[1].splitlines()}
    for term, told in (
        ("topic", ".33"),
        ("topic:formulation", ".30"),
        ("topic:corpus", ".10"),
        ("system", ".015"),
        ("corpus", ".001"),
    ):
        digits = len(told) - 1
        assert f"{float(shares[term]):.{digits}f}".lstrip("0") == told
        assert told in text


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>> " in page.read_text("utf-8")], ids=name
)
def test_the_examples_in_python_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # A measure that a page adds is gone afterwards.
    monkeypatch.setattr(MEASURES, "_items", dict(vars(MEASURES)["_items"]))
    text = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    done = doctest.DocTestRunner(verbose=False).run(examples)
    assert (done.failed, done.attempted) == (0, text.count(">>> "))


@pytest.mark.parametrize("measure", MEASURES.names())
def test_every_measure_is_defined(measure: str) -> None:
    text = (DOCS / "definitions.md").read_text("utf-8")
    assert re.search(rf"\*\*{re.escape(measure)}(@\w+)?\*\*", text)


@pytest.mark.parametrize("name", [*MODELS.names(), *EXPANSIONS.names()])
def test_every_model_and_expansion_is_defined(name: str) -> None:
    text = (DOCS / "definitions.md").read_text("utf-8")
    _, text = text.split("\n## Ranking models\n")
    assert f"**{name}**" in text
    assert rf"\text{{{name}}}" in text


def test_every_strategy_is_defined_with_its_direction_and_paper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("COLUMNS", "NO_COLOR"):  # What the hook sets is taken back.
        monkeypatch.setenv(name, "")
    hook = runpy.run_path(str(DOCS / "hooks" / "generated.py"))["on_page_markdown"]
    text = (DOCS / "definitions.md").read_text("utf-8")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="definitions.md"))
    lines = [line.split(" | ") for line in hook(text, page).splitlines()]
    found = {line[0]: line[1:] for line in lines if len(line) == 5}
    for name in STRATEGIES.names():
        value, direction, classes, paper = found[f"| `{name}`"]
        assert direction == ("easy" if STRATEGIES[name].high_is_easy else "hard")
        assert f" {direction}  {value}\n" in COMMANDS["difficulty"].format_help()
        assert classes.endswith(".")
        assert name[-4:] in paper


@pytest.mark.parametrize("requirement", [*declared()])
def test_every_dependency_is_explained(requirement: str) -> None:
    text = (DOCS / "dependencies.md").read_text("utf-8")
    wanted = re.match(r"[\w.-]+", requirement)[0]
    rows = [line.split("|")[1:3] for line in text.splitlines() if line[:1] == "|"]
    assert any(wanted in re.split(r"[\s,]+", " ".join(row)) for row in rows)


def test_every_claim_has_its_test() -> None:
    rows = [
        line.split("|")[2]
        for line in (DOCS / "comparison.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| claim")
    ]
    for row in rows:
        path = ROOT
        for file, test in re.findall(r"`(?:(tests/\S+)::)?(test_\w+)`", row):
            path = ROOT / file if file else path
            assert f"\ndef {test}(" in path.read_text("utf-8"), test
        assert path.is_file() or "`bench " in row


def test_every_benchmark_that_is_named_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench.spine import Bench, _benchmarks

    bench = Bench({}, Path(), peers=(), rounds=1, small=True, folder=Path())
    known = tuple(_benchmarks(bench))
    pages = [DOCS / "comparison.md", DOCS / "performance.md"]
    named = [
        found
        for page in pages
        for found in re.findall(
            r"`(?:bench )?(?!tests/)([\w-]+/[\w-]+/[\w/-]+)`", page.read_text("utf-8")
        )
    ]
    assert len(named) > 5
    assert [each for each in named if not each.startswith(known)] == []


def test_no_page_promises_what_is_not_there() -> None:
    # Links between pages are checked when the site is built; these files are outside.
    for page in PAGES[:2]:
        targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        assert [link for link in targets if not (ROOT / link).exists()] == []
