"""Panels: the scores of pairs of system and corpus on the formulations of topics.

A cell is a formulation of a topic. What tells pairs apart is the system, and every
column that is neither a function of the system nor of the cell, such as the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.tables import Factor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.scores import Scores

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

UNKNOWN = -1
_MOST = 32_767  # ranks that the core tells apart


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Scores of K pairs in C cells of T topics.

    ``values`` (K, C) are NaN where nothing is known; ``ranks`` (K, C) order the values
    of a pair, ties alike, and are -1 there. The cells of topic t are those from
    ``starts[t]`` (T + 1,) on, each a formulation (C,). Every pair knows every topic;
    ``left_out`` counts those that did not.
    """

    values: Floats
    ranks: NDArray[np.int16]
    topics: tuple[str, ...]
    starts: tuple[int, ...]
    formulations: tuple[str, ...]
    pairs: tuple[str, ...]
    left_out: int = 0

    @classmethod
    def of(cls, scores: Scores, pair: Sequence[str] = ()) -> Panel:
        """Lay out the observations of one measure.

        Raises
        ------
        InputError
            If something was observed twice, or there are fewer than two topics, or no
            pair knows them all.
        UnknownNameError
            If the scores have no column that is to tell pairs apart.
        """
        known = ~np.isnan(scores.values)
        if not known.any():
            raise InputError("no observation has a value")
        columns = {
            name: each.take(known).arranged() for name, each in scores.factors.items()
        }
        topic = columns["topic"]
        wording = columns.get("formulation") or Factor.constant("", len(topic))
        cell, first = _numbered([topic, wording])
        telling = _telling(columns, cell, pair)
        row, example = _numbered(telling)
        values = np.full((len(example), len(first)), np.nan)
        values[row, cell] = scores.values[known]
        if (~np.isnan(values)).sum() < known.sum():
            raise InputError(_twice(columns, row, cell))
        sizes = np.bincount(topic.codes[first], minlength=len(topic.levels))
        names = [" ".join(_labels(telling, place)) for place in example.tolist()]
        return laid_out(
            values,
            topic.levels,
            (0, *np.cumsum(sizes).tolist()),
            tuple(wording.levels[code] for code in wording.codes[first].tolist()),
            names,
        )

    @property
    def sizes(self) -> Codes:
        """How many formulations each topic has: (T,)."""
        return np.diff(self.starts)

    def relabelled(self, labels: Codes) -> Panel:
        """Deal the values of all pairs out anew by one permutation, ``labels`` (C,).

        Gaps move as values do, so that pairs stay as alike as they were. Only where a
        pair would have nothing left for a topic, its gaps stay, and a cell takes what
        is at the next place of the permutation that the pair knows.
        """
        places = np.tile(labels, (len(self.ranks), 1))
        known = self.ranks != UNKNOWN
        dealt = np.take_along_axis(known, places, axis=1)
        counts = np.add.reduceat(dealt, self.starts[:-1], axis=1, dtype=np.int64)
        for row in np.flatnonzero((counts == 0).any(axis=1)).tolist():
            places[row] = _around(labels, known[row])
        return self.taken(places)

    def taken(self, places: Codes) -> Panel:
        """Return the panel that has in each cell (K, C) what is at another place."""
        return replace(
            self,
            values=np.take_along_axis(self.values, places, axis=1),
            ranks=np.take_along_axis(self.ranks, places, axis=1),
        )

    def sampled(self, labels: Codes, size: int) -> Panel:
        """Keep so many formulations of each topic, the first in ``labels`` (C,)."""
        turns = np.argsort(labels)
        kept = np.zeros(self.ranks.shape, np.bool_)
        for start, end in zip(self.starts, self.starts[1:], strict=False):
            order = start + np.argsort(turns[start:end])
            known = self.ranks[:, order] != UNKNOWN
            kept[:, order] = known & (np.cumsum(known, axis=1) <= size)
        return replace(
            self,
            values=np.where(kept, self.values, np.nan),
            ranks=np.where(kept, self.ranks, np.int16(UNKNOWN)),
        )


