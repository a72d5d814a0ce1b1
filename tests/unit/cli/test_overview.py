import io
import json
from pathlib import Path

import pytest

from mohs.cli import main

COUNTS = """\
collection  systems  topics  judged  relevant  topics_in_common
all               1       2       3         2                 1
a                 1       2       2         2                 1

topics in common  all  a
all                 2  2
a                   2  2

collection  topics  topics_share  judged  judged_share  relevant  relevant_share  prevalence
all              2        1.0000       3        1.0000         2          1.0000      0.6667
a                2        1.0000       2        0.6667         2          1.0000      1.0000
"""  # noqa: E501


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments, a run and scores, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    rows = ["system,topic,measure,value", "x,1,AP,0.5", "x,1,RR,1", "y,2,AP,0.5"]
    (tmp_path / "scores").write_text("\n".join(rows))
    return tmp_path


def test_a_pipe_gets_the_collections(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["overview", "qrels", "x.run", "-l", "2"]) == 0
    assert capsys.readouterr().out == (
        "collection\tsystems\ttopics\tjudged\trelevant\ttopics_in_common\n"
        "all\t1\t2\t3\t0\t1\n"
    )


def test_a_terminal_gets_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["overview", "qrels", "x.run", "--corpus", "a=^a"]) == 0
    assert screen.getvalue() == COUNTS


def test_scores_need_no_runs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--where", "system=x", "--measure", "recip_rank"]
    assert main(["overview", "scores", *words]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "scores\t1\t1\t\t\t1"


def test_what_was_noticed_in_scores_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text('[{"system": 7, "topic": "t", "value": 0.5}]', "utf-8")
    assert main(["overview", "a.json", "scores"]) == 0
    note = "mohs: note: a.json: whole numbers in 'system' are taken as text\n"
    assert capsys.readouterr().err == note


def test_what_is_wrong_with_several_tables_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.csv").write_text("topic,a,a\n1,0,0\n", "utf-8")
    Path("b.csv").write_text('topic,a\n1,"0,5"\n2,"0,5"\n', "utf-8")
    assert main(["overview", "a.csv", "scores", "b.csv", "gone"]) == 2
    lines = capsys.readouterr().err.splitlines()
    places = ["a.csv", "b.csv:2", "gone", "b.csv:3"]
    assert [line.split(": ")[1] for line in lines] == places


def test_a_baseline_is_what_a_pipe_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--baseline", "x", "--measure", "map", "--tie", "0.25"]
    Path("scores").write_text("topic,x,y\n1,0.5,0.75\n2,0.5,0\n")
    assert main(["overview", "scores", *words]) == 0
    assert capsys.readouterr().out == (
        "collection\tsystem\ttopics\twins\tties\tlosses\tmean_difference\n"
        "scores\ty\t2\t0\t1\t1\t-0.125\n"
    )


def test_a_folder_gets_both_tables() -> None:
    assert main(["overview", "qrels", "x.run", "-o", "counts/", "--meta"]) == 0
    files = {path.name: path.read_text() for path in Path("counts").iterdir()}
    assert files["shared.csv"] == "left,right,topics\nall,all,2\n"
    meta = json.loads(files["meta.json"])
    assert meta["command"] == "overview"
    assert [each["name"] for each in meta["inputs"]] == ["qrels", "x.run"]
    assert meta["request"]["level"] == 1
    assert "workers" not in meta["request"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "the following arguments are required: QRELS|SCORES; see"),
        (["qrels"], "qrels:1: these are judgments; name runs behind them"),
        (["x.run", "qrels"], "x.run:1: this is a run; name the judgments first"),
        (["gone"], "gone: no such file or folder, and no match; check the spelling"),
        (["gone", "x.run"], "mohs: gone: no such file"),
        (["qrels", "x.run", "-l", "nan"], "the relevance level must be 0 or more"),
    ],
)
def test_wrong_input(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["overview", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert problem in err
