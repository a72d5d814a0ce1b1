"""Topics of which only scores are known, and whether systems agree on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.reporting.columns import (
    counts,
    graphs,
    intervals,
    names,
    numbers,
    reach,
    tau_columns,
    values,
)
from mohs.reporting.page import Grid, Section
from mohs.reporting.topics import boxed
from mohs.reporting.wording import number, sentence
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.agreement import Agreement
    from mohs.reporting.page import Column
    from mohs.scores import Cube
    from mohs.tables import Table

WHOLE = "all"


def described(found: Agreement) -> Table:
    """Return the topics as all systems see them, the hardest first."""
    table = found.described
    rows = np.flatnonzero([name == WHOLE for name in values(table, "set")])
    table = table.take(rows)
    mean = np.asarray(table["mean"], np.float64)
    return table.take(np.argsort(mean, kind="stable"))


def topics_of(found: Agreement, cube: Cube | None = None) -> Section:
    """Lay out the topics by their mean score, the lowest first.

    With the ``cube`` of the scores, the systems of every topic are drawn, too.
    """
    table = described(found)
    measure, topics = printable(values(table, "measure")[0]), values(table, "topic")
    columns = (
        names("topic", topics),
        *_means(table, measure),
        numbers("median", values(table, "median"), 3),
        intervals(
            "95% interval",
            values(table, "median_low"),
            values(table, "median_high"),
            digits=3,
        ),
        counts("systems", values(table, "systems")),
        *_boxes(topics, cube),
    )
    caption = "Topics by their mean score"
    grid = Grid("topics", caption, columns, table, filters=True, opens=tuple(topics))
    told = (
        f"A topic is the harder, the lower the mean {measure} of its systems; intervals"
        " are for another choice of systems (bootstrap). What chance would score is not"
        " to be told from scores: judgments and runs say that, too."
    )
    return Section("topics", "Topics", (told,), grids=(grid,))


def _means(table: Table, measure: str) -> Sequence[Column]:
    mean, low, high = (
        values(table, name) for name in ("mean", "mean_low", "mean_high")
    )
    least = min([0.0, *(each for each in low if each is not None)])
    most = max((each for each in high if each is not None), default=0.0) or 1.0
    rows = zip(mean, low, high, strict=True)
    return (
        graphs(
            f"mean {measure}",
            [reach(*row, scale=(least, most)) for row in rows],
            mean,
            ((-least / (most - least), "0"), (1.0, number(most, 2))),
        ),
        numbers("mean", mean, 3),
        intervals("95% interval", low, high, digits=3),
    )


def _boxes(topics: Sequence[str], cube: Cube | None) -> Sequence[Column]:
    if cube is None:
        return ()
    places = {topic: at for at, topic in enumerate(cube.axes["topic"])}
    groups = [cube.values[:, places[topic]] for topic in topics]
    return (boxed(f"{printable(cube.measure)} of the systems", groups, ""),)


def agreement_of(found: Agreement) -> Section:
    """Say whether good and poor systems find the same topics hard."""
    table = found.tables()["agree"]
    columns = (
        names("left", values(table, "left")),
        names("right", values(table, "right")),
        *tau_columns(table),
        numbers(
            "overlap", values(table, "overlap"), hint="Share of systems in both sets."
        ),
    )
    grid = Grid(
        "agree",
        "Agreement of sets of systems",
        columns,
        table,
        sorts=False,
        notes=tuple(map(sentence, found.notes)),
    )
    told = (
        (
            "Do good systems find the same topics hard as poor ones? Compared is the"
            " order of topics by mean score: 1 is the same order, 0 what chance gives."
        ),
    )
    return Section("agreement", "Agreement of systems", told, grids=(grid,))
