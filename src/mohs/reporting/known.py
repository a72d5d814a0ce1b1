"""A known difficulty, recovered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.correlates import recovered
from mohs.reporting.columns import graphs, names, numbers, tau_columns, values
from mohs.reporting.page import Grid, Mark, Section
from mohs.reporting.topics import TONES, hardest_first
from mohs.reporting.wording import between, counted, is_p, number
from mohs.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part

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
    known = planted[order].tolist()
    found = [row.difficulty for row in rows]
    drawn = [
        (
            *((Mark("chance", each, each),) if 0 <= each <= 1 else ()),
            *(
                ()
                if np.isnan(row.difficulty)
                else (
                    Mark("span", row.low, row.high, TONES.get(row.class_ or "", "")),
                    Mark(
                        "dot",
                        row.difficulty,
                        row.difficulty,
                        TONES.get(row.class_ or "", ""),
                    ),
                )
            ),
        )
        for row, each in zip(rows, known, strict=True)
    ]
    topics = [row.topic for row in rows]
    ticks = ((0.0, "0"), (0.5, "½"), (1.0, "1"))
    columns = (
        names("topic", topics),
        graphs("known (mark), measured (dot)", drawn, known, ticks),
        numbers("known", known),
        numbers("measured", found),
    )
    source = Table(
        {
            "topic": tuple(topics),
            "known": np.array(known),
            "measured": np.array(found),
            "low": np.array([row.low for row in rows]),
            "high": np.array([row.high for row in rows]),
        }
    )
    return Grid("known", "Known and measured difficulty", columns, source)
