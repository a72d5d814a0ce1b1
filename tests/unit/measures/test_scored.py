"""nDCG_phi: by hand, and where a topic has no value."""

import numpy as np
import pytest

import mohs
from mohs.errors import InputError
from mohs.gains.phi import Phi
from mohs.measures import calculate, parse, trec_eval_text
from mohs.measures.example import listed
from mohs.measures.scored import scaled

SCORES = {"a": 0.0, "b": 1.0, "c": 2.0, "d": 3.0, "e": 10.0}
QRELS = {"one": SCORES, "flat": {"a": 5.0, "b": 5.0}}
RUNS = {
    "good": {"one": {"e": 2, "d": 1}, "flat": {"a": 1}},
    "late": {"one": {"x": 3, "d": 2, "e": 1}},
}


def by_hand(ranked: str, cutoff: int) -> float:
    phi = dict(
        zip(SCORES, Phi.over(np.array([*SCORES.values()]))(np.arange(5.0)), strict=True)
    )
    phi["e"] = 1.0
    gains = {name: 2**value - 1 for name, value in phi.items()}
    seen = [gains.get(name, 0) / np.log2(r + 2) for r, name in enumerate(ranked)]
    best = gains["e"] + (gains["d"] / np.log2(3) if cutoff > 1 else 0)
    return sum(seen[:cutoff]) / best


@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_values_by_hand_and_none_where_all_scores_are_equal(cutoff: int) -> None:
    found = mohs.evaluate(QRELS, RUNS, measures=f"nDCG_phi@{cutoff}")
    values = {(system, topic): value for system, topic, _, value in found.table.rows()}
    assert values["good", "one"] == pytest.approx(by_hand("ed", cutoff))
    assert values["late", "one"] == pytest.approx(by_hand("xde", cutoff))
    assert values["good", "flat"] is None
    assert values["late", "flat"] is None
    assert found.means["topics"].tolist() == [1, 1]
    assert found.means["value"].tolist() == [
        values["good", "one"],
        values["late", "one"],
    ]


def test_trec_evals_format_leaves_out_a_topic_without_value() -> None:
    cells = listed([10, 3, 2, 1, 0], [5, 5])
    text = trec_eval_text(parse("nDCG_phi@10"), cells.rankings, each=True)
    assert [line.split() for line in text.splitlines()] == [
        ["nDCG_phi@10", "1", "1.0000"],
        ["nDCG_phi@10", "all", "1.0000"],
    ]


def test_scores_that_are_no_numbers_are_refused_with_their_source() -> None:
    judgments = listed([1, np.inf]).rankings.judgments
    with pytest.raises(InputError, match="judgments: a score is infinite"):
        scaled(judgments, lambda scores, _: Phi.over(scores)(scores))


def test_negative_scores_count() -> None:
    (measure,) = parse("nDCG_phi@5")
    below = calculate([measure], listed([-3, -1, -9, -5]).rankings)[0, 0]
    above = calculate([measure], listed([7, 9, 1, 5]).rankings)[0, 0]
    assert below.tolist() == pytest.approx(above.tolist())
    assert 0 < below[0] < 1
