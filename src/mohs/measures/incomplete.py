"""Measures that tell documents judged non-relevant from those never judged.

As trec_eval reads them, a grade below zero means *in the pool, but not judged*: such
a document is neither relevant nor non-relevant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.cells import running
from mohs.measures.definition import RANK, REL, Alias, measure, trec
from mohs.measures.example import listed  # noqa: F401 (for the examples)
from mohs.measures.ranked import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.measures.cells import Cells, Selection

    Floats = NDArray[np.float64]

_EPSILON = 1e-5  # trec_eval's, so that infAP of the first documents is defined


@measure("Bpref", REL, judged=True, aliases=(Alias("BPref"), trec("bpref")))
def binary_preference(cells: Cells, *, rel: float) -> Floats:
    """Share of preferences for relevant over non-relevant that are kept [1]_.

    As trec_eval has it: with R relevant and N judged non-relevant documents, each
    relevant one retrieved adds ``1 - min(n, R) / min(N, R)``, n being the judged
    non-relevant ones above it; the sum is divided by R.

    References
    ----------
    .. [1] Buckley and Voorhees, "Retrieval evaluation with incomplete information",
       SIGIR 2004.

    Examples
    --------
    >>> binary_preference(listed([0, 1, None, 1], missed=[0]), rel=1)
    array([0.5])
    """
    found, grades = cells.relevant(rel), cells.rankings.judgments.grades
    nonrelevant = (grades >= 0) & (grades < rel)
    above = _above(cells, found, nonrelevant)
    most = np.minimum(cells.totals(nonrelevant), found.totals)[found.cells]
    lost = np.minimum(above, found.totals[found.cells]) / np.maximum(most, 1)
    return share(found.sums(1.0 - lost), found.totals)


@measure(
    "gm_bpref", REL, judged=True, aliases=(trec("gm_bpref"),), averaged="geometric"
)
def geometric_binary_preference(cells: Cells, *, rel: float) -> Floats:
    """Binary preference whose mean over topics is geometric, so bad topics count [1]_.

    References
    ----------
    .. [1] Robertson, "On GMAP: and other transformations", CIKM 2006.

    Examples
    --------
    >>> geometric_binary_preference(listed([0, 1], [1]), rel=1)
    array([0., 1.])
    """
    return binary_preference(cells, rel=rel)


@measure("infAP", REL, judged=True, aliases=(trec("infAP"),))
def inferred_average_precision(cells: Cells, *, rel: float) -> Floats:
    """Average precision estimated from a sample of the pool [1]_.

    References
    ----------
    .. [1] Yilmaz and Aslam, "Estimating average precision with incomplete and
       imperfect judgments", CIKM 2006, eq. 1.

    Examples
    --------
    >>> inferred_average_precision(listed([1, -1, 1, 0]), rel=1).round(4)
    array([1.])
    """
    found, grades = cells.relevant(rel), cells.rankings.judgments.grades
    nonrelevant = _above(cells, found, (grades >= 0) & (grades < rel))
    unjudged = _above(cells, found, grades < 0)
    relevant = found.order - 1
    above = np.maximum(found.ranks - 1, 1)
    pooled = (relevant + nonrelevant + unjudged) / above
    rate = (relevant + _EPSILON) / (relevant + nonrelevant + 2 * _EPSILON)
    expected = 1 / found.ranks + (above / found.ranks) * pooled * rate
    # At the first rank there is nothing above to estimate from.
    return share(found.sums(np.where(found.ranks == 1, 1.0, expected)), found.totals)


@measure("Judged", cutoff=RANK, judged=True)
def judged_share(cells: Cells, *, cutoff: int | None) -> Floats:
    """Share of judged documents, of any grade, among the first k retrieved [1]_.

    Unlike precision, a ranking shorter than k is not filled up; this is how
    ir_measures defines it.

    References
    ----------
    .. [1] MacAvaney, Macdonald and Ounis, "Streamlining evaluation with ir-measures",
       ECIR 2022.

    Examples
    --------
    >>> judged_share(listed([1, None, -1, None]), cutoff=3).round(4)
    array([0.6667])
    """
    ranks = cells.rankings.ranks
    depth = np.inf if cutoff is None else cutoff
    top = np.minimum(cells.retrieved, depth).astype(np.int64)
    return share(cells.judged(ranks <= depth).astype(np.float64), top)


def _above(
    cells: Cells, found: Selection, wanted: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Count, above each found document, the entries of wanted judgments (J,): (K,)."""
    before = running(wanted[cells.rankings.judged])
    return before[found.entries] - before[cells.rankings.offsets[found.cells]]
