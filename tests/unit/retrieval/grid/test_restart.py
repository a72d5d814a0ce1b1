"""A grid that is killed, stopped by a full disk, or done twice at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from mohs.cli import main
from mohs.errors import InputError
from mohs.retrieval.grid.store import FolderStore
from mohs.samples import sample

if TYPE_CHECKING:
    from pathlib import Path

MOHS = (sys.executable, "-m", "mohs")
MODELS = "BM25,DFRee,DLH,DPH,DirichletLM,Hiemstra_LM,InL2,PL2,TF_IDF,DFIC,LGD,InB2"
SYSTEMS = ("--stemmers", "porter,none", "--models", MODELS, "--expansions", "none,Bo1")
CELLS = 2 * 12 * 2
PATIENCE = 60
KEY = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("restart") / "sample"
    sample(folder, systems=1, topics=10, depth=20, documents=600, words=40)
    return folder


def command(collection: Path, output: Path, *options: str) -> list[str]:
    inputs = [str(collection / name) for name in ("documents.jsonl", "topics.tsv")]
    qrels = ("--qrels", str(collection / "qrels.txt"))
    return ["grid", *inputs, *qrels, *SYSTEMS, "-o", str(output), *options]


def cells(store: Path) -> dict[str, int]:
    """Return when each finished cell was written."""
    return {path.name: path.stat().st_mtime_ns for path in store.glob("*.cell")}


@pytest.fixture(scope="module")
def whole(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return what an uninterrupted grid writes."""
    output = tmp_path_factory.mktemp("whole") / "scores.csv"
    assert main(command(collection, output, "--clean")) == 0
    assert [path.name for path in output.parent.iterdir()] == ["scores.csv"]
    return output.read_bytes()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_grid_goes_on_where_it_was(
    collection: Path, whole: bytes, tmp_path: Path, workers: str
) -> None:
    output, store = tmp_path / "scores.csv", tmp_path / "scores.csv.cells"
    arguments = command(collection, output, "--workers", workers)
    with subprocess.Popen([*MOHS, *arguments], stderr=subprocess.PIPE) as process:
        end = time.monotonic() + PATIENCE
        while len(cells(store)) < 5 and time.monotonic() < end:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    before = cells(store)
    assert 5 <= len(before) < CELLS
    assert not output.exists()
    assert main(arguments) == 0
    after = cells(store)
    assert len(after) == CELLS
    assert {name: after[name] for name in before} == before
    assert output.read_bytes() == whole


def test_two_grids_share_a_store(
    collection: Path, whole: bytes, tmp_path: Path
) -> None:
    store = ("--store", str(tmp_path / "cells"))
    outputs = [tmp_path / f"{name}.csv" for name in "ab"]
    processes = [
        subprocess.Popen([*MOHS, *command(collection, output, *store)])
        for output in outputs
    ]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0]
    assert [output.read_bytes() for output in outputs] == [whole, whole]
    found = sorted(path.suffix for path in (tmp_path / "cells").iterdir())
    assert found == [".cell"] * CELLS + [".index"] * 2


def test_a_full_disk_is_told_in_one_line(collection: Path, tmp_path: Path) -> None:
    output, store = tmp_path / "scores.csv", tmp_path / "scores.csv.cells"
    # The shell counts in blocks of 512 or 1024 bytes: cells fit, an index does not.
    limited = ["/bin/sh", "-c", 'ulimit -f 16; exec "$@"', "sh", *MOHS]
    done = subprocess.run(
        [*limited, *command(collection, output)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith(f"mohs: {store}: cannot be written (")
    assert list(store.iterdir()) == []
    assert not output.exists()


def test_a_store_that_is_a_file_is_refused(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "cells"
    place.write_text("mine")
    arguments = command(collection, tmp_path / "a.csv", "--store", str(place))
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line == f"mohs: {place}: cannot be made (file exists)"
    assert place.read_text() == "mine"


def test_a_damaged_cell_is_done_again(
    collection: Path, whole: bytes, tmp_path: Path
) -> None:
    output, store = tmp_path / "scores.csv", tmp_path / "scores.csv.cells"
    assert main(command(collection, output)) == 0
    first, second, *rest = sorted(store.glob("*.cell"))
    content = first.read_bytes()
    first.write_bytes(content[: len(content) // 2])
    second.write_bytes(b"")
    before = cells(store)
    assert main(command(collection, output)) == 0
    assert output.read_bytes() == whole
    assert first.read_bytes() == content
    after = cells(store)
    assert [before[path.name] for path in rest] == [after[path.name] for path in rest]


def test_a_damaged_index_is_named(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, store = tmp_path / "scores.csv", tmp_path / "scores.csv.cells"
    assert main(command(collection, output)) == 0
    for path in store.glob("*.cell"):
        path.unlink()
    damaged = next(store.glob("*.index"))
    (damaged / "lengths.npy").unlink()
    capsys.readouterr()
    assert main(command(collection, output)) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mohs: {damaged}: is no sound index")
    assert line.endswith("remove it")


def test_drafts_of_the_dead_are_removed_in_time(tmp_path: Path) -> None:
    folder = tmp_path / f".{KEY}.77-0badcafe"
    folder.mkdir()
    (folder / "lengths.npy").write_bytes(b"half")
    file = tmp_path / ".mohs-77-0badcafe0badcafe.tmp"
    file.write_bytes(b"half")
    store = FolderStore(tmp_path)
    store.check()
    assert sorted(tmp_path.iterdir()) == sorted([folder, file])
    assert (store.get(KEY), store.find(KEY)) == (None, None)
    for path in (folder, file):
        os.utime(path, (0, time.time() - 25 * 60 * 60))
    store.check()
    assert list(tmp_path.iterdir()) == []


def test_cleaning_leaves_what_is_not_ours(
    collection: Path, whole: bytes, tmp_path: Path
) -> None:
    store, output = tmp_path / "mine", tmp_path / "scores.csv"
    store.mkdir()
    others = ["notes.txt", KEY, f"{KEY}.txt", "a.cell", ".hidden", "x.index"]
    for name in others:
        (store / name).write_text(name)
    (store / "folder").mkdir()
    (store / f".{KEY}.77-0badcafe").mkdir()
    assert main(command(collection, output, "--store", str(store), "--clean")) == 0
    assert output.read_bytes() == whole
    assert sorted(path.name for path in store.iterdir()) == sorted([*others, "folder"])


def test_an_index_that_cannot_be_put_in_place_is_told(tmp_path: Path) -> None:
    (tmp_path / f"{KEY}.index").write_text("in the way")
    with pytest.raises(InputError, match="could not be written"):
        FolderStore(tmp_path).keep(KEY, lambda folder: (folder / "a").touch())
    assert [path.name for path in tmp_path.iterdir()] == [f"{KEY}.index"]
