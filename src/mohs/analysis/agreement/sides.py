"""Sides of a comparison: the difficulty of topics to one set of systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.agreement.matrices import means_known
from mohs.analysis.agreement.sets import CHOSEN, Roster
from mohs.statistics.correlation import ties_joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.agreement.matrices import Matrix
    from mohs.analysis.agreement.sets import SystemSet

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The mean of a measure over a set of systems, for every topic.

    ``members`` (R, S) say which systems of the matrix are in the set, and
    ``difficulty`` (R, T) are the means, one row for each draw of a random set and one
    row for any other; NaN where no system of the set has a value.
    """

    name: str
    matrix: Matrix
    chosen: SystemSet
    members: NDArray[np.bool_]
    difficulty: Floats

    @property
    def key(self) -> tuple[str, str]:
        """Set and level, which belong together in two tables."""
        return self.chosen.text, self.matrix.level

    @property
    def circular(self) -> bool:
        """Whether systems were chosen by the scores that are looked at."""
        return self.chosen.kind in CHOSEN and not self.members.all()

    def values(self) -> Floats:
        """Return the scores (T, n) of the set's systems, those of its first draw."""
        return np.compress(self.members[0], self.matrix.values, axis=1)


def sides_of(
    matrices: Sequence[Matrix], sets: Sequence[SystemSet], *, repeats: int, seed: int
) -> list[Side]:
    """Return every set of systems in every matrix."""
    systems = frozenset(name for each in matrices for name in each.systems)
    roster = Roster(systems, repeats, seed)
    plain = [each.text for each in sets] == ["all"]
    return [
        _side(matrix, each, roster, plain=plain) for each in sets for matrix in matrices
    ]


def _side(matrix: Matrix, chosen: SystemSet, roster: Roster, *, plain: bool) -> Side:
    members = chosen.of(matrix, roster)
    means = [means_known(np.compress(row, matrix.values, axis=1)) for row in members]
    named = f"{chosen.text} of {matrix.name}" if matrix.name else chosen.text
    name = matrix.name if plain and matrix.name else named
    return Side(name, matrix, chosen, members, ties_joined(np.array(means)))


def overlap(left: Side, right: Side) -> float:
    """Return the share of the smaller set's systems that are in the other set too.

    Systems are told by their names; over draws of random sets, it is the mean.
    """
    places = {name: place for place, name in enumerate(right.matrix.systems)}
    pairs = [
        (place, places[name])
        for place, name in enumerate(left.matrix.systems)
        if name in places
    ]
    of_left, of_right = np.array(pairs, np.int64).reshape(-1, 2).T
    both = left.members[:, of_left] & right.members[:, of_right]
    smaller = np.minimum(left.members.sum(axis=1), right.members.sum(axis=1))
    return float((both.sum(axis=1) / smaller).mean())
