"""Rankings of all queries of a system in one batch.

Only postings of terms that occur in some query are weighed, block by block, so that a
large collection needs no more memory than its postings do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mohs import _core
from mohs.retrieval.expansion import EXPANSIONS, Feedback, Query, others
from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mohs.retrieval.index import Index
    from mohs.retrieval.spelling import Component

    Floats = NDArray[np.float64]

_BLOCK = 1 << 20  # postings that are weighed at a time


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


def search(
    index: Index,
    model: Component,
    queries: Sequence[Query],
    *,
    depth: int = 1000,
    threads: int = 1,
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
    """
    asked = [_weighed(query, model) for query in queries]
    terms, local = np.unique(
        np.concatenate([_NONE, *(query.terms for query in asked)]), return_inverse=True
    )
    starts, documents, weights = _weighted(index, terms, model)
    found = _core.search(
        (starts, documents, weights),
        np.ascontiguousarray(index.places),
        (
            _starts(len(query.terms) for query in asked),
            local.astype(np.int32),
            np.concatenate([np.zeros(0), *(query.weights for query in asked)]),
        ),
        depth=depth,
        threads=threads,
    )
    return Found(*found)


_NONE = np.zeros(0, np.int32)


def _weighed(query: Query, model: Component) -> Query:
    """Weigh the words of a query as a model does, each by its share of the largest."""
    shares = query.normalised()
    weights = MODELS[model.name].query(shares.weights, dict(model.parameters))
    return Query(shares.terms, weights).known()


def _weighted(
    index: Index, terms: NDArray[np.int32], model: Component
) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
    """Weigh the postings of some terms: where each starts, documents, and weights."""
    starts = _starts(index.df[terms])
    documents = np.empty(starts[-1], np.int32)
    weights = np.empty(starts[-1])
    for first, last in pairwise(_blocks(starts)):
        block = slice(starts[first], starts[last])
        rows = [index.inverted.row(term) for term in terms[first:last]]
        documents[block] = np.concatenate([index.inverted.cells[row] for row in rows])
        counts = np.concatenate([index.inverted.counts[row] for row in rows])
        sizes = np.diff(starts[first : last + 1])
        weights[block] = MODELS[model.name].weigh(
            Postings(
                tf=counts.astype(np.float64),
                length=index.lengths[documents[block]].astype(np.float64),
                df=np.repeat(index.df[terms[first:last]], sizes).astype(np.float64),
                cf=np.repeat(index.cf[terms[first:last]], sizes).astype(np.float64),
                statistics=index.statistics,
            ),
            dict(model.parameters),
        )
    return starts, documents, weights


def _blocks(starts: NDArray[np.int64]) -> list[int]:
    """Cut terms into blocks of about so many postings; no block is empty."""
    marks = np.arange(0, starts[-1], _BLOCK)
    cuts = np.unique(np.searchsorted(starts, marks, side="right") - 1)
    return [*cuts.tolist(), len(starts) - 1] if len(starts) > 1 else [0]


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
    values = dict(expansion.parameters)
    size = looks_at(expansion)
    drawn = int(chosen.settle(values).get("others", 0))
    expanded = []
    for number, query in enumerate(queries):
        where = first.of(number)
        where = slice(where.start, min(where.start + size, where.stop))
        best, scores = first.documents[where], first.scores[where]
        documents = best
        if drawn:
            # The stream of the query's own terms, whatever else is asked.
            draw = stream(0, "feedback", *map(int, query.terms))
            rest = others(best, len(index.documents), drawn, draw)
            documents = np.concatenate([best, rest])
        feedback = _feedback(index, documents, scores)
        expanded.append(chosen.expand(feedback, query, values))
    return expanded


def looks_at(expansion: Component) -> int:
    """Say how many of the best documents an expansion learns from."""
    settled = EXPANSIONS[expansion.name].settle(dict(expansion.parameters))
    return int(settled["docs"])


def _feedback(index: Index, documents: NDArray[np.int32], scores: Floats) -> Feedback:
    """Gather what documents hold."""
    rows = [index.forward.row(document) for document in documents]
    return Feedback(
        documents=documents,
        scores=scores,
        lengths=index.lengths[documents],
        indptr=_starts(row.stop - row.start for row in rows),
        terms=np.concatenate([_NONE, *(index.forward.cells[row] for row in rows)]),
        tf=np.concatenate([_NONE, *(index.forward.counts[row] for row in rows)]),
        df=index.df,
        cf=index.cf,
        statistics=index.statistics,
    )


def look_up(index: Index, terms: Iterable[str]) -> dict[str, int]:
    """Return the number of each term in the index, -1 where it has none."""
    found = {term: index.vocabulary.find(term) for term in dict.fromkeys(terms)}
    return {term: -1 if number is None else number for term, number in found.items()}
