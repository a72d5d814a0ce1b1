"""A known difficulty, recovered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.correlates import related
from mohs.reporting.columns import graphs, names, numbers
from mohs.reporting.page import Grid, Mark, Section
from mohs.reporting.topics import TONES, hardest_first
from mohs.reporting.wording import between, counted, is_p, number
from mohs.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part

    Floats = NDArray[np.float64]

_NAME = "known"


def section_of(part: Part, planted: Floats) -> Section:
    """Compare measured difficulty with the one that topics were made with (T,)."""
    row = next(related(part, {_NAME: planted}).rows())
    _, count, tau, low, high, p = row
    told = (
        f"The difficulty of {counted(count, 'topic')} is known. The measured one orders"
        f" them as the known one does by τ_b {number(tau)} (95% interval"
        f" {between(low or np.nan, high or np.nan)} for other topics; 1 is the same"
        f" order, 0 what chance gives, {is_p(np.nan if p is None else p)})."
        if tau is not None
        else "Too few topics of known difficulty were rated to compare their order."
    )
    return Section("known", "Known difficulty", (told,), grids=(_grid(part, planted),))


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
