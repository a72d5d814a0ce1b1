import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf
from scipy import stats

from mohs.statistics.tails import f_tail, noncentrality

# What the module promises; it errs by 1e-11 at most, through rounded arguments.
RELATIVE = 1e-8
# R's pf, from which the bounds below are, is no more exact.
AS_R = 1e-7
# How well a bound meets its chance: the root is found more closely.
CHANCE = 1e-9

# F, df1, df2: both tails, fractional degrees of freedom, underflow, and p almost 1.
PLACES = [
    (1.0, 1, 1),
    (4.0, 10, 400),
    (0.14, 98718, 1),
    (0.53, 1, 79615.15),
    (1.2, 1.5, 7.25),
    (1.02, 1e5, 1e5),
    (1.15, 1e5, 1e5),
    (1.25, 1e5, 1e5),
    (1500.0, 1, 99999.5),
    (20.0, 143, 7007),
    (1e6, 143, 7007),
    (1e6, 1, 1),
    (1e6, 1e5, 1),
    (1e6, 1e5, 1e5),
    (1e-6, 1, 1),
    (1e-6, 1, 1e5),
    (1e-6, 7.5, 33.3),
    (0.01, 30, 60),
    (0.9, 5000, 2e4),
]

# F, df1, df2, level -> low, high; from R 4.2: pf(F, df1, df2, ncp) = (1 ± level) / 2.
INTERVALS = {
    (5.0, 3, 76, 0.95): (1.86661861386, 32.5631008213),
    (5.0, 3, 76, 0.90): (3.03900204287, 28.8153564402),
    (2.1, 4, 95, 0.95): (0, 20.0643209251),
    (1.0, 5, 100, 0.95): (0, 12.2075961023),
    (0.01, 3, 76, 0.95): (0, 0),
    (3.2, 143, 7007, 0.95): (241.18340622673, 398.2562132658),
    (12.5, 143, 7007, 0.95): (1476.91826982, 1822.6135162814),
    (40.0, 1, 9.5, 0.95): (8.15733675651, 93.8938592922),
}
# Parameters up to ten millions, and both one and a million degrees of freedom.
LARGE = [
    (1e3, 1e3, 1e6),
    (7e3, 143, 7007),
    (1e6, 1, 1),
    (1e6, 1, 1e6),
    (1.1, 1e5, 1e6),
    (250.0, 16.2, 677598.2),
]

ratios = st.floats(1e-6, 1e6)
freedom = st.floats(1, 1e5)


def exact_log10(f: float, df1: float, df2: float) -> float:
    """Take the smaller tail as a hypergeometric series in 50 digits, DLMF 8.17.8."""
    with mpmath.workdps(50):
        a, b, x = mpf(df2) / 2, mpf(df1) / 2, mpf(df2) / (df2 + mpf(df1) * mpf(f))
        upper = x < a / (a + b)
        if not upper:
            a, b, x = b, a, 1 - x
        logs = mpmath.log(mpmath.hyp2f1(a + b, 1, a + 1, x) / a)
        logs += a * mpmath.log(x) + b * mpmath.log(1 - x)
        logs -= mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
        whole = logs if upper else mpmath.log1p(-mpmath.exp(logs))
        return float(whole / mpmath.ln(10))


@pytest.mark.parametrize("place", PLACES)
def test_logarithms_are_those_in_fifty_digits(place: tuple[float, ...]) -> None:
    p, log10_p = f_tail(*place)
    expected = exact_log10(*place)
    assert log10_p == pytest.approx(expected, rel=RELATIVE, abs=0)
    # Below, p itself is less exact than its logarithm, or no normal number.
    if expected > -290:
        assert p == pytest.approx(10**expected, rel=RELATIVE)


