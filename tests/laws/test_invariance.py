"""Corollary 3 of Gienapp et al.: what a shift or a scale of the gains may change.

Systems keep their order within a topic where the scale is positive, rankings are filled
to the same length, and the ideal stays above zero. Where one of these fails, so does
the law, and a counter-example shows it.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mohs.analysis.difficulty.pool import ABSENT, PAD, Contest, Pool
from mohs.analysis.difficulty.question import Baseline
from mohs.analysis.difficulty.ratio import Outcome, decide
from mohs.gains.discounts import DISCOUNTS, weights

# Gains and scales are multiples of 1/4, so that shifted gains are exact.
GAINS = st.lists(st.integers(0, 12).map(lambda n: n / 4), min_size=2, max_size=9)


def pool_of(gains: np.ndarray) -> Pool:
    size = len(gains)
    return Pool(
        topic="1",
        members=np.arange(size, dtype=np.int32),
        documents=tuple(f"d{number}" for number in range(size)),
        grades=gains,
        judged=np.ones(size, np.bool_),
        gains=gains,
        mean=float(gains.mean()),
        sd=float(gains.std()),
    )


def outcome(gains: np.ndarray, places: np.ndarray) -> Outcome:
    entered = np.arange(len(places), dtype=np.int32)
    rank_weights = weights(DISCOUNTS["log2"], places.shape[1])
    return decide(
        pool_of(gains), Contest(entered, places.astype(np.int32), rank_weights), BASE
    )


BASE = Baseline()


@st.composite
def contests(draw: Any, gap: int | None = None) -> tuple[np.ndarray, np.ndarray]:  # noqa: ANN401
    """Draw gains and full rankings; with a gap, rankings of any length."""
    gains = np.array(draw(GAINS))
    assume(gains.max() > gains.min())
    depth = draw(st.integers(1, len(gains)))
    places = np.array(
        [draw(st.permutations(range(len(gains))))[:depth] for _ in range(5)]
    )
    if gap is not None:
        for row in places:
            row[draw(st.integers(0, depth)) :] = gap
    return gains, places


def same(one: Outcome, other: Outcome) -> None:
    assert one.won.tolist() == other.won.tolist()
    for name in ("standardised", "margins"):
        expected = getattr(other, name)
        assert getattr(one, name) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(
    contests(), st.sampled_from([0.25, 3.0, 1e6]), st.sampled_from([0.0, 1.0, -7.25])
)
def test_shift_and_positive_scale_change_nothing_between_full_rankings(
    contest: tuple[np.ndarray, np.ndarray], scale: float, shift: float
) -> None:
    gains, places = contest
    same(outcome(gains * scale + shift, places), outcome(gains, places))


@given(contests(ABSENT), st.sampled_from([0.25, 3.0]), st.sampled_from([1.0, -7.25]))
def test_rankings_left_short_keep_their_lead_too(
    contest: tuple[np.ndarray, np.ndarray], scale: float, shift: float
) -> None:
    # Ranks that count for nothing add no lead, wherever gains are shifted to.
    gains, places = contest
    same(outcome(gains * scale + shift, places), outcome(gains, places))


@given(contests(PAD), st.sampled_from([0.25, 3.0, 1e6]))
def test_positive_scale_changes_nothing_for_padded_rankings(
    contest: tuple[np.ndarray, np.ndarray], scale: float
) -> None:
    gains, places = contest
    same(outcome(gains * scale, places), outcome(gains, places))


@given(contests(), st.sampled_from([0.5, 4.0]))
def test_shift_keeps_the_order_by_ndcg_while_the_ideal_is_above_zero(
    contest: tuple[np.ndarray, np.ndarray], shift: float
) -> None:
    gains, places = contest
    one, other = outcome(gains, places).ndcg, outcome(gains + shift, places).ndcg
    # What is equal but for rounding has no order.
    assert np.sign(np.diff(one).round(9)).tolist() == (
        np.sign(np.diff(other).round(9)).tolist()
    )


FULL = np.array([[0, 1], [1, 2], [2, 0]])
GRADED = np.array([2.0, 1.0, 0.0])


def test_a_negative_scale_turns_winners_into_losers() -> None:
    assert outcome(GRADED, FULL).won.tolist() == [True, False, False]
    assert outcome(-GRADED, FULL).won.tolist() == [False, True, True]


def test_an_ideal_at_or_below_zero_has_no_ndcg() -> None:
    # Shifted by -3, every gain is negative, and the share of the ideal would turn the
    # order of systems around; so there is no NDCG, and wins stay as they are.
    below = outcome(GRADED - 3.0, FULL)
    assert np.isnan(below.ndcg).all()
    raw = (GRADED - 3.0)[FULL] @ weights(DISCOUNTS["log2"], 2)
    ideal = np.sort(GRADED - 3.0)[::-1][:2] @ weights(DISCOUNTS["log2"], 2)
    assert ideal < 0
    assert np.argsort(raw / ideal).tolist() == np.argsort(raw).tolist()[::-1]
    assert below.won.tolist() == outcome(GRADED, FULL).won.tolist()


def test_rankings_filled_to_different_lengths_change_places() -> None:
    # One ranks the best document and ends; the other ranks all but the best.
    gains, places = np.array([1.0, 0.5, 0.5, 0.0]), np.array([[0, PAD, PAD], [3, 1, 2]])
    before, after = outcome(gains, places), outcome(gains + 4.0, places)
    assert before.won.tolist() == [False, False]
    assert before.ndcg[0] > before.ndcg[1]
    assert after.ndcg[0] < after.ndcg[1]
    won = outcome(gains - 0.5, places).won.tolist()
    assert won == [True, False]


def test_means_over_topics_change_their_order() -> None:
    # Two systems and two topics; only the first topic's gains are shifted.
    hard, easy = np.array([1.0, 0.0]), np.array([4.0, 0.0, 3.0])
    first, second = np.array([[0, 1], [1, 0]]), np.array([[1, 2, 0], [0, 2, 1]])
    before = outcome(hard, first).ndcg + outcome(easy, second).ndcg
    after = outcome(hard + 9.0, first).ndcg + outcome(easy, second).ndcg
    assert before[0] > before[1]
    assert after[0] < after[1]
