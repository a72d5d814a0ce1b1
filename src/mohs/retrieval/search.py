"""Rankings of all queries of a system in one batch.

Only postings of terms that occur in some query are weighed, and the arrays of the index
are used where they are, so that most of a large collection stays on the disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs import _core
from mohs.retrieval.expansion import EXPANSIONS, Feedback, Query, others
from mohs.retrieval.models import MODELS
from mohs.retrieval.weighing import Weights, ranges
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.retrieval.index import Index
    from mohs.retrieval.spelling import Component

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Documents of several queries, best first.

    Query q owns ``starts[q]:starts[q + 1]`` of ``documents`` and ``scores``.
    """

    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    scores: Floats

    def of(self, query: int) -> slice:
        """Return where the documents of a query stand."""
        return slice(int(self.starts[query]), int(self.starts[query + 1]))

    def down_to(self, depth: int) -> Found:
        """Leave out what stands below a depth."""
        sizes = np.diff(self.starts)
        ranks = np.arange(len(self.scores)) - np.repeat(self.starts[:-1], sizes)
        kept = ranks < depth
        starts = _starts(np.minimum(sizes, depth))
        return Found(starts, self.documents[kept], self.scores[kept])


def search(  # noqa: PLR0913 (what is searched, what for, and how)
    index: Index,
    model: Component,
    queries: Sequence[Query],
    *,
    depth: int = 1000,
    threads: int = 1,
    weights: Weights | None = None,
) -> Found:
    """Rank documents by score, and those of one score by id, descending.

    Parameters
    ----------
    index
        What to search.
    model
        A ranking model of `MODELS`.
    queries
        Numbers of terms in the index, and their weights.
    depth
        How many documents to keep for each query.
    threads
        How many queries to answer side by side.
    weights
        Those of the model on the index, if several searches share them.
    """
    weights = weights or Weights.of(index, model)
    asked = _weighed(queries, model)
    weights.cover(asked[1], threads)
    found = _core.search(
        (index.inverted.starts, index.inverted.cells, weights.values),
        index.places,
        asked,
        depth=depth,
        threads=threads,
    )
    return Found(*found)


_NONE = np.zeros(0, np.int32)


def _weighed(
    queries: Sequence[Query], model: Component
) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
    """Weigh the words of queries as a model does, each by its share of the largest.

    Returns where each query starts, the words that the index holds, and their weights.
    """
    owners = np.repeat(np.arange(len(queries)), [len(query.terms) for query in queries])
    terms = np.concatenate([_NONE, *(query.terms for query in queries)], dtype=np.int32)
    given = np.concatenate([np.zeros(0), *(query.weights for query in queries)])
    largest = np.zeros(len(queries))
    np.maximum.at(largest, owners, given)
    shares = given / np.where(largest > 0, largest, 1.0)[owners]
    weights = MODELS[model.name].query(shares, dict(model.parameters))
    held = terms >= 0
    sizes = np.bincount(owners[held], minlength=len(queries))
    return _starts(sizes), terms[held], weights[held]


def _starts(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *sizes], dtype=np.int64)


def expand(
    index: Index, expansion: Component, queries: Sequence[Query], first: Found
) -> list[Query]:
    """Add terms of the best documents of a first search to each query.

    Parameters
    ----------
    index
        What was searched.
    expansion
        One of `EXPANSIONS`.
    queries
        What was asked.
    first
        What was found, at least as deep as the expansion looks.
    """
    chosen = EXPANSIONS[expansion.name]
    values = chosen.settle(dict(expansion.parameters))
    best = first.down_to(looks_at(expansion))
    documents = [best.documents[best.of(number)] for number in range(len(queries))]
    if drawn := int(values.get("others", 0)):
        size = len(index.documents)
        documents = [
            np.concatenate([each, others(each, size, drawn, _draw(query))])
            for each, query in zip(documents, queries, strict=True)
        ]
    scores = (best.scores[best.of(number)] for number in range(len(queries)))
    grow = chosen.settled(values)
    return [
        grow(feedback, query)
        for feedback, query in zip(
            _feedback(index, documents, scores), queries, strict=True
        )
    ]


def _draw(query: Query) -> np.random.Generator:
    """Return the stream of a query's own terms, whatever else is asked."""
    return stream(0, "feedback", *map(int, query.terms))


def looks_at(expansion: Component) -> int:
    """Say how many of the best documents an expansion learns from."""
    settled = EXPANSIONS[expansion.name].settle(dict(expansion.parameters))
    return int(settled["docs"])


def _feedback(
    index: Index, documents: Sequence[NDArray[np.int32]], scores: Iterable[Floats]
) -> Iterator[Feedback]:
    """Gather what the documents of each query hold."""
    every = np.concatenate([_NONE, *documents])
    starts, statistics = index.forward.starts[every], index.statistics
    sizes = index.forward.starts[every + 1] - starts
    places = ranges(starts, sizes)
    terms, counts = index.forward.cells[places], index.forward.counts[places]
    lengths, ends = index.lengths[every], _starts(sizes)
    end = 0
    for best, values in zip(documents, scores, strict=True):
        start, end = end, end + len(best)
        within = slice(ends[start], ends[end])
        yield Feedback(
            documents=best,
            scores=values,
            lengths=lengths[start:end],
            indptr=ends[start : end + 1] - ends[start],
            terms=terms[within],
            tf=counts[within],
            df=index.df,
            cf=index.cf,
            statistics=statistics,
        )


def look_up(index: Index, terms: Iterable[str]) -> dict[str, int]:
    """Return the number of each term in the index, -1 where it has none."""
    found = {term: index.vocabulary.find(term) for term in dict.fromkeys(terms)}
    return {term: -1 if number is None else number for term, number in found.items()}
