"""Measures of the set retrieved, whatever its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.definition import (
    BETA,
    JUDGED_ONLY,
    REL,
    RELATIVE,
    Alias,
    measure,
    trec,
)
from mohs.measures.example import listed  # noqa: F401 (for the examples)
from mohs.measures.ranked import share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.measures.cells import Cells

    Floats = NDArray[np.float64]


@measure(
    "SetP",
    REL,
    RELATIVE,
    JUDGED_ONLY,
    aliases=(
        trec("set_P"),
        Alias("SetRelP", preset=(("relative", True),)),
        trec("set_relative_P", relative=True),
    ),
)
def set_precision(cells: Cells, *, rel: float, relative: bool) -> Floats:
    """Share of relevant documents among all retrieved [1]_.

    ``relative`` divides by the highest number possible for a set of this size.

    References
    ----------
    .. [1] van Rijsbergen, Information Retrieval, Butterworths, 1979, ch. 7.

    Examples
    --------
    >>> cells = listed([1, 0, None, 1], missed=[1])
    >>> set_precision(cells, rel=1, relative=False)
    array([0.5])
    >>> set_precision(cells, rel=1, relative=True).round(4)
    array([0.6667])
    """
    found = cells.relevant(rel)
    most = cells.retrieved
    if relative:
        most = np.minimum(most, found.totals)
    return share(found.hits(None), most)


@measure("SetR", REL, aliases=(trec("set_recall"),))
def set_recall(cells: Cells, *, rel: float) -> Floats:
    """Share of the relevant documents that were retrieved [1]_.

    References
    ----------
    .. [1] van Rijsbergen, Information Retrieval, Butterworths, 1979, ch. 7.

    Examples
    --------
    >>> set_recall(listed([1, 0], missed=[1]), rel=1)
    array([0.5])
    """
    found = cells.relevant(rel)
    return share(found.hits(None), found.totals)


@measure("SetF", REL, BETA, JUDGED_ONLY, aliases=(trec("set_F", "beta"),))
def set_f(cells: Cells, *, rel: float, beta: float) -> Floats:
    """Weighted harmonic mean of set precision and set recall [1]_.

    As in trec_eval and ir_measures: ``(β + 1) P R / (R + β P)``; van Rijsbergen's
    β squared is called β here.

    References
    ----------
    .. [1] van Rijsbergen, Information Retrieval, Butterworths, 1979, ch. 7.

    Examples
    --------
    >>> set_f(listed([1, 0, 0, 0], missed=[1]), rel=1, beta=1.0).round(4)
    array([0.3333])
    """
    precision = set_precision(cells, rel=rel, relative=False)
    recall = set_recall(cells, rel=rel)
    over = recall + beta * precision
    return np.divide(
        (beta + 1) * precision * recall, over, out=np.zeros(len(over)), where=over > 0
    )


@measure("SetAP", REL, JUDGED_ONLY, aliases=(trec("set_map"),))
def set_average_precision(cells: Cells, *, rel: float) -> Floats:
    """Set precision times set recall.

    Examples
    --------
    >>> set_average_precision(listed([1, 0], missed=[1]), rel=1)
    array([0.25])
    """
    found = cells.relevant(rel)
    hits = found.hits(None)
    # Not the product of two quotients, so that the last digit is trec_eval's.
    return share(hits * hits, found.totals * cells.retrieved)
