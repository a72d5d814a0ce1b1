"""The analysis of variance: how much topics, systems and the rest explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova.uncertainty import noncentral
from mohs.reporting.columns import (
    chances,
    counts,
    graphs,
    intervals,
    names,
    numbers,
    reach,
    values,
)
from mohs.reporting.page import Column, Grid, Section
from mohs.reporting.wording import counted, listed, sentence
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.anova import Anova
    from mohs.tables import Table

_TYPES = {1: "I", 2: "II", 3: "III"}


def section_of(result: Anova) -> Section:
    """Lay out the terms with their effect sizes."""
    table = result.tables()["anova"]
    bounds = bounds_of(result)
    columns = [
        names("term", values(table, "term")),
        counts("df", values(table, "df")),
        numbers("SS", values(table, "ss"), 3),
        numbers("F", values(table, "f"), 1, hint="1 by chance."),
        chances("p", values(table, "p"), hint="For these topics and systems alone."),
        *_random(table),
        graphs(
            "partial ω²",
            [reach(*row) for row in zip(*bounds, strict=True)],
            bounds[0],
            ((0.0, "0"), (0.5, "½"), (1.0, "1")),
            hint="Share of the variation that the term explains of what the others"
            " leave: 0 by chance.",
        ),
        numbers("ω²p", bounds[0]),
        intervals("95% interval", bounds[1], bounds[2]),
        Column("size", tuple(text or "" for text in values(table, "size"))),
    ]
    grid = Grid(
        "anova",
        "Analysis of variance",
        tuple(columns),
        table,
        sorts=False,
        notes=_notes(result),
    )
    return Section("anova", "Why scores differ", _sentences(result), grids=(grid,))


def without(why: str) -> Section:
    """Say why nothing was analysed."""
    return Section("anova", "Why scores differ", (f"This cannot be told: {why}.",))


def bounds_of(result: Anova) -> tuple[list[float], list[float], list[float]]:
    """Return partial omega squared of every row of the table, and its interval.

    Topics that are drawn anew say nothing of how much topics explain; theirs is the
    interval of the non-central F.
    """
    sizes = values(result.tables()["anova"], "omega2_partial")
    low, high = noncentral(result.parts)
    low = np.where(np.isnan(result.low), low, result.low)
    high = np.where(np.isnan(result.high), high, result.high)
    rest = len(sizes) - len(low)
    return sizes, [*low.tolist(), *[None] * rest], [*high.tolist(), *[None] * rest]


def _random(table: Table) -> Sequence[Column]:
    if "f_random" not in table.columns:
        return ()
    return (
        numbers("F, population", values(table, "f_random"), 1, hint="1 by chance."),
        chances(
            "p, population",
            values(table, "p_random"),
            hint="For the population that topics were drawn from.",
        ),
    )


def _sentences(result: Anova) -> tuple[str, ...]:
    told = [
        (
            f"Model: {printable(str(result.formula))}, on"
            f" {counted(len(result.parts.design), 'value')} of"
            f" {printable(result.measure)}; sums of squares of type"
            f" {_TYPES[result.type]}."
        )
    ]
    if result.populations:
        known = listed(result.populations.factors)
        told.append(
            f"F and p speak of these levels of {known} alone; those of the population"
            f" speak of all {known}s that these were drawn from."
        )
    kinds = {
        "bootstrap": "Intervals are for other topics (bootstrap); that of the topics"
        " themselves is of the non-central F.",
        "noncentral": "Intervals are those of the non-central F.",
    }
    told += [kinds[result.intervals]] if result.intervals in kinds else []
    return tuple(told)


def _notes(result: Anova) -> tuple[str, ...]:
    said = "f and p speak"  # which the page says at more length
    return tuple(sentence(note) for note in result.notes if not note.startswith(said))
