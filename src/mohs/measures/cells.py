"""The documents that count, laid out for arithmetic over all cells at once.

A measure looks at a few documents of a ranking: the relevant ones, or those with a
gain. A `Selection` holds just these, flat, with the cell each belongs to, so that a
measure of every system on every topic is one `numpy.bincount`. `Cells` makes each
selection once and shares it between measures: on a collection of TREC-8's size,
finding the relevant documents costs more than all the formulas together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mohs.gains.grades import Gain, Linear

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.rankings import Rankings

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Retrieved documents of certain grades: K of them in C cells.

    Cell c owns ``starts[c]:starts[c + 1]`` of the arrays over K. ``entries`` (K,) are
    their places in ``Rankings.ranks``, ``cells`` (K,) the cells they belong to,
    ``order`` (K,) counts 1, 2, 3… within a cell, ``ranks`` and ``grades`` (K,) are
    theirs. ``totals`` (C,) says how many such documents the judgments of the cell's
    topic hold, retrieved or not.
    """

    starts: Counts
    entries: Counts
    cells: Counts
    order: Counts
    ranks: Counts
    grades: Floats
    totals: Counts

    def sums(self, terms: Floats | NDArray[np.bool_]) -> Floats:
        """Add up `terms` (K,) within each cell, in rank order: (C,)."""
        sums = np.bincount(self.cells, terms, len(self.totals))
        return sums.astype(np.float64, copy=False)

    def counts(self) -> Counts:
        """Count the selected documents of each cell: (C,)."""
        return np.diff(self.starts)

    def hits(self, cutoff: int | None) -> Floats:
        """Count the selected documents at or above a rank in each cell: (C,)."""
        if cutoff is None:
            return self.counts().astype(np.float64)
        return self.sums(self.ranks <= cutoff)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Rankings as measures want to see them, C = S·Q cells in a row.

    ``retrieved`` (C,) counts documents; ``gain`` is what graded measures use unless
    they name their own.
    """

    rankings: Rankings
    gain: Gain = field(default_factory=Linear)
    _selections: dict[bytes, Selection] = field(default_factory=dict, repr=False)

    @property
    def retrieved(self) -> Counts:
        """Documents retrieved in each cell: (C,)."""
        return self.rankings.retrieved.reshape(-1).astype(np.int64)

    def relevant(self, rel: float) -> Selection:
        """Select the documents graded `rel` or more, but never a negative grade."""
        return self.chosen(self.rankings.judgments.grades >= max(rel, 0.0))

    def graded(self) -> Selection:
        """Select the documents of a grade above zero."""
        return self.chosen(self.rankings.judgments.grades > 0)

    def gaining(self, gain: Gain) -> Selection:
        """Select the documents that a gain function gives, or takes, something."""
        return self.chosen(gain(self.rankings.judgments.grades) != 0)

    def judged(self, mask: NDArray[np.bool_]) -> Counts:
        """Count the entries where `mask` (N,) holds in each cell: (C,)."""
        return np.diff(running(mask)[self.rankings.offsets])

    def totals(self, wanted: NDArray[np.bool_]) -> Counts:
        """Count the judgments where `wanted` (J,) holds for each cell's topic: (C,)."""
        rankings = self.rankings
        topics = np.diff(running(wanted)[rankings.judgments.offsets])
        return np.tile(topics[rankings.groups], len(rankings.systems))

    def chosen(self, wanted: NDArray[np.bool_]) -> Selection:
        """Select the documents whose judgments are `wanted` (J,)."""
        key = np.packbits(wanted).tobytes()
        if key not in self._selections:
            self._selections[key] = self._gather(wanted)
        return self._selections[key]

    def _gather(self, wanted: NDArray[np.bool_]) -> Selection:
        rankings = self.rankings
        entries = np.flatnonzero(wanted[rankings.judged])
        starts = np.searchsorted(entries, rankings.offsets)
        counts = np.diff(starts)
        cells = np.repeat(np.arange(len(counts)), counts)
        return Selection(
            starts=starts,
            entries=entries,
            cells=cells,
            order=np.arange(1, len(entries) + 1) - np.repeat(starts[:-1], counts),
            ranks=rankings.ranks[entries].astype(np.int64),
            grades=rankings.judgments.grades[rankings.judged[entries]],
            totals=self.totals(wanted),
        )


def running(mask: NDArray[np.bool_]) -> Counts:
    """Count how often `mask` (n,) held before each place: (n + 1,).

    Examples
    --------
    >>> running(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    return np.concatenate(([0], np.cumsum(mask, dtype=np.int64)))
