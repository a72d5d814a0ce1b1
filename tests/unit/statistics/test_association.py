import itertools
import math
import time

import numpy as np
import pytest

from mohs.statistics.association import (
    PERMUTATIONS,
    _number,
    bootstrap_tau,
    chance_tau,
    mean_known,
    permutation_p,
)
from mohs.statistics.correlation import tau_b
from mohs.statistics.streams import stream

LEFT = np.array([0.1, 0.4, 0.2, 0.9, 0.3, 0.3])
RIGHT = np.array([0.2, 0.3, 0.1, 0.8, 0.8, 0.2])


def test_a_p_value_is_that_of_all_permutations() -> None:
    observed = abs(tau_b(LEFT, RIGHT))
    every = np.array([*itertools.permutations(RIGHT)])
    exact = (np.abs(tau_b(LEFT, every)) >= observed - 1e-12).mean()
    found = permutation_p(LEFT, RIGHT, stream(0, "test"))
    # Four standard errors of a share of so many draws.
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact / PERMUTATIONS))


def test_a_p_value_is_two_sided_and_never_zero() -> None:
    line = np.arange(20.0)
    for other in (line, -line):
        found = permutation_p(line, other, stream(0, "test"))
        assert found == 1 / (PERMUTATIONS + 1)


def test_an_interval_is_that_of_topics_drawn_by_hand() -> None:
    places = stream(3, "test").integers(0, 6, (2000, 6))
    taus = tau_b(LEFT[places], RIGHT[places])
    expected = np.quantile(taus[~np.isnan(taus)], [0.025, 0.975])
    assert bootstrap_tau(LEFT, RIGHT, stream(3, "test")) == pytest.approx(expected)


def test_rows_are_taken_in_turn() -> None:
    both = np.stack([LEFT, -LEFT])
    low, high = bootstrap_tau(both, RIGHT, stream(0, "test"))
    one = bootstrap_tau(LEFT, RIGHT, stream(0, "test"))
    assert low < 0 < high
    assert high == pytest.approx(one[1], abs=0.1)
    # Their mean is no correlation at all, so everything is as far from 0.
    assert permutation_p(both, RIGHT, stream(0, "test")) == 1


@pytest.mark.parametrize("size", [0, 1])
def test_where_there_is_no_correlation_there_is_nothing(size: int) -> None:
    sides = np.zeros((2, size))
    assert np.isnan(bootstrap_tau(*sides, stream(0, "test"))).all()
    assert np.isnan(permutation_p(*sides, stream(0, "test")))


def test_a_mean_leaves_out_what_is_missing() -> None:
    assert mean_known(np.array([0.25, np.nan, 0.75])) == 0.5
    assert np.isnan(mean_known(np.array([np.nan])))


@pytest.mark.parametrize("size", [50, 250])
def test_ten_thousand_permutations_stay_under_a_second(size: int) -> None:
    left, right = np.random.default_rng(0).random((2, size))
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        permutation_p(left, right, stream(0, "test"))
        times.append(time.perf_counter() - begun)
    assert min(times) < 1


def test_many_things_are_drawn_less_often() -> None:
    sizes = (50, 1000, 1250, 20_000)
    assert [_number(10_000, size) for size in sizes] == [10_000, 10_000, 8000, 1000]


def test_several_rows_are_judged_by_their_mean() -> None:
    # Unrelated sides, each drawn several times with noise of its own: p is uniform.
    random = np.random.default_rng(4)
    shares = []
    for _ in range(60):
        left, right = random.normal(size=(2, 1, 20))
        left, right = (
            each + random.normal(size=(10, 20)) / 2 for each in (left, right)
        )
        shares.append(permutation_p(left, right, np.random.default_rng(0)))
    # A mean of 60 uniform numbers has a standard error of 1/sqrt(12 * 60) = .037.
    assert abs(np.mean(shares) - 0.5) < 4 * 0.037
    assert min(shares) < 0.1


def test_permutations_without_a_coefficient_are_no_evidence() -> None:
    left, right = np.zeros((1, 12)), np.random.default_rng(0).normal(size=(1, 12))
    assert np.isnan(permutation_p(left, right, np.random.default_rng(0)))
    left[0, 0] = 1
    assert permutation_p(left, right, np.random.default_rng(0)) > 0.05


def test_chance_is_that_of_all_permutations() -> None:
    every = tau_b(LEFT, np.array([*itertools.permutations(RIGHT)]))
    mean, low, high = chance_tau(LEFT, RIGHT, stream(0, "test"))
    assert every.mean() == pytest.approx(0, abs=1e-12)
    assert mean == pytest.approx(0, abs=4 * every.std() / math.sqrt(PERMUTATIONS))
    # There are few different values: the bounds are among them, or between two.
    assert [low, high] == pytest.approx(np.quantile(every, [0.025, 0.975]), abs=0.08)


def test_chance_spreads_as_kendall_says() -> None:
    size = 50
    spread = math.sqrt(2 * (2 * size + 5) / (9 * size * (size - 1)))
    line = np.arange(float(size))
    _, low, high = chance_tau(line, line, stream(0, "test"))
    assert [low, high] == pytest.approx([-1.96 * spread, 1.96 * spread], abs=0.01)


def test_without_an_order_there_is_no_chance() -> None:
    for left in (np.ones(5), np.array([]), np.array([1.0])):
        assert np.isnan(chance_tau(left, left, stream(0, "test"))).all()
