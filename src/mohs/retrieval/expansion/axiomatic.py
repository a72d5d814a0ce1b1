"""Expansion by axioms: words that keep the company of those of the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.expansion.definition import Query, added, expansion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.expansion.definition import Feedback

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.integer]


@expansion(
    "Axiomatic",
    "Fang and Zhai, Semantic term matching in axiomatic approaches, SIGIR 2006, section"
    " 4; Yang and Lin, Reproducing and generalizing semantic term matching, ECIR 2019",
    others=50,
)
def axiomatic(
    feedback: Feedback, query: Query, *, terms: float = 10, beta: float = 0.6
) -> Query:
    """Terms that share documents with the query's, the best ones and some at random."""
    query = query.known()
    known, which = np.unique(feedback.terms, return_inverse=True)
    held = np.zeros((len(known), len(feedback.documents)))
    held[which, feedback.rows()] = 1.0
    rarity = np.log2((feedback.statistics.documents + 1) / feedback.df[query.terms])
    own = query.weights * rarity / len(query.terms)
    there = np.isin(query.terms, known)
    weights = own[there] @ _similar(np.searchsorted(known, query.terms[there]), held)
    new = np.flatnonzero(~np.isin(known, query.terms))
    best = new[np.argsort(-weights[new], kind="stable")[: int(terms)]]
    kept = np.concatenate([np.flatnonzero(np.isin(known, query.terms)), best])
    kept = kept[weights[kept] > 0]
    return added(Query(query.terms, own), known[kept], beta * weights[kept])


def _similar(asked: Numbers, held: Floats) -> Floats:
    """Return the mutual information of asked and all terms, in that of the asked.

    Parameters
    ----------
    asked
        Terms (q,) among the m.
    held
        Which of d documents hold a term, (m, d).

    Returns
    -------
    (q, m): 0 of a term with itself, or of one that all documents hold.
    """
    size = held.shape[1]
    both = held[asked] @ held.T
    here, there = held.sum(axis=1)[asked, None], held.sum(axis=1)
    information = (
        _part(both, here, there, size)
        + _part(here - both, here, size - there, size)
        + _part(there - both, size - here, there, size)
        + _part(size - here - there + both, size - here, size - there, size)
    )
    rows = np.arange(len(asked))
    itself = information[rows, asked, None]
    information[rows, asked] = 0.0
    return np.where(itself > 0, information / np.where(itself > 0, itself, 1.0), 0.0)


def _part(both: Floats, one: Floats, other: Floats, size: int) -> Floats:
    """Return what documents of one kind add to the information, times their number."""
    ratio = np.where(both > 0, both * size, 1.0) / np.where(both > 0, one * other, 1.0)
    return both * np.log2(ratio)
