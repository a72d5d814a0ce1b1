import io
import random
import sys
from pathlib import Path

import polars as pl
import pytest

import mohs
from mohs.analysis.inspection import Finding, Inspection, check
from mohs.errors import InputError
from mohs.measures.evaluation import evaluate

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
RUN = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}


def lines(run: dict[str, dict[str, float]], tag: str = "t") -> str:
    """Return a run in the format of TREC."""
    return "".join(
        f"{topic} Q0 {document} 1 {score} {tag}\n"
        for topic, documents in run.items()
        for document, score in documents.items()
    )


def found(inspection: Inspection) -> list[tuple[str, str, str]]:
    """Return file, severity and problem of all findings."""
    return [(each.file, each.severity, each.problem) for each in inspection.findings]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments and two sound runs, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 2\n")
    (tmp_path / "runs").mkdir()
    for name in "xy":
        (tmp_path / "runs" / f"{name}.run").write_text(lines(RUN))
    return tmp_path


def test_sound_input_has_no_findings(folder: Path) -> None:
    inspection = check("qrels", "runs")
    assert inspection.findings == ()
    assert inspection.summary() == "2 runs, 2 topics: no problems found"
    assert list(inspection.files) == ["qrels", "runs/x.run", "runs/y.run"]
    assert folder.is_dir()


def test_findings_are_a_table() -> None:
    inspection = check({"1": {"a": -1, "b": 1}}, {"1": {"b": float("inf")}})
    rows = [
        ("run 'run'", 1, "error", "score is not finite: 'inf'"),
        ("judgments", None, "note", inspection.findings[1].problem),
    ]
    table = inspection.table
    assert table.columns == ["file", "line", "severity", "problem", "remedy"]
    assert table["line"].dtype == pl.Int64
    assert table.drop("remedy").rows() == rows
    assert inspection.summary() == "1 run, 1 topic: 1 error, 1 note"


def test_every_missing_file_is_named_and_the_others_are_read(folder: Path) -> None:
    (folder / "runs" / "y.run").write_text("1 Q0 a 1 x t\n")
    inspection = check("gone", ["runs/x.run", "lost.run", "runs/y.run", "no*"])
    absent = "no such file or folder, and no match"
    # Whether ids of data sets are known depends on what is installed.
    assert found(inspection)[0][2].startswith("no such file")
    assert found(inspection)[1:] == [
        ("lost.run", "error", absent),
        ("no*", "error", absent),
        ("runs/y.run", "error", "score is not a number: 'x'"),
    ]
    assert inspection.summary() == "2 runs, 0 topics: 4 errors"


def test_nothing_but_missing_files(folder: Path) -> None:
    assert not (folder / "lost").exists()
    inspection = check("qrels", ["lost", "gone"])
    assert inspection.summary() == "0 runs, 2 topics: 2 errors"


def test_standard_input_can_be_read_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(InputError, match="only once"):
        check("qrels", ["-", "-"])
    assert folder.is_dir()


def test_runs_are_inspected_without_sound_judgments(folder: Path) -> None:
    (folder / "qrels").write_text("1 0 a 1\n1 0 b\n")
    (folder / "runs" / "x.run").write_text("1 Q0 a\n")
    assert found(check("qrels", "runs")) == [
        ("qrels", "error", "expected 4 fields, found 3"),
        ("runs/x.run", "error", "expected at least 6 fields, found 3"),
    ]


def test_a_run_with_faults_gets_no_statistics(folder: Path) -> None:
    # All scores of x are tied, nothing of y is judged, and topic 2 is missing.
    (folder / "runs" / "x.run").write_text("1 Q0 a 1 1 t\n1 Q0 b 1 1 t\n1 Q0 c\n")
    (folder / "runs" / "y.run").write_text("1 Q0 c 1 1 t\n")
    assert found(check("qrels", "runs")) == [
        ("runs/x.run", "error", "expected at least 6 fields, found 3"),
        ("runs/y.run", "warning", "1 of 2 topics are missing and score 0: 2"),
        ("runs/y.run", "warning", "no document in the top 10 of any topic is judged"),
    ]


