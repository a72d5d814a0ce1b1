"""Expansion by a relevance model: words as the best documents would utter them."""

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
    "RM3",
    "Abdul-Jaleel et al., UMass at TREC 2004: novelty and HARD, TREC 2004",
)
def rm3(
    feedback: Feedback, query: Query, *, terms: float = 10, lambda_: float = 0.6
) -> Query:
    """Relevance model of the best documents, mixed with the query by lambda."""
    count = len(feedback.scores)
    within = slice(feedback.indptr[count])
    chances = np.exp(feedback.scores - feedback.scores.max()) / feedback.lengths[:count]
    known, which = np.unique(feedback.terms[within], return_inverse=True)
    shares = feedback.tf[within] * chances[feedback.rows()[within]]
    weights = np.bincount(which, shares, len(known)).astype(np.float64)
    df, documents = feedback.df[known], feedback.statistics.documents
    usable = np.flatnonzero((df >= 2) & (df < int(_FREQUENT * documents)))
    chosen = usable[best(weights[usable], int(terms))]
    model = (1 - lambda_) * weights[chosen] / max(weights[chosen].sum(), _TINY)
    asked = _last(query, lambda_ / query.weights.sum())
    return added(asked, known[chosen[model > 0]], model[model > 0])


# A term in a tenth of the documents or more is no candidate; the tenth is Terrier's, of
# single precision.
_FREQUENT = float(np.float32(0.1))
_TINY = np.finfo(np.float64).tiny


def _last(query: Query, scale: float) -> Query:
    """Keep the last entry of each term that the index holds, weights scaled."""
    last = np.append(query.terms[1:] != query.terms[:-1], np.True_)[: len(query.terms)]
    return Query(query.terms[last], query.weights[last] * scale).known()
