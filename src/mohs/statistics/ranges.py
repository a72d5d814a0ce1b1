"""Which means differ, all pairs at once: Tukey's range, and letters that show it."""

from __future__ import annotations

import math
from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

# The range of normal values is tabulated up to _WIDEST, which that of 5000 values
# exceeds once in 10^22, at steps that leave an interpolation error of 10^-10.
_WIDEST = 16
_STEPS = 128
# The largest value is integrated over at every eighth of these steps.
_STRIDE = 8
_LOWEST, _HIGHEST = -9, 13

# Logarithms of the standard deviation are integrated over at steps fine enough for the
# range of many values as well as for the deviation itself, up to ends that leave out
# one rounding error.
_FINEST = 1 / 48
_PER_SPREAD = 0.75
_LEFT_OUT = 1e-16
_CHUNK = 1 << 18


def range_tail(q: ArrayLike, groups: int, df: float) -> Floats:
    """Return the chance of a studentized range above q [1]_.

    Parameters
    ----------
    q
        Differences of the largest and the smallest mean, in standard errors of a mean
        (...,). NaN stays NaN.
    groups
        Number of means, 2 to 5000.
    df
        Degrees of freedom of the standard error, or infinity.

    Returns
    -------
    p
        Of the shape of `q`, with an absolute error below 10^-9.

    References
    ----------
    .. [1] Copenhaver and Holland, "Computation of the distribution of the maximum
       studentized range statistic with application to multiple significance testing of
       simple effects", Journal of Statistical Computation and Simulation 30(1), 1988.

    Examples
    --------
    >>> range_tail(np.array([2.0, 3.8768]), 3, 10).round(6).tolist()
    [0.370545, 0.049999]
    """
    q = np.asarray(q, np.float64)
    return _tail(groups, df)(np.maximum(q, 0).ravel()).reshape(q.shape)[()]


def range_critical(alpha: float, groups: int, df: float) -> float:
    """Return the studentized range that is exceeded with chance alpha.

    Parameters
    ----------
    alpha
        Between 0 and 1.
    groups, df
        As for :func:`range_tail`.

    Examples
    --------
    >>> round(range_critical(0.05, 3, 10), 4)
    3.8768
    """
    # Loaded late: it takes longer than everything else here.
    from scipy.optimize import brentq

    tail = _tail(groups, df)

    def excess(q: float) -> float:
        return float(tail(np.array([q]))[0]) - alpha

    low, high = 0.0, 4.0
    while excess(high) > 0:
        low, high = high, 2 * high
    return float(brentq(excess, low, high, xtol=1e-12, rtol=1e-12))


