"""Expansion by divergence from randomness: the best documents as one bag of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.expansion.definition import added, best, expansion, find

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mohs.retrieval.expansion.definition import Feedback, Query

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.integer]


_THESIS = (
    "Amati, Probability models for information retrieval based on divergence from"
    " randomness, PhD thesis, University of Glasgow, 2003"
)


@expansion("Bo1", _THESIS)
def bo1(feedback: Feedback, query: Query, *, terms: float = 10) -> Query:
    """Surprise at the terms of the best documents by Bose-Einstein statistics."""
    bag = _bag(feedback)
    documents = feedback.statistics.documents
    most, weights = bag.weigh(query, lambda tf, cf: _bose_einstein(tf, cf / documents))
    largest = _bose_einstein(most, most / documents)
    return bag.add(query, weights / largest, terms)


@expansion("KL", _THESIS)
def kl(feedback: Feedback, query: Query, *, terms: float = 10) -> Query:
    """Divergence of the best documents, joined together, from the collection."""
    bag = _bag(feedback)
    here, everywhere = bag.length, feedback.statistics.tokens
    most, weights = bag.weigh(
        query, lambda tf, cf: _divergence(tf / here, cf / everywhere)
    )
    largest = most / here * np.log2(everywhere / here)
    return bag.add(query, weights / np.where(largest > 0, largest, np.inf), terms)


@dataclass(frozen=True, slots=True, eq=False)
class _Bag:
    """Distinct terms (m,) of the best documents, as if these were one.

    ``tf`` counts occurrences, ``held`` the documents of so many that hold a term.
    """

    terms: Numbers
    tf: Floats
    cf: Floats
    held: Numbers
    documents: int
    length: int

    def weigh(
        self, query: Query, surprise: Callable[[Floats, Floats], Floats]
    ) -> tuple[Floats, Floats]:
        """Weigh the terms, and say how often the one of the largest weight occurs.

        A term that only one of several documents holds weighs nothing unless the
        query has it.
        """
        _, asked = find(query, self.terms)
        chance = (self.held < min(self.documents, 2)) & ~asked
        weights = np.where(chance, 0.0, surprise(self.tf, self.cf))
        return self.tf[[weights.argmax()]], weights

    def add(self, query: Query, weights: Floats, terms: float) -> Query:
        """Add weights to the query, for no more terms than it has if that is more."""
        if terms:
            size = max(int(terms), len(query.terms))
            chosen = best(weights, size)
        else:
            chosen = np.flatnonzero(find(query, self.terms)[1])
        chosen = chosen[weights[chosen] > 0]
        return added(query, self.terms[chosen], weights[chosen])


def _bag(feedback: Feedback) -> _Bag:
    count = len(feedback.scores)
    within = slice(feedback.indptr[count])
    terms, which = np.unique(feedback.terms[within], return_inverse=True)
    return _Bag(
        terms=terms,
        tf=np.bincount(which, feedback.tf[within], len(terms)).astype(np.float64),
        cf=feedback.cf[terms].astype(np.float64),
        held=np.bincount(which, minlength=len(terms)),
        documents=count,
        length=int(feedback.lengths[:count].sum()),
    )


def _bose_einstein(tf: Floats, mean: Floats) -> Floats:
    return tf * np.log2((1 + mean) / mean) + np.log2(1 + mean)


def _divergence(here: Floats, everywhere: Floats) -> Floats:
    return np.where(here < everywhere, 0.0, here * np.log2(here / everywhere))
