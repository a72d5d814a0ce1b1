"""Tails of the F distribution, also where they are too small or too near one to print.

A p-value of 10^-400 is no zero: effects that all underflow still have an order, which
their logarithms keep. The non-central F distribution turns one F into the interval of
effects that would make it unsurprising.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]

# Below it the incomplete beta function soon leaves the normal floating-point numbers.
_DEEP = 1e-280
_ROUNDS = 100_000
_DECIDED = 1e12  # a parameter whose own variation is less than a millionth of it
_CONVERGED = 1e-14

# The Poisson weights of a non-central distribution, in standard deviations: how far
# they reach (beyond is less than a rounding error), and how finely they are sampled.
_REACH = 10
_STEPS = 16


def f_tail(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> tuple[Floats, Floats]:
    """Return the chance of an F at least as large, and its decimal logarithm.

    Parameters
    ----------
    f
        Ratios of mean squares (...,), from 0 to infinity. NaN stays NaN.
    df1, df2
        Degrees of freedom above and below (...,), positive and finite, not necessarily
        whole; all three are broadcast.

    Returns
    -------
    p, log10_p
        Of the broadcast shape. The logarithm is within 10^-8 of its own size, also
        where p underflows to 0 and where it is almost 1.

    References
    ----------
    .. [1] *NIST Digital Library of Mathematical Functions*, 8.17.5 (the tail as an
       incomplete beta function) and 8.17.22 (its continued fraction).

    Examples
    --------
    >>> p, log10_p = f_tail([4.0, 5000.0], 10, 400)
    >>> p.round(7).tolist(), log10_p.round(3).tolist()
    ([3.1e-05, 0.0], [-4.508, -412.242])
    """
    f, above, below = np.broadcast_arrays(
        *(np.asarray(each, np.float64) for each in (f, df1, df2))
    )
    a, b = below / 2, above / 2
    with np.errstate(divide="ignore"):
        over, under = np.asarray(b * f / a), np.asarray(a / (b * f))
        p = special.betainc(a, b, 1 / (1 + over))
        rest = special.betainc(b, a, 1 / (1 + under))
        # Adding zero makes the logarithm of one a plain 0, not -0.
        logs = np.asarray(np.where(p < 0.5, np.log(p), np.log1p(-rest)) + 0.0)
    deep = p < _DEEP
    logs[deep] = _log_beta_tail(a[deep], b[deep], over[deep], under[deep])
    return p, logs / math.log(10)


def noncentrality(f: float, df1: float, df2: float, *, level: float = 0.95) -> Interval:
    """Return the interval of non-centrality parameters that an F is compatible with.

    It holds all parameters under which neither an F this large nor one this small is
    rarer than (1 - level) / 2 [1]_; a bound that no parameter reaches is 0. So an F
    that is not in the upper tail has low bound 0, and one far in the lower tail both.

    Parameters
    ----------
    f
        Ratio of mean squares. NaN gives NaN, infinity gives infinity.
    df1, df2
        Degrees of freedom above and below, positive and finite.
    level
        Chance that the interval holds the true parameter.

    References
    ----------
    .. [1] Steiger, "Beyond the F test: Effect size confidence intervals and tests of
       close fit in the analysis of variance and contrast analysis", Psychological
       Methods 9(2), 2004.

    Examples
    --------
    >>> [round(bound, 4) for bound in noncentrality(5.0, 3, 76)]
    [1.8666, 32.5631]
    >>> noncentrality(0.01, 3, 76)
    (0.0, 0.0)
    """
    if not math.isfinite(f):
        return f, f
    low, high = (
        _noncentrality_at((1 + side * level) / 2, f, df1, df2) for side in (1, -1)
    )
    return low, high


def _log_beta_tail(a: Floats, b: Floats, over: Floats, under: Floats) -> Floats:
    """Return ln I_x(a, b), x = 1 / (1 + over), deep in the tail; vectors (n,)."""
    front = -a * np.log1p(over) - b * np.log1p(under) - np.log(a) - special.betaln(a, b)
    logs: Floats = front + np.log(_beta_fraction(a, b, 1 / (1 + over)))
    return logs


def _beta_fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Evaluate the continued fraction DLMF 8.17.22 by Lentz's method; vectors (n,)."""
    back = np.ones_like(x)
    ahead = 1 / (1 - (a + b) * x / (a + 1))
    value = ahead.copy()
    for m in range(1, _ROUNDS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            ahead = 1 / (1 + part * ahead)
            back = 1 + part / back
            value *= back * ahead
        if np.all(np.abs(back * ahead - 1) < _CONVERGED):
            break
    return value


def _noncentrality_at(chance: float, f: float, df1: float, df2: float) -> float:
    """Return the parameter under which an F up to `f` has this chance, or 0."""
    if df1 * f > _DECIDED:
        # The parameter alone decides the ratio's upper part; the lower one varies.
        return df1 * f / df2 * float(special.chdtri(df2, chance))
    # Loaded late: it takes longer than everything else here.
    from scipy.optimize import brentq

    def excess(noncentrality: float) -> float:
        return _noncentral_f(f, df1, df2, noncentrality) - chance

    if excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, max(1.0, df1 * f)
    while excess(high) > 0:
        low, high = high, 2 * high
    return float(brentq(excess, low, high, xtol=1e-12, rtol=1e-12))


def _noncentral_f(f: float, df1: float, df2: float, noncentrality: float) -> float:
    """Return the chance of a non-central F up to `f`: a Poisson mixture of betas.

    Many terms are sampled at even steps. Terms change slowly on the scale of the
    Poisson's standard deviation, so that such a sum equals the full one up to rounding:
    there is no seam between few and many terms.
    """
    half = noncentrality / 2
    spread = math.sqrt(half)
    first = max(0.0, math.floor(half - _REACH * spread))
    last = half + _REACH * spread + 4 * _REACH
    j = np.arange(first, last, max(1.0, spread // _STEPS))
    weights = np.exp(special.xlogy(j, half) - half - special.gammaln(j + 1))
    over, a, b = df1 * f / df2, df2 / 2, df1 / 2 + j
    if over < 1:  # whichever argument is known more exactly
        chances = special.betainc(b, a, over / (1 + over))
    else:
        chances = special.betaincc(a, b, 1 / (1 + over))
    return float(weights @ chances / weights.sum())
