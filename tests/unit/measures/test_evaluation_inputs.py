"""Which files an evaluation takes for runs, and how it tells them apart."""

from pathlib import Path

import pytest

from mohs.errors import FormatError
from mohs.measures.evaluation import evaluate


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
