"""Designs with gaps: fits by alternating projections, degrees of freedom by rank.

The fit of one term is the mean of each of its cells. The fit of several terms is found
by going through them back and forth, which conjugate gradients speed up [1]_; a model
is never more than one number for each observation and each cell. The terms that others
contain add nothing, so only the largest take part.

Degrees of freedom are the rank over the cells observed: the cells of one term; for two,
the cells of both less the connected parts of the graph between them; for more, the
largest term is eliminated and the rank of what is left found by pivoting.

References
----------
.. [1] Hernández-Ramos, Escalante and Raydan, "Unconstrained optimization techniques for
   the acceleration of alternating projection methods", Numerical Functional Analysis
   and Optimization 32(10), 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.linalg import lapack

from mohs.analysis.anova.design import compact, sum_of_squares
from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.design import Codes, Design

    Floats = NDArray[np.float64]
    Space = frozenset[str]  # of functions of some factors' cells

_CONVERGED = 1e-14  # of the length of the values: what doubles can tell
_NEAR = 1e-12  # of the same, where steps without progress mean rounding
_PATIENCE = 50
_INDEPENDENT = 1e-9  # share of a column that others leave over
_DENSE = 12_000  # rows of the largest matrix that is laid out: a gigabyte


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The C combinations of some factors that occur.

    ``values`` (C,) are means, ``weights`` (C,) numbers of observations, ``rows`` (C,)
    one observation of each, and ``places`` (N,) the cells of observations.
    """

    design: Design
    values: Floats
    weights: Floats
    rows: NDArray[np.intp]
    places: Codes

    @classmethod
    def of(cls, design: Design, factors: Iterable[str]) -> Cells:
        """Gather the observations of a design that some factors do not tell apart."""
        cells = design.cells(factors)
        count = int(cells.max()) + 1
        if count == len(design):
            everything = np.arange(count)
            return cls(design, design.values, np.ones(count), everything, everything)
        weights = np.bincount(cells).astype(np.float64)
        rows = np.empty(count, dtype=np.intp)
        rows[cells] = np.arange(len(cells))
        means = np.bincount(cells, design.values) / weights
        return cls(design, means, weights, rows, cells)

    def inside(self) -> float:
        """Return the sum of squares of observations about the means of their cells."""
        if len(self.values) == len(self.design):
            return 0.0
        left = self.design.values - self.values[self.places]
        return sum_of_squares(left)

    def codes(self, factors: Iterable[str]) -> tuple[Codes, int]:
        """Return the cell of fewer factors that each of these (C,) is in."""
        codes, size = np.zeros(len(self.rows), dtype=np.int64), 1
        for name in factors:
            codes = codes * self.design.size(name) + self.design.codes[name][self.rows]
            codes, size = compact(codes, size * self.design.size(name))
        return codes, size


class Projection:
    """Takes away from values what the cells of one term explain."""

    def __init__(self, codes: Codes, weights: Floats) -> None:
        self._codes = codes
        self._weights = weights if (weights != 1).any() else None
        self._totals = np.bincount(codes, weights)

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self._totals)

    def __call__(self, values: Floats) -> Floats:
        """Return the residuals of values (C,)."""
        weighted = values if self._weights is None else values * self._weights
        means = np.bincount(self._codes, weighted) / self._totals
        left: Floats = values - means[self._codes]
        return left


def residuals(
    values: Floats, weights: Floats, projections: Sequence[Projection]
) -> Floats:
    """Return what several terms together do not explain of values (C,)."""
    if len(projections) == 1:
        return projections[0](values)
    if not projections:
        return values
    return _gradients(values, weights, projections)


