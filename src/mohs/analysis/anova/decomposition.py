"""Sums of squares of the terms of a model, by whichever way the design allows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.anova.design import Design, Nesting, sum_of_squares
from mohs.analysis.anova.gaps import Gaps
from mohs.analysis.anova.grids import as_grid
from mohs.analysis.anova.margins import aliased, beside, largest
from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.formula import Term
    from mohs.analysis.anova.grids import Grid
    from mohs.analysis.anova.margins import Type

    Floats = NDArray[np.float64]
    Space = frozenset[str]

_INDEPENDENT = 1e-9  # of the largest eigenvalue, below which there is but rounding
_ROUNDING = float(np.finfo(np.float64).eps)
_MOST_WORK = 1 << 26  # levels times observations: minutes


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """A balanced design as an array, and the sets of factors of its effects.

    ``own`` holds for each term the sets that are attributed to it, ``covered`` those
    that any term explains.
    """

    grid: Grid
    own: tuple[tuple[Space, ...], ...]
    covered: frozenset[Space]


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """Sums of squares and degrees of freedom of K terms and of what they leave.

    ``ss`` and ``df`` (K,) are 0 for a term that is aliased: others explain all that it
    could. ``model`` are the places of terms that together explain what all do. Values
    of ``design`` are less their ``mean``; ``balance`` is the design as an array, if it
    is balanced.
    """

    design: Design
    nesting: Nesting
    terms: tuple[Term, ...]
    ss: Floats
    df: NDArray[np.int64]
    model: tuple[int, ...]
    residual_ss: float
    residual_df: int
    total_ss: float
    mean: float
    balance: Balance | None

    @property
    def aliased(self) -> NDArray[np.bool_]:
        """Which terms (K,) have no degrees of freedom."""
        without: NDArray[np.bool_] = self.df == 0
        return without

    @property
    def f(self) -> Floats:
        """Mean squares (K,) over the residual one; NaN for aliased terms."""
        with np.errstate(divide="ignore", invalid="ignore"):
            f: Floats = self.ss / np.where(self.aliased, np.nan, self.df) / self.mse
        return f

    @property
    def mse(self) -> float:
        """The residual mean square."""
        return self.residual_ss / self.residual_df if self.residual_df else np.nan


def decompose(design: Design, terms: Sequence[Term], type_: Type) -> Decomposition:
    """Attribute the sum of squares about the mean to terms, in the order given."""
    # Exact where values are alike, as a subtraction of the mean is not.
    shifted = design.values - design.values[0]
    mean = float(design.values[0] + shifted.mean())
    design = design.with_values(shifted - shifted.mean())
    nesting = Nesting.crossed(design)
    grid = as_grid(design, nesting)
    if grid is None:
        nesting = Nesting.of(design)
        grid = as_grid(_of_model(design, terms, nesting), nesting)
    model = _Model(design, nesting, tuple(terms), type_, mean)
    return model.on_gaps() if grid is None else model.on_grid(grid)


def _of_model(design: Design, terms: Sequence[Term], nesting: Nesting) -> Design:
    """Return a design of those factors only that add something to others."""
    left_out = aliased(terms, nesting)
    kept = [term for place, term in enumerate(terms) if place not in left_out]
    needed = frozenset[str]().union(*map(nesting.closure, kept))
    names = [name for name in design.levels if name in needed]
    return Design(
        design.values,
        {name: design.levels[name] for name in names},
        {name: design.codes[name] for name in names},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """What is to be decomposed, and how."""

    design: Design
    nesting: Nesting
    terms: tuple[Term, ...]
    type: Type
    mean: float

    def on_grid(self, grid: Grid) -> Decomposition:
        axes = frozenset(grid.axes)
        closures = [self.nesting.closure(term) & axes for term in self.terms]
        kept = sorted({*range(len(self.terms))} - aliased(self.terms, self.nesting))
        covered = {place: set(grid.covered([closures[place]])) for place in kept}
        own: list[tuple[Space, ...]] = [()] * len(self.terms)
        for place in kept:
            others = beside(place, kept, closures, self.type)
            left = covered[place].difference(*(covered[other] for other in others))
            own[place] = tuple(sorted(left, key=sorted))
        everything = frozenset(chain.from_iterable(covered.values()))
        squares = grid.squares(everything)
        explained = sum(grid.freedom(each) for each in everything)
        return self.solved(
            ss=np.array([sum(map(squares.__getitem__, sets)) for sets in own], float),
            df=np.array([sum(map(grid.freedom, sets)) for sets in own], np.int64),
            model=tuple(kept),
            residual_ss=grid.left(largest(closures)),
            residual_df=len(self.design) - 1 - explained,
            balance=Balance(grid, tuple(own), everything),
        )

    def on_gaps(self) -> Decomposition:
        gaps = Gaps(self.design, self.nesting, self.terms)
        ss, df, kept = gaps.attribute(self.type)
        left = gaps.left_over(kept)
        return self.solved(
            ss=ss,
            df=df,
            model=tuple(kept),
            residual_ss=sum_of_squares(left),
            residual_df=len(self.design) - gaps.rank(kept),
            balance=None,
        )

    def solved(self, **found: Any) -> Decomposition:  # noqa: ANN401 (fields)
        values = self.design.values
        total = sum_of_squares(values)
        if found["residual_ss"] <= (len(values) * _ROUNDING) ** 2 * total:
            found["residual_ss"] = 0.0
        return Decomposition(
            design=self.design,
            nesting=self.nesting,
            terms=self.terms,
            total_ss=total,
            mean=self.mean,
            **found,
        )


def left_over(parts: Decomposition) -> Floats:
    """Return the residuals of all observations, (N,)."""
    gaps = Gaps(parts.design, parts.nesting, parts.terms)
    return gaps.left_over(parts.model)


def adjusted_levels(parts: Decomposition, factor: str) -> tuple[Floats, Floats]:
    """Return the means of a factor's levels, adjusted for terms that do not contain it.

    Returns
    -------
    means
        (k,).
    spread
        Their covariances over the error variance, (k, k), as far as differences of
        means depend on them.

    Raises
    ------
    InputError
        If some difference cannot be told from the effects of other terms.
    """
    counts = np.bincount(parts.design.codes[factor]).astype(np.float64)
    if parts.balance:
        sums = np.bincount(parts.design.codes[factor], parts.design.values)
        return parts.mean + sums / counts, np.diag(1 / counts)
    gaps = Gaps(parts.design, parts.nesting, parts.terms)
    products, along = gaps.between(factor, parts.model)
    values, vectors = np.linalg.eigh(products)
    kept = values > _INDEPENDENT * values[-1]
    if kept.sum() < len(counts) - 1:
        raise InputError(
            f"some levels of {factor} cannot be compared: no chain of observations"
            " under the same levels of other factors connects them"
        )
    spread = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    effects = spread @ along
    return parts.mean + effects - counts @ effects / counts.sum(), spread


def expected_squares(
    parts: Decomposition, kept: Sequence[int], random: Sequence[int], type_: Type
) -> Floats:
    """Return what variances of random terms add to sums of squares, (kept, random).

    Raises
    ------
    InputError
        If a design with gaps has too many levels of random terms.
    """
    closures = [parts.nesting.closure(term) for term in parts.terms]
    if parts.balance:
        grid = parts.balance.grid
        axes = frozenset(grid.axes)
        return np.array(
            [
                [
                    parts.df[place] * grid.size / grid.levels(closures[of] & axes)
                    if closures[place] <= closures[of]
                    else 0.0
                    for of in random
                ]
                for place in kept
            ]
        ).reshape(len(kept), len(random))
    levels = sum(
        int(parts.design.cells(parts.nesting.free(closures[of])).max()) + 1
        for of in random
    )
    if levels * len(parts.design) > _MOST_WORK:
        raise InputError(
            f"random terms have {levels:,} levels over {len(parts.design):,}"
            " observations with gaps, too many for expected mean squares; choose"
            " observations without gaps, or leave out --random"
        )
    gaps = Gaps(parts.design, parts.nesting, parts.terms)
    return gaps.expected(parts.model, kept, random, type_)