def _around(labels: Codes, known: NDArray[np.bool_]) -> Codes:
    """Follow a permutation (C,) from each known place to the next that is known."""
    sources = labels.copy()
    while (astray := known & ~known[sources]).any():
        sources[astray] = labels[sources[astray]]
    return np.where(known, sources, np.arange(len(labels)))


def _telling(
    columns: Mapping[str, Factor], cell: Codes, asked: Sequence[str]
) -> list[Factor]:
    """Return the factors that tell pairs apart."""
    for name in asked:
        if name not in columns:
            raise UnknownNameError("column", name, columns)
    if asked:
        return [columns[name] for name in asked]
    system = columns["system"]
    others = [each for name, each in columns.items() if name not in _LABELS]
    return [
        system,
        *(
            each
            for each in others
            if not (_determines(system.codes, each) or _determines(cell, each))
        ),
    ]


_LABELS = ("system", "topic", "formulation")


def _determines(codes: NDArray[np.integer], other: Factor) -> bool:
    first = np.zeros(int(codes.max()) + 1, np.int32)
    first[codes] = other.codes
    return bool((first[codes] == other.codes).all())


def _numbered(factors: Sequence[Factor]) -> tuple[Codes, Codes]:
    """Return numbers of combinations of levels (N,), and where each first is."""
    codes = np.zeros(len(factors[0]), np.int64)
    for each in factors:
        codes = codes * len(each.levels) + each.codes
        codes = np.unique(codes, return_inverse=True)[1]
    return codes, np.unique(codes, return_index=True)[1]


def _labels(factors: Sequence[Factor], row: int) -> list[str]:
    return [each.levels[each.codes[row]] for each in factors]


def laid_out(
    values: Floats,
    topics: tuple[str, ...],
    starts: tuple[int, ...],
    formulations: tuple[str, ...],
    pairs: Sequence[str],
) -> Panel:
    """Keep the pairs that know every topic, and rank the values of each."""
    if len(topics) < 2:
        raise InputError("topics cannot be ordered unless there are two or more")
    counts = np.add.reduceat(~np.isnan(values), starts[:-1], axis=1, dtype=np.int64)
    kept = (counts > 0).all(axis=1)
    if not kept.any():
        worst = topics[int((counts > 0).sum(axis=0).argmin())]
        raise InputError(
            f"no pair of system and corpus has a score on all {len(topics)} topics"
            f" (fewest on {worst}); leave topics out with --where, or name with --pair"
            " the columns that make up a pair"
        )
    values = values[kept]
    return Panel(
        values,
        _ranks(values),
        topics,
        starts,
        formulations,
        tuple(pairs[row] for row in np.flatnonzero(kept).tolist()),
        int((~kept).sum()),
    )


def _ranks(values: Floats) -> NDArray[np.int16]:
    """Rank the values of each row from 0, ties alike; -1 where there is none."""
    ranks = np.full(values.shape, UNKNOWN, np.int16)
    for row, each in zip(ranks, values, strict=True):
        known = ~np.isnan(each)
        levels, places = np.unique(each[known], return_inverse=True)
        if len(levels) >= _MOST:
            raise InputError(
                f"{len(levels):,} different scores of one pair are more than can be"
                f" ordered ({_MOST:,}); choose some topics or formulations with --where"
            )
        row[known] = places
    return ranks


def _twice(columns: Mapping[str, Factor], row: Codes, cell: Codes) -> str:
    keys = row * (int(cell.max()) + 1) + cell
    order = np.argsort(keys, kind="stable")
    found = order[1:][np.diff(keys[order]) == 0][0]
    told = ", ".join(
        f"{name} {columns[name].levels[columns[name].codes[found]]}"
        for name in _LABELS
        if name in columns
    )
    return (
        f"{told}: observed twice in one pair; remove the duplicates, choose some with"
        " --where, or name with --pair all columns that make up a pair"
    )
