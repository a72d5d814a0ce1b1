"""How sure a rank correlation is: other draws of the things, and no relation at all.

Sides may be drawn several times over, one row (R, n) for each draw of whatever they
were computed from. What is drawn here then takes the rows in turn, so that an interval
covers both kinds of chance. One row stands for a side that was not drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.correlation import tau_b

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.statistics.intervals import Interval

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

# Of up to so many things; of more, in proportion fewer, but no less than a tenth: the
# more things there are, the less the draws differ.
RESAMPLES = 2000
PERMUTATIONS = 10_000
_THINGS = 1000
_JUDGED = 10  # draws of a side whose permutations are looked at
_BLOCK = 1 << 21  # values that are held at a time
_ROUNDING = 1e-12


def bootstrap_tau(
    left: Floats, right: Floats, random: np.random.Generator, *, level: float = 0.95
) -> Interval:
    """Return the percentile interval of τ_b when things are drawn with replacement.

    Two copies of one thing are tied on both sides.

    Parameters
    ----------
    left, right
        Values of n things, (n,) or (R, n).
    random
        Where the draws come from.
    level
        Share of the draws between the bounds.

    Examples
    --------
    >>> left, right = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 5.0])
    >>> bootstrap_tau(left, right, np.random.default_rng(0))
    (1.0, 1.0)
    """
    left, right = np.atleast_2d(left, right)
    size = left.shape[-1]
    if not size:
        return np.nan, np.nan
    found = []
    for rows in _blocks(_number(RESAMPLES, size), size):
        drawn = random.integers(0, size, (len(rows), size))
        found.append(tau_b(_taken(left, rows, drawn), _taken(right, rows, drawn)))
    taus = np.concatenate(found)
    known = taus[~np.isnan(taus)]
    if not len(known):
        return np.nan, np.nan
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def permutation_p(left: Floats, right: Floats, random: np.random.Generator) -> float:
    """Return the chance that unrelated sides are as far from τ_b = 0, either way [1]_.

    With b of N permutations of the right side as far away or farther, it is
    (b + 1) / (N + 1). Of sides with several rows, the mean τ_b of the first of them is
    judged, and all are permuted alike; a permutation without a τ_b counts as far away.

    Parameters
    ----------
    left, right
        Values of n things, (n,) or (R, n).
    random
        Where the permutations come from.

    References
    ----------
    .. [1] Phipson and Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9(1), 2010.

    Examples
    --------
    >>> left, right = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 5.0])
    >>> round(permutation_p(left, right, np.random.default_rng(0)), 1)
    0.3
    """
    left, right = np.atleast_2d(left, right)
    draws = min(max(len(left), len(right)), _JUDGED)
    left, right = (each[np.arange(draws) % len(each)] for each in (left, right))
    observed = mean_known(tau_b(left, right))
    if np.isnan(observed):
        return np.nan
    size = left.shape[-1]
    as_far = 0
    count = _number(PERMUTATIONS, size) // draws
    for rows in _blocks(count, size * draws):
        orders = random.permuted(np.tile(np.arange(size), (len(rows), 1)), axis=1)
        taus = tau_b(left, np.moveaxis(right[:, orders], 0, 1))
        near = np.abs(_means_known(taus))
        as_far += int((~(near < abs(observed) - _ROUNDING)).sum())
    return (as_far + 1) / (count + 1)


def chance_tau(
    left: Floats, right: Floats, random: np.random.Generator, *, level: float = 0.95
) -> tuple[float, float, float]:
    """Return what τ_b is when sides have nothing to do with each other [1]_.

    That is the mean over permutations of the right side, and the bounds between which
    so many of them are. Ties stay as they are, and make steps of these bounds.

    Parameters
    ----------
    left, right
        Values of n things, (n,).
    random
        Where the permutations come from.
    level
        Share of the permutations between the bounds.

    References
    ----------
    .. [1] Kendall, "A new measure of rank correlation", Biometrika 30(1/2), 1938.

    Examples
    --------
    >>> left, right = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 5.0])
    >>> _, low, high = chance_tau(left, right, np.random.default_rng(0))
    >>> low, high
    (-1.0, 1.0)
    """
    size = len(left)
    found = []
    for rows in _blocks(_number(PERMUTATIONS, size), max(size, 1)):
        orders = random.permuted(np.tile(np.arange(size), (len(rows), 1)), axis=1)
        found.append(tau_b(left, right[orders]))
    taus = np.concatenate(found)
    if np.isnan(taus).any():  # ties stay, so that there is one for all or for none
        return np.nan, np.nan, np.nan
    low, high = np.quantile(taus, [(1 - level) / 2, (1 + level) / 2])
    return float(taus.mean()), float(low), float(high)


def mean_known(values: Floats) -> float:
    """Return the mean of the values (R,) that exist, or NaN.

    Examples
    --------
    >>> mean_known(np.array([0.5, np.nan, 1.0]))
    0.75
    """
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


def _means_known(values: Floats) -> Floats:
    """Return the means of rows (N, R) over what exists, NaN where nothing does."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    sums: Floats = np.where(known, values, 0.0).sum(axis=1)
    none = np.full(len(sums), np.nan)
    means: Floats = np.divide(sums, counts, out=none, where=counts > 0)
    return means


def _number(most: int, size: int) -> int:
    """Return how many draws to make of so many things."""
    return max(most // 10, most * _THINGS // max(size, _THINGS))


def _blocks(count: int, size: int) -> Iterator[Rows]:
    """Yield the numbers of draws, as many at a time as memory should hold."""
    step = max(1, _BLOCK // size)
    for first in range(0, count, step):
        yield np.arange(first, min(first + step, count))


def _taken(values: Floats, rows: Rows, places: Rows) -> Floats:
    """Return for every draw its values, of the rows (R, n) in turn."""
    return values[(rows % len(values))[:, None], places]
