"""The topics: how hard each is, how sure that is, and what chance would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.collection import headline
from mohs.charts.boxes import Box, Window
from mohs.reporting.columns import (
    chances,
    counts,
    graphs,
    intervals,
    names,
    numbers,
    reach,
)
from mohs.reporting.page import Column, Grid, Mark, Section
from mohs.reporting.wording import counted, number, sentence, some
from mohs.tables.cells import printable
from mohs.tables.columns import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part
    from mohs.analysis.difficulty.ratio import Outcome
    from mohs.analysis.difficulty.rows import Row
    from mohs.reporting.page import Graph

    Floats = NDArray[np.float64]

TONES = {
    "hard": "hard",
    "moderately hard": "harder",
    "moderately easy": "easier",
    "easy": "easy",
}
NO_CLASS = "no class"
LEFT_OUT = "left out"
_QUARTERS = ((0.0, "0"), (0.25, ""), (0.5, "½"), (0.75, ""), (1.0, "1"))


def section_of(part: Part, notes: Sequence[str]) -> Section:
    """Lay out the topics of a part, the hardest first.

    ``notes`` are what is to be known of the result; what the page says anyway is left
    out of them.
    """
    rule = headline(part.solution)
    order = hardest_first(part.solution.rows)
    rows = [part.solution.rows[place] for place in order]
    outcomes = [part.solution.outcomes[place] for place in order]
    named = part.solution.problem.topics
    grid = Grid(
        name="difficulty",
        caption="How hard every topic is",
        columns=(
            *_labels(part, order),
            _shares(rows),
            *_ratios(rows),
            _boxes(outcomes, part),
            *_traits(rows),
        ),
        source=part.topics().take(np.array(order, np.intp)),
        filters=True,
        opens=tuple(named[place] for place in order),
        groups=tuple(map(group_of, rows)),
        notes=tuple(map(sentence, _unsaid(notes, part))),
    )
    told = _sentences(rows, sentence(rule))
    return Section("topics", "Topics", told, grids=(grid,))


def hardest_first(rows: Sequence[Row]) -> list[int]:
    """Order topics from the hardest to the easiest, then those without difficulty."""
    return sorted(range(len(rows)), key=lambda place: _place(rows[place]))


def group_of(row: Row) -> str:
    """Return what a topic is listed under: its class, if it has one."""
    return LEFT_OUT if row.reason else row.class_ or NO_CLASS


def _place(row: Row) -> tuple[object, ...]:
    if row.reason:
        return 1, natural_key(row.topic)
    margin = 0.0 if np.isnan(row.margin) else row.margin
    return 0, row.difficulty, margin, natural_key(row.topic)


def _unsaid(notes: Sequence[str], part: Part) -> Iterator[str]:
    said = {headline(part.solution)}
    said |= {note for opinion in part.opinions for note in opinion.notes}
    for note in notes:
        if note not in said and " without difficulty, as " not in note:
            yield note


def _sentences(rows: Sequence[Row], rule: str) -> tuple[str, ...]:
    told = [rule]
    left = [row for row in rows if row.reason]
    for reason in dict.fromkeys(row.reason for row in left):
        topics = [row.topic for row in left if row.reason == reason]
        told.append(
            f"{counted(len(topics), 'topic')} without a difficulty, as {reason}:"
            f" {some(topics)}."
        )
    return tuple(told)


def _labels(part: Part, order: Sequence[int]) -> list[Column]:
    """Name the rows, and say what was asked."""
    found = []
    for key, factor in part.keys.items():
        texts = factor.texts()
        found.append(names(key, [texts[place] for place in order]))
    if part.texts is not None:
        asked = [part.texts[place] for place in order]
        cells = tuple("" if text is None else printable(text) for text in asked)
        found.append(
            Column("query", cells, tuple(c.casefold() for c in cells), "query")
        )
    return found


def _boxes(outcomes: Sequence[Outcome], part: Part) -> Column:
    """Draw how far the systems of every topic are from a random order."""
    depth = part.solution.problem.rules.scored
    return boxed(
        f"nDCG_std@{depth} of the systems",
        [outcome.standardised for outcome in outcomes],
        "At 0 a system orders the pool as a random re-ranker does, at 1 perfectly.",
    )


def boxed(label: str, groups: Sequence[Floats], meaning: str) -> Column:
    """Draw a box plot of every group of values, and sort by their medians."""
    found = [Box.of(values) for values in groups]
    drawn = [box for box in found if box]
    window = Window.over(drawn, np.concatenate([np.empty(0), *groups]))
    return graphs(
        label,
        [_box(box, window) for box in found],
        [box.median if box else None for box in found],
        ((_placed(0.0, window), "0"), (1.0, number(window.high, 1))),
        hint="Box: half of the systems; line: the rest, up to 1.5 box lengths; stroke:"
        f" the median. {meaning}",
    )


def _placed(value: float, window: Window) -> float:
    return (window.clamp(value) - window.low) / ((window.high - window.low) or 1.0)


def _box(box: Box | None, window: Window) -> Graph:
    zero = _placed(0.0, window)
    if box is None:
        return (Mark("zero", zero, zero),)
    low, q1, median, q3, high = (
        _placed(value, window)
        for value in (box.low, box.q1, box.median, box.q3, box.high)
    )
    return (
        Mark("whisker", low, high),
        Mark("box", q1, q3),
        Mark("zero", zero, zero),
        Mark("median", median, median),
    )


def _shares(rows: Sequence[Row]) -> Column:
    """Draw the difficulty of every topic on top of what chance gives."""
    return graphs(
        "hard 0 – 1 easy",  # noqa: RUF001
        [share_of(row) for row in rows],
        [row.difficulty for row in rows],
        _QUARTERS,
        hint="Dot: the share of systems that beat the baseline; line: its 95% interval"
        " for another choice of systems; grey: where 95% of such shares fall by"
        " chance, and their mean.",
    )


def share_of(row: Row) -> Graph:
    """Draw one difficulty, its interval, and what chance gives."""
    if row.reason:
        return ()
    marks: tuple[Mark, ...] = ()
    if not np.isnan(row.chance):
        marks = (
            Mark("band", row.chance_low, row.chance_high),
            Mark("chance", row.chance, row.chance),
        )
    tone = TONES.get(row.class_ or "", "")
    return (*marks, *reach(row.difficulty, row.low, row.high, tone=tone))


def _ratios(rows: Sequence[Row]) -> list[Column]:
    labels = {"moderately hard": "mod. hard", "moderately easy": "mod. easy"}
    classes = [group_of(row) for row in rows]
    places = {name: float(place) for place, name in enumerate(TONES)}
    return [
        numbers("difficulty", [row.difficulty for row in rows]),
        intervals("95% interval", *_bounds(rows, "low", "high")),
        intervals("by chance", *_bounds(rows, "chance_low", "chance_high")),
        chances("p", [row.p for row in rows], hint="Two-sided, for this topic alone."),
        Column(
            "class",
            tuple(labels.get(name, name) for name in classes),
            tuple(places.get(name, 9.0) for name in classes),
            "class",
        ),
    ]


def _traits(rows: Sequence[Row]) -> list[Column]:
    return [
        numbers(
            "margin",
            [row.margin for row in rows],
            hint="Mean lead of the systems over the random re-ranker, in its standard"
            " deviations: 0 by chance.",
        ),
        counts("relevant", [row.relevant for row in rows]),
        numbers(
            "prevalence",
            [row.prevalence for row in rows],
            3,
            hint="Share of the pool that is relevant.",
        ),
    ]


def _bounds(
    rows: Sequence[Row], low: str, high: str
) -> tuple[list[float], list[float]]:
    return [getattr(row, low) for row in rows], [getattr(row, high) for row in rows]
