import io
import sys
from pathlib import Path

import pytest

from mohs.cli import main

ROWS = "query,url,clicks\nq1,a,0\nq1,b,2\nq1,c,4\nq2,a,1\nq2,b,5\nq2,c,9\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


BIASED = (
    "mohs: note: clicks and views are biased by position: what an earlier system ranked"
    " high has more of them; judgments made of them favour systems like it"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Clicks on three pages for two queries, in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("clicks.csv").write_text(ROWS)
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    assert main(["relevance", "clicks.csv", *words]) == code


def test_a_pipe_gets_the_items_and_stderr_the_points(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--by", "query")
    out, err = capsys.readouterr()
    assert out.splitlines()[:3] == [
        "query\turl\tclicks\tphi",
        "q1\ta\t0\t0.0",
        "q1\tb\t2\t0.0",
    ]
    assert err.splitlines() == [
        "mohs: control points of q1: 0:0, 2:0, 4:1",
        "mohs: control points of q2: 1:0, 5:0, 9:1",
    ]


def test_judgments_come_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    run("--by", "query", "-o", "clicks.qrels")
    assert capsys.readouterr().err.splitlines()[-1] == BIASED
    assert Path("clicks.qrels").read_text() == (
        "q1 0 a 0.0\nq1 0 b 0.0\nq1 0 c 1.0\nq2 0 a 0.0\nq2 0 b 0.0\nq2 0 c 1.0\n"
    )


def test_own_points_and_the_variant_are_passed_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--points", "0:0,10:1", "--column", "clicks")
    assert "control points: 0:0, 10:1" in capsys.readouterr().err
    run("--variant", "authors", "--no-positives-only")
    assert "control points: 0:0, 3:0, 9:1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--points", "1"], "expected pairs such as 0:0,100:1, found '1'"),
        (["--points", "1:0,2:3"], "control points: φ is from 0 to 1, found 3 at 2"),
        (["--column", "url"], "clicks.csv:2: url 'a' is not a number"),
        (["--topic", "query"], "--topic and --document are for judgments"),
        (["-o", "a.qrels", "--meta"], "--meta stands beside a table"),
        (["-o", "no/a.qrels"], "no/a.qrels"),
        (["-o", "a.qrel"], "Did you mean '.qrels'? Known: .csv, .html"),
        (["--cutoffs", "5"], "--cutoffs is for comparing rankings; name the column"),
        (["--bands", "5,9"], "that ranks items with --predicted"),
        (["--theme", "traffic-light"], "--theme colours a picture; name its file"),
        (["--theme", "red"], "no theme named 'red'"),
        (["--points", "-5:x"], "expected pairs such as 0:0,100:1, found '-5:x'"),
        (["-o", "a.qrels", "--document", "query"], "clicks.csv:3: 'q1' stands twice"),
    ],
)
def test_mistakes_are_told(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(*words, code=2)
    assert problem in capsys.readouterr().err
    assert [each.name for each in Path().iterdir()] == ["clicks.csv"]


def test_a_folder_gets_both_tables_and_a_picture() -> None:
    run("--by", "query", "-o", "tables/", "--chart", "phi.svg")
    assert sorted(each.name for each in Path("tables").iterdir()) == [
        "points.csv",
        "relevance.csv",
    ]
    assert "Relevance φ of clicks" in Path("phi.svg").read_text("utf-8")


def test_rankings_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    Path("clicks.csv").write_text("list,predicted,actual\na,3,1\na,2,5\na,1,2\n")
    run("--predicted", "predicted", "--cutoffs", "1,2", "--bands", "1")
    out, err = capsys.readouterr()
    assert out.splitlines()[:2] == [
        "list\tk\tndcg\tndcg_phi\tdifference\testimate\tbest_rank",
        "a\t1\t0.0\t0.0\t0.0\tequal\t2",
    ]
    assert err == (
        "mohs: note: not shown: cutoffs, levels; -o FOLDER/ writes every table\n"
    )
    run("--predicted", "predicted", "-o", "a.qrels", code=2)
    assert "which makes no judgments" in capsys.readouterr().err


def test_a_terminal_gets_the_summaries(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("clicks.csv").write_text("list,predicted,actual\na,3,1\na,2,5\na,1,2\n")
    monkeypatch.setattr(sys, "stdout", Terminal())
    run("--predicted", "predicted", "--cutoffs", "1,2", "--bands", "1")
    blocks = sys.stdout.getvalue().split("\n\nlevels\n")
    assert [line.split()[:2] for line in blocks[0].splitlines()[1:3]] == [
        ["1", "1"],
        ["2", "1"],
    ]
    assert len(blocks) == 2


def test_a_comparison_obeys_what_is_said_of_missing_scores(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = "list,predicted,actual\na,3,\na,2,5\na,1,2\nb,1,-1\n"
    Path("clicks.csv").write_text(rows)
    words = ["--predicted", "predicted", "--cutoffs", "1,1"]
    run(*words, code=2)
    assert "clicks.csv:2: actual is missing; say what to" in capsys.readouterr().err
    run(*words, "--missing", "drop", "--missing-value", "-1")
    out, err = capsys.readouterr()
    assert out.splitlines()[1:] == ["a\t1\t1.0\t1.0\t0.0\tequal\t1"]
    assert "2 of 4 items have no score; they are taken out of their rankings" in err
    run(*words, "--missing", "zero", "--missing-value", "-1")
    assert capsys.readouterr().out.splitlines()[1].split("\t")[-1] == "2"
    run(*words, "--missing", "drop", "--pooled", "--points", "-5:0,5:1")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_values_that_begin_with_a_minus_are_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--points", "-5:0,.5:0.5,10:1", "--column", "clicks")
    assert "control points: -5:0, 0.5:0.5, 10:1" in capsys.readouterr().err
    run("--points=-5:0,10:1", "--missing-value", "-1e2")
    assert "control points: -5:0, 10:1" in capsys.readouterr().err


def test_judgments_may_be_named_in_capitals() -> None:
    run("--by", "query", "-o", "clicks.QRELS")
    assert Path("clicks.QRELS").read_text().startswith("q1 0 a 0.0\n")


def test_a_plain_file_may_be_of_any_size(capsys: pytest.CaptureFixture[str]) -> None:
    run("--max-bytes", "1", "--by", "query")
    assert len(capsys.readouterr().out.splitlines()) == 7
