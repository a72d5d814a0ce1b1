import csv
import io
import json
from pathlib import Path

import pytest

import mohs
from mohs.cli import main
from mohs.retrieval.grid import execution

DOCUMENTS = """\
{"docno": "d1", "title": "gold", "text": "a soft metal"}
{"docno": "d2", "text": "talc is a soft mineral, the softest"}
{"docno": "d3", "text": "diamonds are hard"}
{"docno": "d4", "text": "a diamond is a mineral"}
"""
TOPICS = "topic\tformulation\tquery\n1\ta\tsoft metal\n1\tb\tgold\n2\ta\tdiamonds\n"
QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n2 0 d4 2\n"
GRID = ("grid", "docs.jsonl", "topics.tsv")
SCORED = (*GRID, "--qrels", "qrels.txt", "--stoplists", "none")
HEADER = "system topic stoplist stemmer model expansion formulation measure value"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("docs.jsonl").write_text(DOCUMENTS)
    Path("topics.tsv").write_text(TOPICS)
    Path("qrels.txt").write_text(QRELS)
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    assert main([*SCORED, *words]) == code


def test_a_pipe_gets_the_scores(capsys: pytest.CaptureFixture[str]) -> None:
    run("--stemmers", "none,porter", "-m", "AP")
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert out.split("\n", maxsplit=1)[0].split("\t") == HEADER.split()
    found = {
        (row["stemmer"], row["topic"], row["formulation"]): float(row["value"])
        for row in rows
    }
    assert found == {
        ("none", "1", "a"): 1.0,
        ("none", "1", "b"): 1.0,
        ("none", "2", "a"): 0.5,
        ("porter", "1", "a"): 1.0,
        ("porter", "1", "b"): 1.0,
        ("porter", "2", "a"): 1.0,
    }
    assert rows[0]["system"] == "none-none-BM25-none"
    assert err == ""


def test_a_terminal_gets_the_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    run("--stemmers", "none", "-m", "AP", "-m", "P@1")
    lines = [line.split() for line in screen.getvalue().splitlines()]
    assert lines == [
        ["system", "measure", "topics", "value"],
        ["none-none-BM25-none", "AP", "3", "0.8333"],
        ["none-none-BM25-none", "P@1", "3", "1.0000"],
    ]


