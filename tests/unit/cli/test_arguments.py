"""Odd arguments of commands: answered in one line, and never by a fault of our own."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mohs.cli import DONE, WRONG, main

WRONG_ONES = {
    "-M 0": "expected a whole number from 1 to 2**62, found '0'",
    "-M x": "expected a whole number from 1 to 2**62, found 'x'",
    "-M 99999999999999999999": "expected a whole number from 1 to 2**62",
    "--workers -1": "expected a whole number from 1 to 2**62, found '-1'",
    "-l nan": "the relevance level must be 0 or more, found nan",
    "-m nDGC@10": "Did you mean 'nDCG@10'?",
    "-m nDCG@99999999999999999999": "the cut-off must be a whole number",
    "--corpus A=(": "no pattern (unclosed group)",
    "--corpus shards:0": "expected 1 to 1,000 shards",
    "--formulation (": "neither a file nor a pattern",
    "--gain squared": "no gain function named 'squared'",
    "-o .": "is a folder",
    "-o scores.doc": "no output form named '.doc'",
    "--meta": "--meta stands beside a file",
    "--meta --format trec_eval": "--meta goes with a table",
    "--output=": "argument -o/--output: expected a name, found ''",
    "--formulation=": "argument --formulation: expected a name, found ''",
}
RIGHT_ONES = ["-M 4000000000000000000", "--corpus shards:2 --seed -1", "--workers 9999"]


MOHS = f"{shlex.quote(sys.executable)} -m mohs"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    words = ["/bin/sh", "-c", command]
    return subprocess.run(
        words, capture_output=True, check=False, text=True, timeout=60
    )


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n", "utf-8")
    Path("a.run").write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n", "utf-8")
    return "qrels", "a.run"


@pytest.mark.parametrize("words", WRONG_ONES)
def test_wrong_arguments_are_told_in_one_line(
    files: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *files, *words.split()]) == WRONG
    out, err = capsys.readouterr()
    assert WRONG_ONES[words] in err
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize("words", RIGHT_ONES)
def test_large_arguments_are_taken(
    files: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *files, "-m", "RR", *words.split()]) == DONE
    assert "a\t" in capsys.readouterr().out


def test_what_is_named_by_a_link_to_a_pipe_is_written(
    files: tuple[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "mohs", "evaluate", *files, "-m", "map"]
    wanted = [*command, "--format", "trec_eval", "-o", "/dev/stdout"]
    done = subprocess.run(wanted, capture_output=True, check=True, cwd=tmp_path)
    assert done.stdout == b"map                   \tall\t0.2500\n"


# What is closed before the program starts, what is asked, and what it says.
CLOSED = {
    "<&-": (
        "evaluate qrels -",
        "standard input: is closed; name a file, or pipe one in",
    ),
    "0<&-": ("overview -", "standard input: is closed; name a file, or pipe one in"),
    ">&-": ("evaluate qrels a.run", "the output cannot be written (it is closed)"),
    "1>&-": ("check qrels a.run", "the output cannot be written (it is closed)"),
    " >&-": ("--version", "the output cannot be written (it is closed)"),
}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("closed", CLOSED)
def test_closed_channels_are_told_in_one_line(closed: str) -> None:
    words, said = CLOSED[closed]
    done = shell(f"{MOHS} {words} {closed}")
    assert (done.returncode, done.stderr) == (WRONG, f"mohs: {said}\n")


@pytest.mark.usefixtures("files")
def test_messages_that_nobody_wants_do_not_go_elsewhere() -> None:
    Path("qrels").write_text("1 0 a 1\n2 0 a 1\n", "utf-8")
    done = shell(f"{MOHS} evaluate qrels a.run -m RR 2>&-")
    table = "system\tmeasure\ttopics\tvalue\na\tRR\t2\t0.25\n"
    assert (done.stdout, done.stderr) == (table, "")


# What stands in a run that trec_eval would score in silence, what is asked, and what is
# said on standard error; standard output stays trec_eval's.
LIKE_TREC_EVAL = {
    "001 Q0 a 1 2 t\n": ("", WRONG, "a.run: no topic of the run is judged"),
    "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n": (
        "--duplicates last",
        DONE,
        "mohs: note: 1 copies of documents do not count, most in a (1)",
    ),
    "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n": ("", DONE, "1 topics without judgments are left"),
}


@pytest.mark.parametrize("run", LIKE_TREC_EVAL)
def test_what_is_printed_like_trec_eval_is_looked_at_all_the_same(
    files: tuple[str, str], run: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, code, said = LIKE_TREC_EVAL[run]
    Path("a.run").write_text(run, "utf-8")
    asked = ["--format", "trec_eval", "-m", "recip_rank", *words.split()]
    assert main(["evaluate", *files, *asked]) == code
    out, err = capsys.readouterr()
    assert said in err
    assert out == ("" if code else "recip_rank            \tall\t1.0000\n")


@pytest.mark.usefixtures("files")
def test_every_file_that_is_not_there_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", "no-qrels", "no.run", "a.run", "no-*.run"]) == WRONG
    lines = capsys.readouterr().err.splitlines()
    names = [line.split(":")[1] for line in lines]
    assert names == [" no-qrels", " no.run", " no-*.run"]


def test_names_that_are_not_utf8_are_recorded(files: tuple[str, str]) -> None:
    odd = os.fsdecode(b"caf\xe9.run")
    Path(files[1]).rename(odd)
    rule = os.fsdecode(b"rule\xe9")
    Path(rule).write_text("1\tT\tF\n", "utf-8")
    words = ["evaluate", files[0], odd, "--formulation", rule, "-o", "a.json"]
    assert main(words) == DONE
    meta = json.loads(Path("a.json").read_text("utf-8"))["meta"]
    names = [each["name"] for each in meta["inputs"]]
    assert names == [r"caf\udce9.run", "qrels", r"rule\udce9"]
    assert meta["request"]["formulation"] == r"rule\udce9"


@pytest.mark.usefixtures("files")
def test_pipes_are_recorded_without_what_is_gone() -> None:
    os.mkfifo("pipe")
    # A writer of few bytes is gone soon, so the pipe can be opened only once.
    done = shell(f"cat a.run > pipe & {MOHS} evaluate qrels pipe -m RR -o a.json")
    assert (done.returncode, done.stderr) == (DONE, "")
    meta = json.loads(Path("a.json").read_text("utf-8"))["meta"]
    assert meta["inputs"][0] == {"name": "pipe", "sha256": None, "size": None}


def test_a_full_disk_is_told_in_one_line(files: tuple[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "mohs", "evaluate", *files, "--format"]
        done = subprocess.run(
            [*command, "trec_eval"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    said = b"mohs: the output cannot be written (No space left on device)\n"
    assert (done.returncode, done.stderr) == (WRONG, said)
