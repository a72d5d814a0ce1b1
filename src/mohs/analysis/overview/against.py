"""Wins, ties and losses of every system against one of them, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.scores import to_cube
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from mohs.scores import Scores
    from mohs.tables import Column

    Floats = NDArray[np.float64]

# What rounding may make of equal scores.
TIE = 1e-12


_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """What S systems score more than a baseline on T topics of a collection.

    ``differences`` (S, T) are NaN where one of the two has no score; up to ``tie``, in
    size, they are ties.
    """

    collection: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    differences: Floats
    tie: float

    def by_system(self) -> Table:
        """Count the topics on which each system wins, ties and loses."""
        return self._counts({"system": self.systems}, axis=1, counted="topics")

    def by_topic(self) -> Table:
        """Count the systems that win, tie and lose on each topic."""
        return self._counts({"topic": self.topics}, axis=0, counted="systems")

    def _counts(self, names: Mapping[str, Column], *, axis: int, counted: str) -> Table:
        differences = self.differences
        known = ~np.isnan(differences)
        # Differences of decimals that should be equal to the tie may exceed it.
        tie = self.tie * (1 + _ROUNDING)
        wins, losses = differences > tie, differences < -tie
        counts = known.sum(axis=axis)
        sums = np.where(known, differences, 0.0).sum(axis=axis)
        means = np.full(len(counts), np.nan)
        np.divide(sums, counts, out=means, where=counts > 0)
        return Table(
            {
                "collection": Factor.constant(self.collection, len(counts)),
                **names,
                counted: counts,
                "wins": wins.sum(axis=axis),
                "ties": (known & ~wins & ~losses).sum(axis=axis),
                "losses": losses.sum(axis=axis),
                "mean_difference": means,
            }
        )


def compare(
    parts: Mapping[str, Scores], baseline: str, tie: float | None = None
) -> Iterator[Against]:
    """Yield what the systems of each collection do against the baseline.

    Raises
    ------
    UnknownNameError
        If a collection has no such system.
    InputError
        If there are several measures, several observations of a system on a topic, or
        differences that are ties are below zero.
    """
    least = TIE if tie is None else tie
    if not least >= 0:
        raise InputError(f"--tie: a difference is 0 or more, found {least:g}")
    for name, scores in parts.items():
        cube = to_cube(scores)
        systems, topics = cube.axes.values()
        if baseline not in systems:
            raise UnknownNameError(f"system in {name}", baseline, systems)
        place = systems.index(baseline)
        others = np.delete(cube.values, place, axis=0)
        yield Against(
            name,
            tuple(each for each in systems if each != baseline),
            topics,
            others - cube.values[place],
            least,
        )
