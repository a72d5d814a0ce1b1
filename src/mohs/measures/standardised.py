"""Measures that compare a ranking with what chance would make of its topic.

A measure may not depend on which other runs are read, so the pool that chance orders
is made of all judged documents of the topic. `mohs difficulty` pools runs instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.gains.discounts import DISCOUNTS, weights
from mohs.measures.definition import JUDGED_ONLY, NEEDS_RANK, measure
from mohs.measures.example import listed  # noqa: F401 (for the examples)
from mohs.measures.graded import DCG, gain_named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.gains.grades import Gain
    from mohs.measures.cells import Cells

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


@measure(
    "nDCG_std",
    DCG,
    JUDGED_ONLY,
    cutoff=NEEDS_RANK,
    bounds=(-np.inf, 1.0),
    graded=True,
    caveat="its range differs between topics, so a mean over topics weighs them "
    "unequally",
)
def standardised_gain(cells: Cells, *, dcg: str | None, cutoff: int) -> Floats:
    """Lead over a random order of the judged documents, 1 for the best order [1]_.

    This is nDCG with gains standardised over the topic's judged documents: 0 is what
    chance obtains, and there is no lower bound. A ranking is filled up with documents
    of gain 0 to the cut-off, or to the number of judged documents if that is less.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020.

    Examples
    --------
    >>> standardised_gain(listed([1, 0, 0, 0]), dcg=None, cutoff=3)
    array([1.])
    >>> standardised_gain(listed([0, 0, 0], missed=[1]), dcg=None, cutoff=3).round(4)
    array([-1.1401])
    """
    gain = gain_named(cells, dcg)
    pools = _pools(cells, gain, cutoff)
    topics = np.tile(cells.rankings.groups, len(cells.rankings.systems))
    found = cells.gaining(gain)
    deepest = int(pools.depths.max(initial=0))
    table = np.concatenate(([0.0], weights(DISCOUNTS["log2"], deepest)))
    counted = found.ranks <= pools.depths[topics][found.cells]
    seen = table[np.where(counted, found.ranks, 0)]
    leads = found.sums(gain(found.grades) * seen) - pools.means[topics]
    shares = np.zeros(len(leads))
    ranked = (pools.leads[topics] > 0) & (cells.retrieved > 0)
    return np.divide(leads, pools.leads[topics], out=shares, where=ranked)


@measure("RnDCG", DCG, cutoff=NEEDS_RANK, graded=True)
def random_gain(cells: Cells, *, dcg: str | None, cutoff: int) -> Floats:
    """NDCG that a random order of the topic's judged documents has on average [1]_.

    It is the same for every system, whatever it retrieved.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020.

    Examples
    --------
    >>> random_gain(listed([0, 1, 1, 2]), dcg=None, cutoff=20).round(6)
    array([0.818162])
    """
    pools = _pools(cells, gain_named(cells, dcg), cutoff)
    ideals = pools.means + pools.leads
    shares = np.divide(pools.means, ideals, out=np.zeros(len(ideals)), where=ideals > 0)
    return np.tile(shares[cells.rankings.groups], len(cells.rankings.systems))


@dataclass(frozen=True, slots=True, eq=False)
class _Pools:
    """Judged documents of T topics, as a random re-ranker finds them.

    ``depths`` (T,) is how many ranks count, ``means`` (T,) the expected DCG, and
    ``leads`` (T,) how far the best order lies above it.
    """

    depths: Counts
    means: Floats
    leads: Floats


def _pools(cells: Cells, gain: Gain, cutoff: int) -> _Pools:
    judgments = cells.rankings.judgments
    sizes = np.diff(judgments.offsets)
    depths = np.minimum(sizes, cutoff)
    topics = np.repeat(np.arange(len(sizes)), sizes)
    gains = gain(judgments.grades)
    best = gains[np.lexsort((-gains, topics))]
    ranks = np.arange(len(gains)) - np.repeat(judgments.offsets[:-1], sizes)
    counted = ranks < depths[topics]
    table = weights(DISCOUNTS["log2"], int(depths.max(initial=0)))
    terms = best[counted] * table[ranks[counted]]
    ideals = np.bincount(topics[counted], terms, len(sizes))
    sums = np.bincount(topics, gains, len(sizes))
    averages = np.divide(sums, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    means = averages * np.concatenate(([0.0], np.cumsum(table)))[depths]
    # Of equal gains no order is better, whatever rounding says.
    leads = np.where(_spreads(gains, judgments.offsets) > 0, ideals - means, 0.0)
    return _Pools(depths, means, leads)


def _spreads(gains: Floats, offsets: Counts) -> Floats:
    """Return how far the gains of each topic lie apart: (T,)."""
    filled = np.diff(offsets) > 0
    starts = offsets[:-1][filled]
    spreads = np.zeros(len(filled))
    if len(starts):
        highest = np.maximum.reduceat(gains, starts)
        spreads[filled] = highest - np.minimum.reduceat(gains, starts)
    return spreads
