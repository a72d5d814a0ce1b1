"""The pages: everything is documented, and what they show works."""

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from mohs.analysis.difficulty import STRATEGIES
from mohs.cli import parsers
from mohs.measures import MEASURES
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.models import MODELS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]

# Pages whose commands need nothing but each other, so they are run as they stand.
RUN = [
    DOCS / "index.md",
    DOCS / "tutorial.md",
    DOCS / "commands" / "sample.md",
    DOCS / "guide" / "difficulty.md",
    DOCS / "guide" / "retrieval.md",
    DOCS / "guide" / "wordings.md",
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


@pytest.mark.parametrize("page", RUN, ids=name)
def test_the_commands_of_a_page_work_as_they_stand(page: Path, tmp_path: Path) -> None:
    path = str(Path(sys.executable).parent)
    for block in blocks(page, "sh"):
        done = subprocess.run(
            ["/bin/sh", "-ec", block],
            cwd=tmp_path,
            env={"PATH": f"{path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, block) == (0, block), done.stderr
        assert bool(done.stdout) == (" -o scores" not in block)


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


def test_no_page_promises_what_is_not_there() -> None:
    # Links between pages are checked when the site is built; these files are outside.
    for page in PAGES[:2]:
        targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        assert [link for link in targets if not (ROOT / link).exists()] == []
