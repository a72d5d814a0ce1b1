"""Which files an evaluation takes for runs, and which options it understands."""

from pathlib import Path

import ir_measures
import pytest

from mohs.errors import FormatError, InputError, MohsError
from mohs.measures.evaluation import evaluate

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 1.0}}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of more runs than are read at once, and judgments beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "runs").mkdir()
    for place in range(40):
        (tmp_path / "runs" / f"{place}.run").write_text(f"1 Q0 a 1 {place} t\n")
    return tmp_path / "runs"


def test_judgments_among_the_runs_are_skipped_and_named(runs: Path) -> None:
    (runs.parent / "qrels").rename(runs / "qrels")
    (runs / "older").write_text("1 0 a 0\n")
    result = evaluate("runs/qrels", "runs")
    assert len(result.scores.systems) == 40
    skipped = "holds judgments and no run, so it is skipped"
    assert result.notes == (f"runs/qrels: {skipped}", f"runs/older: {skipped}")


def test_runs_of_one_name_are_named_wherever_they_stand(runs: Path) -> None:
    (runs.parent / "3.txt").write_text("1 Q0 a 1 3 t\n")
    clash = "^3.txt: this run is called '3', and so is runs/3.run; rename one"
    with pytest.raises(FormatError, match=clash):
        evaluate("qrels", ["runs", "3.txt"])


WHOLE = "expected a whole number from 1 to"

# An option that has no such value, and what is said.
OPTIONS = {
    "precision": (
        "Single",
        "no value of precision named 'Single'. Did you mean 'single'",
    ),
    "negative": ("Keep", "no value of negative named 'Keep'. Did you mean 'keep'"),
    "system_from": ("foo", "no value of system_from named 'foo'. Known: file, tag"),
    "ties": ("foo", "no value of ties named 'foo'"),
    "duplicates": (None, "no value of duplicates named 'None'"),
    "depth": (2.5, f"depth: {WHOLE}"),
    "workers": (0, f"workers: {WHOLE}"),
    "max_bytes": (-1, f"max_bytes: {WHOLE}"),
    "level": ("1", "the relevance level must be 0 or more, found '1'"),
    "measures": ([], "no measures given; name one"),
    "formulation": ("", "--formulation : needs the groups"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_mistyped_options_are_refused(option: str) -> None:
    value, problem = OPTIONS[option]
    with pytest.raises(MohsError) as caught:
        evaluate(QRELS, RUN, **{option: value})
    assert str(caught.value).startswith(problem)


# What is asked for, and what the columns of scores are called.
COLUMNS = [
    ([ir_measures.nDCG @ 5, "RR"], {}, ("nDCG@5", "RR")),
    (ir_measures.AP, {}, ("AP",)),
    (["RBP", "RBP(p=0.8)", "RR", "AP", "AP(rel=1)", "map"], {}, ("RBP", "RR", "AP")),
    (["P(rel=2)@10", "P@10", "P@5"], {"level": 2}, ("P(rel=2)@10", "P(rel=2)@5")),
    (
        ["nDCG", "nDCG(dcg='exp-log2')"],
        {"gain": "exponential"},
        ("nDCG(dcg='exp-log2')",),
    ),
]


@pytest.mark.parametrize(("asked", "options", "columns"), COLUMNS)
def test_what_comes_to_the_same_column_is_computed_once(
    asked: object, options: dict[str, object], columns: tuple[str, ...]
) -> None:
    result = evaluate(QRELS, RUN, measures=asked, **options)
    assert result.scores.measures == columns
    assert len(result.scores) == 2 * len(columns)
    assert len(result.means["value"]) == len(columns)


def test_two_queries_with_one_name_are_refused_before_they_are_averaged() -> None:
    with pytest.raises(InputError, match="takes the queries 'q1' and 'q2' for one"):
        evaluate(QRELS, RUN, formulation=r"(?P<topic>q)(?P<formulation>)\d")


def test_byte_order_marks_are_told(runs: Path) -> None:
    for path in (runs / "0.run", runs / "39.run", Path("qrels")):
        path.write_text(f"\ufeff{path.read_text()}", encoding="utf-8")
    mark = "a byte-order mark is skipped in"
    files = "runs/0.run, runs/39.run"
    assert evaluate("qrels", "runs").notes[:2] == (
        f"{mark} the judgments",
        f"{mark} 2 runs: {files}",
    )
