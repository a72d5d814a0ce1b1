"""Random factors: tests for the population that levels were drawn from.

With topics drawn from a population, the effect of a system is to be seen against how
much it varies between topics. Which mean square is the right measure of that follows
from what each is expected to be: in the unrestricted model, a sum of the variance
components of all random terms that contain it [1]_. A term is tested against the mean
square that is expected to be the same but for the term itself; where there is none, one
is put together from several, with degrees of freedom after Satterthwaite [2]_.

References
----------
.. [1] Searle, Casella and McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [2] Satterthwaite, "An approximate distribution of estimates of variance components",
   Biometrics Bulletin 2(6), 1946.
.. [3] Greenhouse and Geisser, "On methods in the analysis of profile data",
   Psychometrika 24(2), 1959.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova.decomposition import expected_squares
from mohs.analysis.anova.formula import name_of
from mohs.analysis.anova.uncertainty import TOPIC, inner_products
from mohs.errors import InputError, UnknownNameError
from mohs.statistics.tails import f_tail

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.decomposition import Decomposition
    from mohs.analysis.anova.margins import Type

    Floats = NDArray[np.float64]

RESIDUAL = "Residual"
_SAME = 1e-9  # relative difference of coefficients that only rounding tells apart


@dataclass(frozen=True, slots=True, eq=False)
class Populations:
    """Tests of K terms with some factors random.

    ``error_terms`` (K,) name what each is tested against, None where nothing can be;
    ``f``, ``df_error``, ``p`` (K,); ``variances`` (K,) of random terms, NaN of fixed
    ones, as they are estimated, even below 0. ``epsilon`` and ``p_corrected`` (K,) are
    Greenhouse and Geisser's [3]_, NaN where the data for it are not at hand.
    """

    factors: tuple[str, ...]
    error_terms: tuple[str | None, ...]
    f: Floats
    df_error: Floats
    p: Floats
    variances: Floats
    residual_variance: float
    epsilon: Floats
    p_corrected: Floats


def in_populations(
    parts: Decomposition, factors: Collection[str], type_: Type
) -> Populations:
    """Test every term with some factors random.

    Raises
    ------
    UnknownNameError
        If a factor is not in the formula.
    InputError
        If all factors are random, or a design with gaps is too large for this.
    """
    _check(parts, factors, type_)
    kept = np.flatnonzero(parts.df).tolist()
    random = [
        place
        for place in kept
        if parts.nesting.closure(parts.terms[place]).intersection(factors)
    ]
    expected = _expected(parts, kept, random, type_)
    named, tests = _tests(parts, kept, random, expected)
    rows = [*map(kept.index, random), len(kept)]
    squares = _mean_squares(parts, kept)[rows]
    components = np.linalg.lstsq(expected[rows], squares, rcond=None)[0]
    variances = np.full(len(parts.terms), np.nan)
    variances[random] = components[:-1]
    return Populations(
        tuple(factors),
        tuple(named),
        tests[0],
        tests[1],
        tests[2],
        variances,
        float(components[-1]),
        *_corrected(parts, random, named, tests),
    )


def _check(parts: Decomposition, factors: Collection[str], type_: Type) -> None:
    for name in factors:
        if name not in parts.design.levels:
            raise UnknownNameError("factor in the formula", name, parts.design.levels)
    if type_ == 3 and parts.balance is None:
        raise InputError(
            "type 3 has no error terms for --random where the design has gaps; use"
            " --type 2"
        )


def _mean_squares(parts: Decomposition, kept: Sequence[int]) -> Floats:
    """Return the mean squares of some terms and, last, of the residual."""
    return np.array([*(parts.ss[kept] / parts.df[kept]), parts.mse])


def _tests(
    parts: Decomposition, kept: Sequence[int], random: Sequence[int], expected: Floats
) -> tuple[list[str | None], Floats]:
    """Return names of error terms (K,), and F, its lower degrees of freedom and p."""
    squares = _mean_squares(parts, kept)
    freedom = np.array([*parts.df[kept], parts.residual_df], np.float64)
    rows = [*map(kept.index, random), len(kept)]
    tests = np.full((3, len(parts.terms)), np.nan)
    named: list[str | None] = [None] * len(parts.terms)
    for row, place in enumerate(kept):
        target = expected[row].copy()
        if place in random:
            target[random.index(place)] = 0.0
        weights = _combination(expected, target, rows)
        if weights is None:
            continue
        error = float(weights @ squares)
        named[place] = _spelled(weights, [parts.terms[each] for each in kept])
        if error > 0:
            used = weights != 0
            shares = weights[used] * squares[used] / error
            tests[0, place] = squares[row] / error
            tests[1, place] = 1 / float((shares**2 / freedom[used]).sum())
    tests[2] = f_tail(tests[0], parts.df.astype(float), tests[1])[0]
    return named, tests


def _expected(
    parts: Decomposition, kept: Sequence[int], random: Sequence[int], type_: Type
) -> Floats:
    """Return what mean squares are expected to be, a row for each and the residual.

    Columns are the coefficients of the variance components of random terms, the last
    that of the residual.
    """
    expected = np.zeros((len(kept) + 1, len(random) + 1))
    expected[:, -1] = 1.0
    found = expected_squares(parts, kept, random, type_)
    expected[:-1, :-1] = found / parts.df[kept, None]
    return expected


def _combination(
    expected: Floats, target: Floats, rows: Sequence[int]
) -> Floats | None:
    """Return weights of mean squares that together are expected to be the target."""
    weights = np.zeros(len(expected))
    scale = _SAME * expected.max()
    for row in rows:
        if np.allclose(expected[row], target, rtol=0, atol=scale):
            weights[row] = 1.0
            return weights
    found = np.linalg.lstsq(expected[rows].T, target, rcond=None)[0]
    if not np.allclose(expected[rows].T @ found, target, rtol=0, atol=scale):
        return None
    weights[rows] = np.where(np.abs(found) > _SAME, found, 0.0)
    return weights


def _spelled(weights: Floats, terms: Sequence[tuple[str, ...]]) -> str:
    names = [*map(name_of, terms), RESIDUAL]
    pieces = []
    for weight, name in zip(weights.tolist(), names, strict=True):
        if weight:
            times = "" if np.isclose(abs(weight), 1) else f"{abs(weight):.4g} "
            pieces.append(f"{'-' if weight < 0 else '+'} {times}{name}")
    if len(pieces) == 1:
        return pieces[0].removeprefix("+ ")
    return "Satterthwaite: " + " ".join(pieces).removeprefix("+ ")


def _corrected(
    parts: Decomposition,
    random: Sequence[int],
    named: Sequence[str | None],
    tests: Floats,
) -> tuple[Floats, Floats]:
    """Correct tests against the variation between topics for unequal covariances."""
    epsilon = np.full(len(parts.terms), np.nan)
    if parts.balance and TOPIC in parts.balance.grid.axes:
        for place, sets in enumerate(parts.balance.own):
            alone = len(sets) == 1 and place not in random
            if alone and _is_against_topics(parts, sets[0], named[place] or ""):
                products = inner_products(parts.balance.grid, sets[0])
                epsilon[place] = _epsilon(products, int(parts.df[place]))
    df = parts.df * epsilon
    p = np.full(len(parts.terms), np.nan)
    known = ~np.isnan(epsilon)
    error = tests[1, known] * epsilon[known]
    p[known] = f_tail(tests[0, known], df[known], error)[0]
    return epsilon, p


def _is_against_topics(
    parts: Decomposition, factors: frozenset[str], error_term: str
) -> bool:
    """Return whether an error term is how an effect varies between topics."""
    if error_term != RESIDUAL:
        return {*error_term.split(":")} == factors | {TOPIC}
    balance = parts.balance
    if balance is None or balance.grid.copies > 1:
        return False
    both = factors | {TOPIC}
    alone = balance.grid.freedom(both) == parts.residual_df
    return alone and both not in balance.covered


def _epsilon(products: Floats, df: int) -> float:
    """Return how far the covariance of contrasts is from a sphere: 1 if not at all.

    It needs the products of topics' contrasts (T, T) only, since these have the same
    eigenvalues as their covariance.
    """
    centred = products - products.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    spread = float(df * (centred**2).sum())
    return float(np.trace(centred) ** 2 / spread) if spread else np.nan


def sentence(parts: Decomposition, populations: Populations) -> str:
    """Say in one sentence which population each test speaks of."""
    sizes = " and ".join(
        f"{parts.design.size(name):,} levels of {name}" for name in populations.factors
    )
    return (
        f"f and p speak of these {sizes} alone, f_random and p_random of the population"
        " they were drawn from"
    )


def check_random(factors: Collection[str], known: Collection[str]) -> None:
    """Refuse a request in which nothing is fixed."""
    if not set(known) - set(factors):
        raise InputError("every factor is random; leave one out of --random")