def test_runs_alone(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--runs", "runs", "--stoplists", "none", "--models", "TF_IDF")
    assert main([*GRID, *words, "--depth", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1:] == [
        "none-porter-TF_IDF-none\tnone\tporter\tTF_IDF\tnone\t3\t3"
    ]
    assert err == ""
    lines = Path("runs/none-porter-TF_IDF-none.run").read_text().splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["1_a", "Q0", "d1", "1"],
        ["1_b", "Q0", "d1", "1"],
        ["2_a", "Q0", "d3", "1"],
    ]


def test_runs_are_what_other_commands_read(capsys: pytest.CaptureFixture[str]) -> None:
    run("--runs", "runs/", "-o", "scores.csv", "-m", "AP")
    split = ("--formulation", "(?P<topic>.+)_(?P<formulation>.+)")
    words = ("evaluate", "qrels.txt", "runs/", "-m", "AP", "-o", "theirs.csv")
    assert main([*words, *split]) == 0
    ours, theirs = (mohs.read_scores(name) for name in ("scores.csv", "theirs.csv"))
    assert ours.values.tolist() == theirs.values.tolist()
    assert main(["evaluate", "qrels.txt", "runs/"]) == 2
    assert capsys.readouterr().err.endswith(
        "split formulations off by --formulation '(?P<topic>.+)_(?P<formulation>.+)'\n"
    )


def test_several_collections(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = DOCUMENTS.splitlines()[:2], DOCUMENTS.splitlines()[2:]
    Path("first.jsonl").write_text("\n".join(first))
    Path("second.jsonl").write_text("\n".join(second))
    docs = ("--docs", "A=first.jsonl", "--docs", "B=second.jsonl")
    words = (*SCORED[3:], "-m", "RR", "--models", "TF_IDF")
    assert main(["grid", "topics.tsv", *docs, *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter="\t"))
    assert [(row["corpus"], row["topic"], row["value"]) for row in rows] == [
        ("A", "1", "1.0"),
        ("A", "1", "1.0"),
        ("B", "2", "1.0"),
    ]


def test_finished_cells_stay_until_they_are_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("-o", "scores.csv", "--models", "BM25,DPH", "--meta")
    scores = Path("scores.csv").read_bytes()
    cells = [path for path in Path("scores.csv.cells").iterdir() if path.is_file()]
    assert len(cells) == 2
    meta = json.loads(Path("scores.csv.meta.json").read_text())
    assert (meta["command"], meta["request"]["models"]) == ("grid", ["BM25,DPH"])
    assert len(meta["inputs"]) == 3

    def fail(*_: object) -> None:
        raise AssertionError("done already")

    monkeypatch.setattr(execution, "complete", fail)
    run("-o", "scores.csv", "--models", "BM25,DPH", "--clean")
    assert Path("scores.csv").read_bytes() == scores
    assert not Path("scores.csv.cells").exists()


def test_nothing_else_is_removed_from_a_store() -> None:
    run("-o", "scores.csv", "--store", ".", "--clean")
    assert {path.name for path in Path().iterdir()} == {
        *("docs.jsonl", "topics.tsv", "qrels.txt", "scores.csv")
    }


def test_what_makes_scores_doubtful_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("topics.tsv").write_text("1\tgold\n2\tquartz\n3\ttalc\n")
    Path("qrels.txt").write_text(QRELS + "2 0 elsewhere 1\n4 0 d1 1\n")
    run("-m", "AP")
    assert capsys.readouterr().err.splitlines() == [
        "mohs: note: 1 of 3 queries are not judged and left out",
        "mohs: note: 1 judged topics are not asked: 4",
        "mohs: note: 1 of 6 judgments are about documents that are in no collection",
        "mohs: note: some systems find nothing for 2",
    ]


WRONG: dict[str, tuple[list[str], str]] = {
    "no documents": (
        ["grid", "nope.jsonl", *SCORED[2:]],
        "nope.jsonl: no such file, and no such ir_datasets id; check the spelling",
    ),
    "no topics": (["grid", "docs.jsonl", "nope", *SCORED[3:]], "nope: no such file"),
    "no judgments": ([*GRID, "--qrels", "nope"], "nope: no such file"),
    "one path": (
        ["grid", "docs.jsonl"],
        "expected DOCS TOPICS, found docs.jsonl; see mohs grid --help",
    ),
    "documents named twice": (
        [*SCORED, "--docs", "a=docs.jsonl"],
        "expected TOPICS, found docs.jsonl topics.tsv; see mohs grid --help",
    ),
    "a collection without a name": (
        ["grid", "topics.tsv", "--docs", "docs.jsonl"],
        "--docs docs.jsonl: expected NAME=PATH",
    ),
    "a collection twice": (
        ["grid", "topics.tsv", "--docs", "a=docs.jsonl", "--docs", "a=b"],
        "--docs a=b: there is another collection 'a'",
    ),
    "a collection that is no name": (
        ["grid", "topics.tsv", *SCORED[3:], "--docs", "../a=docs.jsonl"],
        "a collection cannot be called '../a': runs are put in folders of that name",
    ),
    "nothing to do": (list(GRID), "nothing would be left of the rankings: give"),
    "no model": ([*SCORED, "--models", "BM"], "no model named 'BM'"),
    "no parameter": ([*SCORED, "--models", "PL2(k=1)"], "no parameter of PL2 named"),
    "a parameter that is no number": (
        [*SCORED, "--models", "PL2(c=x)"],
        "'PL2(c=x)': 'c=x' is no parameter such as b=0.4",
    ),
    "no expansion": (
        [*SCORED, "--expansions", "bo1"],
        "no expansion named 'bo1'. Did you mean 'Bo1'? Known: Axiomatic, Bo1, KL, ",
    ),
    "no stemmer": (
        [*SCORED, "--stemmers", "potter"],
        "no stemmer named 'potter'. Did you mean 'porter'?",
    ),
    "no preset": ([*SCORED, "--preset", "c20"], "no preset named 'c20'"),
    "no measure": ([*SCORED, "-m", "APP"], "no measure named 'APP'"),
    "a folder": ([*SCORED, "-o", "."], ".: is a folder; end the path in / to fill it"),
    "no folder": (
        [*SCORED, "-o", "no/scores.csv"],
        "no/scores.csv: there is no folder ",
    ),
    "no form": ([*SCORED, "-o", "scores.xls"], "no output form named '.xls'"),
    "runs in a file": (
        [*SCORED, "--runs", "docs.jsonl"],
        "docs.jsonl: cannot be made (file exists)",
    ),
    "a store in a file": (
        [*SCORED, "--store", "docs.jsonl"],
        "docs.jsonl: cannot be made (file exists)",
    ),
    "runs in place of scores": (
        [*SCORED, "-o", "a.csv", "--runs", "./a.csv"],
        "./a.csv: is wanted by -o and by --runs",
    ),
    "nothing to clean": (
        [*SCORED, "--clean"],
        "--clean removes finished cells, and none are kept without -o",
    ),
    "a cluster without a store": (
        [*SCORED, "--dask", "tcp://nowhere:1"],
        "--dask needs a folder that all machines see: name it --store",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_is_told_in_one_line(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, problem = WRONG[case]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"mohs: {problem}")
    assert not Path("scores.csv.cells").exists()


FILES: dict[str, tuple[str, str, str]] = {
    "two documents of one id": (
        "docs.jsonl",
        DOCUMENTS + '{"docno": "d1", "text": "again"}\n',
        "docs.jsonl:5: document 'd1' is there already; remove one of them",
    ),
    "a document without text": (
        "docs.jsonl",
        '{"docno": "d1"}\n',
        "docs.jsonl:1: a document without a text; its fields are docno",
    ),
    "no documents": ("docs.jsonl", "", "docs.jsonl: holds no documents"),
    "topics without queries": ("topics.tsv", "1\n", "topics.tsv:1: expected 2 fields"),
    "a query that is empty": (
        "topics.tsv",
        "1\t\n2\tgold\n",
        "topics.tsv: there is no query in 1; write them",
    ),
    "a topic twice": (
        "topics.tsv",
        "1\tgold\n1\ttalc\n",
        "topics.tsv:2: topic '1' is there already, in line 1; remove one, or tell them",
    ),
    "judgments of other topics": (
        "qrels.txt",
        "7 0 d1 1\n",
        "qrels.txt: none of the 3 queries is judged; the first is called '1_a'",
    ),
    "judgments of other documents": (
        "qrels.txt",
        "1 0 e1 1\n",
        "qrels.txt: none of the judged documents is in the collection; its first ",
    ),
    "runs for judgments": (
        "qrels.txt",
        "1 Q0 d1 1 2.5 tag\n",
        "qrels.txt:1: expected 4 fields, found 6",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_wrong_files_are_told_in_one_line(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, text, problem = FILES[case]
    Path(name).write_text(text)
    run("-o", "scores.csv", code=2)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"mohs: {problem}")
    assert not Path("scores.csv").exists()


def test_judgments_of_no_collection(capsys: pytest.CaptureFixture[str]) -> None:
    Path("qrels.txt").write_text("1 0 e1 1\n")
    docs = ("--docs", "a=docs.jsonl", "--docs", "b=docs.jsonl")
    assert main(["grid", "topics.tsv", *docs, *SCORED[3:]]) == 2
    assert capsys.readouterr().err == (
        "mohs: no collection holds a document that is relevant to a topic; name the"
        " judgments that belong to the documents\n"
    )
