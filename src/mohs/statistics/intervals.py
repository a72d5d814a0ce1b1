"""Intervals: how far a share, a mean or a median of another draw might lie."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]

RESAMPLES = 10_000
_MEANS = 2000  # each is a mean of many draws, so that fewer of them tell as much
_BLOCK = 1 << 22  # draws that are kept at a time
_FEW = 1 << 16


def wilson(successes: int, trials: int, *, level: float = 0.95) -> Interval:
    """Return the score interval of a share of independent trials [1]_.

    Where trials depend on each other it is too narrow.

    References
    ----------
    .. [1] Wilson, "Probable inference, the law of succession, and statistical
       inference", JASA 22(158), 1927.

    Examples
    --------
    >>> [round(bound, 4) for bound in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap_share(successes: int, trials: int, *, level: float = 0.95) -> Interval:
    """Return the percentile interval of a share when trials are drawn anew [1]_.

    The number of successes among as many trials drawn with replacement is binomial, so
    nothing needs to be drawn: this is what the bootstrap tends to.

    References
    ----------
    .. [1] Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13.

    Examples
    --------
    >>> bootstrap_share(8, 10)
    (0.5, 1.0)
    >>> bootstrap_share(10, 10)
    (1.0, 1.0)
    """
    share = successes / trials
    if share in {0.0, 1.0}:
        return share, share
    counts = range(trials + 1)
    logs = [
        math.lgamma(trials + 1) - math.lgamma(x + 1) - math.lgamma(trials - x + 1)
        for x in counts
    ]
    x = np.arange(trials + 1.0)
    chances = np.exp(logs + x * math.log(share) + (trials - x) * math.log1p(-share))
    low, high = lattice_quantiles(chances, (1 - level) / 2, (1 + level) / 2)
    return low / trials, high / trials


def clustered_share(
    won: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    random: np.random.Generator,
    *,
    level: float = 0.95,
) -> Interval:
    """Return the percentile interval of a share when whole clusters are drawn anew.

    Parameters
    ----------
    won
        Whether each of n trials succeeded, (n,).
    clusters
        Which cluster, 0 to c - 1, it belongs to, (n,).
    random
        Where the draws come from.
    level
        Share of the draws between the bounds.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> clustered_share(np.array([True, True, False]), np.array([0, 0, 1]), random)
    (0.0, 1.0)
    """
    wins = np.bincount(clusters, won)
    sizes = np.bincount(clusters)
    drawn = random.integers(0, len(sizes), (RESAMPLES, len(sizes)))
    shares = wins[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    tails = ((1 - level) / 2, (1 + level) / 2)
    low, high = np.quantile(shares, tails, method="inverted_cdf")
    return float(low), float(high)


def bootstrap_mean(
    values: Floats, random: np.random.Generator, *, level: float = 0.95
) -> Interval:
    """Return the percentile interval of a mean when values (n,) are drawn anew.

    Examples
    --------
    >>> bootstrap_mean(np.array([0.25, 0.25]), np.random.default_rng(0))
    (0.25, 0.25)
    """
    size = len(values)
    kind = np.uint16 if size <= _FEW else np.int64  # small numbers are drawn faster
    means = np.empty(_MEANS)
    block = max(1, _BLOCK // size)
    for first in range(0, _MEANS, block):
        count = min(block, _MEANS - first)
        drawn = random.integers(0, size, (count, size), dtype=kind)
        means[first : first + count] = values[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bootstrap_median(values: Floats, *, level: float = 0.95) -> Interval:
    """Return the percentile interval of a median when values (n,) are drawn anew [1]_.

    The k-th smallest of n drawn values is at most the i-th smallest of all with the
    chance that a binomial count reaches k, so nothing needs to be drawn. Of the two
    values in the middle of an even number, the lower one is bounded from below and the
    upper one from above.

    References
    ----------
    .. [1] Efron, "Bootstrap methods: another look at the jackknife", Annals of
       Statistics 7(1), 1979, section 3.

    Examples
    --------
    >>> bootstrap_median(np.arange(1.0, 10.0))
    (2.0, 8.0)
    """
    size = len(values)
    ascending = np.sort(values)
    shares = np.arange(1, size + 1) / size
    bounds = []
    for rank, share in (
        ((size + 1) // 2, (1 - level) / 2),
        (size // 2 + 1, (1 + level) / 2),
    ):
        chances = special.betainc(rank, size - rank + 1, shares)
        bounds.append(float(ascending[np.searchsorted(chances, share)]))
    return bounds[0], bounds[1]


def lattice_quantiles(frequencies: NDArray[np.float64], *levels: float) -> list[int]:
    """Return the smallest of 0, 1, 2… below or at which so much of a distribution is.

    Parameters
    ----------
    frequencies
        How often each of 0, 1, 2… occurs; they need not add up to one.
    *levels
        Shares of the whole.

    Examples
    --------
    >>> lattice_quantiles(np.array([1.0, 2.0, 1.0]), 0.25, 0.5, 1.0)
    [0, 1, 2]
    """
    reached = np.cumsum(frequencies)
    # A sum of shares may miss a level by some roundings.
    needed = np.array(levels) * reached[-1] * (1 - 1e-12)
    return [int(place) for place in np.searchsorted(reached, needed)]


def drawn_means(
    values: NDArray[np.float64], random: np.random.Generator, draws: int
) -> NDArray[np.float64]:
    """Return the means of samples of values (n,) drawn anew from them, (draws,) [1]_.

    References
    ----------
    .. [1] Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 6.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> drawn_means(np.array([0.0, 1.0]), random, 4).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    count = len(values)
    means: NDArray[np.float64] = (
        values[random.integers(0, count, (draws, count))].sum(axis=1) / count
    )
    return means
