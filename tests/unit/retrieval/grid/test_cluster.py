"""Grids on a Dask cluster of real processes, of which some die."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mohs
from mohs.cli import main
from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.parallel import each
from mohs.retrieval.grid import store as storing
from mohs.retrieval.grid.job import Job
from mohs.retrieval.grid.store import FolderStore
from mohs.samples import sample

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SYSTEMS: dict[str, Any] = {
    "stoplists": "none",
    "stemmers": "porter,none",
    "models": "BM25,DPH,PL2,DirichletLM,InL2,DLH,DFRee,Hiemstra_LM",
    "expansions": "none,Bo1,RM3",
}
PATIENCE = 60

# Where there is no network, Dask says that it found no address that others reach.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Couldn't detect a suitable IP address:RuntimeWarning"
)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster") / "sample"
    sample(folder, systems=1, topics=10, depth=20, documents=600, words=40)
    return folder


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler and two workers, processes that come back if they die."""
    import dask
    from distributed import LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as cluster,
    ):
        yield cluster.scheduler_address


def run(collection: Path, **options: Any) -> mohs.grid:  # noqa: ANN401
    asked = {"qrels": collection / "qrels.txt", **SYSTEMS, **options}
    return mohs.grid(collection / "documents.jsonl", collection / "topics.tsv", **asked)


def text(collection: Path, **options: Any) -> str:  # noqa: ANN401
    return run(collection, **options).table.write_csv()


def test_a_cluster_gives_the_same_bytes(
    collection: Path, tmp_path: Path, address: str
) -> None:
    here = text(collection, runs=tmp_path / "here")
    store, runs = tmp_path / "cells", tmp_path / "there"
    there = text(collection, runs=runs, store=store, dask=address)
    assert there == here
    names = sorted(path.name for path in runs.iterdir())
    assert len(names) == 48
    for name in names:
        expected = (tmp_path / "here" / name).read_bytes()
        assert (runs / name).read_bytes() == expected
    kinds = [path.suffix for path in store.iterdir()]
    assert (kinds.count(".cell"), kinds.count(".index"), len(kinds)) == (48, 2, 50)
    # What the cluster kept, this machine takes up.
    told: list[int] = []
    again = text(
        collection, runs=runs, store=store, progress=lambda done, _: told.append(done)
    )
    assert (again, told[-1]) == (here, 48)
    assert len(list(store.iterdir())) == 50


def workers(address: str) -> dict[str, int]:
    """Return the processes of the workers by their addresses."""
    from distributed import Client

    with Client(address) as client:
        # What an earlier test killed may be about to come back.
        client.wait_for_workers(2, timeout=PATIENCE)
        return client.run(os.getpid)


def test_a_worker_that_dies_changes_nothing(
    collection: Path, tmp_path: Path, address: str
) -> None:
    here, store = text(collection), tmp_path / "cells"
    process = min(workers(address).values())

    def kill() -> None:
        end = time.monotonic() + PATIENCE
        while len(list(store.glob("*.cell"))) < 4 and time.monotonic() < end:
            time.sleep(0.001)
        seen.append(len(list(store.glob("*.cell"))))
        os.kill(process, signal.SIGKILL)

    seen: list[int] = []
    killer = threading.Thread(target=kill)
    killer.start()
    there = text(collection, store=store, dask=address)
    killer.join()
    assert there == here
    assert 4 <= seen[0] < 48
    assert process not in workers(address).values()


