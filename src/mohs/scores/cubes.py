"""Cubes: scores of one measure as an array with one axis per factor.

Where every combination of levels was observed once, arithmetic needs no labels: the
mean of a topic is a mean along an axis. A cube says of itself what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.scores.observations import Scores
from mohs.tables import Factor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """Values of one measure, one axis for each factor.

    ``axes`` map names of factors to their levels, in the order of the axes of
    ``values``, which are NaN where there is no observation or it has no value.
    """

    axes: Mapping[str, tuple[str, ...]]
    measure: str
    values: NDArray[np.float64]

    @property
    def missing(self) -> int:
        """Number of cells without a value."""
        return int(np.isnan(self.values).sum())

    def describe_missing(self) -> str:
        """Return in words which cells have no value, or an empty text."""
        cells = np.argwhere(np.isnan(self.values))
        if not len(cells):
            return ""
        shown = "; ".join(self._name(cell) for cell in cells[:_SHOWN].tolist())
        more = ", ..." if len(cells) > _SHOWN else ""
        return (
            f"{len(cells):,} of {self.values.size:,} combinations of"
            f" {' and '.join(self.axes)} have no value: {shown}{more}"
        )

    def require_complete(self) -> Cube:
        """Return the cube if every cell has a value.

        Raises
        ------
        InputError
            Naming the cells that have none.
        """
        if problem := self.describe_missing():
            raise InputError(problem)
        return self

    def _name(self, cell: Sequence[int]) -> str:
        pairs = zip(self.axes.items(), cell, strict=True)
        return ", ".join(f"{name} {levels[place]}" for (name, levels), place in pairs)


def to_cube(scores: Scores, axes: Sequence[str] = ("system", "topic")) -> Cube:
    """Return the scores of one measure as an array.

    Parameters
    ----------
    scores
        Observations of one measure.
    axes
        The factors to cross, in the order of the axes. Those that are left out must
        not tell apart observations that otherwise agree.

    Raises
    ------
    InputError
        If there are several measures, or several observations for one cell.
    UnknownNameError
        If there is no such factor.

    Examples
    --------
    >>> scores = Scores(
    ...     {"system": Factor.of(["a", "b"]), "topic": Factor.of(["401", "402"])},
    ...     Factor.of(["AP", "AP"]),
    ...     np.array([0.5, 0.25]),
    ... )
    >>> cube = to_cube(scores)
    >>> cube.values.tolist()
    [[0.5, nan], [nan, 0.25]]
    >>> cube.describe_missing()
    '2 of 4 combinations of system and topic have no value: system a, topic 402; system b, topic 401'
    """  # noqa: E501
    measure = scores.of_measure().measures[0]
    for name in axes:
        if name not in scores.factors:
            raise UnknownNameError("factor", name, scores.factors)
    factors = [scores.factors[name] for name in axes]
    shape = tuple(len(factor.levels) for factor in factors)
    cells = np.ravel_multi_index([factor.codes for factor in factors], shape)
    _check_single(scores, axes, cells)
    values = np.full(shape, np.nan)
    values.flat[cells] = scores.values
    levels = {name: scores.factors[name].levels for name in axes}
    return Cube(MappingProxyType(levels), measure, values)


def _check_single(scores: Scores, axes: Sequence[str], cells: NDArray[np.intp]) -> None:
    counts = np.bincount(cells)
    if not (counts > 1).any():
        return
    rows = np.flatnonzero(cells == int(np.argmax(counts > 1)))
    where = ", ".join(
        f"{name} {_level(scores.factors[name], rows[0])}" for name in axes
    )
    others = {
        name: sorted({_level(factor, row) for row in rows})
        for name, factor in scores.factors.items()
        if name not in axes
    }
    differing = [
        f"{name} ({', '.join(levels[:_SHOWN])}{', ...' * (len(levels) > _SHOWN)})"
        for name, levels in others.items()
        if len(levels) > 1
    ]
    remedy = "choose one with --where" if differing else "remove the duplicates"
    told = f", which differ in {' and '.join(differing)}" if differing else ""
    raise InputError(f"{len(rows)} observations of {where}{told}; {remedy}")


def _level(factor: Factor, row: np.intp) -> str:
    return factor.levels[int(factor.codes[row])]


def from_cube(cube: Cube) -> Scores:
    """Return the observations of a cube, those without a value left out."""
    places = np.nonzero(~np.isnan(cube.values))
    factors = {
        name: Factor(levels, place.astype(np.int32))
        for (name, levels), place in zip(cube.axes.items(), places, strict=True)
    }
    values = cube.values[places]
    return Scores(factors, Factor.constant(cube.measure, len(values)), values)
