"""Balanced designs: sums of squares from marginal means, without a design matrix.

Where every combination of levels was observed equally often, the effects of different
sets of factors are orthogonal. The sum of squares that belongs to a set, and to no
smaller one, is that of its marginal means centred along every axis. A term gets the
sets that it covers and that terms before it do not, so any number of crossed and nested
factors needs nothing but means of an array.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova.design import sum_of_squares

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.design import Codes, Design, Nesting

    Floats = NDArray[np.float64]
    # A set of factors, and what a term covers: all such sets.
    Cell = frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Means over the ``copies`` observations of each cell, an axis for each factor.

    Factors are in the order of ``axes``; the levels of one that is nested are counted
    anew within its parents. ``within`` is the sum of squares inside cells.
    """

    axes: tuple[str, ...]
    means: Floats
    copies: int
    within: float

    @property
    def size(self) -> int:
        """Number of observations."""
        return self.means.size * self.copies

    def levels(self, factors: Iterable[str]) -> int:
        """Return the number of cells that some factors make."""
        shape = dict(zip(self.axes, self.means.shape, strict=True))
        return prod(shape[name] for name in factors)

    def freedom(self, factors: Cell) -> int:
        """Return the degrees of freedom that belong to all of some factors."""
        shape = dict(zip(self.axes, self.means.shape, strict=True))
        return prod(shape[name] - 1 for name in factors)

    def covered(self, closures: Iterable[Cell]) -> list[Cell]:
        """Return the sets with an effect that any of some closures contains."""
        found = {
            frozenset(subset)
            for closure in closures
            for size in range(1, len(closure) + 1)
            for subset in combinations(sorted(closure), size)
        }
        return [each for each in found if self.freedom(each)]

    def squares(self, sets: Iterable[Cell]) -> Mapping[Cell, float]:
        """Return the sum of squares of each set of factors."""
        marginals = _Marginals(self)
        return {
            factors: self.size / marginals[factors].size * sum_of_squares(contrast)
            for factors in sorted(sets, key=lambda each: (-len(each), sorted(each)))
            for contrast in [centred(marginals[factors], factors, self.axes)]
        }

    def left(self, closures: Iterable[Cell]) -> float:
        """Return the sum of squares that no term with these closures explains."""
        rest = self.means
        for closure in closures:
            gone = tuple(
                place for place, name in enumerate(self.axes) if name not in closure
            )
            rest = rest - rest.mean(axis=gone, keepdims=True)
        return self.copies * sum_of_squares(rest) + self.within


class _Marginals(dict["Cell", "Floats"]):
    """Means by set of factors, axes kept at length one, each from the least it can."""

    def __init__(self, grid: Grid) -> None:
        super().__init__({frozenset(grid.axes): grid.means})
        self._axes = grid.axes

    def __missing__(self, factors: Cell) -> Floats:
        over = min(
            (self[known] for known in self if known >= factors), key=lambda m: m.size
        )
        gone = tuple(
            place
            for place, name in enumerate(self._axes)
            if name not in factors and over.shape[place] > 1
        )
        self[factors] = over.mean(axis=gone, keepdims=True)
        return self[factors]


def centred(means: Floats, factors: Cell, axes: Sequence[str]) -> Floats:
    """Subtract the means along the axes of some factors."""
    for place, name in enumerate(axes):
        if name in factors:
            means = means - means.mean(axis=place, keepdims=True)
    return means


def as_grid(design: Design, nesting: Nesting) -> Grid | None:
    """Lay a design out as an array, or return None if it is not balanced."""
    axes = tuple(design.levels)
    coded = {name: numbered_within(design, nesting, name) for name in axes}
    shape = tuple(size for _, size in coded.values())
    cells = prod(shape)
    if len(design) % cells:
        return None
    index = np.zeros(len(design), dtype=np.int64)
    for codes, size in coded.values():
        index *= size
        index += codes
    counts = np.bincount(index, minlength=cells)
    copies = len(design) // cells
    if counts.min() != copies or counts.max() != copies:
        return None
    if copies == 1:
        means = np.empty(cells)
        means[index] = design.values
        return Grid(axes, means.reshape(shape), copies, 0.0)
    means = np.bincount(index, design.values, cells) / copies
    inside = sum_of_squares(design.values - means[index])
    return Grid(axes, means.reshape(shape), copies, inside)


def numbered_within(design: Design, nesting: Nesting, name: str) -> tuple[Codes, int]:
    """Count the levels of a factor anew within each of those that it determines."""
    order = sorted(design.levels, key=lambda each: len(nesting.parents[each]))
    before = order[: order.index(name)]
    parents = [each for each in before if each in nesting.parents[name]]
    if not parents:
        return design.codes[name], design.size(name)
    of_level = np.zeros(design.size(name), dtype=np.int64)
    of_level[design.codes[name]] = design.cells(parents)
    sorting = np.argsort(of_level, kind="stable")
    starts = np.searchsorted(of_level[sorting], of_level[sorting])
    places = np.empty_like(of_level)
    places[sorting] = np.arange(len(of_level)) - starts
    return places[design.codes[name]], int(places.max()) + 1