def _gradients(
    values: Floats, weights: Floats, projections: Sequence[Projection]
) -> Floats:
    around = [*projections, *projections[-2::-1]]

    def swept(direction: Floats) -> Floats:
        for projection in around:
            direction = projection(direction)
        return direction

    fitted = best = np.zeros_like(values)
    rest = values - swept(values)
    step, length = rest, sum_of_squares(rest, weights)
    shortest, patience = length, 0
    scale = sum_of_squares(values, weights)
    # Along a chain of cells, the first progress may come after a step for each.
    steps = _PATIENCE + sum(projection.size for projection in projections)
    while length > _CONVERGED**2 * scale:
        if patience > (_PATIENCE if shortest < _NEAR**2 * scale else steps):
            break
        bent = step - swept(step)
        size = length / float((weights * step * bent).sum())
        fitted = fitted + size * step
        rest = rest - size * bent
        before, length = length, sum_of_squares(rest, weights)
        step = rest + (length / before) * step
        patience += 1
        if length < shortest:
            best, shortest, patience = fitted, length, 0
    return swept(values - best)


def rank(spaces: Sequence[tuple[Codes, int]]) -> int:
    """Return the dimension of the sum of some terms, by their codes over cells (C,).

    Examples
    --------
    >>> rows, columns = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 2])
    >>> rank([(rows, 3), (columns, 3)])  # two parts that nothing connects
    4
    """
    ordered = sorted(spaces, key=lambda space: -space[1])
    if len(ordered) <= 1:
        return sum(size for _, size in ordered)
    parts, of_cell = _parts(ordered)
    if len(ordered) == 2:
        return sum(size for _, size in ordered) - parts
    if parts == 1:
        return _rank_connected(ordered)
    sorting = np.argsort(of_cell, kind="stable")
    ends = np.flatnonzero(np.diff(of_cell[sorting])) + 1
    total = 0
    for cells in np.split(sorting, ends):
        chosen = [compact(codes[cells], size) for codes, size in ordered]
        total += _rank_connected(sorted(chosen, key=lambda space: -space[1]))
    return total


def _parts(spaces: Sequence[tuple[Codes, int]]) -> tuple[int, Codes]:
    """Return the number of connected parts, and which part a cell (C,) is in."""
    (first, size), *others = spaces
    starts, nodes = [], size
    for codes, count in others:
        starts.append(codes + nodes)
        nodes += count
    rows = np.tile(first, len(others))
    columns = np.concatenate(starts)
    edges = sparse.coo_array((np.ones(len(rows)), (rows, columns)), (nodes, nodes))
    parts, of_node = sparse.csgraph.connected_components(edges.tocsr(), directed=False)
    return int(parts), of_node[first].astype(np.int64)


def _rank_connected(spaces: Sequence[tuple[Codes, int]]) -> int:
    (largest, size), *others = spaces
    if size == len(largest):  # a cell of its own for every observation
        return size
    smaller = sum(count for _, count in others)
    if smaller > _DENSE:
        raise InputError(
            f"this model has {smaller:,} parameters beside its largest term, more than"
            f" {_DENSE:,} on a design with gaps; leave out an interaction, or choose"
            " observations without gaps"
        )
    columns = sparse.hstack([_indicators(*space) for space in others], format="csr")
    meeting = (_indicators(largest, size).T @ columns).tocsr()
    scaled = sparse.diags_array(1 / np.bincount(largest)) @ meeting
    left = (columns.T @ columns - meeting.T @ scaled).toarray()
    return size + _rank_of_gram(left, np.asarray(columns.sum(axis=0)).ravel())


def _indicators(codes: Codes, size: int) -> sparse.csr_array:
    count = len(codes)
    entries = (np.ones(count), codes.astype(np.int32), np.arange(count + 1))
    return sparse.csr_array(entries, shape=(count, size))


def _rank_of_gram(gram: Floats, lengths: Floats) -> int:
    """Return the rank of inner products of columns of some squared lengths."""
    scale = 1 / np.sqrt(lengths)
    gram = gram * scale * scale[:, None]
    _, _, found, _ = lapack.dpstrf(gram, tol=_INDEPENDENT, overwrite_a=True)
    return int(found)
