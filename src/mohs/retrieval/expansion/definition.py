"""What a query expansion is: from a query and its best documents to another query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.registry import Registry
from mohs.retrieval.parameters import Bounds, Parameter, declared, keywords, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from mohs.retrieval.postings import Statistics

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.integer]
    Formula = Callable[..., "Query"]


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """Terms (n,) of a query by their numbers in an index, ascending, with weights (n,).

    The number of a word that the index does not hold is -1: it finds nothing, but its
    weight counts where weights are seen in proportion.

    Examples
    --------
    >>> query = Query(np.array([-1, 3, 7]), np.array([4.0, 2.0, 1.0]))
    >>> query.normalised().weights
    array([1.  , 0.5 , 0.25])
    >>> query.known().terms
    array([3, 7])
    >>> Query(np.array([-1, -1, 3, 3]), np.array([1.0, 1.0, 1.0, 0.5])).merged().weights
    array([1. , 1. , 1.5])
    """

    terms: Numbers
    weights: Floats

    @classmethod
    def of(cls, terms: Numbers, weights: Floats) -> Query:
        """Put terms in order; those of one number stay in theirs."""
        order = np.argsort(terms, kind="stable")
        return cls(terms[order], weights[order])

    def normalised(self) -> Query:
        """Divide the weights by the largest."""
        largest = self.weights.max(initial=0.0)
        return Query(self.terms, self.weights / largest) if largest > 0 else self

    def merged(self) -> Query:
        """Add up the weights of entries of one term."""
        if not len(self.terms):
            return self
        other = (self.terms[1:] != self.terms[:-1]) | (self.terms[1:] < 0)
        first = np.flatnonzero(np.append(np.True_, other))
        return Query(self.terms[first], np.add.reduceat(self.weights, first))

    def known(self) -> Query:
        """Leave out the words that the index does not hold."""
        held = self.terms >= 0
        return Query(self.terms[held], self.weights[held])


@dataclass(frozen=True, slots=True, eq=False)
class Feedback:
    """What documents hold that a query expansion looks at, best ones first.

    ``documents`` (d,) are numbers in the index, ``lengths`` (d,) their tokens. The best
    ones have ``scores`` (b,); those after them, if the expansion asks for `others`, are
    drawn from the rest of the collection. Document i owns
    ``indptr[i]:indptr[i + 1]`` of ``terms`` and ``tf``. ``df`` and ``cf`` (T,) are
    those of every term of the index.
    """

    documents: Numbers
    scores: Floats
    lengths: Numbers
    indptr: Numbers
    terms: Numbers
    tf: Numbers
    df: Numbers
    cf: Numbers
    statistics: Statistics

    def rows(self) -> Numbers:
        """Return the place of the document that holds each posting."""
        return np.repeat(np.arange(len(self.documents)), np.diff(self.indptr))


@dataclass(frozen=True, slots=True)
class Expansion:
    """Everything known of a query expansion.

    ``formula`` takes feedback, a query whose largest weight is 1, and the parameters as
    keywords, and returns a query. ``parameters`` hold ``docs``, how many of the best
    documents to look at, and perhaps ``others``, how many to draw from the rest.
    """

    name: str
    source: str
    formula: Formula
    parameters: tuple[Parameter, ...]

    def settle(self, values: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return a value for every parameter.

        Raises
        ------
        UnknownNameError
            If a value belongs to no parameter.
        InputError
            If a value is out of bounds.
        """
        return settle(self.name, self.parameters, values or {})

    def expand(
        self,
        feedback: Feedback,
        query: Query,
        values: Mapping[str, float] | None = None,
    ) -> Query:
        """Return the query to be searched next; the same if nothing was found."""
        return self.settled(values)(feedback, query)

    def settled(
        self, values: Mapping[str, float] | None = None
    ) -> Callable[[Feedback, Query], Query]:
        """Return what expands queries, with a value for every parameter."""
        named = keywords(self.formula, self.settle(values))

        def grow(feedback: Feedback, query: Query) -> Query:
            if not len(feedback.scores):
                return query
            # As in PyTerrier, which hands the query over as text to be read again.
            return self.formula(feedback, query.normalised(), **named).merged()

        return grow


EXPANSIONS: Registry[Expansion] = Registry("expansion")

# More than any collection has, and still a number for whoever counts by it.
_MANY = 1e9

_BOUNDS = {
    "beta": Bounds(high=_MANY),
    "docs": Bounds(low=1.0, high=_MANY, whole=True),
    "lambda": Bounds(high=1.0),
    "others": Bounds(high=_MANY, whole=True),
    "terms": Bounds(high=_MANY, whole=True),
}


def expansion(
    name: str, source: str, *, docs: int = 3, others: int | None = None
) -> Callable[[Formula], Formula]:
    """Register the decorated formula as a query expansion."""
    sizes = {"docs": docs} if others is None else {"docs": docs, "others": others}
    asked = tuple(Parameter(size, sizes[size], _BOUNDS[size]) for size in sizes)

    def register(formula: Formula) -> Formula:
        parameters = sorted((*asked, *declared(_BOUNDS, formula)), key=lambda p: p.name)
        EXPANSIONS.add(name)(Expansion(name, source, formula, tuple(parameters)))
        return formula

    return register


def others(
    best: Numbers, documents: int, count: int, draw: np.random.Generator
) -> Numbers:
    """Draw documents that are not among the best, each once.

    Examples
    --------
    >>> others(np.array([0, 2]), 5, 9, np.random.default_rng(0)).tolist()
    [1, 3, 4]
    """
    rest = documents - len(best)
    places = np.sort(draw.choice(rest, min(count, rest), replace=False, shuffle=False))
    # Each of the best that stands before a place pushes it up by one.
    gaps = np.sort(best) - np.arange(len(best))
    return places + np.searchsorted(gaps, places, side="right")


def best(weights: Floats, size: int) -> Numbers:
    """Return the places of the largest weights, the first of equal ones first.

    Weights are compared in single precision, so that it does not depend on the last
    bits of a sum which of two equal ones is left out.

    Examples
    --------
    >>> best(np.array([0.1 + 0.2, 0.3, 0.5, 0.3]), 3)
    array([2, 0, 1])
    """
    return np.argsort(-weights.astype(np.float32), kind="stable")[:size]


def find(query: Query, terms: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return where each term stands first in a query, and whether it does at all.

    Examples
    --------
    >>> query = Query(np.array([3, 7, 7]), np.ones(3))
    >>> places, known = find(query, np.array([3, 5, 7, 9]))
    >>> places[known].tolist(), known.tolist()
    ([0, 1], [True, False, True, False])
    """
    places = np.searchsorted(query.terms, terms)
    return places, np.append(query.terms, -2)[places] == terms


def added(query: Query, terms: Numbers, weights: Floats) -> Query:
    """Add weights to terms; of several entries of one term, the first gets it.

    Examples
    --------
    >>> query = Query(np.array([3, 7]), np.array([1.0, 1.0]))
    >>> added(query, np.array([5, 7]), np.array([0.25, 0.5])).weights
    array([1.  , 0.25, 1.5 ])
    """
    places, known = find(query, terms)
    sums = query.weights.copy()
    sums[places[known]] += weights[known]
    return Query.of(
        np.concatenate([query.terms, terms[~known]]),
        np.concatenate([sums, weights[~known]]),
    )
