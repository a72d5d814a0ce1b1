"""The Q-measure, beside a plain loop over its definition [1]_, and beside AP.

At a cut-off, it is divided by the most documents that could be found there, as
NTCIREVAL does [2]_.

References
----------
.. [1] Sakai, "On the reliability of information retrieval metrics based on graded
   relevance", Information Processing and Management 43(2), 2007, section 3.
.. [2] Sakai, "How to use NTCIREVAL", National Institute of Informatics, 2019.
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.gains.phi import Phi
from mohs.gains.scales import any_gain_of
from mohs.measures import calculate, parse
from mohs.measures.example import listed

grade = st.sampled_from([None, None, -1, 0, 0, 1, 1, 2, 3, 0.5])
rankings = st.lists(st.lists(grade, max_size=15), min_size=1, max_size=4)
left = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3)
GAINS: dict[str, Callable[[float], float]] = {
    "linear": lambda grade: max(grade, 0),
    "exponential": lambda grade: 2 ** max(grade, 0) - 1,
    "binary": lambda grade: float(grade >= 1),
}


def slow(gains: list[float], ideal: list[float], beta: float, cutoff: int) -> float:
    """Walk down a ranking of gains; ``ideal`` are all there are, the best first."""
    ideal = [gain for gain in ideal if gain > 0]
    found, gained, total = 0, 0.0, 0.0
    for rank, gain in enumerate(gains[:cutoff], 1):
        gained += gain
        if gain > 0:
            found += 1
            total += (found + beta * gained) / (rank + beta * sum(ideal[:rank]))
    return total / min(len(ideal), cutoff) if ideal else 0.0


def value(text: str, seen: list, missed: list, **options: object) -> np.ndarray:
    return calculate(parse(text), listed(*seen, missed=missed).rankings, **options)[
        0, 0
    ]


@given(
    seen=rankings,
    missed=left,
    beta=st.sampled_from([0, 0.5, 1, 10]),
    cutoff=st.sampled_from([1, 3, 10, 1000]),
    name=st.sampled_from([*GAINS]),
)
def test_values_are_those_of_a_plain_loop(
    seen: list, missed: list, beta: float, cutoff: int, name: str
) -> None:
    worth = GAINS[name]
    found = value(f"Q(beta={beta},gain={name})@{cutoff}", seen, missed)
    for ranking, each in zip(seen, found.tolist(), strict=True):
        gains = [0 if grade is None else worth(grade) for grade in ranking]
        ideal = sorted([*gains, *map(worth, missed)], reverse=True)
        assert each == pytest.approx(slow(gains, ideal, beta, cutoff), rel=1e-12)


@given(seen=rankings, missed=left, beta=st.sampled_from([0.5, 1, 10]))
def test_without_grades_it_is_average_precision(
    seen: list, missed: list, beta: float
) -> None:
    whole = [[g and int(g >= 1) for g in ranking] for ranking in seen]
    kept = [int(g >= 1) for g in missed]
    plain = value("AP", whole, kept)
    assert value("Q(beta=0)", whole, kept) == pytest.approx(plain, rel=1e-12)
    # With one level of gain, Q differs from AP below rank R only, where both ratios
    # are those of the same counts.
    short = [ranking[: sum(map(bool, ranking)) + sum(kept)] for ranking in whole]
    for ranking in short:
        held = sum(map(bool, ranking)) + sum(kept)
        if held >= len(ranking):
            found = value(f"Q(beta={beta})", [ranking], kept)
            assert found == pytest.approx(value("AP", [ranking], kept), rel=1e-12)


@given(grades=st.lists(st.integers(0, 4), min_size=1, max_size=20))
def test_the_best_ranking_has_one_at_every_depth(grades: list[int]) -> None:
    best = sorted(grades, reverse=True)
    for cutoff in (1, 3, 20):
        wanted = 1.0 if best[0] else 0.0
        assert value(f"Q@{cutoff}", [best], []).tolist() == [wanted]


def test_scores_are_gains_by_phi() -> None:
    scores = [3.0, -2, 100, 7, 0, 1, 12]
    gains = (2 ** Phi.over(np.array(scores))(np.array(scores)) - 1).tolist()
    found = value("Q@5", [scores], [], gain=any_gain_of("phi"))
    wanted = slow(gains, sorted(gains, reverse=True), 1, 5)
    assert found.tolist() == pytest.approx([wanted], rel=1e-12)
