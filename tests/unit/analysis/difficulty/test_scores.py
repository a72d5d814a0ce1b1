"""Difficulty where judgments hold scores instead of grades."""

import numpy as np
import pytest

import mohs
from mohs.analysis.difficulty.strategies.evidence import values_of
from mohs.errors import InputError, UnknownNameError
from mohs.gains.bands import Bands
from mohs.gains.phi import Phi

NAMES = [f"d{place:02}" for place in range(30)]
DRAW = np.random.default_rng(7)
SCORES = {"1": DRAW.lognormal(3, 2, 30), "2": DRAW.normal(0, 9, 30)}
QRELS = {
    topic: dict(zip(NAMES, values.tolist(), strict=True))
    for topic, values in SCORES.items()
}
RUNS = {
    f"s{number}": {
        topic: dict(zip(NAMES, (values + DRAW.normal(0, 20, 30)).tolist(), strict=True))
        for topic, values in SCORES.items()
    }
    for number in range(8)
}
PLAIN = {"phi": lambda scores: Phi.over(scores)(scores), "adhoc": Bands()}


@pytest.mark.parametrize("gain", [*PLAIN])
def test_it_is_that_of_judgments_made_of_the_scores(gain: str) -> None:
    made = {
        topic: dict(zip(NAMES, PLAIN[gain](values).tolist(), strict=True))
        for topic, values in SCORES.items()
    }
    asked = {"depth": 5, "permutations": 99}
    found = mohs.difficulty(QRELS, RUNS, gain=gain, **asked)
    wanted = mohs.difficulty(made, RUNS, gain="exponential", **asked)
    assert found.table.equals(wanted.table)
    assert found.drill("1").table.equals(wanted.drill("1").table)
    assert any("made of the scores of each topic" in note for note in found.notes)
    assert not any("grade below 0" in note for note in found.notes)


@pytest.mark.parametrize("measure", ["nDCG@10", "Q", "ERR@5", "gRBP"])
def test_measures_beside_it_see_relevances_once(measure: str) -> None:
    found = mohs.difficulty(QRELS, RUNS, gain="phi", depth=5, permutations=9)
    values = values_of(found.parts[0].solution.problem, measure)
    scores = mohs.evaluate(QRELS, RUNS, measures=measure, gain="phi").scores.values
    np.testing.assert_allclose(values.ravel(), scores, rtol=1e-12)


def test_a_measure_that_wants_scores_is_refused() -> None:
    found = mohs.difficulty(QRELS, RUNS, gain="phi", depth=5, permutations=9)
    with pytest.raises(InputError, match="nDCG_phi@5: makes relevances of scores"):
        values_of(found.parts[0].solution.problem, "nDCG_phi@5")


def test_scaled_scores_are_as_hard() -> None:
    asked = {"depth": 5, "permutations": 99, "gain": "phi"}
    other = {
        topic: {name: 4 * score + 1 for name, score in grades.items()}
        for topic, grades in QRELS.items()
    }
    found, same = (mohs.difficulty(each, RUNS, **asked) for each in (QRELS, other))
    for column in ("difficulty", "margin"):
        np.testing.assert_allclose(found.table[column], same.table[column], rtol=1e-9)


def test_an_unknown_gain_is_refused_with_all_there_are() -> None:
    with pytest.raises(UnknownNameError, match="Known: adhoc, binary, exponential, li"):
        mohs.difficulty(QRELS, RUNS, gain="fi")
