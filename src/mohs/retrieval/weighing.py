"""Weights of postings by one model, each made once, when a query first needs it.

They lie as the postings of the index do, term after term. Of a large collection, only
those of terms that occur in some query are ever made or take up memory, and they are
made block by block, so that what a formula needs on its way stays small.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.retrieval.index import Index
    from mohs.retrieval.postings import Statistics
    from mohs.retrieval.spelling import Component

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.integer]

# Postings that are weighed at a time: what a formula makes of them fits into a cache.
_BLOCK = 1 << 16
# Of so small an index all postings are weighed at once, which costs less than choosing.
_SMALL = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of the postings of an index by a model, as far as they were asked for.

    ``values`` (postings,) are for a query weight of one, and those of a term are there
    if it is ``known`` (T,).
    """

    index: Index
    model: Component
    statistics: Statistics
    values: Floats
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, index: Index, model: Component) -> Weights:
        """Know no weight as yet."""
        # Memory that is not written to is not taken.
        values = np.empty(len(index.inverted.cells))
        known = np.zeros(len(index.vocabulary), bool)
        return cls(index, model, index.statistics, values, known)

    def cover(self, terms: Numbers, threads: int = 1) -> None:
        """Weigh the postings of some terms, unless that was done."""
        if len(self.values) <= _SMALL:
            terms = np.arange(len(self.known))
        terms = np.unique(terms)
        missing = terms[~self.known[terms]]
        blocks = list(_blocks(missing, self.index.df[missing]))
        if threads > 1 and len(blocks) > 1:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(self._weigh, blocks))
        else:
            for block in blocks:
                self._weigh(block)
        self.known[missing] = True

    def _weigh(self, terms: Numbers) -> None:
        """Weigh the postings of adjoining or single terms, ascending."""
        starts, df = self.index.inverted.starts, self.index.df
        first, last = int(terms[0]), int(terms[-1])
        if first == last:
            # A single number instead of one for each posting.
            common = df[[first]], self.index.cf[[first]]
            for start in range(starts[first], starts[first + 1], _BLOCK):
                end = min(start + _BLOCK, int(starts[first + 1]))
                self.values[start:end] = self._weights(slice(start, end), *common)
            return
        if last - first == len(terms) - 1:
            places: slice | Numbers = slice(int(starts[first]), int(starts[last + 1]))
        else:
            places = ranges(starts[terms], df[terms])
        each = (
            np.repeat(df[terms], df[terms]),
            np.repeat(self.index.cf[terms], df[terms]),
        )
        self.values[places] = self._weights(places, *each)

    def _weights(self, places: slice | Numbers, df: Numbers, cf: Numbers) -> Floats:
        inverted = self.index.inverted
        return MODELS[self.model.name].weigh(
            Postings(
                tf=inverted.counts[places].astype(np.float64),
                length=self.index.lengths[inverted.cells[places]].astype(np.float64),
                df=df.astype(np.float64),
                cf=cf.astype(np.float64),
                statistics=self.statistics,
            ),
            dict(self.model.parameters),
        )


def ranges(starts: Numbers, sizes: Numbers) -> Numbers:
    """Return the numbers of several ranges, one after the other.

    Examples
    --------
    >>> ranges(np.array([7, 2]), np.array([2, 3])).tolist()
    [7, 8, 2, 3, 4]
    """
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - ends + sizes, sizes)


def _blocks(terms: Numbers, sizes: Numbers) -> Iterator[Numbers]:
    """Cut terms into blocks of about so many postings; a frequent one is by itself."""
    alone = sizes > _BLOCK // 8
    blocks = np.cumsum(np.where(alone, 0, sizes)) // _BLOCK
    cuts = np.flatnonzero((np.diff(blocks) != 0) | alone[1:] | alone[:-1]) + 1
    for first, last in pairwise([0, *cuts.tolist(), len(terms)]):
        if first < last:
            yield terms[first:last]
