import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.statistics.correlation import (
    _by_merging,
    has_ties,
    larger_before,
    mean_ranks,
    pearson,
    shared,
    spearman,
    tau_a,
    tau_ap,
    tau_b,
    ties_joined,
)

ALL = (tau_a, tau_b, tau_ap, spearman, pearson)

# left, right -> tau_a, tau_b, tau_ap, spearman, pearson; worked out on paper.
BY_HAND = {
    "same order": (([1, 2, 3], [4, 5, 9]), (1, 1, 1, 1, 5 / math.sqrt(28))),
    "turned round": (([1, 2, 3], [3, 2, 1]), (-1, -1, -1, -1, -1)),
    # One of six pairs is discordant: 4/6.
    "swap at the bottom": (
        ([4, 3, 2, 1], [4, 3, 1, 2]),
        (2 / 3, 2 / 3, 2 / 3 * (1 + 1 + 2 / 3) - 1, 0.8, 0.8),
    ),
    "swap at the top": (
        ([4, 3, 2, 1], [3, 4, 2, 1]),
        (2 / 3, 2 / 3, 2 / 3 * (0 + 1 + 1) - 1, 0.8, 0.8),
    ),
    # Three pairs, one tied on the right: 2 / sqrt(3 * 2).
    "tie on one side": (
        ([1, 2, 3], [1, 1, 2]),
        (2 / 3, 2 / math.sqrt(6), math.nan, math.sqrt(3) / 2, math.sqrt(3) / 2),
    ),
    # Pairs: ab tied left, bc tied right, the other four concordant; 4 / 5.
    "ties on both sides": (
        ([1, 1, 2, 3], [1, 2, 2, 3]),
        (4 / 6, 4 / 5, math.nan, 5 / 6, 2 / math.sqrt(5.5)),
    ),
    "same tie on both sides": (
        ([1, 1, 2], [5, 5, 7]),
        (2 / 3, 1, math.nan, 1, 1),
    ),
    "one side constant": (([1, 2, 3], [7, 7, 7]), (0, *[math.nan] * 4)),
    "one pair": (([1], [2]), [math.nan] * 5),
    "no pair": (([], []), [math.nan] * 5),
    "a missing value": (([1, 2, math.nan], [1, 2, 3]), [math.nan] * 5),
}
values = st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0]), max_size=9)
vectors = st.lists(st.floats(-1e6, 1e6), max_size=40)


@pytest.mark.parametrize("case", BY_HAND)
def test_coefficients_are_those_on_paper(case: str) -> None:
    (left, right), expected = BY_HAND[case]
    sides = np.array(left, float), np.array(right, float)
    found = [measure(*sides) for measure in ALL]
    np.testing.assert_allclose(found, expected, atol=1e-14)


@given(st.data())
def test_pairs_are_counted_as_by_definition(data: st.DataObject) -> None:
    left = np.array(data.draw(values), float)
    size = st.lists(
        st.sampled_from([0.0, 1.0, 2.0]), min_size=len(left), max_size=len(left)
    )
    right = np.array(data.draw(size), float)
    signs = [
        (np.sign(left[i] - left[j]), np.sign(right[i] - right[j]))
        for i, j in itertools.combinations(range(len(left)), 2)
    ]
    balance = sum(one * other for one, other in signs)
    free = [sum(abs(sign[side]) for sign in signs) for side in (0, 1)]
    plain = balance / len(signs) if signs else math.nan
    corrected = balance / math.sqrt(free[0] * free[1]) if all(free) else math.nan
    np.testing.assert_allclose(tau_a(left, right), plain, atol=1e-14)
    np.testing.assert_allclose(tau_b(left, right), corrected, atol=1e-14)


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_the_top_weighs_as_by_definition(left: list[int], right: list[int]) -> None:
    walk = sorted(range(7), key=lambda item: -left[item])
    shares = [
        sum(right[walk[above]] > right[walk[place]] for above in range(place)) / place
        for place in range(1, 7)
    ]
    found = tau_ap(np.array(left, float), np.array(right, float))
    assert found == pytest.approx(2 / 6 * sum(shares) - 1, abs=1e-14)


@given(vectors)
def test_merging_counts_as_comparing_does(found: list[float]) -> None:
    row = np.array(found, float)
    expected = [int((row[:place] > row[place]).sum()) for place in range(len(row))]
    assert larger_before(row[None])[0].tolist() == expected
    if expected:
        assert _by_merging(row[None])[0].tolist() == expected


def test_more_than_a_byte_of_larger_values_is_counted() -> None:
    falling = np.arange(600.0, 0, -1)
    assert larger_before(np.stack([falling] * 20))[7].tolist() == list(range(600))
    assert larger_before(falling).tolist() == list(range(600))


@pytest.mark.parametrize("measure", ALL)
def test_rows_are_compared_as_if_alone(measure) -> None:  # noqa: ANN001
    draws = np.random.default_rng(1)
    left, right = draws.random(12), draws.random((3, 4, 12))
    right[1, 2, 5], right[0, 1, 3:5], right[2, 0] = np.nan, 0.5, 0.25
    found = measure(left, right)
    assert found.shape == (3, 4)
    for place in np.ndindex(3, 4):
        alone = measure(left, right[place])
        np.testing.assert_allclose(found[place], alone, rtol=1e-14)


def test_an_infinite_value_has_a_rank_but_no_line() -> None:
    left, right = np.array([1.0, 2.0, np.inf]), np.array([1.0, 2.0, 3.0])
    assert tau_b(left, right) == spearman(left, right) == 1.0
    assert np.isnan(pearson(left, right))


def test_a_constant_side_leaves_no_noise() -> None:
    # The mean of ten times 0.1 is not 0.1.
    assert np.isnan(pearson(np.full(10, 0.1), np.arange(10.0)))


def test_ranks_and_ties_and_missing_pairs() -> None:
    assert mean_ranks(np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 1.0]])).tolist() == [
        [2.5, 1.0, 2.5],
        [2.0, 2.0, 2.0],
    ]
    assert has_ties(np.array([1.0, 3.0, 1.0])).item() is True
    left, right = shared(np.array([1.0, np.nan]), np.array([2.0, 3.0]))
    assert (left.tolist(), right.tolist()) == ([1.0], [2.0])


@pytest.mark.parametrize("measure", [tau_a, tau_b, tau_ap])
def test_ten_thousand_values_take_no_time(measure) -> None:  # noqa: ANN001
    left, right = np.random.default_rng(0).random((2, 10_000))
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        found = measure(left, right)
        times.append(time.perf_counter() - begun)
    assert abs(found) < 0.05
    assert min(times) < 0.1


def test_means_that_are_equal_on_paper_are_tied() -> None:
    values = np.array(
        [[0.3, 0.1 + 0.2, np.nan, 0.4], [0.4, 0.1, 0.4 - 1e-16, 1e-13], [0.0] * 4]
    )
    joined = ties_joined(values)
    assert joined[0, 0] == joined[0, 1] == 0.3
    assert np.isnan(joined[0, 2])
    assert joined[0, 3] == 0.4
    assert len(set(joined[1])) == 3
    assert joined[1, 3] == 1e-13
    assert joined[2].tolist() == [0.0] * 4
    assert ties_joined(np.empty(0)).size == 0