def test_paths_mean_the_same_everywhere(
    collection: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("documents.jsonl", "topics.tsv", "qrels.txt"):
        (tmp_path / name).write_bytes((collection / name).read_bytes())
    (tmp_path / "words.txt").write_text("the\n")
    files = ["documents.jsonl", "topics.tsv", "--qrels", "qrels.txt"]
    systems = ["--models", "BM25,PL2", "--stoplists", "words.txt"]
    command = ["grid", *files, *systems, "-m", "AP"]
    assert main([*command, "-o", "here.csv"]) == 0
    there = ["--dask", address, "--runs", "runs"]
    assert main([*command, "-o", "there.csv", *there]) == 0
    here = (tmp_path / "here.csv").read_bytes()
    assert (tmp_path / "there.csv").read_bytes() == here
    assert len(list((tmp_path / "runs").iterdir())) == 2
    assert len(list((tmp_path / "there.csv.cells").glob("*.cell"))) == 2


def test_a_mistake_on_a_worker_is_one_line(
    collection: Path, tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs.jsonl"
    docs.write_text('{"docno": "a", "text": "gold"}\n{"text": "silver"}\n')
    files = [str(docs), str(collection / "topics.tsv")]
    qrels = ["--qrels", str(collection / "qrels.txt")]
    output = ["-o", str(tmp_path / "a.csv")]
    assert main(["grid", *files, *qrels, *output, "--dask", address]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"mohs: {docs}:2: ")


def test_a_cluster_needs_a_store(collection: Path, address: str) -> None:
    with pytest.raises(InputError, match="--dask needs a folder that all machines"):
        run(collection, dask=address)


def job(folder: Path, **options: Any) -> Job:  # noqa: ANN401
    nothing: dict[str, Any] = {"collections": {}, "topics": (), "stopped": {}}
    return Job(
        **nothing,
        depth=1,
        engine="mohs",
        judging=None,
        runs=None,
        store=FolderStore(folder),
        read={},
        **options,
    )


def test_a_worker_of_another_version_does_nothing(tmp_path: Path) -> None:
    sent = job(tmp_path, versions={"mohs": "0.0.1"})
    with pytest.raises(InputError, match=r"has mohs 0\.1.* machine has mohs 0\.0\.1:"):
        sent.arrived()


def test_a_worker_that_has_another_store_does_nothing(tmp_path: Path) -> None:
    with job(tmp_path).sent() as sent:
        sent.arrived()
        assert sent.versions == storing.versions()
        for path in tmp_path.iterdir():
            path.unlink()
        with pytest.raises(InputError, match="does not see the store"):
            sent.arrived()
    assert list(tmp_path.iterdir()) == []


ERRORS = [
    FormatError.gather(
        [FormatError("a", 1, "is odd", "mend it"), FormatError("b", 2, "x")]
    ),
    UnknownNameError("model", "BM26", ["BM25"]),
    InputError("wrong"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_travel(error: InputError) -> None:
    found = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (type(found), found.problems()) == (type(error), error.problems())
    assert vars(found) == vars(error)


def fail(error: Exception) -> None:
    raise error


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_breaks_down_is_told_in_words(address: str) -> None:
    with pytest.raises(InputError, match=r"a worker failed .*No space left"):
        list(each(fail, [OSError(28, "No space left on device")], cluster=address))
    with pytest.raises(InputError, match=r"lacks a package \(no module"):
        list(each(fail, [ModuleNotFoundError("no module")], cluster=address))
    with pytest.raises(InputError, match="workers die of this work"):
        list(each(die, [1], cluster=address))


def shared(held: dict[str, Any], number: int) -> tuple[int, int, int]:
    return number + held["one"], id(held), os.getpid()


def test_what_all_tasks_share_is_sent_once(address: str) -> None:
    held = {"one": 1, "large": np.zeros(1 << 21)}
    found = list(each(shared, range(40), cluster=address, given=(held,)))
    assert [number for number, _, _ in found] == list(range(1, 41))
    values = {(process, value) for _, value, process in found}
    assert len(values) == len({process for process, _ in values})


def test_an_interrupted_client_leaves_finished_cells(
    collection: Path, tmp_path: Path, address: str
) -> None:
    store, output = tmp_path / "cells", tmp_path / "a.csv"
    inputs = [str(collection / name) for name in ("documents.jsonl", "topics.tsv")]
    options = [x for kind, names in SYSTEMS.items() for x in (f"--{kind}", names)]
    command = [
        *("grid", *inputs, "--qrels", str(collection / "qrels.txt"), *options),
        *("--store", str(store), "-o", str(output), "--dask", address),
    ]
    program = (sys.executable, "-m", "mohs", *command)
    with subprocess.Popen(program, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + PATIENCE
        while len(list(store.glob("*.cell"))) < 4 and time.monotonic() < end:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    before = {path: path.stat().st_mtime_ns for path in store.glob("*.cell")}
    assert len(before) >= 4
    assert main(command) == 0
    assert output.read_text().splitlines()[0].startswith("system,topic,")
    after = {path: path.stat().st_mtime_ns for path in store.glob("*.cell")}
    assert before.items() <= after.items()
