"""Sub-corpora: whether a topic is as hard in one part as in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.reporting.columns import counts, graphs, names, numbers, values
from mohs.reporting.figures import drawn
from mohs.reporting.page import Column, Figure, Grid, Section
from mohs.reporting.scored import agreement_of
from mohs.reporting.topics import hardest_first, share_of
from mohs.tables import Table

if TYPE_CHECKING:
    from mohs.analysis.agreement import Agreement
    from mohs.analysis.difficulty import Difficulty, Part
    from mohs.analysis.overview import Overview
    from mohs.tables import Column as Cells


def section_of(
    whole: Part,
    rated: Difficulty,
    counted: Overview,
    agreed: Agreement | None,
    *,
    theme: str,
) -> Section:
    """Lay out what sub-corpora consist of, and every topic in each of them."""
    grids = [_composition(counted), _topics(whole, rated)]
    told = [
        (
            "Each sub-corpus is a collection of its own: runs are restricted to it"
            " first, then ranked, then pooled. A topic without a relevant document"
            " in it is left out. Graphs are as above: dot, 95% interval, and grey"
            " what chance gives."
        ),
    ]
    figures: tuple[Figure, ...] = ()
    if agreed is not None:
        compared = agreement_of(agreed)
        grids += compared.grids
        caption = "Mean scores of the topics in every two sub-corpora"
        figures = (drawn(agreed, caption, theme=theme, show="scatter"),)
        told.append(
            "Whether sub-corpora agree on which topics are hard is compared by mean"
            " score: a τ_b of 1 is the same order of topics, 0 what chance gives."
        )
    return Section(
        "corpora", "Sub-corpora", tuple(told), grids=tuple(grids), figures=figures
    )


def _composition(counted: Overview) -> Grid:
    tables = counted.tables()
    table = tables.get("composition", tables["collections"])
    shares = {"topics", "judged", "relevant"} & {*table.names}
    columns = [names("collection", values(table, "collection"))]
    columns += [
        counts(name, values(table, name))
        for name in ("topics", "judged", "relevant")
        if name in shares
    ]
    if "prevalence" in table.columns:
        columns.append(numbers("prevalence", values(table, "prevalence"), 3))
    return Grid(
        "composition", "What they consist of", tuple(columns), table, sorts=False
    )


def _topics(whole: Part, rated: Difficulty) -> Grid:
    topics = whole.solution.problem.topics
    order = hardest_first(whole.solution.rows)
    columns: list[Column] = [names("topic", [topics[place] for place in order])]
    source: dict[str, Cells] = {"topic": tuple(topics[place] for place in order)}
    for part in rated.parts:
        corpus = part.keys["corpus"].levels[0]
        rows = {row.topic: row for row in part.solution.rows if row.relevant}
        found = [rows.get(topics[place]) for place in order]
        shares = [np.nan if row is None else row.difficulty for row in found]
        drawn = [share_of(row) if row else () for row in found]
        ticks = ((0.0, "0"), (0.5, "½"), (1.0, "1"))
        columns.append(graphs(corpus, drawn, shares, ticks))
        columns.append(numbers("difficulty", shares))
        source[corpus] = np.array(shares)
    return Grid(
        "by_corpus", "Difficulty in every sub-corpus", tuple(columns), Table(source)
    )
