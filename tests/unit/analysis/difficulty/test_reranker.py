"""The random re-ranker, against all orders of small pools."""

import math
from itertools import permutations

import numpy as np
import pytest

from mohs.analysis.difficulty.reranker import RandomReranker
from mohs.gains.discounts import DISCOUNTS, weights

GAINS = [0.0, 0, 1, 2, 3, 1, 0]
POOLS = [(GAINS, 4), ([0.0, 1, 1, 2], 4), ([1.0, 0], 1), ([-2.0, 0, 0, 1, 1], 3)]


def reranker(gains: list[float], depth: int, discount: str = "log2") -> RandomReranker:
    return RandomReranker(np.array(gains), weights(DISCOUNTS[discount], depth))


def every(gains: list[float], depth: int, discount: str = "log2") -> list[float]:
    """Return the DCG of all orders of a pool."""
    divisors = [
        float(DISCOUNTS[discount](np.array([r + 1.0]))[0]) for r in range(depth)
    ]
    return [
        math.fsum(gain / by for gain, by in zip(order, divisors, strict=False))
        for order in permutations(gains)
    ]


def test_the_pool_of_seven_has_the_published_figures() -> None:
    pool = reranker(GAINS, 4)
    units = pool.standardised()
    chance = pool.chance()
    assert pool.ndcg == pytest.approx(0.493325, abs=5e-7)
    assert units.variance == pytest.approx(1.045509, abs=5e-7)
    assert units.ideal == pytest.approx(2.461009, abs=5e-7)
    assert chance.above == pytest.approx(0.457143, abs=5e-7)
    assert chance.equal == pytest.approx(0.007143, abs=5e-7)
    assert chance.exact


def test_a_pool_below_the_cut_off_ends_where_its_documents_do() -> None:
    assert reranker([0.0, 1, 1, 2], 4).ndcg == pytest.approx(0.818162, abs=5e-7)
    with pytest.raises(ValueError, match="no ranks beyond m"):
        reranker([0.0, 1, 1, 2], 20)


@pytest.mark.parametrize(("gains", "depth"), POOLS)
@pytest.mark.parametrize("discount", DISCOUNTS.names())
def test_moments_and_chances_are_those_of_all_orders(
    gains: list[float], depth: int, discount: str
) -> None:
    pool, values = reranker(gains, depth, discount), every(gains, depth, discount)
    mean = math.fsum(values) / len(values)
    assert pool.mean == pytest.approx(mean, rel=1e-12, abs=1e-12)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    assert pool.variance == pytest.approx(variance, rel=1e-12, abs=1e-12)
    chance = pool.chance()
    above = sum(value > mean + 1e-9 for value in values) / len(values)
    equal = sum(abs(value - mean) <= 1e-9 for value in values) / len(values)
    assert (chance.above, chance.equal) == pytest.approx((above, equal), abs=1e-12)
    assert pool.ideal == pytest.approx(max(values), rel=1e-12)


def test_draws_are_like_all_orders_and_belong_to_a_topic() -> None:
    pool, values = reranker(GAINS, 4), every(GAINS, 4)
    drawn = pool.draw(100_000, topic="401")
    # Four standard errors of a mean of so many.
    error = 4 * np.std(values) / math.sqrt(len(drawn))
    assert drawn.mean() == pytest.approx(np.mean(values), abs=error)
    assert (drawn > pool.mean).mean() == pytest.approx(0.457143, abs=4 * 0.5 / 316)
    assert (drawn == pool.draw(100_000, topic="401")).all()
    assert (drawn != pool.draw(100_000, topic="402")).any()
    assert (drawn != pool.draw(100_000, topic="401", seed=1)).any()


@pytest.mark.parametrize(
    ("depth", "relevant", "rounded"),
    [(10, 2, 0.10), (10, 196, 0.81), (20, 2, 0.19), (20, 196, 0.65)],
)
def test_the_chance_level_depends_on_prevalence(
    depth: int, relevant: int, rounded: float
) -> None:
    gains = [1.0] * relevant + [0.0] * (200 - relevant)
    found = reranker(gains, depth).chance()
    # So few of one kind that the first of them within the cut-off decides.
    rare = min(relevant, 200 - relevant)
    none = math.comb(200 - depth, rare) / math.comb(200, rare)
    expected = 1 - none if relevant == rare else none
    assert found.above == pytest.approx(expected, rel=1e-12)
    assert round(found.above, 2) == rounded
    assert found.exact


def test_where_every_order_is_as_good_nothing_leads() -> None:
    assert reranker([1.0, 1, 1], 2).lead == 0.0
    assert reranker([0.0, 1, 2], 3, "none").lead == 0.0
    assert reranker([0.0, 1, 2], 2, "none").lead == pytest.approx(1.0)
    assert reranker([1.0], 1).variance == 0.0
