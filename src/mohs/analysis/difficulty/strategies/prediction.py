"""Strategies that need no judgments: they look at the systems' scores and lists.

The first two were made for one list; here a topic's value is the geometric mean over
the systems that returned anything. Systems score on scales of their own: a plain mean
would be decided by the one with the largest scores, while here a system may multiply
all its scores by any number without changing the order of the topics.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.strategies.definition import DEPTH, strategy
from mohs.analysis.difficulty.strategies.evidence import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.strategies.evidence import Evidence

    Floats = NDArray[np.float64]


def _remark_on_nqc(evidence: Evidence) -> Sequence[str]:
    if evidence.corpus_scores is not None:
        return ()
    return ("no corpus score is known, so this is the plain standard deviation",)


@strategy(
    "shtok2012",
    easy="high",
    needs="scores",
    about="NQC of the top {depth} scores",
    remarks=_remark_on_nqc,
)
def shtok2012(evidence: Evidence) -> Floats:
    """NQC: how far scores spread, in units of the corpus score [1]_; high is easy.

    The geometric mean over the systems of :func:`normalized_spread`.

    References
    ----------
    .. [1] Shtok, Kurland, Carmel, Raiber and Markovits, "Predicting query performance
       by query-drift estimation", ACM TOIS 30(2), 2012.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> shtok2012(seen(scores=[[[3, 1], [6, 4]], [[9, 7], [8, 0]]])).tolist()
    [1.0, 2.0]
    """
    return over_systems(normalized_spread(evidence))


@strategy(
    "perez2010",
    easy="high",
    needs="scores",
    about="largest standard deviation of the top scores, up to {depth}",
)
def perez2010(evidence: Evidence) -> Floats:
    """Largest standard deviation of the top scores at any cut-off [1]_; high is easy.

    The geometric mean over the systems of :func:`largest_spread`.

    References
    ----------
    .. [1] Pérez-Iglesias and Araujo, "Standard deviation as a query hardness
       estimator", SPIRE 2010.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> perez2010(seen(scores=[[[4, 2, 2, 2, 2], [5, 5, 5, 5, 0]]])).tolist()
    [1.0, 2.0]
    """
    return over_systems(largest_spread(evidence))


@strategy(
    "aslam2007",
    easy="low",
    needs="documents",
    about="divergence of the systems' top {depth} (bits)",
)
def aslam2007(evidence: Evidence) -> Floats:
    """Jensen-Shannon divergence between the systems' lists [1]_; high is hard.

    A list of n documents is read as a distribution over documents, by how AP weighs
    ranks, and the divergence is the entropy of the mean distribution less the mean
    entropy, in bits. It needs two lists.

    References
    ----------
    .. [1] Aslam and Pavlu, "Query hardness estimation using Jensen-Shannon divergence
       among multiple scoring functions", ECIR 2007.

    Examples
    --------
    Systems agree on the first topic and have nothing in common on the second:

    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> aslam2007(seen(documents=[[[0, 1], [0, 1]], [[0, 1], [2, 3]]])).round(9)
    array([0., 1.])
    """
    documents = evidence.documents[..., :DEPTH]
    topics = range(documents.shape[1])
    return np.array([divergence(documents[:, topic]) for topic in topics], np.float64)


def normalized_spread(evidence: Evidence, *, depth: int = DEPTH) -> Floats:
    """Return the NQC of every list (S, T), NaN where there is none.

    The standard deviation of the top scores, over the absolute score of the corpus
    where that is known.
    """
    scores = evidence.scores[..., :depth]
    known = ~np.isnan(scores)
    sizes = known.sum(axis=-1)
    means = _share(_total(np.where(known, scores, 0.0)), sizes)
    squares = np.where(known, scores - means[..., None], 0.0) ** 2
    spread = np.sqrt(_share(_total(squares), sizes))
    if evidence.corpus_scores is None:
        return spread
    return _share(spread, np.abs(evidence.corpus_scores))


def largest_spread(
    evidence: Evidence, *, cutoff: int | None = None, depth: int = DEPTH
) -> Floats:
    """Return the standard deviation of the top scores of every list (S, T).

    Parameters
    ----------
    evidence
        The scores.
    cutoff
        How many scores count; unless given, the largest deviation at any cut-off.
    depth
        The last cut-off to look at.
    """
    if cutoff is not None:
        return normalized_spread(replace(evidence, corpus_scores=None), depth=cutoff)
    scores = evidence.scores[..., :depth]
    known = ~np.isnan(scores)
    # Seen from the first score, squares of large scores do not swamp the differences.
    drops = np.where(known, scores - scores[..., :1], 0.0)
    sizes = np.arange(1, scores.shape[-1] + 1)
    means = np.cumsum(drops, axis=-1) / sizes
    variances = np.cumsum(drops**2, axis=-1) / sizes - means**2
    largest = np.where(known, variances, 0.0).max(axis=-1, initial=0.0)
    spread: Floats = np.where(known.any(axis=-1), np.sqrt(largest), np.nan)
    return spread


def divergence(documents: NDArray[np.int64]) -> float:
    """Return the Jensen-Shannon divergence of S lists of documents (S, k), in bits.

    Documents are numbered from 0, `NOTHING` after the last; NaN for fewer than two
    lists.
    """
    found = documents != NOTHING
    lengths = found.sum(axis=1)
    entered = lengths > 0
    if entered.sum() < 2:
        return float("nan")
    of_length = {n: list_weights(n) for n in set(lengths.tolist()) - {0}}
    weights = np.zeros(documents.shape)
    for n, each in of_length.items():
        weights[lengths == n, :n] = each
    mean = np.bincount(documents[found], weights[found]) / entered.sum()
    entropies = {n: _entropy(each) for n, each in of_length.items()}
    own = [entropies[n] for n in lengths[entered].tolist()]
    return max(_entropy(mean) - sum(own) / len(own), 0.0)


def list_weights(length: int) -> Floats:
    """Return the weight of each rank in a list: (1 + 1/r + ... + 1/n) / 2n.

    Examples
    --------
    >>> list_weights(2).tolist()
    [0.625, 0.375]
    """
    tails = np.cumsum(1 / np.arange(length, 0, -1))[::-1]
    weights: Floats = (1 + tails) / (2 * length)
    return weights


def over_systems(spreads: Floats) -> Floats:
    """Return the geometric mean of each topic (T,) over systems with a value (S, T).

    Lists without any spread count only where there are no others: one of them would
    make the mean 0.

    Examples
    --------
    >>> over_systems(np.array([[2.0, 0.0, 0.0], [8.0, 8.0, np.nan]])).tolist()
    [4.0, 8.0, 0.0]
    """
    rows = np.ascontiguousarray(spreads.T)
    positive = rows > 0
    logs = np.log2(rows, out=np.zeros_like(rows), where=positive)
    means = np.exp2(_share(logs.sum(axis=-1), positive.sum(axis=-1)))
    flat: Floats = np.where((rows == 0).any(axis=-1), 0.0, np.nan)
    return np.where(positive.any(axis=-1), means, flat)


def _total(values: Floats) -> Floats:
    """Add lists up from the first rank on, so that zeros after the last change no bit.

    A plain sum groups its terms by the length of the longest list of any topic.
    """
    totals: Floats = np.cumsum(values, axis=-1)[..., -1:].sum(axis=-1)
    return totals


def _entropy(weights: Floats) -> float:
    # Sorted, as documents are numbered in the order in which files name them.
    positive = np.sort(weights[weights > 0])
    return -float((positive * np.log2(positive)).sum())


def _share(parts: Floats, wholes: NDArray[np.int64] | Floats) -> Floats:
    out = np.full(parts.shape, np.nan)
    shares: Floats = np.divide(parts, wholes, out=out, where=wholes != 0)
    return shares
