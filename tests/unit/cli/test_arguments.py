"""Odd arguments of commands: answered in one line, and never by a fault of our own."""

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
}
RIGHT_ONES = ["-M 4000000000000000000", "--corpus shards:2 --seed -1", "--workers 9999"]


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


def test_a_full_disk_is_told_in_one_line(files: tuple[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "mohs", "evaluate", *files, "--format"]
        done = subprocess.run(
            [*command, "trec_eval"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    said = b"mohs: the output cannot be written (No space left on device)\n"
    assert (done.returncode, done.stderr) == (WRONG, said)
