"""Measures of where the relevant documents stand, relevance being yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.definition import (
    CUTOFFS,
    JUDGED_ONLY,
    NEEDS_RANK,
    RANK,
    RECALL,
    RECALLS,
    REL,
    Alias,
    measure,
    trec,
)
from mohs.measures.example import listed  # noqa: F401 (for the examples)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.measures.cells import Cells, Selection

    Floats = NDArray[np.float64]


@measure(
    "AP",
    REL,
    JUDGED_ONLY,
    cutoff=RANK,
    aliases=(Alias("MAP"), trec("map"), trec("map_cut", "cutoff", CUTOFFS)),
)
def average_precision(cells: Cells, *, rel: float, cutoff: int | None) -> Floats:
    """Mean of the precision at each relevant document, 0 for one not found [1]_.

    References
    ----------
    .. [1] Buckley and Voorhees, "Retrieval system evaluation", in TREC: Experiment
       and Evaluation in Information Retrieval, MIT Press, 2005, ch. 3.

    Examples
    --------
    >>> average_precision(listed([1, 0, 1, None, 1]), rel=1, cutoff=3).round(4)
    array([0.5556])
    """
    found = cells.relevant(rel)
    precisions = found.order / found.ranks
    if cutoff is not None:
        precisions = np.where(found.ranks <= cutoff, precisions, 0.0)
    return share(found.sums(precisions), found.totals)


@measure("gm_map", REL, aliases=(Alias("GMAP"), trec("gm_map")), averaged="geometric")
def geometric_average_precision(cells: Cells, *, rel: float) -> Floats:
    """Average precision whose mean over topics is geometric, so bad topics count [1]_.

    References
    ----------
    .. [1] Robertson, "On GMAP: and other transformations", CIKM 2006.

    Examples
    --------
    >>> geometric_average_precision(listed([1, 0, 1]), rel=1).round(4)
    array([0.8333])
    """
    return average_precision(cells, rel=rel, cutoff=None)


@measure(
    "P",
    REL,
    JUDGED_ONLY,
    cutoff=NEEDS_RANK,
    aliases=(trec("P", "cutoff", CUTOFFS), Alias("Precision")),
)
def precision(cells: Cells, *, rel: float, cutoff: int) -> Floats:
    """Share of relevant documents among the first k, short rankings filled up [1]_.

    References
    ----------
    .. [1] van Rijsbergen, Information Retrieval, Butterworths, 1979, ch. 7.

    Examples
    --------
    >>> precision(listed([1, None, 0, 1]), rel=1, cutoff=10)
    array([0.2])
    """
    return cells.relevant(rel).hits(cutoff) / cutoff


@measure(
    "R",
    REL,
    JUDGED_ONLY,
    cutoff=NEEDS_RANK,
    aliases=(trec("recall", "cutoff", CUTOFFS), Alias("Recall")),
)
def recall(cells: Cells, *, rel: float, cutoff: int) -> Floats:
    """Share of the relevant documents that stand among the first k [1]_.

    References
    ----------
    .. [1] van Rijsbergen, Information Retrieval, Butterworths, 1979, ch. 7.

    Examples
    --------
    >>> recall(listed([1, None, 0, 1], missed=[1, 1]), rel=1, cutoff=3)
    array([0.25])
    """
    found = cells.relevant(rel)
    return share(found.hits(cutoff), found.totals)


@measure(
    "RR", REL, JUDGED_ONLY, cutoff=RANK, aliases=(Alias("MRR"), trec("recip_rank"))
)
def reciprocal_rank(cells: Cells, *, rel: float, cutoff: int | None) -> Floats:
    """One over the rank of the first relevant document [1]_.

    References
    ----------
    .. [1] Kantor and Voorhees, "The TREC-5 confusion track", Information
       Retrieval 2, 2000.

    Examples
    --------
    >>> reciprocal_rank(listed([0, 1, 1], [0, 0]), rel=1, cutoff=None)
    array([0.5, 0. ])
    """
    found = cells.relevant(rel)
    leads = (found.order == 1) & (found.ranks <= (cutoff or np.inf))
    return found.sums(leads / found.ranks)


@measure("Rprec", REL, JUDGED_ONLY, aliases=(Alias("RPrec"), trec("Rprec")))
def r_precision(cells: Cells, *, rel: float) -> Floats:
    """Precision at rank R, the number of relevant documents of the topic [1]_.

    References
    ----------
    .. [1] Buckley and Voorhees, "Retrieval system evaluation", in TREC: Experiment
       and Evaluation in Information Retrieval, MIT Press, 2005, ch. 3.

    Examples
    --------
    >>> r_precision(listed([1, 0, 1], missed=[1]), rel=1).round(4)
    array([0.6667])
    """
    found = cells.relevant(rel)
    return share(found.sums(found.ranks <= found.totals[found.cells]), found.totals)


@measure(
    "Success",
    REL,
    JUDGED_ONLY,
    cutoff=NEEDS_RANK,
    aliases=(trec("success", "cutoff", (1, 5, 10)),),
)
def success(cells: Cells, *, rel: float, cutoff: int) -> Floats:
    """One where a relevant document stands among the first k, else zero [1]_.

    References
    ----------
    .. [1] Tomlinson, "European ad hoc retrieval experiments with Hummingbird
       SearchServer at CLEF 2005", CLEF 2005.

    Examples
    --------
    >>> success(listed([0, 1], [0, 0, 1]), rel=1, cutoff=2)
    array([1., 0.])
    """
    return np.minimum(cells.relevant(rel).hits(cutoff), 1.0)


@measure(
    "IPrec",
    REL,
    JUDGED_ONLY,
    cutoff=RECALL,
    aliases=(trec("iprec_at_recall", "cutoff", RECALLS),),
)
def interpolated_precision(cells: Cells, *, rel: float, cutoff: float) -> Floats:
    """Best precision at any rank of at least this recall [1]_.

    The recall is turned into a number of relevant documents as trec_eval 9.0.4 does:
    ``floor(recall · R + 0.9)``.

    References
    ----------
    .. [1] Manning, Raghavan and Schütze, Introduction to Information Retrieval,
       Cambridge University Press, 2008, sec. 8.4.

    Examples
    --------
    >>> interpolated_precision(listed([0, 1, 1, 0]), rel=1, cutoff=0.5).round(4)
    array([0.6667])
    """
    found = cells.relevant(rel)
    needed = (cutoff * found.totals + 0.9).astype(np.int64)
    return _best_precisions(found, np.maximum(needed, 1))


@measure("11pt_avg", REL, aliases=(trec("11pt_avg"),))
def eleven_point_average(cells: Cells, *, rel: float) -> Floats:
    """Mean of the interpolated precisions at recall 0, 0.1 … 1 [1]_.

    References
    ----------
    .. [1] Manning, Raghavan and Schütze, Introduction to Information Retrieval,
       Cambridge University Press, 2008, sec. 8.4.

    Examples
    --------
    >>> eleven_point_average(listed([1, 0, 0, 1]), rel=1).round(4)
    array([0.7727])
    """
    # From recall 1 downwards, as trec_eval adds them, for the same last digit.
    points = [
        interpolated_precision(cells, rel=rel, cutoff=point)
        for point in reversed(RECALLS)
    ]
    total: Floats = np.add.accumulate(points)[-1]
    return total / len(points)


def _best_precisions(found: Selection, needed: NDArray[np.int64]) -> Floats:
    """Return the best precision from the `needed` (C,) th document on: (C,)."""
    best = np.zeros(len(needed))
    reached = np.flatnonzero(found.counts() >= needed)
    if len(reached):
        first = found.starts[reached] + needed[reached] - 1
        # A sentinel, since reduceat needs an index below the length to end at.
        precisions = np.append(found.order / found.ranks, 0.0)
        spans = np.stack((first, found.starts[reached + 1]), axis=1).reshape(-1)
        best[reached] = np.maximum.reduceat(precisions, spans)[::2]
    return best


def share(parts: Floats, wholes: NDArray[np.int64]) -> Floats:
    """Divide (C,) by (C,), where nothing divided by nothing is 0."""
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0)
