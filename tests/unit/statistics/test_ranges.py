import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from mohs.statistics.ranges import (
    groups_alike,
    letters,
    range_critical,
    range_tail,
)

# What the module promises of p; between the nodes of its table it errs by 1e-10.
ABSOLUTE = 1e-9
# Small p keep their digits too, as logarithms are tabulated.
RELATIVE = 1e-9

# groups, df -> what is exceeded with chances 0.05 and 0.01, as printed in the tables
# of Pearson and Hartley, Biometrika Tables for Statisticians I, 1966, table 29.
TABLE = {
    (2, 10): (3.15, 4.48),
    (3, 10): (3.88, 5.27),
    (10, 10): (5.60, 7.21),
    (3, 20): (3.58, 4.64),
    (10, 20): (5.01, 6.09),
    (3, 120): (3.36, 4.20),
    (10, 120): (4.56, 5.30),
    (2, math.inf): (2.77, 3.64),
    (3, math.inf): (3.31, 4.12),
    (10, math.inf): (4.47, 5.16),
    (20, math.inf): (5.01, 5.65),
}

# means, pairs told apart -> runs in descending order, letters
BY_HAND = {
    "none": ([], [], [], []),
    "one": ([0.3], [], [(0, 0)], ["a"]),
    "all alike": ([0.1, 0.3, 0.2], [], [(0, 2)], ["a", "a", "a"]),
    "all apart": (
        [0.1, 0.3, 0.2],
        [(0, 1), (0, 2), (1, 2)],
        [(0, 0), (1, 1), (2, 2)],
        ["c", "a", "b"],
    ),
    "chain": (
        [0.4, 0.3, 0.2, 0.1],
        [(0, 2), (0, 3), (1, 3)],
        [(0, 1), (1, 2), (2, 3)],
        ["a", "ab", "bc", "c"],
    ),
    # The ends are alike, but not all between them: no run may hold both.
    "apart inside": (
        [0.4, 0.3, 0.2, 0.1],
        [(1, 2)],
        [(0, 1), (2, 3)],
        ["ab", "a", "b", "ab"],
    ),
    "equal means as they stand": (
        [0.2, 0.2, 0.2],
        [(0, 2)],
        [(0, 1), (1, 2)],
        ["a", "ab", "b"],
    ),
}


def told_apart(size: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    apart = np.zeros((size, size), np.bool_)
    for one, other in pairs:
        apart[one, other] = apart[other, one] = True
    return apart


@pytest.mark.parametrize("place", TABLE)
def test_critical_ranges_are_those_of_printed_tables(place: tuple[int, float]) -> None:
    found = [range_critical(alpha, *place) for alpha in (0.05, 0.01)]
    assert found == pytest.approx(TABLE[place], abs=0.0051)


@pytest.mark.parametrize(
    ("groups", "df"), [(2, 2), (3, 7.5), (10, 30), (50, 5), (144, 7007), (144, 2)]
)
def test_tails_are_those_of_scipy(groups: int, df: float) -> None:
    q = np.array([range_critical(0.3, groups, df), range_critical(0.001, groups, df)])
    expected = stats.studentized_range.sf(q, groups, df)
    np.testing.assert_allclose(range_tail(q, groups, df), expected, atol=ABSOLUTE)


def test_the_range_of_two_is_a_difference() -> None:
    q = np.concatenate([np.linspace(0, 0.1, 50), np.linspace(0.1, 15, 300)])
    found = range_tail(q, 2, math.inf)
    np.testing.assert_allclose(found, special.erfc(q / 2), rtol=RELATIVE)
    for df in (2, 10, 1000.5, 1e7):
        student = 2 * special.stdtr(df, -q / math.sqrt(2))
        np.testing.assert_allclose(range_tail(q, 2, df), student, atol=ABSOLUTE)


@pytest.mark.parametrize("groups", [3, 144, 5000])
def test_the_range_of_many_is_its_integral(groups: int) -> None:
    q = np.linspace(0, 15, 601) + 0.003
    nodes, weights = np.polynomial.legendre.leggauss(400)
    z = 2 + 11 * nodes[:, None]
    density = groups * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    within = (special.ndtr(z) - special.ndtr(z - q)) ** (groups - 1)
    expected = 1 - 11 * weights @ (density * within)
    found = range_tail(q, groups, math.inf)
    np.testing.assert_allclose(found, expected, atol=ABSOLUTE)


@pytest.mark.parametrize("groups", [2, 144, 5000])
def test_many_degrees_of_freedom_lead_to_infinity(groups: int) -> None:
    q = np.linspace(0, 12, 200)
    limit = range_tail(q, groups, math.inf)
    gaps = [np.abs(range_tail(q, groups, df) - limit).max() for df in (1e5, 1e6, 1e7)]
    # What is left is of order 1 / df.
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.01)
    assert gaps[1] / gaps[2] == pytest.approx(10, rel=0.01)


