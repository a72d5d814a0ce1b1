"""Which levels of a factor differ, all pairs at once.

Tukey's range bounds the chance that any two levels without a difference are told
apart. Means are adjusted for the rest of the model, and the error is that of the model,
so that topics are blocks. The randomised test [1]_ shuffles levels within topics
instead, and needs no normal distribution.

References
----------
.. [1] Carterette, "Multiple testing in statistical analysis of systems-based
   information retrieval experiments", ACM TOIS 30(1), 2012, section 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova.decomposition import adjusted_levels
from mohs.analysis.anova.uncertainty import TOPIC
from mohs.errors import InputError, UnknownNameError
from mohs.statistics.ranges import letters, range_critical, range_tail
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.analysis.anova.decomposition import Balance, Decomposition

    Floats = NDArray[np.float64]

_ALPHA = 0.05
_SHUFFLES = 10_000
_LARGEST = 2000  # levels, which make two million pairs
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Levels of a factor by their means, and all K pairs of them.

    ``means``, ``counts``, ``groups`` (k,) are in the order of ``levels``, the highest
    mean first; ``left`` and ``right`` (K,) index them. ``low`` and ``high`` (K,) bound
    the differences, all at once; ``p_randomised`` (K,) is NaN where a level lacks
    topics.
    """

    factor: str
    levels: tuple[str, ...]
    means: Floats
    counts: NDArray[np.int64]
    groups: tuple[str, ...]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    low: Floats
    high: Floats
    q: Floats
    p: Floats
    p_randomised: Floats

    def tables(self) -> Mapping[str, Table]:
        """Lay out the pairs, and the groups of levels that are not told apart."""
        names = {
            side: Factor(self.levels, places.astype(np.int32))
            for side, places in (("left", self.left), ("right", self.right))
        }
        pairs = Table(
            {
                **names,
                "difference": self.means[self.left] - self.means[self.right],
                "low": self.low,
                "high": self.high,
                "q": self.q,
                "p": self.p,
                "p_randomised": self.p_randomised,
            }
        )
        groups = Table(
            {
                "level": self.levels,
                "mean": self.means,
                "observations": self.counts,
                "group": self.groups,
            }
        )
        return {"tukey": pairs, "groups": groups}


def compare(
    parts: Decomposition, factor: str, seed: int, *, shuffles: int = _SHUFFLES
) -> Comparisons:
    """Compare all levels of a factor; without ``shuffles`` by Tukey's range alone.

    Raises
    ------
    UnknownNameError
        If the factor is not in the formula.
    InputError
        If it has too many levels, or some differences cannot be estimated.
    """
    if factor not in parts.design.levels:
        raise UnknownNameError("factor in the formula", factor, parts.design.levels)
    size = parts.design.size(factor)
    if size > _LARGEST:
        raise InputError(
            f"{factor} has {size:,} levels, too many to compare all pairs; choose at"
            f" most {_LARGEST:,} with --where"
        )
    if not parts.mse:
        raise InputError(
            f"the model fits every value, so there is no error to compare {factor} by"
        )
    means, spread = adjusted_levels(parts, factor)
    order = np.argsort(-means, kind="stable")
    means, spread = means[order], spread[np.ix_(order, order)]
    left, right = np.triu_indices(size, 1)
    variances = np.diagonal(spread)
    error = variances[left] + variances[right] - 2 * spread[left, right]
    error = np.sqrt(np.maximum(error, 0.0) * parts.mse / 2)
    difference = means[left] - means[right]
    q = difference / error
    p = range_tail(q, size, parts.residual_df)
    half = range_critical(_ALPHA, size, parts.residual_df) * error
    apart = np.zeros((size, size), dtype=np.bool_)
    apart[left, right] = apart[right, left] = p < _ALPHA
    return Comparisons(
        factor,
        tuple(parts.design.levels[factor][place] for place in order),
        means,
        np.bincount(parts.design.codes[factor])[order],
        tuple(letters(means, apart)),
        left,
        right,
        difference - half,
        difference + half,
        q,
        p,
        _randomised(parts, factor, difference, seed, shuffles),
    )


def _randomised(
    parts: Decomposition,
    factor: str,
    differences: Floats,
    seed: int,
    shuffles: int,
) -> Floats:
    """Return how often shuffled levels differ as much anywhere, for every pair (K,)."""
    blocks = _blocks(parts.balance, factor)
    if blocks is None or not shuffles:
        return np.full(len(differences), np.nan)
    random = stream(seed, "anova", "tukey", factor)
    ranges = np.empty(shuffles)
    step = max(1, _CHUNK // blocks.size)
    for first in range(0, shuffles, step):
        several = np.broadcast_to(blocks, (min(step, shuffles - first), *blocks.shape))
        means = random.permuted(several, axis=2).mean(axis=1)
        ranges[first : first + len(means)] = np.ptp(means, axis=1)
    # Equal but for the order of additions is equal.
    bound = np.abs(differences) * (1 - 1e-12)
    reached = shuffles - np.searchsorted(np.sort(ranges), bound)
    shares: Floats = (reached + 1) / (shuffles + 1)
    return shares


def _blocks(balance: Balance | None, factor: str) -> Floats | None:
    """Return the means of every topic and level, if there is one for each."""
    if balance is None or factor == TOPIC:
        return None
    axes = balance.grid.axes
    if not {TOPIC, factor} <= {*axes} or frozenset({factor}) not in balance.covered:
        return None
    gone = tuple(
        place for place, name in enumerate(axes) if name not in {TOPIC, factor}
    )
    means: Floats = balance.grid.means.mean(axis=gone)
    return means if axes.index(TOPIC) < axes.index(factor) else means.T
