import io
import json
from pathlib import Path

import pytest

from mohs.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n"
RUN = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments and a sound run, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """Return what a terminal shows of an inspection that finds errors."""
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    assert main(["check", "qrels", *words]) == 1
    return screen.getvalue().splitlines()


def test_sound_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "qrels", "a.run"]) == 0
    out, err = capsys.readouterr()
    assert out == "file\tline\tseverity\tproblem\tremedy\n"
    assert err == "1 run, 1 topic: no problems found\n"


def test_errors_decide_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1,5 t\n")
    assert main(["check", "qrels", "a.run"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[1].split("\t") == [
        "a.run",
        "2",
        "error",
        "score is not a number: '1,5'",
        "write a decimal point, not a comma",
    ]
    assert err == "1 run, 1 topic: 1 error\n"


def test_warnings_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.run").write_text("\ufeff" + RUN)
    assert main(["check", "qrels", "a.run"]) == 0
    assert capsys.readouterr().err == "1 run, 1 topic: 1 warning\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["qrels"], "the following arguments are required: RUN"),
        (["qrels", "a.run", "-o", "x.cvs"], "Did you mean '.csv'?"),
        (["qrels", "a.run", "--corpus", "x"], "expected NAME=REGEX"),
        (["qrels", "a.run", "--max-bytes", "0"], "--max-bytes"),
    ],
)
def test_wrong_usage(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert expected in err


def test_a_terminal_shows_the_gravest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.run").write_text("\ufeff1 Q0 a\n1 \x1b[2J b\n")
    Path("qrels").write_text("# pool\n" + QRELS)
    assert shown(monkeypatch, "a.run") == [
        "error    a.run:1: expected at least 6 fields, found 3",
        "error    a.run:2: expected at least 6 fields, found 3",
        "         lines read 'topic Q0 document rank score tag'",
        "warning  a.run:1: starts with a byte-order mark, which is skipped",
        "         save the file as UTF-8 without it; other programs read it as an id",
        "note     qrels: 1 comment line above the data, skipped",
        "         take them out for programs that know no comments, as pytrec_eval",
    ]


def test_a_terminal_shows_something_of_every_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("a.run").write_text("1 Q0 a\n" * 500)
    Path("b.run").write_text("1 Q0 a\n")
    lines = shown(monkeypatch, "a.run", "b.run")
    assert len(lines) == 20 + 1
    assert lines[19] == "error    b.run:1: expected at least 6 fields, found 3"
    assert lines[-1].endswith("score tag' (481 more; -o PATH lists them)")


def test_a_terminal_shows_a_few_notes_of_a_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"{place}.run" for place in range(9)]
    for name in names:
        Path(name).write_text("# comment\n" + RUN)
    Path("a.run").write_text("")
    lines = shown(monkeypatch, "a.run", *names)
    assert [line[:14] for line in lines[2:5]] == [
        f"note     {name}" for name in names[:3]
    ]
    assert lines[5].endswith("as pytrec_eval (6 more; -o PATH lists them)")


def test_names_are_shown_without_control_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("\x1b[2J.run").write_text("")
    first, _ = shown(monkeypatch, "\x1b[2J.run")
    assert first == r"error    \x1b[2J.run: the file is empty"


def test_files_say_how_they_were_made() -> None:
    Path("a.run").write_text("")
    words = ["check", "qrels", "a.run", "gone.run", "-l", "2", "-o", "found.json"]
    assert main([*words, "--workers", "1"]) == 1
    found = json.loads(Path("found.json").read_text())
    assert [(row["file"], row["line"]) for row in found["rows"]] == [
        ("gone.run", None),
        ("a.run", None),
        ("qrels", None),
    ]
    meta = found["meta"]
    assert (meta["command"], meta["seed"]) == ("check", 0)
    assert [each["name"] for each in meta["inputs"]] == ["a.run", "qrels"]
    assert meta["request"]["level"] == 2
    assert "workers" not in meta["request"]
