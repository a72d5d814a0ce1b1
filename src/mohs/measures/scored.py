"""Measures of judgments that hold scores, such as sales, instead of grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.gains.discounts import DISCOUNTS
from mohs.gains.scales import SCALES
from mohs.measures.definition import JUDGED_ONLY, RANK, measure
from mohs.measures.example import listed  # noqa: F401 (for the examples)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.gains.scales import Scale
    from mohs.measures.cells import Cells
    from mohs.rankings import Judgments

    Floats = NDArray[np.float64]

_DISCOUNT = DISCOUNTS["log2"]


@measure(
    "nDCG_phi",
    JUDGED_ONLY,
    cutoff=RANK,
    judged=True,
    graded=True,
    scored=True,
    nullable=True,
)
def relevance_gain(cells: Cells, *, cutoff: int | None) -> Floats:
    """NDCG whose gains come from scores, 2^φ - 1 with the φ of the topic's scores [1]_.

    A topic whose φ are all 0 has no value: no order of its documents is better.

    References
    ----------
    .. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017.

    Examples
    --------
    >>> relevance_gain(listed([10, 2, 3, 1, 0]), cutoff=None).round(4).tolist()
    [0.9936]
    >>> relevance_gain(listed([7, 7]), cutoff=None).tolist()
    [nan]
    """
    rankings = cells.rankings
    gains = np.exp2(scaled(rankings.judgments, SCALES["phi"])) - 1.0
    found = cells.chosen(gains > 0)
    terms = gains[rankings.judged[found.entries]] / _DISCOUNT(
        found.ranks.astype(np.float64)
    )
    if cutoff is not None:
        terms = np.where(found.ranks <= cutoff, terms, 0.0)
    ideal = _ideal(rankings.judgments, gains, cutoff)[rankings.groups]
    wholes = np.tile(ideal, len(rankings.systems))
    parts = np.full(len(wholes), np.nan)
    np.divide(found.sums(terms), wholes, out=parts, where=wholes > 0)
    # Equal gains in another order must not lead beyond 1 by rounding.
    capped: Floats = np.minimum(parts, 1.0)
    return capped


def scaled(judgments: Judgments, scale: Scale) -> Floats:
    """Return the relevance of every judgment among those of its topic: (J,)."""
    try:
        return scale(judgments.grades, _topics(judgments))
    except InputError as error:
        raise InputError(f"{judgments.label or 'judgments'}: {error}") from None


def _topics(judgments: Judgments) -> NDArray[np.int64]:
    sizes = np.diff(judgments.offsets)
    return np.repeat(np.arange(len(sizes)), sizes)


def _ideal(judgments: Judgments, gains: Floats, cutoff: int | None) -> Floats:
    """Return the discounted gain of each topic's judgments, best first: (T,)."""
    topics = _topics(judgments)
    best = gains[np.lexsort((-gains, topics))]
    ranks = np.arange(1.0, len(gains) + 1) - judgments.offsets[topics]
    terms = best / _DISCOUNT(ranks)
    if cutoff is not None:
        terms = np.where(ranks <= cutoff, terms, 0.0)
    sums = np.bincount(topics, terms, len(judgments.topics))
    return sums.astype(np.float64, copy=False)
