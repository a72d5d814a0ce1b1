"""Models of components on a grid of systems, for many collections and measures at once.

On a complete grid the sums of squares of a single factor, the systems, are those of the
components and their interactions together, and what a component has besides them is the
rest of the pipeline [1]_. So one analysis with all components has the tables of the
others in it.

References
----------
.. [1] Ferro and Silvello, "A general linear mixed models approach to study system
   component effects", SIGIR 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.anova import anova
from mohs.analysis.anova.effects import partial_omega_squared
from mohs.charts.cells import Cells
from mohs.tables import Factor, Table, stack
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import polars as pl

COMPONENTS = ("stoplist", "lug", "model")
SINGLE = "~ topic + system"
THREE = "~ topic + stoplist*lug*model"

_KEYS = ("collection", "measure", "units")
_LEFT_OUT = {
    "status",
    "omega2_partial_low",
    "omega2_partial_high",
}


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The analyses of one measure on one collection, for some lexical units.

    ``single`` and ``three`` are tables of `mohs.anova`; ``count`` is the number of
    scores.
    """

    collection: str
    measure: str
    units: str
    single: Table
    three: Table
    count: int

    def effects(self) -> list[tuple[str, float]]:
        """Return partial omega squared of topics, components and interactions."""
        return column_of(self.three, "omega2_partial")

    def chances(self) -> list[tuple[str, float]]:
        """Return p of systems, and of all that they consist of."""
        single = [each for each in column_of(self.single, "p") if each[0] == "system"]
        return single + column_of(self.three, "p")

    def effect(self, term: str) -> float:
        """Return partial omega squared of ``topic`` or ``system``."""
        return dict(column_of(self.single, "omega2_partial"))[term]


def column_of(table: Table, name: str) -> list[tuple[str, float]]:
    """Return the terms of an analysis that have such a figure, and the figure.

    Examples
    --------
    >>> table = Table({"term": ("topic", "Total"), "p": np.array([0.5, np.nan])})
    >>> column_of(table, "p")
    [('topic', 0.5)]
    """
    terms = python_values(table["term"])
    values = np.asarray(table[name], np.float64).tolist()
    pairs = zip(terms, values, strict=True)
    return [(term, value) for term, value in pairs if not np.isnan(value)]


def fit_all(
    scores: pl.DataFrame,
    collections: Mapping[str, str],
    measures: Collection[str],
    units: Mapping[str, Sequence[str]],
) -> list[Fit]:
    """Fit both models for every collection, measure and set of lexical units.

    Parameters
    ----------
    scores
        With the columns ``collection, topic, system, stoplist, lug, model, measure,
        value``.
    collections
        Their names in the scores, and what to call them.
    measures
        Their names.
    units
        Sets of levels of ``lug`` by name.
    """
    return [
        fit
        for collection, called in collections.items()
        for measure in measures
        for fit in _fits(
            scores.filter(collection=collection, measure=measure).drop("collection"),
            (called, measure),
            units,
        )
    ]


def _fits(
    scores: pl.DataFrame, named: tuple[str, str], units: Mapping[str, Sequence[str]]
) -> Iterator[Fit]:
    for name, levels in units.items():
        held = scores.filter(scores["lug"].is_in(levels))
        if not held.is_empty():
            single, three = (
                anova(held, formula, intervals="none").tables()["anova"]
                for formula in (SINGLE, THREE)
            )
            yield Fit(*named, name, single, three, len(held))


def _keyed(fits: Sequence[Fit], sizes: Sequence[int]) -> dict[str, Factor]:
    return {
        key: Factor.of(
            getattr(fit, key)
            for fit, size in zip(fits, sizes, strict=True)
            for _ in range(size)
        )
        for key in _KEYS
    }


def three_factors(fits: Sequence[Fit]) -> Table:
    """Lay out effects of topics, components and interactions, a column a measure."""
    return _wide(fits, Fit.effects)


def complete(fits: Sequence[Fit]) -> Table:
    """Lay out every line of every analysis."""
    tables = [
        (fit, model, table)
        for fit in fits
        for model, table in (
            ("single factor", fit.single),
            ("three factors", fit.three),
        )
    ]
    sizes = [len(table) for _, _, table in tables]
    keys = _keyed([fit for fit, _, _ in tables], sizes)
    models = Factor.of(
        model
        for (_, model, _), size in zip(tables, sizes, strict=True)
        for _ in range(size)
    )
    lines = stack([_kept(table) for _, _, table in tables])
    return Table({**keys, "analysis": models, **lines.columns})


def _kept(table: Table) -> Table:
    columns = table.columns.items()
    return Table({name: each for name, each in columns if name not in _LEFT_OUT})


def single_factor(fits: Sequence[Fit]) -> Table:
    """Lay out the effects of systems: a row for a collection, a column a measure."""
    return _wide(fits, lambda fit: [("system", fit.effect("system"))])


def two_factors(fits: Sequence[Fit]) -> Table:
    """Lay out effects of each component, the rest of the pipeline, and both."""
    return _wide(fits, _two)


def _two(fit: Fit) -> list[tuple[str, float]]:
    rows = {row[0]: row for row in fit.three.rows()}
    names = fit.three.names
    ss, df = names.index("ss"), names.index("df")
    mse = rows["Residual"][ss] / rows["Residual"][df]
    found = []
    for component in COMPONENTS:
        for called, terms in _parts(component, rows):
            sum_, free = (
                sum(rows[term][place] for term in terms) for place in (ss, df)
            )
            f = sum_ / free / mse
            effect = float(partial_omega_squared(f, free, fit.count))
            found.append((f"{component}: {called}", effect))
    return found


def _parts(
    component: str, rows: Mapping[str, Any]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Say of which terms a component, its pipelines and their interaction consist."""
    terms = [each for each in rows if set(each.split(":")) <= set(COMPONENTS)]
    yield "alone", [component]
    yield "pipelines", [each for each in terms if component not in each.split(":")]
    mixed = [each for each in terms if component in each.split(":")]
    yield "with pipelines", [each for each in mixed if each != component]


def _wide(
    fits: Sequence[Fit], figures: Callable[[Fit], Sequence[tuple[str, float]]]
) -> Table:
    """Lay out named figures of fits, a column for each measure."""
    measures = list(dict.fromkeys(fit.measure for fit in fits))
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for fit in fits:
        for term, value in figures(fit):
            row = found.setdefault((fit.collection, fit.units, term), {})
            row[fit.measure] = value
    keys = list(zip(*found, strict=True))
    return Table(
        {
            **{
                name: Factor.of(each)
                for name, each in zip(
                    ("collection", "units", "term"), keys, strict=True
                )
            },
            **{
                measure: np.array([row.get(measure, np.nan) for row in found.values()])
                for measure in measures
            },
        }
    )


def cells_of(table: Table, first: str, title: str) -> Cells:
    """Return effects as cells, a row for each that is not of topics.

    ``first`` is the column that names a row, beside the lexical units.
    """
    named = zip(*(python_values(table[name]) for name in (first, "units")), strict=True)
    rows = [", ".join(each) for each in named]
    terms = python_values(table["term"])
    kept = [place for place, term in enumerate(terms) if term != "topic"]
    measures = table.names[3:]
    values = np.array([np.asarray(table[name], np.float64) for name in measures]).T
    return Cells(
        rows=tuple(rows[place] for place in kept),
        columns=measures,
        values=values[kept],
        title=title,
        about=("Partial ω²: 0 by chance; from .01 small, .06 medium, .14 large",),
        name="partial ω²",
        form=".3f",
    )
