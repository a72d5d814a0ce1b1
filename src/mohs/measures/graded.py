"""Measures for which a better document is worth more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.gains.grades import GAINS, Exponential, Linear
from mohs.measures.definition import (
    BLEND,
    CUTOFFS,
    HIGHEST,
    JUDGED_ONLY,
    PERSISTENCE,
    RANK,
    REL,
    Alias,
    choice,
    measure,
    trec,
)
from mohs.measures.example import listed  # noqa: F401 (for the examples)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.gains.grades import Gain
    from mohs.measures.cells import Cells, Selection

    Floats = NDArray[np.float64]

DISCOUNTED: dict[str, Gain] = {"log2": Linear(), "exp-log2": Exponential()}
DCG = choice("dcg", *DISCOUNTED, follows="gain")
_GAINS: dict[str, Gain] = {name: GAINS[name]() for name in GAINS.names()}
GAIN = choice("gain", "linear", *sorted({*_GAINS} - {"linear"}), follows="gain")
# Of what is added up, far from where no number is left.
_LARGEST = 1e300
# What the words of a parameter stand for.
SPELLED: Mapping[str, Mapping[str, Gain]] = {"dcg": DISCOUNTED, "gain": _GAINS}


@measure("DCG", DCG, JUDGED_ONLY, cutoff=RANK, bounds=(0.0, np.inf), graded=True)
def discounted_gain(cells: Cells, *, dcg: str | None, cutoff: int | None) -> Floats:
    """Sum of the gains, each divided by the binary logarithm of its rank + 1 [1]_.

    References
    ----------
    .. [1] Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
       techniques", ACM TOIS 20(4), 2002; discount of Burges et al., ICML 2005.

    Examples
    --------
    >>> discounted_gain(listed([2, 0, 1]), dcg=None, cutoff=None)
    array([2.5])
    """
    gain = gain_named(cells, dcg)
    found = cells.gaining(gain)
    gains = gain(found.grades) / _discounts(found.ranks)
    if cutoff is not None:
        gains = np.where(found.ranks <= cutoff, gains, 0.0)
    return found.sums(gains)


@measure(
    "nDCG",
    DCG,
    JUDGED_ONLY,
    cutoff=RANK,
    aliases=(Alias("NDCG"), trec("ndcg"), trec("ndcg_cut", "cutoff", CUTOFFS)),
    graded=True,
)
def normalised_gain(cells: Cells, *, dcg: str | None, cutoff: int | None) -> Floats:
    """Discounted gain as a share of what the best possible ranking has [1]_.

    References
    ----------
    .. [1] Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
       techniques", ACM TOIS 20(4), 2002; discount of Burges et al., ICML 2005.

    Examples
    --------
    >>> normalised_gain(listed([1, 0, 2]), dcg=None, cutoff=None).round(4)
    array([0.7602])
    >>> normalised_gain(listed([1, 0, 2]), dcg="exp-log2", cutoff=None).round(4)
    array([0.6885])
    """
    rankings = cells.rankings
    ideal = _ideal(cells, gain_named(cells, dcg), cutoff)[rankings.groups]
    wholes = np.tile(ideal, len(rankings.systems))
    parts = discounted_gain(cells, dcg=dcg, cutoff=cutoff)
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0)


@measure("ERR", HIGHEST, cutoff=RANK, graded=True)
def expected_reciprocal_rank(
    cells: Cells,
    *,
    max: float,  # noqa: A002 (the parameter's public spelling)
    cutoff: int | None,
) -> Floats:
    """One over the rank at which a user who may stop at any document stops [1]_.

    A document satisfies with probability ``(2^g - 1) / 2^max``. The highest grade of
    the scale is 4 unless given, as in the TREC Web track's program and ir_measures: it
    is a property of the scale, so it must not move with the topics at hand. A
    judgment above it is refused.

    References
    ----------
    .. [1] Chapelle et al., "Expected reciprocal rank for graded relevance",
       CIKM 2009, eq. 4 and Algorithm 2.

    Examples
    --------
    >>> expected_reciprocal_rank(listed([1, 0, 2]), max=2, cutoff=None)
    array([0.4375])
    """
    _check_highest("ERR", cells, max)
    found = cells.graded()
    satisfied = (np.exp2(found.grades) - 1.0) / 2.0**max
    if cutoff is not None:
        satisfied = np.where(found.ranks <= cutoff, satisfied, 0.0)
    reached = _products_above(1.0 - satisfied, found.order)
    return found.sums(satisfied * reached / found.ranks)


@measure("RBP", PERSISTENCE, REL, cutoff=RANK)
def rank_biased_precision(
    cells: Cells, *, p: float, rel: float, cutoff: int | None
) -> Floats:
    """Relevant documents met by a user who goes on with probability p, per step [1]_.

    Relevance is binary, by ``rel``.

    References
    ----------
    .. [1] Moffat and Zobel, "Rank-biased precision for measurement of retrieval
       effectiveness", ACM TOIS 27(1), 2008, eq. 4.

    Examples
    --------
    >>> rank_biased_precision(listed([1, 0, 1]), p=0.5, rel=1, cutoff=None)
    array([0.625])
    """
    found = cells.relevant(rel)
    seen = np.power(p, found.ranks - 1.0)
    if cutoff is not None:
        seen = np.where(found.ranks <= cutoff, seen, 0.0)
    return (1.0 - p) * found.sums(seen)


@measure("gRBP", PERSISTENCE, HIGHEST, GAIN, cutoff=RANK, graded=True)
def graded_rank_biased_precision(
    cells: Cells,
    *,
    p: float,
    max: float,  # noqa: A002 (the parameter's public spelling)
    gain: str | None,
    cutoff: int | None,
) -> Floats:
    """Gain that a user meets who goes on with probability p, per step [1]_.

    A document counts for its share of the gain that the highest grade has. As in ERR,
    that grade is 4 unless given, and a judgment above it is refused.

    References
    ----------
    .. [1] Moffat and Zobel, "Rank-biased precision for measurement of retrieval
       effectiveness", ACM TOIS 27(1), 2008, eq. 4 with fractional relevance.

    Examples
    --------
    >>> listing = listed([2, 0, 1])
    >>> graded_rank_biased_precision(listing, p=0.5, max=2, gain=None, cutoff=None)
    array([0.5625])
    """
    _check_highest("gRBP", cells, max)
    worth = gain_named(cells, gain)
    found, gains = _gaining(cells, worth)
    seen = np.power(p, found.ranks - 1.0)
    if cutoff is not None:
        seen = np.where(found.ranks <= cutoff, seen, 0.0)
    whole = worth(np.array([float(max)]))[0]
    # If the highest grade is worth nothing, no document is.
    return (1.0 - p) * found.sums(gains / (whole or 1.0) * seen)


@measure("Q", BLEND, GAIN, cutoff=RANK, aliases=(Alias("Q_measure"),), graded=True)
def q_measure(
    cells: Cells, *, beta: float, gain: str | None, cutoff: int | None
) -> Floats:
    """Mean of the blended ratio at each document with a gain, 0 for one not found [1]_.

    The blended ratio is precision, but the cumulative gain counts ``beta`` times beside
    the number of relevant documents, and that of the best ranking beside the rank; with
    a ``beta`` of 0 it is precision, and Q is AP.

    References
    ----------
    .. [1] Sakai, "On the reliability of information retrieval metrics based on graded
       relevance", Information Processing and Management 43(2), 2007.

    Examples
    --------
    >>> q_measure(listed([1, 0, 2]), beta=1, gain=None, cutoff=None).round(4)
    array([0.75])
    """
    worth = gain_named(cells, gain)
    found, gains = _gaining(cells, worth)
    ideal = _best_sums(cells, worth, found)
    if (ideal > _LARGEST / max(beta, 1.0)).any():
        raise InputError(
            "Q adds up gains, and those of the judgments add up to more than any "
            "number; use a smaller scale"
        )
    reached = beta * _sums_to(gains, found.order)
    blended = (found.order + reached) / (found.ranks + beta * ideal)
    most = found.totals
    if cutoff is not None:
        blended = np.where(found.ranks <= cutoff, blended, 0.0)
        most = np.minimum(most, cutoff)
    parts = found.sums(blended)
    return np.divide(parts, most, out=np.zeros(len(parts)), where=most > 0)


def gain_named(cells: Cells, name: str | None) -> Gain:
    """Return the gain that a measure spells out, or that of the evaluation."""
    return cells.gain if name is None else (DISCOUNTED | _GAINS)[name]


def _check_highest(name: str, cells: Cells, highest: float) -> None:
    """Refuse judgments above the highest grade of the scale."""
    grades = cells.rankings.judgments.grades
    if (grades > highest).any():
        raise InputError(
            f"{name} expects grades up to {highest}, but a judgment has "
            f"{grades.max():g}: name the highest grade of your scale, as in "
            f"{name}(max={grades.max():g})@20"
        )


def _gaining(cells: Cells, gain: Gain) -> tuple[Selection, Floats]:
    """Select the documents of a gain above 0, and return their gains: (K,)."""
    gains = gain(cells.rankings.judgments.grades)
    found = cells.chosen(gains > 0)
    return found, gains[cells.rankings.judged[found.entries]]


def _best_sums(cells: Cells, gain: Gain, found: Selection) -> Floats:
    """Return the gain of the best ranking down to the rank of each document: (K,)."""
    judgments = cells.rankings.judgments
    gains = gain(judgments.grades)
    held = np.flatnonzero(gains > 0)
    topics = np.searchsorted(judgments.offsets, held, side="right") - 1
    sizes = np.bincount(topics, minlength=len(judgments.topics))
    starts = np.cumsum(sizes) - sizes
    best = gains[held][np.lexsort((-gains[held], topics))]
    sums = _sums_to(best, np.arange(1, len(held) + 1) - starts[topics])
    mine = np.tile(cells.rankings.groups, len(cells.rankings.systems))[found.cells]
    reached: Floats = sums[starts[mine] + np.minimum(found.ranks, sizes[mine]) - 1]
    return reached


def _discounts(ranks: NDArray[np.int64]) -> Floats:
    """Return log2(rank + 1) for each rank; a table spares most logarithms."""
    table = np.log2(np.arange(1, ranks.max(initial=0) + 2, dtype=np.float64))
    return table[ranks]


def _ideal(cells: Cells, gain: Gain, cutoff: int | None) -> Floats:
    """Return the discounted gain of each topic's judgments, best first: (T,)."""
    judgments = cells.rankings.judgments
    positive = np.flatnonzero(judgments.grades > 0)
    topics = np.searchsorted(judgments.offsets, positive, side="right") - 1
    gains = gain(judgments.grades[positive])
    best = np.lexsort((-gains, topics))
    firsts = np.searchsorted(topics, topics)
    ranks = np.arange(1, len(positive) + 1) - firsts
    terms = gains[best] / _discounts(ranks)
    if cutoff is not None:
        terms = np.where(ranks <= cutoff, terms, 0.0)
    sums = np.bincount(topics, terms, len(judgments.topics))
    return sums.astype(np.float64, copy=False)


def _sums_to(terms: Floats, order: NDArray[np.int64]) -> Floats:
    """Add up, for each document, its term and those above it in its cell: (K,).

    By doubling, as in `_products_above`, so that no cell rounds by what others hold.
    """
    sums, reach = terms, 1
    while reach < order.max(initial=0):
        further = np.where(order[reach:] > reach, sums[:-reach], 0.0)
        with np.errstate(over="ignore"):  # what is infinite is refused by who asks
            sums = np.concatenate((sums[:reach], sums[reach:] + further))
        reach *= 2
    return sums


def _products_above(factors: Floats, order: NDArray[np.int64]) -> Floats:
    """Multiply, for each document, the factors of those above it in its cell: (K,).

    A prefix product by doubling: after step s each place holds 2^s factors.
    """
    first = order == 1
    above = np.where(first, 1.0, np.concatenate(([1.0], factors[:-1]))[: len(first)])
    reach = 1
    while reach < order.max(initial=0):
        further = np.where(order[reach:] > reach, above[:-reach], 1.0)
        above = np.concatenate((above[:reach], above[reach:] * further))
        reach *= 2
    return above
