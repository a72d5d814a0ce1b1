"""Ctrl-C, and programs that are killed: answered at once, and nothing half written."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import mohs.cli
from mohs.cli import INTERRUPTED, main
from mohs.samples import sample

# Half a second is the promise; a busy machine starts threads late.
PATIENCE = 0.5
MOHS = (sys.executable, "-m", "mohs")


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    # A shell in the background starts its commands with interrupts ignored, and
    # programs pass that on to theirs.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupts") / "sample"
    sample(folder, systems=3, topics=20, depth=300)
    return folder


@pytest.mark.parametrize("source", ["named pipe", "standard input"])
def test_an_interrupt_is_answered_at_once(
    collection: Path, tmp_path: Path, source: str
) -> None:
    # The core reads the first without end, Python the second.
    pipe = tmp_path / "run"
    os.mkfifo(pipe)
    run = str(pipe) if source == "named pipe" else "-"
    command = (*MOHS, "evaluate", str(collection / "qrels.txt"), run)
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as process:
        if source == "named pipe":
            end = pipe.open("wb")  # Returns once the core has opened the other end.
        else:
            end = process.stdin
            end.write(b"\n" * (1 << 20))  # More than fits: it is being read.
            end.flush()
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        try:
            process.wait(10)
        finally:
            process.kill()
            end.close()
        took = time.monotonic() - start
        said = process.stderr.read()
    assert took < PATIENCE
    assert (process.returncode, said) == (INTERRUPTED, b"")


def test_an_interrupt_that_was_swallowed_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def swallow(_: object) -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("half of a module") from None

    fake = SimpleNamespace(SUMMARY="fail", configure=lambda _: None, run=swallow)
    monkeypatch.setattr(mohs.cli, "command", lambda _: fake)
    assert main(["check"]) == INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_in_executed_text_counts_once() -> None:
    # Python ends itself by the signal afterwards, unless it is made to forget it.
    text = """
import signal, sys
from types import SimpleNamespace
import mohs.cli
def run(args):
    exec("signal.raise_signal(signal.SIGINT)")
mohs.cli.command = lambda _: SimpleNamespace(
    SUMMARY="fail", configure=lambda _: None, run=run
)
sys.exit(mohs.cli.main(["check"]))
"""
    done = subprocess.run([sys.executable, "-c", text], check=False)
    assert done.returncode == INTERRUPTED


@pytest.mark.parametrize("cells", [0, 1, 20])
def test_a_grid_that_is_interrupted_keeps_its_cells(
    collection: Path, tmp_path: Path, cells: int
) -> None:
    out, store = tmp_path / "grid.csv", tmp_path / "grid.csv.cells"
    texts, topics = collection / "documents.jsonl", collection / "topics.tsv"
    command = (*MOHS, "grid", str(texts), str(topics), "--preset", "z19", "-m", "AP")
    options = ("--qrels", str(collection / "qrels.txt"), "-o", str(out))

    def done() -> int:
        return len([path for path in store.glob("[!.]*") if path.is_file()])

    with subprocess.Popen((*command, *options), stderr=subprocess.PIPE) as process:
        while not (store.is_dir() and done() >= cells) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        said = process.communicate(timeout=10)[1]
        took = time.monotonic() - start
    assert (process.returncode, said) == (INTERRUPTED, b"")
    assert took < PATIENCE
    assert cells <= done() < 322
    assert not out.exists()


def test_a_program_that_is_killed_leaves_old_or_new(collection: Path) -> None:
    out = collection / "out" / "scores.csv"
    out.parent.mkdir()
    runs = str(collection / "runs")
    command = (*MOHS, "evaluate", str(collection / "qrels.txt"), runs, "-o", str(out))
    start = time.monotonic()
    subprocess.run(command, capture_output=True, check=True)
    took = time.monotonic() - start
    new, seen = out.read_bytes(), set()
    for share in (0, 0.5, 0.8, 0.85, 0.9, 0.95, 1, 1.1):
        out.write_bytes(b"old")
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(share * took)
        process.kill()
        process.wait()
        seen.add(out.read_bytes())
    assert b"old" in seen
    assert seen <= {b"old", new}


def test_two_programs_writing_one_file_leave_it_whole(collection: Path) -> None:
    out = collection / "both.csv"
    runs = str(collection / "runs")
    command = (*MOHS, "evaluate", str(collection / "qrels.txt"), runs, "-o", str(out))
    subprocess.run(command, capture_output=True, check=True)
    whole = out.read_bytes()
    both = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert out.read_bytes() == whole
    assert not list(collection.glob(".mohs-*.tmp"))
