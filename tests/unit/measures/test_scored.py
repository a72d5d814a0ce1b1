"""nDCG_phi: by hand, and where a topic has no value."""

import numpy as np
import pytest

import mohs
from mohs.errors import InputError
from mohs.gains.phi import Phi
from mohs.measures import calculate, judged_only, parse, trec_eval_text
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


def test_a_negative_score_is_judged() -> None:
    ranked = [-3, None, 9, -1, 4]
    rankings = listed(ranked).rankings
    kept = judged_only(rankings, scored=True)
    assert kept.ranks.tolist() == [1, 2, 3, 4]
    assert kept.retrieved.tolist() == [[4]]
    without = listed([each for each in ranked if each is not None]).rankings
    for text in ("nDCG_phi(judged_only=True)@3", "nDCG_phi@3"):
        found = calculate(parse(text), rankings, judged=True)
        assert found.tolist() == calculate(parse("nDCG_phi@3"), without).tolist()


@pytest.mark.parametrize("gain", ["phi", "adhoc"])
def test_of_scores_only_the_unjudged_are_dropped(gain: str) -> None:
    qrels = {"1": {"a": -3, "b": 9, "c": -1, "d": 4}}
    run = {"1": {"a": 5, "x": 4, "b": 3, "c": 2, "d": 1}}
    whole = {"1": {name: score for name, score in run["1"].items() if name != "x"}}
    wanted = ["nDCG@3", "nDCG_phi@3", "P@2", "Q@3"]
    found, plain = (
        mohs.evaluate(qrels, each, measures=wanted, gain=gain, judged_only=True)
        for each in (run, whole)
    )
    assert found.means["value"].tolist() == plain.means["value"].tolist()
    # Its score is one, so that a stays; by its grade, it was never judged.
    assert found.scores.of_measure("P@2").values.tolist() == [0.5]
    graded = mohs.evaluate(qrels, run, measures="P@2", judged_only=True)
    assert graded.scores.values.tolist() == [1.0]


def test_scores_below_zero_are_no_odd_grades() -> None:
    qrels = {"1": {"a": -3, "b": 9.5, "c": -1, "d": 0.25}}
    run = {"1": {"a": 5, "b": 3}}
    odd = "2 judgments have a grade below 0: not relevant, without gain"
    cut = "2 grades are no whole numbers, which trec_eval would cut off"
    assert mohs.evaluate(qrels, run, measures="nDCG").notes == (odd, cut)
    assert mohs.evaluate(qrels, run, measures="nDCG_phi").notes == ()
    both = mohs.evaluate(qrels, run, measures=["nDCG_phi", "AP"]).notes
    assert both == (f"to AP, {odd}", f"to AP, {cut}")
    assert mohs.evaluate(qrels, run, measures=["Q", "ERR"], gain="phi").notes == ()
