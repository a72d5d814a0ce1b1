"""φ: its control points, its degenerate cases, and what it says of them."""

import time

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from mohs.errors import InputError, UnknownNameError
from mohs.gains.bands import Bands
from mohs.gains.control import Fitting
from mohs.gains.phi import Curves, Phi

NORMAL = [0.0, 1.0, 2.0, 3.0, 10.0]
SKEWED = [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 20.0]

# Scores and options on the left, control points on the right.
POINTS = [
    (NORMAL, {}, [(0, 0), (2, 0), (6, 0.6), (10, 1)]),
    (NORMAL, {"upper": "whisker"}, [(0, 0), (2, 0), (3, 0.3), (10, 1)]),
    ([1.0, 2.0, 3.0, 4.0], {}, [(1, 0), (2.5, 0), (4, 1)]),
    ([1.0, 2.0, 3.0, 4.0], {"positives_only": True}, [(0, 0), (2.5, 0), (4, 1)]),
    (SKEWED, {"quartiles": "hinges"}, [(0, 0), (2, 0), (8, 0.4), (20, 1)]),
    # Positive scores are 1, 2, 3, 4, 20: their hinges 2 and 4, their whisker at 4.
    (SKEWED, {"variant": "authors"}, [(0, 0), (3, 0), (4, 3 / 19), (20, 1)]),
    (
        SKEWED,
        {"variant": "authors", "positives_only": False, "upper": "fence"},
        [(0, 0), (2, 0), (8, 0.4), (20, 1)],
    ),
    (NORMAL, {"points": [(0, 0), (5, 1)]}, [(0, 0), (5, 1)]),
]

# Degenerate scores on the left; control points and what is said on the right.
EQUAL = "all scores are equal, so φ is 0 everywhere"
FENCE = "the upper fence is not above the median, so it has no control point"
HEAVY = (
    "the tail is heavy: only {} of items have φ above 0.1; consider the transform log,"
    " or control points of your own"
)
DEGENERATE = [
    ([7.0, 7.0, 7.0], {}, [(7, 0)], [EQUAL]),
    ([7.0], {}, [(7, 0)], [EQUAL]),
    ([0.0, 0.0], {"positives_only": True}, [(0, 0)], [EQUAL]),
    (
        [-1.0, 0.0],
        {"positives_only": True},
        [(0, 0)],
        ["no score is positive, so φ is 0 everywhere"],
    ),
    ([1.0, 3.0, 3.0], {}, [(1, 0), (3, 1)], []),
    ([0.0, 5.0], {"positives_only": True}, [(0, 0), (5, 1)], []),
    ([1.0, 1.0, 3.0], {}, [(1, 0), (3, 1)], []),
    ([1.0] * 9 + [3.0], {}, [(1, 0), (3, 1)], [FENCE, HEAVY.format("10.00%")]),
    (
        [0, 0, 1, 2, 2, 100.0],
        {},
        [(0, 0), (1.5, 0), (4.625, 0.04625), (100, 1)],
        [HEAVY.format("16.67%")],
    ),
]


def phi_of(scores: list[float], **options: object) -> Phi:
    return Phi.over(np.array(scores, dtype=float), Fitting.asked(**options))


@pytest.mark.parametrize(("scores", "options", "points"), POINTS)
def test_control_points(scores: list, options: dict, points: list) -> None:
    np.testing.assert_allclose(phi_of(scores, **options).points, points, rtol=1e-15)


@pytest.mark.parametrize(("scores", "options", "points", "notes"), DEGENERATE)
def test_degenerate_scores(
    scores: list, options: dict, points: list, notes: list
) -> None:
    phi = phi_of(scores, **options)
    np.testing.assert_allclose(phi.points, points, rtol=1e-15)
    assert list(phi.notes) == notes
    assert phi(np.array([-1e9, 1e9])).tolist() == [points[0][1], points[-1][1]]


def test_two_control_points_make_a_line() -> None:
    phi = phi_of([1.0, 3.0, 3.0])
    assert phi(np.array([1.0, 1.5, 2.0, 3.0])).tolist() == [0, 0.25, 0.5, 1]


def test_scores_beyond_the_control_points_stay_level() -> None:
    phi = phi_of(NORMAL, points=[(0, 0.25), (5, 0.75)])
    assert phi(np.array([-9.0, np.inf, -np.inf])).tolist() == [0.25, 0.75, 0.25]
    assert np.isnan(phi(np.array([np.nan]))).tolist() == [True]


