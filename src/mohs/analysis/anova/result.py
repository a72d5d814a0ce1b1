"""The result of `mohs anova`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.anova.design import describe
from mohs.analysis.anova.effects import omega_squared, partial_omega_squared, size_of
from mohs.analysis.anova.formula import name_of
from mohs.analysis.anova.grids import numbered_within
from mohs.analysis.anova.populations import RESIDUAL
from mohs.statistics.tails import f_tail
from mohs.tables import Factor, Result, Table, stack
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.comparisons import Comparisons
    from mohs.analysis.anova.decomposition import Decomposition
    from mohs.analysis.anova.formula import Formula
    from mohs.analysis.anova.margins import Type
    from mohs.analysis.anova.populations import Populations
    from mohs.analysis.anova.sensitivity import Sensitivity
    from mohs.analysis.anova.uncertainty import Intervals
    from mohs.tables import Column

    Floats = NDArray[np.float64]

TOTAL = "Total"
_NOTICED = 1e-9  # share of the total that rounding does not lose
# Columns of a table in a paper, and how their values are printed.
_PRINTED: Mapping[str, Callable[[Any], str]] = {
    "term": str,
    "ss": "{:.4f}".format,
    "df": "{:d}".format,
    "ms": "{:.4f}".format,
    "f": "{:.2f}".format,
    "p": lambda p: "< .001" if p < 0.001 else f"{p:.3f}",
    "omega2_partial": "{:.4f}".format,
    "omega2_partial_low": "{:.4f}".format,
    "omega2_partial_high": "{:.4f}".format,
}
_LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Anova(Result):
    """Which terms of a model explain the scores, and how much.

    ``parts`` hold sums of squares of K terms; ``low`` and ``high`` (K,) bound partial
    omega squared, in the way that ``intervals`` names. ``populations``, ``comparisons``
    and ``sensitivity`` are there if they were asked for; ``notes`` are sentences about
    the design.

    The tables are ``anova``, one row for each term; ``means``, those of every level of
    every factor; ``design``, degrees of freedom as level counts would give them and as
    they are; ``sphericity`` with random factors; ``tukey`` and ``groups``; and
    ``sensitivity``, ``checks`` and ``quantiles``.
    """

    formula: Formula
    measure: str
    type: Type
    parts: Decomposition
    intervals: Intervals
    low: Floats
    high: Floats
    populations: Populations | None = None
    comparisons: Comparisons | None = None
    sensitivity: Sensitivity | None = None
    notes: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the terms first."""
        tables = {"anova": self._main(), "means": self.means(), "design": self.design()}
        if self.populations and not np.isnan(self.populations.epsilon).all():
            tables["sphericity"] = self._sphericity(self.populations)
        for more in (self.comparisons, self.sensitivity):
            tables |= more.tables() if more else {}
        return tables

    def _main(self) -> Table:
        parts = self.parts
        names = [*map(name_of, parts.terms), RESIDUAL, TOTAL]
        lone = [np.nan, np.nan]
        df = np.where(parts.aliased, np.nan, parts.df)
        ms, f = parts.ss / df, parts.f
        with np.errstate(invalid="ignore"):
            eta = parts.ss / (parts.ss + parts.residual_ss)
        p, log10_p = f_tail(f, df, float(parts.residual_df))
        partial = partial_omega_squared(f, df, len(parts.design))
        status = np.where(parts.aliased, "aliased", "ok").tolist()
        effects: dict[str, Floats] = {
            "f": f,
            "p": p,
            "log10_p": log10_p,
            "omega2": omega_squared(parts.ss, df, parts.mse, parts.total_ss),
            "omega2_partial": partial,
            "omega2_partial_low": self.low,
            "omega2_partial_high": self.high,
            "eta2_partial": np.where(parts.aliased, np.nan, eta),
        }
        whole = len(parts.design) - 1
        columns: dict[str, Column] = {
            "term": tuple(names),
            "ss": np.array([*parts.ss, parts.residual_ss, parts.total_ss]),
            "df": np.array([*parts.df, parts.residual_df, whole], np.int64),
            "ms": np.array([*ms, parts.mse, np.nan]),
            **{name: np.array([*each, *lone]) for name, each in effects.items()},
            "size": Factor.of([*map(size_of, partial.tolist()), None, None]),
            "status": Factor.of([*status, None, None]),
        }
        if self.populations:
            columns |= self._random(self.populations)
        return Table(columns)

    def paper(self) -> Table:
        """Lay out the terms as papers print them: rounded, intervals in brackets."""
        columns = self._main().columns
        texts = {name: python_values(columns[name]) for name in _PRINTED}
        texts = {
            name: [None if value is None else form(value) for value in texts[name]]
            for name, form in _PRINTED.items()
        }
        bounds = zip(
            *(texts.pop(f"omega2_partial_{end}") for end in ("low", "high")),
            strict=True,
        )
        texts["interval"] = [low and f"[{low}, {high}]" for low, high in bounds]
        return Table({name: tuple(each) for name, each in texts.items()})

    def _random(self, populations: Populations) -> Mapping[str, Column]:
        variances = [*populations.variances, populations.residual_variance, np.nan]
        lone = [np.nan, np.nan]
        return {
            "error_term": Factor.of([*populations.error_terms, None, None]),
            "f_random": np.array([*populations.f, *lone]),
            "df_error_random": np.array([*populations.df_error, *lone]),
            "p_random": np.array([*populations.p, *lone]),
            "variance": np.array(variances),
        }

    def _sphericity(self, populations: Populations) -> Table:
        known = ~np.isnan(populations.epsilon)
        return Table(
            {
                "term": tuple(map(name_of, self.parts.terms)),
                "df": self.parts.df,
                "f_random": populations.f,
                "df_error_random": populations.df_error,
                "epsilon": populations.epsilon,
                "p_corrected": populations.p_corrected,
            }
        ).take(known)

    def means(self) -> Table:
        """Lay out the mean of every level of every factor, and what bounds it.

        The bounds are of the mean itself, 95% by t with the model's error.
        """
        return stack([self.marginal(name) for name in self.parts.design.levels])

    def marginal(self, *factors: str) -> Table:
        """Lay out the mean of every combination of levels of some factors."""
        from scipy import special

        design = self.parts.design
        cells = design.cells(factors)
        counts = np.bincount(cells)
        rows = np.zeros(len(counts), dtype=np.int64)
        rows[cells] = np.arange(len(cells))
        means = self.parts.mean + np.bincount(cells, design.values) / counts
        reach = special.stdtrit(self.parts.residual_df, (1 + _LEVEL) / 2)
        half = reach * np.sqrt(self.parts.mse / counts)
        levels = (
            [design.levels[name][code] for code in design.codes[name][rows]]
            for name in factors
        )
        return Table(
            {
                "factor": Factor.constant(":".join(factors), len(counts)),
                "level": tuple(map(":".join, zip(*levels, strict=True))),
                "mean": means,
                "low": means - half,
                "high": means + half,
                "observations": counts,
            }
        )

    def design(self) -> Table:
        """Lay out what level counts would make of the degrees of freedom, and truth."""
        parts = self.parts
        named = {frozenset[str](), *map(frozenset, parts.terms)}
        sizes = {
            name: numbered_within(parts.design, parts.nesting, name)[1]
            for name in parts.design.levels
        }
        nominal = [
            prod(sizes[name] - (whole - {name} in named) for name in term)
            for term in parts.terms
            for whole in [frozenset(term)]
        ]
        cells = [int(parts.design.cells(term).max()) + 1 for term in parts.terms]
        return Table(
            {
                "term": tuple(map(name_of, parts.terms)),
                "cells": np.array(cells, np.int64),
                "df_nominal": np.array(nominal, np.int64),
                "df": parts.df,
            }
        )