@settings(max_examples=20)
@given(
    st.floats(0.0001, 0.9999),
    st.integers(2, 5000),
    st.one_of(st.floats(2, 1e7), st.just(math.inf)),
)
def test_critical_ranges_lead_back(alpha: float, groups: int, df: float) -> None:
    q = range_critical(alpha, groups, df)
    assert range_tail(q, groups, df) == pytest.approx(alpha, abs=1e-11)


def test_tails_fall_from_one_to_zero_and_keep_what_is_missing() -> None:
    found = range_tail(np.array([[0, -1, math.nan], [3, math.inf, 1e300]]), 5, 10)
    expected = [[1, 1, math.nan], [stats.studentized_range.sf(3, 5, 10), 0, 0]]
    np.testing.assert_allclose(found, expected, atol=ABSOLUTE)
    assert range_tail([], 5, 10).shape == (0,)
    falling = range_tail(np.linspace(0, 30, 2000), 144, 25)
    assert np.all(np.diff(falling) <= 0)


@pytest.mark.parametrize("case", BY_HAND)
def test_runs_and_letters_are_those_on_paper(case: str) -> None:
    means, pairs, runs, lettered = BY_HAND[case]
    apart = told_apart(len(means), pairs)
    assert groups_alike(np.array(means), apart) == runs
    assert letters(np.array(means), apart) == lettered


@given(st.data())
def test_letters_are_shared_by_those_not_told_apart(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 12))
    means = np.array(data.draw(st.permutations(range(size))), float)
    pairs = list(itertools.combinations(range(size), 2))
    chosen = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    apart = told_apart(size, list(chosen))
    order = np.argsort(-means)
    alike = [
        (i, j)
        for i, j in itertools.combinations_with_replacement(range(size), 2)
        if not apart[np.ix_(order[i : j + 1], order[i : j + 1])].any()
    ]
    longest = [
        (i, j) for i, j in alike if (i - 1, j) not in alike and (i, j + 1) not in alike
    ]
    assert groups_alike(means, apart) == longest
    lettered = letters(means, apart)
    for i, j in itertools.combinations(range(size), 2):
        shared = set(lettered[order[i]]) & set(lettered[order[j]])
        assert bool(shared) == (not apart[order[i], order[j]])


def test_letters_never_run_out() -> None:
    apart = ~np.eye(120, dtype=bool)
    # Neighbours are alike, so that all but the ends have two letters.
    apart[np.arange(119), np.arange(1, 120)] = False
    apart[np.arange(1, 120), np.arange(119)] = False
    lettered = letters(-np.arange(120.0), apart)
    assert lettered[25:28] == ["yz", "zA", "AB"]
    assert lettered[51:54] == ["YZ", "Za1", "a1b1"]
    assert lettered[104] == "Z1a2"
    names = [re.findall(r"[A-Za-z]\d*", each) for each in lettered]
    assert len({name for each in names for name in each}) == 119
    assert all(one[-1] == other[0] for one, other in itertools.pairwise(names))


def test_unequal_errors_split_groups_that_are_no_neighbours() -> None:
    # Only the outer two and the inner two are told apart.
    apart = np.zeros((4, 4), bool)
    for one, other in ((0, 3), (1, 2)):
        apart[one, other] = apart[other, one] = True
    lettered = letters(np.array([4.0, 3.0, 2.0, 1.0]), apart)
    for one in range(4):
        for other in range(one):
            shared = set(lettered[one]) & set(lettered[other])
            assert bool(shared) == (not apart[one, other])