def test_points_of_ones_own_may_fall() -> None:
    phi = phi_of(NORMAL, points=[(0, 1), (5, 0)])
    assert phi(np.array([0.0, 2.5, 9.0])).tolist() == [1, 0.5, 0]


def test_the_logarithm_is_taken_of_one_plus_the_score() -> None:
    scores = np.array([0.0, 3.0, 7.0, 1000.0])
    phi = Phi.over(scores, Fitting.asked(transform="log"))
    plain = Phi.over(np.log1p(scores))
    np.testing.assert_allclose(phi(scores), plain(np.log1p(scores)))
    assert phi.points[-1] == pytest.approx((1000, 1))
    assert phi(scores).max() == 1.0


@pytest.mark.parametrize(
    ("scores", "options", "problem"),
    [
        ([], {}, "there are no scores"),
        ([1.0, np.nan], {}, "1 of 2 scores are missing"),
        ([1.0, np.inf], {}, "a score is infinite"),
        ([-1e308, 1e308], {}, "further apart than any double"),
        ([-2.0, 1.0], {"transform": "log"}, "a score is -2, which has no logarithm"),
        ([1.0], {"points": [(1, 0)]}, "give two or more"),
        ([1.0], {"points": [(1, 0), (1, 1)]}, "scores must increase"),
        ([1.0], {"points": [(1, 0), (np.inf, 1)]}, "a score is a finite number"),
        ([1.0], {"points": [(1, 0), (2, 1.5)]}, "φ is from 0 to 1, found 1.5 at 2"),
        ([1.0], {"points": [(1, 0), (2, 1), (3, 0)]}, "φ must be monotone"),
        ([1.0], {"points": [(-1, 0), (2, 1)], "transform": "log"}, "has no logarithm"),
        ([1.0], {"points": [(0, 0), (5e-324, 0), (2, 1)]}, "too close"),
    ],
)
def test_what_cannot_be_used_is_refused(
    scores: list, options: dict, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        phi_of(scores, **options)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no value of quartiles named 'type8'"):
        phi_of(NORMAL, quartiles="type8")


@pytest.mark.parametrize("points", range(2, 7))
def test_the_curve_is_that_of_scipy(points: int) -> None:
    draw = np.random.default_rng(points)
    x = np.sort(draw.uniform(-5, 50, points))
    y = np.sort(draw.uniform(0, 1, points))
    y[: points // 2] = y[0]  # a level stretch, as up to the median
    at = np.linspace(x[0], x[-1], 999)
    found = phi_of([1.0], points=list(zip(x, y, strict=True)))(at)
    np.testing.assert_allclose(found, PchipInterpolator(x, y)(at), atol=4e-15)


def test_many_lists_are_fitted_as_each_alone() -> None:
    draw = np.random.default_rng(1)
    lists = draw.integers(0, 40, 500)
    scores = np.exp(draw.normal(size=500) * (1 + lists % 3)).round(1)
    scores[lists == 7] = 2.0
    for variant in ("paper", "authors"):
        fitting = Fitting.asked(variant=variant)
        together = Curves.over(scores, lists, 40, fitting)(scores, lists)
        for each in range(40):
            mine = scores[lists == each]
            alone = Phi.over(mine, fitting)(mine)
            assert together[lists == each].tolist() == alone.tolist()


def test_a_million_scores_are_mapped_in_a_fifth_of_a_second() -> None:
    scores = np.random.default_rng(0).lognormal(size=1_000_000)
    phi = Phi.over(scores)
    times = []
    for _ in range(3):
        start = time.process_time()
        values = phi(scores)
        times.append(time.process_time() - start)
    assert values.max() == 1.0
    assert min(times) < 0.2


def test_tied_scores_share_the_better_band() -> None:
    scores = np.array([9.0, 8, 8, 8, 7, 6])
    assert Bands((2, 5))(scores).tolist() == [2, 2, 2, 2, 1, 0]
    assert Bands((1, 2))(scores).tolist() == [2, 1, 1, 1, 0, 0]


def test_bands_must_increase() -> None:
    with pytest.raises(InputError, match="must increase from 1 upwards, found 10, 5"):
        Bands((10, 5))
