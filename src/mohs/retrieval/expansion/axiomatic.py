"""Expansion by axioms: words that keep the company of those of the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.expansion.definition import Query, added, best, expansion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.expansion.definition import Feedback

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.integer]


@expansion(
    "Axiomatic",
    "Fang and Zhai, Semantic term matching in axiomatic approaches to information"
    " retrieval, SIGIR 2006; Yang and Lin, Reproducing and generalizing semantic term"
    " matching in axiomatic information retrieval, ECIR 2019",
    others=50,
)
def axiomatic(
    feedback: Feedback, query: Query, *, terms: float = 10, beta: float = 0.6
) -> Query:
    """Terms that share documents with the query's, the best ones and some at random."""
    query = query.known()
    known, which = np.unique(feedback.terms, return_inverse=True)
    rarity = np.log2((feedback.statistics.documents + 1) / feedback.df[query.terms])
    own = query.weights * rarity / len(query.terms)
    weights = np.zeros(len(known))
    for term, weight in zip(query.terms, own, strict=True):
        weights += weight * beta * _similar(feedback, known, which, term)
    asked = np.isin(known, query.terms)
    new = best(np.where(asked, 0.0, weights), int(terms))
    chosen = np.append(np.flatnonzero(asked), new)
    chosen = chosen[weights[chosen] > 0]
    return added(Query(query.terms, own), known[chosen], weights[chosen])


def _similar(feedback: Feedback, known: Numbers, which: Numbers, term: int) -> Floats:
    """Return what the known terms (m,) tell of one term, as a share of all there is."""
    rows, size = feedback.rows(), len(feedback.documents)
    its = rows[feedback.terms == term]
    there = np.bincount(which, minlength=len(known))
    both = np.bincount(which[np.isin(rows, its)], minlength=len(known))
    table = _information(len(its), size)
    information = np.where(known == term, 0.0, table[both, there])
    itself: float = table[-1, len(its)]
    return information / itself if itself > 0 else np.zeros(len(known))


def _information(here: int, size: int) -> Floats:
    """Return the mutual information of two terms in some documents, in bits.

    One term is in ``here`` documents of ``size``. The rows say in how many both are,
    (here + 1,), the columns in how many the other is, (size + 1,). Numbers that cannot
    be together mean nothing.

    Examples
    --------
    >>> _information(2, 4)[2, 2:].round(4)
    array([1.    , 0.3113, 0.    ])
    """
    both, there = np.arange(here + 1.0)[:, None], np.arange(size + 1.0)
    parts = (
        _part(both, here * there, size),
        _part(here - both, here * (size - there), size),
        _part(there - both, (size - here) * there, size),
        _part(size - here - there + both, (size - here) * (size - there), size),
    )
    return sum(parts, np.zeros(1)) / size


def _part(joint: Floats, apart: Floats, size: int) -> Floats:
    some = (joint > 0) & (apart > 0)
    ratio = np.where(some, joint * size, 1.0) / np.where(some, apart, 1.0)
    return joint * np.log2(ratio)