def test_two_runs_of_one_name(folder: Path) -> None:
    (folder / "x.txt").write_text(lines(RUN))
    (folder / "input.x").write_text("1 Q0\n")
    runs = ["x.txt", "gone", "input.x", "runs", "away"]
    inspection = check("qrels", runs)
    assert found(inspection) == [
        ("away", "error", "no such file or folder, and no match"),
        ("gone", "error", "no such file or folder, and no match"),
        ("input.x", "error", "expected at least 6 fields, found 2"),
        ("runs/x.run", "error", "this run is called 'x', and so is input.x"),
        ("x.txt", "error", "this run is called 'x', and so is input.x"),
    ]
    assert inspection.findings == check("qrels", runs[::-1]).findings


def test_names_from_tags(folder: Path) -> None:
    (folder / "runs" / "z.run").write_text(lines({"1": {"a": 1}}, "u") + "2 Q0 a 1 1 v")
    assert found(check("qrels", "runs", system_from="tag")) == [
        ("runs/y.run", "error", "this run is called 't', and so is runs/x.run"),
        ("runs/z.run", "error", "several run tags: u, v"),
        ("runs/z.run", "warning", "several run tags: u, v"),
    ]


@pytest.mark.parametrize(
    ("topics", "remedy"),
    [
        (("001", "9"), "they would match without leading zeros; write them alike"),
        (("8", "9"), "name the judgments of the collection that was run"),
    ],
)
def test_no_topic_in_common(topics: tuple[str, str], remedy: str) -> None:
    inspection = check(QRELS, dict.fromkeys(topics, RUN["1"]))
    problem = (
        f"no topic of the run is judged (run: {', '.join(topics)}; judgments: 1, 2)"
    )
    assert inspection.findings == (Finding("run 'run'", 0, "error", problem, remedy),)


def test_topics_of_run_and_judgments_that_do_not_meet() -> None:
    qrels = {str(topic): {"a": 1} for topic in range(1, 11)}
    run = {str(topic): {"a": 1.0} for topic in range(6, 13)}
    assert found(check(qrels, run)) == [
        (
            "run 'run'",
            "warning",
            "2 topics without judgments, left out: 11, 12",
        ),
        (
            "run 'run'",
            "warning",
            "5 of 10 topics are missing and score 0: 1, 2, 3 and 2 more",
        ),
    ]


def test_copies_that_do_not_count(folder: Path) -> None:
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 a 2\n2 0 a 2\n")
    (folder / "runs" / "x.run").write_text(lines(RUN) + "1 Q0 a 1 0 t\n" * 2)
    assert found(check("qrels", "runs", duplicates="last")) == [
        ("qrels", "warning", "1 judgment of a document judged before"),
        ("runs/x.run", "warning", "2 duplicate documents left out"),
    ]


