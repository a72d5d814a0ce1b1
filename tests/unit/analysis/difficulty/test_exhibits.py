"""What a page shows of topics and systems, beside what else is known of them."""

from pathlib import Path

import numpy as np
import pytest

import mohs
from mohs.analysis.difficulty import Part
from mohs.analysis.difficulty.correlates import related
from mohs.analysis.difficulty.exhibits import exhibit
from mohs.analysis.difficulty.standings import standings
from mohs.samples import sample

QRELS = {
    "1": {"a": 2, "b": 0, "c": 1, "lost": 1, "never": 0},
    "2": {"a": 0, "b": 1},
}
RUNS = {
    "good": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}, "2": {"b": 2.0, "a": 1.0}},
    "late": {"1": {"x": 9.0, "b": 8.0, "y": 7.0, "c": 6.0, "a": 5.0}},
    "bad": {"1": {"b": 2.0, "x": 1.0}, "2": {"a": 1.0, "b": 0.5}},
}


def part(**options: object) -> Part:
    asked = {"depth": 2, "permutations": 50, **options}
    return mohs.difficulty(QRELS, RUNS, **asked).parts[0]


def test_relevant_documents_come_first_then_those_believed_in() -> None:
    shown = exhibit(part().solution.problem, 0, 10)
    assert shown.documents == ("a", "c", "lost", "b")
    assert shown.grades.tolist() == [2, 1, 1, 0]
    assert shown.top.tolist() == [1, 0, 0, 2]
    # Systems in natural order: bad, good, late.
    assert shown.ranks.tolist() == [[0, 1, 5], [0, 3, 4], [0, 0, 0], [1, 0, 2]]
    assert shown.judged == 5


@pytest.mark.parametrize(
    ("most", "documents"),
    [(0, ()), (1, ("a",)), (2, ("a", "c")), (4, ("a", "c", "lost", "b"))],
)
def test_of_few_documents_some_are_misleading(
    most: int, documents: tuple[str, ...]
) -> None:
    assert exhibit(part().solution.problem, 0, most).documents == documents


def test_the_ranks_are_those_of_the_drill_down(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=3, systems=4, seed=1)
    found = mohs.difficulty(made.qrels, made.runs, permutations=0)
    problem = found.parts[0].solution.problem
    for place, topic in enumerate(problem.topics):
        shown = exhibit(problem, place, 50)
        rows = found.drill(topic).ranks.to_polars()
        known = {(r["document"], r["system"]): r["rank"] for r in rows.to_dicts()}
        assert {
            (document, problem.systems[system]): int(shown.ranks[at, system])
            for at, document in enumerate(shown.documents)
            for system in np.flatnonzero(shown.ranks[at])
        } == {key: rank for key, rank in known.items() if key[0] in shown.documents}


def test_systems_win_against_chance_on_topics_they_have() -> None:
    rows = {row[0]: row[1:] for row in standings(part()).rows()}
    # "late" retrieved nothing for the second topic.
    assert {name: row[:2] for name, row in rows.items()} == {
        "bad": (2, 0),
        "good": (2, 2),
        "late": (1, 0),
    }
    assert rows["good"][2] == 1.0
    # Wilson's interval for two of two, which is n / (n + 1.96²).
    assert rows["good"][3] == pytest.approx(2 / (2 + 1.959964**2), abs=1e-6)
    assert rows["good"][4] == pytest.approx(1.0)


def test_a_perfect_order_is_told_as_such() -> None:
    row = next(related(part(), {"known": np.array([0.1, 0.9])}).rows())
    assert row[:2] == ("known", 2)
    assert row[2] is None  # two topics are no order
    qrels = {str(t): {"a": 1, "b": 0, "c": 0, "d": 0} for t in range(6)}
    wins = {
        f"s{s}": {
            str(t): {"a": 2.0 if s < 2 * t else 0.5, "b": 1.0, "c": 0.9, "d": 0.8}
            for t in range(6)
        }
        for s in range(10)
    }
    found = mohs.difficulty(qrels, wins, permutations=0).parts[0]
    table = related(found, {"up": np.arange(6.0), "down": -np.arange(6.0)})
    rows = {row[0]: row[1:] for row in table.rows()}
    assert rows["up"][:2] == (6, 1.0)
    assert rows["down"][1] == -1.0
    # Two of 720 orders are as far from 0.
    assert rows["up"][4] == pytest.approx(2 / 720, abs=0.002)
