import csv
import io
import json
from pathlib import Path

import pytest

from mohs.cli import main

HEADER = [
    *("topic", "systems", "wins", "difficulty", "low", "high"),
    *("chance", "chance_low", "chance_high", "p", "class", "margin"),
    *("mean", "median", "best", "worst"),
    *("pool", "prevalence", "judged", "relevant", "reason"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments, runs of twelve systems and topics, in the working folder.

    Of six relevant documents, all systems have three on topic 1 and one system five on
    topic 2, beside documents that differ between systems; topic 3 has none.
    """
    monkeypatch.chdir(tmp_path)
    judged = [
        f"{topic} 0 d{place:02} {int(place < relevant)}"
        for topic, relevant in (("1", 6), ("2", 6), ("3", 0))
        for place in range(24)
    ]
    Path("qrels").write_text("\n".join(judged) + "\n")
    Path("runs").mkdir()
    for system in range(12):
        own = [6 + system, 7 + system, 8 + system, 9 + system]
        ranked = {"1": [0, 1, 2, *own], "2": own, "3": own}
        if system == 0:
            ranked["2"] = [0, 1, 2, 3, 4]
        lines = [
            f"{topic} Q0 d{place:02} {rank} {-rank} t"
            for topic, places in ranked.items()
            for rank, place in enumerate(places)
        ]
        Path(f"runs/s{system}.run").write_text("\n".join(lines) + "\n")
    Path("topics.tsv").write_text("1\teasy words\n2\thard words\n3\tno words\n")
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    given = ["difficulty", "qrels", "runs", "--depth", "5", "--permutations", "99"]
    assert main([*given, *words]) == code


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_columns_are_those_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split("\t") == HEADER
    found = {row["topic"]: row for row in rows(out)}
    assert (found["1"]["difficulty"], found["1"]["class"]) == ("1.0", "easy")
    assert (found["2"]["difficulty"], found["2"]["class"]) == (str(1 / 12), "hard")
    assert found["3"]["reason"] == "no document was judged relevant"
    excluded = {name for name in HEADER if not found["3"][name]}
    assert excluded == set(HEADER[2:16])
    assert "1 = easiest, 0 = hardest" in err
    assert "1 topic without difficulty, as no document was judged relevant: 3" in err


def test_strategies_add_their_columns_and_comparisons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--strategy", "eguchi2002", "--strategy", "aslam2007")
    run(*asked)
    out, err = capsys.readouterr()
    added = ["eguchi2002", "eguchi2002_class", "aslam2007", "aslam2007_class"]
    assert out.splitlines()[0].split("\t") == [*HEADER, *added]
    # A pipe carries one table.
    assert len(out.splitlines()) == 1 + 3
    assert "not shown: agreement, opposed; -o FOLDER/ writes every table" in err
    run(*asked, "-o", "all/")
    agreement = Path("all/agreement.csv").read_text()
    found = list(csv.DictReader(io.StringIO(agreement)))
    assert [tuple(row.values())[:2] for row in found] == [
        ("difficulty", "eguchi2002"),
        ("difficulty", "aslam2007"),
        ("eguchi2002", "aslam2007"),
    ]
    capsys.readouterr()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    run(*asked)
    headings = [part.splitlines()[0] for part in capsys.readouterr().out.split("\n\n")]
    assert headings[-2:] == ["agreement", "opposed"]


def test_a_folder_gets_every_table() -> None:
    run("-o", "all/", "--strategy", "all", "--stability", "--repeats", "2")
    names = {path.name for path in Path("all").iterdir()}
    tables = ("difficulty", "adjusted", "systems", "agreement", "opposed", "stability")
    assert {f"{name}.csv" for name in tables} <= names
    with Path("all/systems.csv").open() as file:
        assert sum(1 for _ in file) == 1 + 2 * 12


def test_one_topic_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    run("--topic", "2", "--topics", "topics.tsv")
    out = capsys.readouterr().out
    parts = out.split("\n\n")
    assert len(rows(parts[0])) == 12
    assert [row["system"] for row in rows(parts[0]) if row["win"] == "true"] == ["s0"]
    assert [part.splitlines()[0] for part in parts[1:]] == ["topic", "documents"]
    assert "hard words" in out


def test_the_text_of_a_topic_is_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    run("--topics", "topics.tsv")
    found = rows(capsys.readouterr().out)
    assert [row["query"] for row in found] == ["easy words", "hard words", "no words"]


def test_the_text_of_a_formulation_is_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for path in Path("runs").iterdir():
        lines = path.read_text().splitlines()
        path.write_text(
            "".join(f"{line[0]}{f}{line[1:]}\n" for line in lines for f in "abc")
        )
    Path("tf.tsv").write_text("topic\tformulation\tquery\n1\ta\tone\n1\tb\ttwo\n")
    run("--topics", "tf.tsv", "--formulation", "(?P<topic>.)(?P<formulation>.)")
    found = {
        (row["topic"], row["formulation"]): row["query"]
        for row in rows(capsys.readouterr().out)
    }
    assert [found["1", each] for each in "abc"] == ["one", "two", ""]
    assert found["2", "a"] == ""


def test_uses_are_shown_below(capsys: pytest.CaptureFixture[str]) -> None:
    run("--weighted", "AP", "--weights", "(1 - difficulty) ** 2", "--subsets", "AP")
    _, err = capsys.readouterr()
    assert "not shown: weighted, weighted_order, subsets; -o FOLDER/" in err
    assert "1 of 3 scored topics have no weight: left out" in err


def test_teams_are_drawn_together() -> None:
    lines = [f"s{number}\tteam {number % 2}" for number in range(12)]
    Path("teams.tsv").write_text("\n".join(lines) + "\n")
    run("--teams", "teams.tsv", "-o", "a.json")
    made = json.loads(Path("a.json").read_text())
    assert made["meta"]["request"]["teams"] == "teams.tsv"
    assert "teams.tsv" in json.dumps(made["meta"]["inputs"])
    assert made["rows"][0]["difficulty"] == 1.0


WRONG = {
    ("--cutoff", "6"): "--cutoff 6 is not between 1 and --depth 5",
    ("--permutations", "100000001"): "must be between 0 and 100000000, found 100000001",
    ("--baseline", "s99"): "no baseline or system named 's99'. Did you mean 's9'?",
    ("--strategy", "eguchi2003"): "Did you mean 'eguchi2002'?",
    ("--gain", "lineer"): "Did you mean 'linear'?",
    ("--discount", "log"): "no discount named 'log'",
    ("--topic", "4"): "no topic named '4'",
    ("--topic", "1", "--stability"): "--topic shows one topic alone",
    ("--stability", "-o", "a.csv"): "--stability makes a table of its own",
    ("--weighted", "AP", "--weights", "1 - ease"): "no column of numbers named 'ease'",
    ("--weights", "foo("): "--weights says how to do --weighted; add --weighted",
    ("--weights", "1", "--stability"): "--weights says how to do --weighted",
    ("--repeats", "7"): "--repeats says how to do --stability; add --stability",
    ("--other-qrels", "none"): "--other-qrels says how to do --stability",
    ("--weighted", "AP", "--weights", ""): "is no arithmetic",
    ("--subsets", "official"): "expected one measure that Mohs itself computes",
    ("--teams", "none.tsv"): "none.tsv",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_requests_are_answered_in_one_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*words, code=2)
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("mohs: note: ")]
    assert out == ""
    assert len(lines) == 1
    assert WRONG[words] in lines[0]
    assert not Path("a.csv").exists()


def test_judgments_of_others_are_a_stability_of_their_own() -> None:
    text = Path("qrels").read_text()
    Path("others").write_text(text.replace("1 0 d00 1", "1 0 d00 0"))
    words = ["--stability", "--repeats", "1", "--other-qrels", "others"]
    run(*words, "-o", "all/")
    with Path("all/stability.csv").open() as file:
        found = {row["change"]: row for row in csv.DictReader(file)}
    assert found["other judgments"]["topics"] == "3"


def test_the_number_of_workers_changes_no_byte() -> None:
    run("--workers", "1", "--strategy", "all", "-o", "one.json")
    run("--workers", "2", "--strategy", "all", "-o", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_judgments_of_another_collection_are_noticed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = Path("qrels").read_text()
    Path("qrels").write_text(text.replace(" d", " x") + "1 0 d03 1\n2 0 d03 1\n")
    run()
    assert "check that runs and judgments belong together" in capsys.readouterr().err
