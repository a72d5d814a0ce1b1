"""The joint null: exact on small pools, calibrated where relevance means nothing."""

import math
from itertools import permutations

import numpy as np
import pytest

import mohs
from mohs.analysis.difficulty import Solution
from mohs.analysis.difficulty.null import Null

# One pool of six documents in which systems share what they retrieve.
QRELS = {"1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 0, "f": 0}}
LISTS = ["abcd", "acbf", "fedc", "bad"]
DEPTH = 4


def runs(lists: list[str]) -> dict[str, dict[str, dict[str, float]]]:
    return {
        f"s{number}": {"1": {name: float(-rank) for rank, name in enumerate(names)}}
        for number, names in enumerate(lists)
    }


def leads(gains: dict[str, float]) -> list[float]:
    mean = sum(gains.values()) / len(gains)
    return [
        sum(
            (gains[names[rank]] if rank < len(names) else 0.0) / math.log2(rank + 2)
            for rank in range(DEPTH)
        )
        - mean * sum(1 / math.log2(rank + 2) for rank in range(DEPTH))
        for names in LISTS
    ]


@pytest.fixture(scope="module")
def orders() -> np.ndarray:
    """Leads of all systems, for every way to deal out the grades: (720, 4)."""
    dealt = permutations(QRELS["1"].values())
    return np.array([leads(dict(zip("abcdef", gains, strict=True))) for gains in dealt])


def test_shuffles_are_like_all_orders(orders: np.ndarray) -> None:
    count = 40_000
    row = mohs.difficulty(
        QRELS, runs(LISTS), depth=DEPTH, permutations=count
    ).table.to_dicts()[0]
    wins = (orders > 1e-12).sum(axis=1)
    # Five standard errors of a share of so many draws.
    error = 5 * 0.5 / math.sqrt(count)
    assert row["chance"] == pytest.approx(wins.mean() / 4, abs=error)
    low, high = np.quantile(wins / 4, (0.025, 0.975), method="inverted_cdf")
    assert (row["chance_low"], row["chance_high"]) == (low, high)
    tails = (wins <= row["wins"]).mean(), (wins >= row["wins"]).mean()
    assert row["p"] == pytest.approx(min(1.0, 2 * min(tails)), abs=2 * error)


def test_p_of_a_system_is_the_share_of_orders_that_serve_it_as_well(
    orders: np.ndarray,
) -> None:
    count = 40_000
    result = mohs.difficulty(QRELS, runs(LISTS), depth=DEPTH, permutations=count)
    observed = np.array(leads({name: float(g) for name, g in QRELS["1"].items()}))
    expected = (orders >= observed - 1e-9).mean(axis=0)
    found = np.asarray(result.tables()["systems"]["p"])
    assert found == pytest.approx(expected, abs=5 * 0.5 / math.sqrt(count))


def test_p_counts_the_observed_order_too() -> None:
    lists = ["ac", "ca"]
    result = mohs.difficulty(QRELS, runs(lists), pool="judged", depth=2, permutations=9)
    null = result.parts[0].solution.nulls[0]
    assert null is not None
    assert null.shuffles == 9
    low, high = null.wins[: 2 + 1].sum(), null.wins[2:].sum()
    expected = min(1.0, 2 * (min(low, high) + 1) / 10)
    assert result.table["p"].to_list() == [expected]


def chance_collection(topics: int, systems: int, seed: int) -> Solution:
    """Rate topics whose relevance was dealt out by chance, to systems that agree."""
    draws = np.random.default_rng(seed)
    names = [f"d{number:03}" for number in range(60)]
    qrels, found = {}, {f"s{number}": {} for number in range(systems)}
    for topic in map(str, range(topics)):
        grades = draws.permutation([1] * 12 + [0] * 48).tolist()
        qrels[topic] = dict(zip(names, grades, strict=True))
        common = draws.normal(size=60)
        for run in found.values():
            scores = common + draws.normal(size=60)
            run[topic] = dict(zip(names, scores.tolist(), strict=True))
    asked = {"depth": 10, "permutations": 999, "interval": "wilson", "pool": "judged"}
    return mohs.difficulty(qrels, found, **asked).parts[0].solution


@pytest.fixture(scope="module")
def by_chance() -> Solution:
    return chance_collection(topics=800, systems=40, seed=3)


@pytest.mark.parametrize("level", [0.05, 0.1, 0.25, 0.5, 0.75])
def test_p_is_uniform_where_relevance_means_nothing(
    by_chance: Solution, level: float
) -> None:
    share = (by_chance.p <= level).mean()
    # A ratio of 40 systems has 41 values, so p cannot be uniform to the last digit:
    # this is how often it would be so low if the null were drawn from. Each value
    # weighs up to .03, and p takes one from either tail.
    attainable = np.mean([attained(null, level) for null in by_chance.nulls if null])
    assert level - 0.06 < attainable <= level
    # Three standard errors of 800 topics.
    assert share == pytest.approx(
        attainable, abs=3 * math.sqrt(level * (1 - level) / 800)
    )


def attained(null: Null, level: float) -> float:
    """Return the share of shuffles whose ratio has at most this p-value."""
    low = [null.p(wins) <= level for wins in range(len(null.wins))]
    return float(null.wins[low].sum() / null.shuffles)


def test_wilson_misses_its_level_where_systems_agree(by_chance: Solution) -> None:
    rows = by_chance.rows
    missed = [not row.low <= row.chance <= row.high for row in rows]
    # It promises one in twenty.
    assert sum(missed) / len(rows) > 0.4


def test_the_band_of_chance_holds_its_share(by_chance: Solution) -> None:
    rows = by_chance.rows
    inside = [row.chance_low <= row.difficulty <= row.chance_high for row in rows]
    assert sum(inside) / len(rows) == pytest.approx(0.95, abs=0.03)


def test_shared_documents_spread_the_ratio_beyond_coin_tosses(
    by_chance: Solution,
) -> None:
    rows = by_chance.rows
    spread = np.std([row.difficulty for row in rows])
    binomial = math.sqrt(rows[0].chance * (1 - rows[0].chance) / 40)
    assert spread > 2 * binomial
