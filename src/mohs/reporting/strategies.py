"""Strategies side by side: what others would call hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.correlates import related
from mohs.reporting.columns import (
    counts,
    names,
    tau_columns,
    values,
)
from mohs.reporting.page import Column, Grid, Mark, Section
from mohs.reporting.topics import TONES, hardest_first
from mohs.reporting.wording import NOTHING, counted
from mohs.tables import Factor, Table
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Difficulty, Part
    from mohs.analysis.difficulty.opinion import Opinion

    Floats = NDArray[np.float64]


def section_of(rated: Difficulty) -> Section | None:
    """Put the ranks of topics by every strategy beside each other."""
    part = rated.parts[0]
    if not part.opinions:
        return None
    tables = rated.tables()
    opposed = len(tables["opposed"])
    told = (
        "Older strategies call a topic hard if systems score badly on it, or if their"
        " scores or results look uncertain. A cell is the rank of the topic, 1 for the"
        " hardest; its colour is the class that the strategy gives, if it gives any."
        f" {counted(opposed, 'topic')} {'is' if opposed == 1 else 'are'} hard to one"
        " strategy and easy to another."
    )
    grids = (_agreement(part, tables["agreement"]), _ranks(part))
    return Section("strategies", "Other strategies", (told,), grids=grids)


def _agreement(part: Part, agreement: Table) -> Grid:
    """Compare every strategy with the share of systems that beat chance."""
    eases = {each.name: _ease(each) for each in part.opinions}
    table = related(part, eases)
    strategies = values(table, "with")
    opposed = dict(
        zip(
            zip(values(agreement, "left"), values(agreement, "right"), strict=True),
            zip(
                values(agreement, "opposed"), values(agreement, "classed"), strict=True
            ),
            strict=True,
        )
    )
    pairs = [opposed["difficulty", name] for name in strategies]
    about = {each.name: each.label for each in part.opinions}
    columns = (
        names("strategy", strategies),
        Column("what it looks at", tuple(printable(about[s]) for s in strategies)),
        *tau_columns(table, "τ_b with difficulty"),
        counts(
            "opposed",
            [found if classed else None for found, classed in pairs],
            hint="Topics that are hard to one of the two and easy to the other.",
        ),
    )
    source = Table(
        {
            "strategy": Factor.of(strategies),
            **{name: table[name] for name in table.names if name != "with"},
            "opposed": np.array([each for each, _ in pairs], np.int64),
            "classed": np.array([each for _, each in pairs], np.int64),
        }
    )
    caption = "How far strategies agree with the share of systems that beat chance"
    notes = [note for opinion in part.opinions for note in opinion.notes]
    told = tuple(f"{printable(note)}." for note in notes)
    return Grid("strategies", caption, columns, source, notes=told)


def _ease(opinion: Opinion) -> Floats:
    return opinion.values if opinion.high_is_easy else -opinion.values


def _ranks(part: Part) -> Grid:
    order = hardest_first(part.solution.rows)
    columns = [
        names(key, [factor.texts()[place] for place in order])
        for key, factor in part.keys.items()
    ]
    columns += [_column(opinion, order) for opinion in part.said()]
    kept = [name for name in part.topics().names if _is_opinion(name, part)]
    keys = {name: part.topics()[name] for name in (*part.keys, *kept)}
    source = Table(keys).take(np.array(order, np.intp))
    return Grid(
        "opinions", "Ranks of the topics, 1 the hardest", tuple(columns), source
    )


def _is_opinion(name: str, part: Part) -> bool:
    said = {each.name for each in part.said()}
    return name in said or name.removesuffix("_class") in said


def _column(opinion: Opinion, order: list[int]) -> Column:
    eases = _ease(opinion)
    known = ~np.isnan(eases)
    ranks = np.full(len(eases), np.nan)
    ranks[known] = np.searchsorted(np.sort(eases[known]), eases[known]) + 1
    found = ranks[order].tolist()
    tied = {rank for rank in found if found.count(rank) > 1}
    tones = [TONES.get(opinion.classes[place] or "", "") for place in order]
    cells = tuple(
        NOTHING if np.isnan(each) else f"{each:g}{'=' if each in tied else ''}"
        for each in found
    )
    keys = tuple(None if np.isnan(each) else each for each in found)
    marks = tuple((Mark("dot", 0, 0, tone),) if tone else () for tone in tones)
    return Column(opinion.name, cells, keys, "rank", opinion.label, marks)
