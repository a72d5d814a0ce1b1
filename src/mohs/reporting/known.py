"""A known difficulty, recovered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.correlates import recovered
from mohs.reporting.columns import (
    graphs,
    intervals,
    names,
    numbers,
    reach,
    tau_columns,
    values,
)
from mohs.reporting.page import Grid, Mark, Section
from mohs.reporting.topics import TONES, hardest_first
from mohs.reporting.wording import between, counted, is_p, number
from mohs.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part
    from mohs.analysis.difficulty.rows import Row
    from mohs.reporting.page import Graph

    Floats = NDArray[np.float64]


def section_of(part: Part, planted: Floats) -> Section:
    """Compare measured difficulty with the one that topics were made with (T,)."""
    table = recovered(part, planted)
    grids = (*([_recovered(table)] if part.opinions else []), _grid(part, planted))
    return Section("known", "Known difficulty", (_sentence(table),), grids=grids)


def _sentence(table: Table) -> str:
    _, count, tau, low, high, p = next(table.rows())
    if tau is None:
        return "Too few topics of known difficulty were rated to compare their order."
    return (
        f"The difficulty of {counted(count, 'topic')} is known. The measured one orders"
        f" them as the known one does by τ_b {number(tau)} (95% interval"
        f" {between(low, high)} for other topics; 1 is the same order, 0 what chance"
        f" gives, {is_p(p)})."
    )


def _recovered(table: Table) -> Grid:
    """Compare the difficulty and all strategies with what is known."""
    columns = (names("measured by", values(table, "with")), *tau_columns(table))
    caption = "How well the known order was recovered"
    return Grid("recovered", caption, columns, table)


def _grid(part: Part, planted: Floats) -> Grid:
    order = hardest_first(part.solution.rows)
    rows = [part.solution.rows[place] for place in order]
    known, topics = planted[order], [row.topic for row in rows]
    measured = np.array([row.difficulty for row in rows])
    columns = (
        names("topic", topics),
        graphs(
            "known (mark), measured (dot)",
            [_pair(*each) for each in zip(rows, known.tolist(), strict=True)],
            known.tolist(),
            ((0.0, "0"), (0.5, "½"), (1.0, "1")),
        ),
        numbers("known", known.tolist()),
        numbers("measured", measured.tolist()),
        intervals(
            "95% interval", [row.low for row in rows], [row.high for row in rows]
        ),
    )
    source = Table(
        {
            "topic": tuple(topics),
            "known": known,
            "measured": measured,
            "low": np.array([row.low for row in rows]),
            "high": np.array([row.high for row in rows]),
        }
    )
    return Grid("known", "Known and measured difficulty", columns, source)


def _pair(row: Row, known: float) -> Graph:
    mark = (Mark("chance", known, known),) if 0 <= known <= 1 else ()
    if np.isnan(row.difficulty):
        return mark
    tone = TONES.get(row.class_ or "", "")
    return (*mark, *reach(row.difficulty, row.low, row.high, tone=tone))
