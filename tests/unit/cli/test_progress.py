"""Progress is for people who watch: a bar on a terminal, and gone at the end."""

import io

import pytest

from mohs.cli.progress import Progress, describe


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("done", "seconds", "left"),
    [
        (0, 1.0, ""),
        (10, 1.0, ", 9 s left"),
        (50, 90.0, ", 1 min 30 s left"),
        (1, 100.0, ", 2 h 45 min left"),
        (100, 9.0, ""),
    ],
)
def test_it_says_how_long_the_rest_takes(done: int, seconds: float, left: str) -> None:
    line = describe("cells", done, 100, seconds=seconds)
    assert line.partition(" of 100 cells")[2] == left


def test_a_terminal_sees_it_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr", screen := Terminal())
    monkeypatch.setattr("mohs.cli.progress._OFTEN", 0.0)
    with Progress("cells") as progress:
        progress(1, 4)
    first, last = screen.getvalue().split("\r")[1:]
    assert first.startswith("[=======")
    assert len(first.removesuffix("\x1b[K")) == 29
    assert last == "\x1b[K"


def test_a_file_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", file := io.StringIO())
    with Progress("cells") as progress:
        progress(1, 4)
    assert file.getvalue() == ""