def test_ties_that_decide_and_ties_that_do_not() -> None:
    # The relevant document stands first or last of two with one score.
    (decisive,) = check({"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 1.0}}).findings
    assert decisive.severity == "warning"
    assert decisive.problem == (
        "100.0% of the documents have tied scores, and their order changes a mean by "
        "up to 0.5000 (AP)"
    )
    run = {"1": {"a": 3.0, "b": 1.0, "c": 1.0, "d": 0.0}}
    judged = {"1": {"a": 1, "b": 0, "c": 0, "d": 0}}
    (harmless,) = check(judged, run).findings
    assert harmless.severity == "note"
    assert harmless.problem == (
        "50.0% of the documents have tied scores; their order changes no mean by more "
        "than 0.005"
    )


def test_a_run_that_is_judged_in_part() -> None:
    run = {"1": {f"d{i}": float(-i) for i in range(20)}}
    assert found(check({"1": {f"d{i}": 1 for i in range(9)}}, run)) == [
        ("run 'run'", "note", "10.0% of the documents in the top 10 are unjudged")
    ]


def test_runs_that_stop_earlier_than_others() -> None:
    qrels = {"1": {f"d{i}": 1 for i in range(9)}}
    depths = {"long": 9, "middle": 5, "short": 4}
    runs = {
        name: {"1": {f"d{i}": float(-i) for i in range(depth)}}
        for name, depth in depths.items()
    }
    assert found(check(qrels, runs)) == [
        (
            "run 'short'",
            "note",
            "retrieves at most 4 documents for a topic, another run 9",
        )
    ]


def test_judgments_among_the_runs_are_skipped(folder: Path) -> None:
    (folder / "qrels").rename(folder / "runs" / "qrels")
    (folder / "runs" / "old").write_text("1 0 a 0\n")
    problem = "holds judgments and no run, so it is skipped"
    inspection = check("runs/qrels", "runs")
    assert found(inspection) == [
        ("runs/qrels", "warning", problem),
        ("runs/old", "warning", problem),
    ]
    assert inspection.runs == 2
    # Named by the user, a file is meant to be a run.
    (fault,) = check("runs/qrels", "runs/old").findings
    assert fault.problem == "expected at least 6 fields, found 4"
    assert fault.remedy.endswith("judgments come first, then runs")


def test_judgments_alone_are_no_runs(folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "qrels").write_text("1 0 a 0\n")
    for options in ({}, {"formulation": r"(?P<topic>\d)(?P<formulation>)"}):
        with pytest.raises(InputError, match="no runs among these files"):
            check("qrels", "old", **options)
        with pytest.raises(InputError, match="no runs among these files"):
            evaluate("qrels", "old", **options)
        assert check("qrels", "gone", **options).runs == 0


def test_sub_corpora_are_inspected_one_by_one(folder: Path) -> None:
    (folder / "qrels").write_text("\ufeff1 0 a 1\n1 0 b 0\n2 0 a 2\n")
    (folder / "runs" / "y.run").write_text(lines({"1": {"b": 1.0}, "2": {"a": 1.0}}))
    assert found(check("qrels", "runs", corpus=["A=^a", "B=^b"])) == [
        ("qrels", "warning", "starts with a byte-order mark, which is skipped"),
        ("runs/y.run", "warning", "A: 1 of 2 topics are missing and score 0: 1"),
        (
            "qrels",
            "note",
            "B: 2 of 2 topics have no relevant document and are left out: 1, 2",
        ),
    ]


def test_formulations_borrow_judgments() -> None:
    run = {"1-x": RUN["1"], "1-y": RUN["1"], "2-x": RUN["2"], "3-x": {"a": 1.0}}
    rule = r"(?P<topic>\d)-(?P<formulation>\w)"
    assert found(check(QRELS, run, formulation=rule)) == [
        ("run 'run'", "warning", "1 topic without judgments, left out: 3-x")
    ]


def test_neither_workers_nor_the_order_of_runs_matter(folder: Path) -> None:
    names = [f"{place}.run" for place in range(40)]
    for place, name in enumerate(names):
        scores = {str(topic): {"a": 1.0, "b": 1.0} for topic in range(1, place % 3 + 1)}
        bad = "1 Q0\n" if place % 4 == 0 else ""
        (folder / name).write_text(lines(scores) + bad)
    shuffled = random.Random(3).sample(names, len(names))  # noqa: S311 (any order)
    straight = check("qrels", names, workers=1)
    turned = check("qrels", shuffled, workers=2)
    assert straight.findings == check("qrels", names, workers=2).findings
    assert set(straight.findings) == set(turned.findings)
    assert (straight.runs, straight.count("error")) == (40, 20)


def test_check_is_at_the_front() -> None:
    assert mohs.check is check