def notes_on(parts: Decomposition, type_: Type) -> list[str]:
    """Say what is to be known of a design."""
    notes = []
    if parts.design.left_out:
        notes.append(f"{parts.design.left_out:,} observations have no value")
    if parts.balance is None:
        notes += _gaps(parts, type_)
    rows = parts.ss.sum() + parts.residual_ss
    if abs(rows - parts.total_ss) > _NOTICED * parts.total_ss:
        notes.append("the rows do not add up to the total: terms overlap")
    return notes + _aliases(parts)


def _gaps(parts: Decomposition, type_: Type) -> list[str]:
    rank = len(parts.design) - parts.residual_df
    kind = {1: "I", 2: "II", 3: "III"}[type_]
    told = f"the design is not balanced: {len(parts.design):,} observations"
    kept = [parts.terms[place] for place in parts.model]
    return [
        f"{told}, rank {rank:,}; sums of squares are of type {kind}",
        *describe(parts.design, kept, parts.nesting),
    ]


def _aliases(parts: Decomposition) -> list[str]:
    """Name the terms that have no degrees of freedom, and the reason."""
    found: dict[str, list[str]] = {}
    for place in np.flatnonzero(parts.aliased).tolist():
        whole = parts.nesting.closure(parts.terms[place])
        over = next(
            (
                name_of(term)
                for term in parts.terms[:place]
                if whole <= parts.nesting.closure(term)
            ),
            "",
        )
        found.setdefault(over, []).append(name_of(parts.terms[place]))
    return [_alias(over, names) for over, names in found.items()]


def _alias(over: str, names: Sequence[str]) -> str:
    *most, last = names
    listed = f"{', '.join(most)} and {last}" if most else last
    if not over:
        return f"{listed} cannot be told from the other terms: df 0"
    are = "are functions" if most else "is a function"
    return f"{listed} {are} of {over}: df 0"
