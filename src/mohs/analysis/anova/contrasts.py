"""Type III: what a term explains beyond all others, its contrasts summing to zero.

The effect of a term is its coefficients less their means along every factor without
which the term is in the model too, as in R's ``contr.sum``. The fit without one term is
a least squares problem in the coefficients of all others, which are only ever added to
the cells they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.linalg import LinearOperator, lsmr

from mohs.analysis.anova.design import sum_of_squares
from mohs.analysis.anova.grids import numbered_within
from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.design import Codes, Nesting
    from mohs.analysis.anova.formula import Term
    from mohs.analysis.anova.projections import Cells

    Floats = NDArray[np.float64]

_PRECISION = 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class _Effect:
    """The coefficients of one term, and the cells (C,) they belong to.

    ``shape`` has an axis for each factor; ``centred`` are those along which
    coefficients add up to zero.
    """

    axes: tuple[str, ...]
    shape: tuple[int, ...]
    centred: tuple[int, ...]
    codes: Codes

    def parts(self) -> Iterator[frozenset[str]]:
        """Yield the sets of factors whose contrasts the coefficients are free in."""
        kept = frozenset(self.axes[place] for place in self.centred)
        free = sorted(set(self.axes) - kept)
        for size in range(len(free) + 1):
            for some in combinations(free, size):
                yield kept.union(some)

    def apply(self, coefficients: Floats) -> Floats:
        """Spread coefficients over the cells, their means taken off."""
        return self._less_means(coefficients)[self.codes]

    def gather(self, values: Floats) -> Floats:
        """Do the same backwards: the transposed map."""
        sums = np.bincount(self.codes, values, prod(self.shape))
        return self._less_means(sums.astype(np.float64))

    def _less_means(self, coefficients: Floats) -> Floats:
        array: Floats = coefficients.reshape(self.shape)
        for axis in self.centred:
            array = array - array.mean(axis=axis, keepdims=True)
        return array.ravel()


def partial_squares(
    nesting: Nesting, terms: Sequence[Term], cells: Cells, left: Floats
) -> Floats:
    """Return what each of K terms explains beyond all others, (K,).

    ``left`` (C,) are the residuals of the whole model on its cells.

    Raises
    ------
    InputError
        If a combination of levels of a largest term is empty, or a term stands in the
        model without any of its margins, so that the sums mean nothing.
    """
    effects = [_effect(nesting, terms, term, cells) for term in terms]
    _check(terms, effects)
    return np.array(
        [
            sum_of_squares(_fit(effects, place, cells) - left, cells.weights)
            for place in range(len(terms))
        ]
    )


def _effect(
    nesting: Nesting, terms: Sequence[Term], term: Term, cells: Cells
) -> _Effect:
    closures = {frozenset[str](), *map(nesting.closure, terms)}
    whole = nesting.closure(term)
    axes = [name for name in cells.design.levels if name in whole]
    numbered = [numbered_within(cells.design, nesting, name) for name in axes]
    shape = tuple(size for _, size in numbered)
    codes = np.zeros(len(cells.rows), dtype=np.int64)
    for of_observation, size in numbered:
        codes = codes * size + of_observation[cells.rows]
    centred = tuple(
        place for place, name in enumerate(axes) if whole - {name} in closures
    )
    return _Effect(tuple(axes), shape, centred, codes)


def _check(terms: Sequence[Term], effects: Sequence[_Effect]) -> None:
    for term, effect in zip(terms, effects, strict=True):
        name = ":".join(term)
        empty = prod(effect.shape) - len(np.unique(effect.codes))
        if empty:
            raise InputError(
                f"type 3 compares means of all {prod(effect.shape):,} combinations of"
                f" {name}, of which {empty:,} have no value; use --type 2"
            )
    taken: dict[frozenset[str], str] = {}
    for term, effect in zip(terms, effects, strict=True):
        name = ":".join(term)
        for part in effect.parts():
            if part in taken:
                raise InputError(
                    f"type 3 needs all margins of {name} in the model, which lacks some"
                    f" that {taken[part]} is about; add them, or use --type 2"
                )
            taken[part] = name


def _fit(effects: Sequence[_Effect], without: int, cells: Cells) -> Floats:
    """Return the residuals (C,) of a model that lacks one of its terms."""
    kept = [effect for place, effect in enumerate(effects) if place != without]
    root = np.sqrt(cells.weights)
    sizes = [1, *(prod(effect.shape) for effect in kept)]
    ends = np.cumsum(sizes)[:-1]
    # Columns of about equal length, or the largest terms would converge last.
    scale = [float(size) ** 0.5 for size in sizes]

    def spread(coefficients: Floats) -> Floats:
        mean, *parts = np.split(coefficients.ravel(), ends)
        values = np.full(len(root), mean[0] * scale[0])
        for effect, part, size in zip(kept, parts, scale[1:], strict=True):
            values += size * effect.apply(part)
        weighted: Floats = root * values
        return weighted

    def gathered(values: Floats) -> Floats:
        weighted = root * values.ravel()
        parts = [np.array([scale[0] * weighted.sum()])]
        for effect, size in zip(kept, scale[1:], strict=True):
            parts.append(size * effect.gather(weighted))
        return np.concatenate(parts)

    shape = (len(root), sum(sizes))
    model = LinearOperator(shape, matvec=spread, rmatvec=gathered, dtype=np.float64)
    left = root * cells.values
    for _ in range(2):  # once more from where rounding stopped
        found = lsmr(model, left, atol=_PRECISION, btol=_PRECISION, conlim=0)[0]
        left = left - spread(found)
    scaled: Floats = left / root
    return scaled
