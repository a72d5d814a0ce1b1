"""Judgments that hold scores, as gains of measures of grades."""

import numpy as np
import pytest

import mohs
from mohs.errors import UnknownNameError
from mohs.gains.phi import Phi

SCORES = {"a": 10.0, "b": 2.0, "c": 3.0, "d": 1.0, "e": 0.0}
QRELS = {"1": SCORES, "2": {name: 5 - 2 * score for name, score in SCORES.items()}}
RUN = {topic: {name: -ord(name) for name in "cabde"} for topic in QRELS}


def scored(*measures: str, **options: object) -> dict[str, list[float]]:
    scores = mohs.evaluate(QRELS, RUN, measures=measures, **options).scores
    return {name: scores.of_measure(name).values.tolist() for name in scores.measures}


def test_ndcg_with_phi_for_a_gain_is_ndcg_phi() -> None:
    found = scored("nDCG_phi@5", "nDCG@5", gain="phi")
    assert found["nDCG_phi@5"] == pytest.approx(found["nDCG@5"], abs=1e-15)
    assert found["nDCG_phi@5"] == scored("nDCG_phi@5")["nDCG_phi@5"]
    assert 0 < found["nDCG@5"][1] < 1


def test_phi_is_a_gain_of_err_and_leaves_others_alone() -> None:
    found = scored("ERR(max=1)@5", "P@2", "AP", gain="phi")
    phi = Phi.over(np.array([*SCORES.values()]))(np.array([*SCORES.values()]))
    reached, expected = 1.0, 0.0
    for rank, value in enumerate((2**phi - 1) / 2, start=1):
        expected += reached * value / rank
        reached *= 1 - value
    assert found["ERR(max=1)@5"][0] == pytest.approx(expected)
    plain = scored("P@2", "AP")
    assert {name: found[name] for name in plain} == plain


def test_adhoc_levels_go_by_rank() -> None:
    qrels = {"1": {f"d{place}": 100.0 - place for place in range(60)}}
    run = {"1": {"d10": 3, "d0": 2, "d25": 1}}
    found = mohs.evaluate(qrels, run, measures="DCG", gain="adhoc")
    wanted = 3 + 7 / np.log2(3) + 1 / 2
    assert found.scores.values.tolist() == pytest.approx([wanted])


def test_an_unknown_gain_is_refused_with_all_there_are() -> None:
    with pytest.raises(UnknownNameError, match="Known: adhoc, binary, exponential, li"):
        scored("nDCG", gain="fi")


def test_graded_measures_know_the_highest_relevance_of_a_scale() -> None:
    for gain, highest in (("phi", 1), ("adhoc", 3)):
        names = [name + "@5" for name in ("ERR", "gRBP")]
        spelled = [f"{name}(max={highest})@5" for name in ("ERR", "gRBP")]
        found = scored(*names, gain=gain)
        assert [*found] == spelled
        assert found == scored(*spelled, gain=gain)


def test_graded_rbp_of_phi_by_hand() -> None:
    phi = Phi.over(np.array([*SCORES.values()]))(np.array([*SCORES.values()]))
    gains = dict(zip(SCORES, 2**phi - 1, strict=True))
    wanted = 0.5 * sum(gains[name] * 0.5**at for at, name in enumerate("abcde"))
    (found,) = scored("gRBP(p=0.5)", gain="phi").values()
    assert found[0] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("gain", "untouched"),
    [
        ("phi", "AP, RBP, nDCG_phi"),
        ("adhoc", "AP, RBP, nDCG_phi"),
        ("exponential", "AP, ERR(max=10), RBP and 1 more"),
        ("linear", None),
    ],
)
def test_measures_that_take_no_gain_are_told_once(
    gain: str, untouched: str | None
) -> None:
    measures = ["AP", "nDCG", "ERR(max=10)", "RBP", "nDCG_phi", "Q", "gRBP(max=10)"]
    told = f"the gain asked for changes nothing in {untouched}"
    notes = mohs.evaluate({"1": SCORES}, {"1": RUN["1"]}, measures=measures, gain=gain)
    said = [note for note in notes.notes if "gain asked for" in note]
    assert said == ([told] if untouched else [])
