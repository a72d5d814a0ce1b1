"""What holds for the house as a whole, beside the import order in .importlinter."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import mohs
from mohs.samples import sample

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "mohs").rglob("*.py"))
ROOMS = {path.stem for path in (ROOT / "src" / "mohs").iterdir()} | {"_core"}

# Loading any of these costs more than everything else a start-up does.
FRAMES = {"altair", "jinja2", "pandas", "polars", "pyarrow"}
ARRAYS = {"numpy", "scipy"}

ALL_MEASURES = """
from mohs.measures import calculate, parse
from mohs.measures.example import listed
names = "all_trec", "DCG", "ERR", "RBP", "Judged@10"
measures = [measure for name in names for measure in parse(name)]
assert calculate(measures, listed([1, 0], [2]).rankings).shape[1:] == (1, 2)
"""
COMMAND = """
from mohs.cli import main
assert main({!r}.split()) == 0
"""
EVALUATE = "evaluate {0}/qrels.txt {0}/runs/ -o {0}/scores.csv"

# What is run in a fresh interpreter, and what it must not load.
START_UPS = {
    "import": ("import mohs", FRAMES | ARRAYS),
    "help": (COMMAND.format("--help"), FRAMES | ARRAYS),
    "version": (COMMAND.format("--version"), FRAMES | ARRAYS),
    "evaluate": (COMMAND.format(EVALUATE), FRAMES),
    "measures": (ALL_MEASURES, FRAMES),
}

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def loaded(code: str) -> set[str]:
    report = f"{code}\nimport sys\nprint(*sys.modules)"
    command = [sys.executable, "-c", report]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def distributions(*requirements: list[str | dict[str, str]]) -> set[str]:
    entries = [entry for part in requirements for entry in part]
    named = (entry for entry in entries if isinstance(entry, str))
    return {re.match(r"[\w.-]+", entry)[0].lower().replace("_", "-") for entry in named}


RUNTIME = distributions(
    PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()
)
DECLARED = RUNTIME | distributions(*GROUPS.values())


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    sample(folder, topics=2, systems=2, depth=10)
    return folder


@pytest.mark.parametrize("case", START_UPS)
def test_nothing_is_loaded_that_is_not_needed(case: str, collection: Path) -> None:
    code, unneeded = START_UPS[case]
    assert loaded(code.replace("{0}", str(collection))) & unneeded == set()


def test_no_room_reaches_another_through_the_flat_front() -> None:
    # The import order cannot see where such an import leads.
    below = [path for path in SOURCES if not {"cli", "__main__"} & {*path.parts}]
    reached = {
        (path.name, name)
        for path in below
        for name in imported(path)
        if name.startswith("mohs.") and name.split(".")[1] not in ROOMS
    }
    assert reached == set()


def test_the_flat_front_has_what_it_names() -> None:
    assert mohs.__all__ == sorted(mohs.__all__)
    assert [name for name in mohs.__all__ if not hasattr(mohs, name)] == []
    # Importing a module of the same name would hide the function.
    assert ROOMS & set(mohs.__all__) == set()


def test_errors_import_nothing_of_the_house() -> None:
    path = ROOT / "src" / "mohs" / "errors.py"
    assert [name for name in imported(path) if name.startswith("mohs")] == []


@pytest.mark.parametrize(
    ("folder", "declared"), [("src", RUNTIME), ("tests", DECLARED), ("bench", DECLARED)]
)
def test_every_import_is_a_declared_dependency(folder: str, declared: set[str]) -> None:
    owners = importlib.metadata.packages_distributions()
    used = {
        owner.lower().replace("_", "-")
        for path in (ROOT / folder).rglob("*.py")
        for name in imported(path)
        for owner in owners.get(name.split(".")[0], [])
    }
    assert used - declared - {"mohs"} == set()


# Without wheels, and only wheels are installed from a lock.
UNLOCKED = {"krovetzstemmer"}


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("run", distributions(PROJECT["dependencies"], GROUPS["build"])),
        ("dev", DECLARED - UNLOCKED),
    ],
)
def test_a_lock_pins_everything_declared(lock: str, wanted: set[str]) -> None:
    text = (ROOT / "requirements" / f"{lock}.lock").read_text("utf-8")
    assert wanted - set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE)) == set()
    assert "://" not in text


def test_command_package_and_crate_agree_on_the_version() -> None:
    crate = tomllib.loads((ROOT / "core" / "Cargo.toml").read_text("utf-8"))
    version = crate["package"]["version"]
    command = [Path(sys.executable).with_name("mohs"), "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["mohs", version]
    assert importlib.metadata.version("mohs") == version
