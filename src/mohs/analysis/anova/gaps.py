"""Designs with gaps: many models on the same observations, each part found once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova.contrasts import partial_squares
from mohs.analysis.anova.design import sum_of_squares
from mohs.analysis.anova.margins import aliased, beside, largest
from mohs.analysis.anova.projections import Cells, Projection, rank, residuals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.design import Design, Nesting
    from mohs.analysis.anova.formula import Term
    from mohs.analysis.anova.margins import Type

    Floats = NDArray[np.float64]
    Space = frozenset[str]


class Gaps:
    """Fits and ranks of models on one design; a term is known by its place."""

    def __init__(self, design: Design, nesting: Nesting, terms: Sequence[Term]) -> None:
        self.design = design
        self.nesting = nesting
        self.terms = tuple(terms)
        self.closures = [nesting.closure(term) for term in terms]
        self._cells: dict[Space, Cells] = {}
        self._ranks: dict[frozenset[Space], int] = {}

    def attribute(self, type_: Type) -> tuple[Floats, NDArray[np.int64], list[int]]:
        """Return sums of squares and degrees of freedom (K,), and the terms needed."""
        kept = sorted({*range(len(self.terms))} - aliased(self.terms, self.nesting))
        df = self._freedom(kept, type_)
        ss = np.zeros(len(self.terms))
        if type_ == 3:
            ss[kept] = self._partial(kept)
            ss[df == 0] = 0.0
        else:
            for place in np.flatnonzero(df).tolist():
                ss[place] = self._added(
                    beside(place, kept, self.closures, type_), place
                )
        return ss, df, kept

    def _freedom(self, kept: Sequence[int], type_: Type) -> NDArray[np.int64]:
        df = np.zeros(len(self.terms), dtype=np.int64)
        for place in kept:
            others = beside(place, kept, self.closures, type_)
            df[place] = self.rank([*others, place]) - self.rank(others)
        return df

    def _spaces(self, places: Iterable[int]) -> list[Space]:
        closures = largest(self.closures[place] for place in places)
        return [self.nesting.free(closure) for closure in closures]

    def _cells_of(self, spaces: Iterable[Space]) -> Cells:
        factors = self.nesting.free(frozenset().union(*spaces))
        if factors not in self._cells:
            self._cells[factors] = Cells.of(self.design, sorted(factors))
        return self._cells[factors]

    def rank(self, places: Iterable[int]) -> int:
        """Return the dimension of a model of some terms, the mean included."""
        spaces = self._spaces(places)
        found = frozenset(spaces)
        if not spaces:
            return 1  # the mean
        if found not in self._ranks:
            cells = self._cells_of(spaces)
            self._ranks[found] = rank([cells.codes(sorted(each)) for each in spaces])
        return self._ranks[found]

    def _added(self, others: Sequence[int], place: int) -> float:
        """Return what a term explains beyond others."""
        cells = self._cells_of(self._spaces([*others, place]))
        less = self._residuals(cells, cells.values, others)
        more = self._residuals(cells, less, [*others, place])
        return sum_of_squares(less - more, cells.weights)

    def _residuals(self, cells: Cells, values: Floats, places: Sequence[int]) -> Floats:
        spaces = self._spaces(places)
        if not spaces:
            return values - float((cells.weights * values).sum()) / len(self.design)
        projections = [
            Projection(cells.codes(sorted(each))[0], cells.weights) for each in spaces
        ]
        return residuals(values, cells.weights, projections)

    def _partial(self, kept: Sequence[int]) -> Floats:
        """Return what each term explains beyond all others, by contrasts."""
        names = [self.terms[place] for place in kept]
        cells = self._cells_of(self._spaces(kept))
        left = self._residuals(cells, cells.values, kept)
        return partial_squares(self.nesting, names, cells, left)

    def left_over(self, kept: Sequence[int]) -> Floats:
        """Return the residuals of all observations, (N,)."""
        cells = self._cells_of(self._spaces(kept))
        left = self._residuals(cells, cells.values, kept)
        return left[cells.places] + (self.design.values - cells.values[cells.places])

    def between(self, factor: str, kept: Sequence[int]) -> tuple[Floats, Floats]:
        """Return products of a factor's levels (k, k), and with the values (k,).

        What terms explain that do not contain the factor is taken off first.
        """
        others = [place for place in kept if factor not in self.closures[place]]
        cells = self._cells_of([*self._spaces(others), frozenset({factor})])
        codes, _ = cells.codes([factor])
        size = self.design.size(factor)
        products = np.empty((size, size))
        for level in range(size):
            left = self._residuals(cells, (codes == level).astype(np.float64), others)
            products[level] = np.bincount(codes, cells.weights * left, size)
        left = self._residuals(cells, cells.values, others)
        along = np.bincount(codes, cells.weights * left, size)
        return products, along.astype(np.float64)

    def expected(
        self,
        model: Sequence[int],
        rows: Sequence[int],
        columns: Sequence[int],
        type_: Type,
    ) -> Floats:
        """Return what a variance of one adds to sums of squares, (rows, columns).

        That is the sum over the levels of a random term of what another explains of
        their indicators.
        """
        found = np.zeros((len(rows), len(columns)))
        for column, of in enumerate(columns):
            levels = self.design.cells(sorted(self.nesting.free(self.closures[of])))
            for row, place in enumerate(rows):
                others = beside(place, model, self.closures, type_)
                if any(self.closures[of] <= self.closures[each] for each in others):
                    continue
                cells = self._cells_of(self._spaces([*others, place]))
                for level in range(int(levels.max()) + 1):
                    inside = (levels == level).astype(np.float64)
                    values = np.bincount(cells.places, inside) / cells.weights
                    less = self._residuals(cells, values, others)
                    more = self._residuals(cells, less, [*others, place])
                    found[row, column] += sum_of_squares(less - more, cells.weights)
        return found