def groups_alike(means: Floats, apart: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the longest runs of neighbours in which no two are told apart.

    Parameters
    ----------
    means
        (k,); they are looked at from the highest down, equal ones as they stand.
    apart
        Whether two of them are told apart, (k, k), symmetric.

    Returns
    -------
    runs
        First and last place, from 0, in the descending order. No run holds another,
        and every place is in at least one.

    Examples
    --------
    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 1] = apart[1, 0] = True
    >>> groups_alike(np.array([0.2, 0.9, 0.5]), apart)
    [(0, 1), (1, 2)]
    """
    order = _descending(means)
    size = len(order)
    before = np.tril(apart[np.ix_(order, order)], -1)
    # A run cannot begin before the place below the last one that is told apart.
    below = (before * np.arange(1, size + 1)).max(axis=1, initial=0)
    firsts = np.maximum.accumulate(below)
    longest = np.append(firsts[1:] > firsts[:-1], [True])[:size]
    return [(int(firsts[last]), int(last)) for last in np.flatnonzero(longest)]


def letters(means: Floats, apart: NDArray[np.bool_]) -> list[str]:
    """Letter means so that two share a letter if and only if they are not told apart.

    Where errors are equal, runs of neighbours do that; elsewhere letters are split and
    merged pair by pair [1]_.

    Parameters
    ----------
    means, apart
        As for :func:`groups_alike`.

    Returns
    -------
    letters
        For each mean its letters, "a" for the group with the highest mean. After "z"
        come "A" to "Z", then "a1" to "Z1", "a2" and so on.

    References
    ----------
    .. [1] Piepho, "An algorithm for a letter-based representation of all-pairwise
       comparisons", Journal of Computational and Graphical Statistics 13(2), 2004.

    Examples
    --------
    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 1] = apart[1, 0] = True
    >>> letters(np.array([0.2, 0.9, 0.5]), apart)
    ['b', 'a', 'ab']
    """
    order = _descending(means)
    sorted_apart = apart[np.ix_(order, order)]
    together = np.zeros_like(sorted_apart)
    runs = groups_alike(means, apart)
    for first, last in runs:
        together[first : last + 1, first : last + 1] = True
    groups = [list(range(first, last + 1)) for first, last in runs]
    if not (together | sorted_apart).all():
        groups = _split_groups(sorted_apart)
    lettered = [""] * len(order)
    for number, group in enumerate(groups):
        for place in group:
            lettered[order[place]] += _letter(number)
    return lettered


def _split_groups(apart: NDArray[np.bool_]) -> list[list[int]]:
    """Return groups of places such that every pair not told apart is in one."""
    groups = {frozenset(range(len(apart)))}
    for one, other in np.argwhere(np.triu(apart)).tolist():
        both = [group for group in groups if one in group and other in group]
        groups.difference_update(both)
        for group in both:
            for left_out in (one, other):
                part = group - {left_out}
                if not any(part <= known for known in groups):
                    groups = {known for known in groups if not known < part} | {part}
    return sorted(map(sorted, groups))


def _descending(means: Floats) -> NDArray[np.int64]:
    return np.argsort(-np.asarray(means, np.float64), kind="stable")


def _letter(number: int) -> str:
    times, place = divmod(number, len(ascii_letters))
    return ascii_letters[place] + (str(times) if times else "")


def _tail(groups: int, df: float) -> Callable[[Floats], Floats]:
    """Return the upper tail of the studentized range as a function of vectors (n,)."""
    deviations, weights = _deviations(df)
    logs = _log_tail_of_normal(groups)
    slopes = _slopes(logs)
    rows = max(1, _CHUNK // len(weights))

    def tail(q: Floats) -> Floats:
        chances = np.empty(len(q))
        for first in range(0, len(q), rows):
            here = slice(first, first + rows)
            widths = q[here, None] * deviations
            chances[here] = _interpolated(logs, slopes, widths) @ weights
        return np.minimum(chances, 1)

    return tail


def _log_tail_of_normal(groups: int) -> Floats:
    """Tabulate ln P(range of standard normal values > r) on the grid of widths r.

    Given the largest value z, the others lie in [z - r, z] with chance 1 - Φ(z - r) /
    Φ(z) each. All integrands vanish at both ends, where even steps are best.
    """
    z = np.arange(_LOWEST, _HIGHEST, _STRIDE / _STEPS)
    largest = np.exp(
        math.log(groups * _STRIDE / _STEPS / math.sqrt(2 * math.pi))
        - z**2 / 2
        + (groups - 1) * special.log_ndtr(z)
    )
    r = np.arange(_WIDEST * _STEPS + 1) / _STEPS
    below = special.ndtr(z - r[:, None]) / special.ndtr(z)
    wider: Floats = -special.expm1(special.xlog1py(groups - 1, -below)) @ largest
    return np.log(wider)


def _deviations(df: float) -> tuple[Floats, Floats]:
    """Return nodes and weights for a standard deviation of mean square 1."""
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    squares = (
        special.gammaincinv(df / 2, _LEFT_OUT),
        special.gammainccinv(df / 2, _LEFT_OUT),
    )
    low, high = (math.log(2 * square / df) / 2 for square in squares)
    step = min(_FINEST, _PER_SPREAD / math.sqrt(2 * df))
    u = np.arange(low, high + step, step)
    weights = np.exp(df * (u - np.expm1(2 * u) / 2))
    return np.exp(u), weights / weights.sum()


def _slopes(values: Floats) -> Floats:
    """Return derivatives at all places of a grid of step 1, from five each; (n,)."""
    slopes = np.empty_like(values)
    inner = values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]
    slopes[2:-2] = inner / 12
    ends = np.array([[-25, 48, -36, 16, -3], [-3, -10, 18, -6, 1]]) / 12
    slopes[:2] = ends @ values[:5]
    slopes[-2:] = -(ends @ values[:-6:-1])[::-1]
    return slopes


def _interpolated(logs: Floats, slopes: Floats, widths: Floats) -> Floats:
    """Return tails at any widths, from cubics that meet logarithms and slopes."""
    places = np.minimum(widths * _STEPS, len(logs) - 1)
    known = ~np.isnan(places)
    left = np.where(known, places, 0).astype(np.intp)
    left = np.minimum(left, len(logs) - 2)
    t = places - left
    rise = logs[left + 1] - logs[left]
    bend = slopes[left] - rise
    twist = rise - slopes[left + 1]
    between = logs[left] + t * (rise + (1 - t) * ((1 - t) * bend + t * twist))
    return np.where(widths > _WIDEST, 0.0, np.exp(between))