def test_tails_are_broadcast_and_keep_what_is_missing() -> None:
    f = np.array([[1.0, math.nan], [0.0, math.inf]])
    p, log10_p = f_tail(f, [1, 3], 1)
    np.testing.assert_allclose(p, [[0.5, math.nan], [1, 0]], rtol=1e-14)
    expected = [[math.log10(0.5), math.nan], [0, -math.inf]]
    np.testing.assert_allclose(log10_p, expected, rtol=1e-14)
    assert not np.signbit(log10_p[1, 0])
    assert f_tail([], 1, 1)[1].shape == (0,)


def test_a_tail_of_two_degrees_above_is_a_power() -> None:
    f, df2 = np.geomspace(1e-6, 1e6, 200), np.geomspace(1, 1e5, 200)[:, None]
    expected = -df2 / 2 * np.log1p(2 * f / df2) / math.log(10)
    np.testing.assert_allclose(f_tail(f, 2, df2)[1], expected, rtol=RELATIVE)


@given(ratios, freedom, freedom)
def test_tails_fall_with_f(f: float, df1: float, df2: float) -> None:
    # Closer steps would be less than what rounding does to 1e5 logarithms.
    steps = f * np.array([1.0, 1.001, 1.1, 2.0, 10.0])
    p, log10_p = f_tail(steps, df1, df2)
    assert np.all(np.diff(p) <= 0)
    assert np.all(np.diff(log10_p) <= 0)
    assert np.all(log10_p <= 0)


@pytest.mark.parametrize("case", INTERVALS)
def test_intervals_are_those_of_r(case: tuple[float, ...]) -> None:
    *place, level = case
    found = noncentrality(*place, level=level)
    assert found == pytest.approx(INTERVALS[case], rel=AS_R, abs=0)


@pytest.mark.parametrize("place", LARGE)
def test_bounds_of_large_effects_have_their_chances(place: tuple[float, ...]) -> None:
    chances = stats.ncf.cdf(place[0], *place[1:], noncentrality(*place))
    assert chances == pytest.approx([0.975, 0.025], abs=CHANCE)


def test_bounds_have_their_chances_in_thirty_digits() -> None:
    f, df1, df2 = 40.0, 2.5, 9.5
    y = mpf(df1 * f) / mpf(df1 * f + df2)
    for bound, chance in zip(noncentrality(f, df1, df2), (0.975, 0.025), strict=True):
        with mpmath.workdps(30):
            half = mpf(bound) / 2
            exact = mpmath.nsum(
                lambda j, half=half: (
                    mpmath.exp(-half)
                    * half**j
                    / mpmath.factorial(j)
                    * mpmath.betainc(df1 / 2 + j, df2 / 2, 0, y, regularized=True)
                ),
                [0, 300],
            )
        assert float(exact) == pytest.approx(chance, abs=CHANCE)


def test_a_bound_is_zero_up_to_the_f_of_its_chance() -> None:
    low, high = (stats.f.ppf(chance, 3, 76) for chance in (0.025, 0.975))
    assert noncentrality(low * (1 - 1e-9), 3, 76) == (0, 0)
    assert noncentrality(high * (1 - 1e-9), 3, 76)[0] == 0
    assert 0 < noncentrality(low * (1 + 1e-6), 3, 76)[1] < 1e-4
    assert 0 < noncentrality(high * (1 + 1e-6), 3, 76)[0] < 1e-4


def test_bounds_rise_smoothly_with_f() -> None:
    # Parameters from 1900 to 2900: here terms begin to be left out.
    bounds = np.array([noncentrality(f, 143, 7007) for f in np.linspace(15, 18, 61)])
    steps = np.diff(bounds, axis=0)
    assert np.all(steps > 0)
    np.testing.assert_allclose(steps[1:], steps[:-1], rtol=1e-3)


def test_no_interval_without_an_effect() -> None:
    assert noncentrality(math.inf, 3, 76) == (math.inf, math.inf)
    assert all(math.isnan(bound) for bound in noncentrality(math.nan, 3, 76))
