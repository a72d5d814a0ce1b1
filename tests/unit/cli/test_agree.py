import json
from pathlib import Path

import pytest

from mohs.cli import main

ROWS = """\
system,topic,corpus,measure,value
a,1,FT,AP,0.9
a,2,FT,AP,0.5
a,3,FT,AP,0.1
a,1,LA,AP,0.2
a,2,LA,AP,0.3
a,3,LA,AP,0.4
b,1,FT,AP,0.8
b,2,FT,AP,0.6
b,3,FT,AP,0.2
b,1,LA,AP,0.1
b,2,LA,AP,0.4
b,3,LA,AP,0.3
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(ROWS)
    (tmp_path / "ours").write_text("a\n")
    return tmp_path


def test_a_pipe_gets_the_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", "scores.csv", "--by", "corpus"]) == 0
    out, err = capsys.readouterr()
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert header[:6] == ["left", "right", "measure", "topics", "overlap", "tau_b"]
    assert [row[:5] for row in rows] == [["FT", "LA", "AP", "3", "1.0"]]
    assert float(rows[0][5]) == pytest.approx(-2 / 6**0.5)
    assert err == (
        "mohs: note: topics are tied, and with ties there is no tau_ap, which leaves"
        " out such draws of random sets: FT and LA\n"
    )


def test_what_settles_follows_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    words = ["--where", "corpus=FT", "--sets", "tag:a,tag:b", "--settle", "0.9"]
    assert main(["agree", "scores.csv", *words]) == 0
    pairs, settled, settling = capsys.readouterr().out.split("\n\n")
    assert pairs.splitlines()[1].split()[:4] == ["tag:a", "tag:b", "AP", "3"]
    assert settled.splitlines()[0] == "settled"
    assert settled.splitlines()[2].split() == ["all", "AP", "0.9000", "1", "2"]
    assert len(settling.splitlines()) == 4


def test_a_folder_gets_every_table_and_says_how() -> None:
    words = ["--by", "corpus", "--sets", "all", "--sets", "file:ours", "-o", "out/"]
    assert main(["agree", "scores.csv", *words, "--meta"]) == 0
    files = {path.name: path.read_text() for path in Path("out").iterdir()}
    assert sorted(files) == ["agree.csv", "meta.json", "topics.csv"]
    assert files["agree.csv"].splitlines()[2].startswith("file:ours of FT,file:ours of")
    meta = json.loads(files["meta.json"])
    assert [each["name"] for each in meta["inputs"]] == ["ours", "scores.csv"]
    assert (meta["seed"], meta["request"]["repeat"]) == (0, 200)


def test_two_tables_and_their_picture() -> None:
    Path("other.csv").write_text(ROWS)
    words = ["--where", "corpus=FT", "-o", "a.json", "--chart", "a.svg"]
    assert main(["agree", "scores.csv", *words, "other.csv", "--show", "heat"]) == 0
    made = json.loads(Path("a.json").read_text())
    assert [(row["left"], row["right"]) for row in made["rows"]] == [
        ("scores", "other")
    ]
    names = [each["name"] for each in made["meta"]["inputs"]]
    assert names == ["other.csv", "scores.csv"]
    assert "scores" in Path("a.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "the following arguments are required: SCORES"),
        (["gone.csv"], "gone.csv: no such file"),
        (["scores.csv"], "which differ in corpus (FT, LA)"),
        (["scores.csv", "--by", "team"], "no column named 'team'"),
        (["scores.csv", "--settle", "x"], "invalid float value: 'x'"),
        (["scores.csv", "--repeat", "0"], "expected a whole number from 1"),
        (["scores.csv", "--by", "corpus", "--sets", "best:9"], "best:N with N from 1"),
        (["scores.csv", "--show", "heat"], "--show says what a picture shows"),
        (["scores.csv", "--chart", "a.svg", "--show", "het"], "Did you mean 'heat'"),
        (["-", "-"], "standard input (-) can be read only once"),
    ],
)
def test_wrong_input(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agree", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert problem in err
