"""Formulations: what topics owe to the wording of their queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.analysis.formulations import formulations
from mohs.errors import InputError
from mohs.reporting.columns import chances, counts, intervals, names, numbers, values
from mohs.reporting.figures import drawn
from mohs.reporting.page import Column, Grid, Section
from mohs.reporting.topics import TONES
from mohs.reporting.wording import sentence
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from mohs.analysis.formulations import Formulations
    from mohs.reporting.asked import Asked
    from mohs.scores import Scores

# Enough to see whether wording binds the order of topics, in a second.
_PERMUTATIONS = 1000


def tried_on(scores: Scores, asked: Asked) -> Section:
    """Make the experiment; if the scores are not made for it, say why."""
    try:
        found = formulations(scores, permutations=_PERMUTATIONS, seed=asked.seed)
    except InputError as error:
        told = f"The experiment cannot be made: {printable(str(error))}."
        return Section("formulations", "Formulations", (told,))
    return section_of(found, asked.theme)


def section_of(found: Formulations, theme: str) -> Section:
    """Lay out the experiment, and every topic at its worst and at its best."""
    told = (sentence(found.reading),)
    grids = _experiment(found), _wording(found)
    figures = (
        drawn(
            found,
            "The best order that any pair reaches, observed and by chance",
            theme=theme,
        ),
        drawn(
            found,
            "Topics at their worst, in the mean, and at their best wording",
            theme=theme,
            show="wording",
        ),
    )
    return Section("formulations", "Formulations", told, grids=grids, figures=figures)


def _experiment(found: Formulations) -> Grid:
    table = found.tables()["formulations"]
    low, high = values(table, "null_low"), values(table, "null_high")
    columns = (
        names("null", values(table, "null")),
        counts("pairs", values(table, "pairs")),
        counts("topics", values(table, "topics")),
        counts("formulations", values(table, "formulations")),
        numbers("mean best τ", values(table, "mean_best"), 3),
        numbers("sd", values(table, "sd_best"), 3),
        numbers("by chance", values(table, "null_mean_best"), 3),
        intervals("chance band", low, high, digits=3),
        chances("p", values(table, "p")),
    )
    caption = "How well formulations can put topics into any order"
    notes = tuple(map(sentence, found.notes))
    return Grid("formulations", caption, columns, table, sorts=False, notes=notes)


def _wording(found: Formulations) -> Grid:
    table = found.tables()["wording"]
    columns = [
        names("topic", values(table, "topic")),
        counts("formulations", values(table, "formulations")),
    ]
    columns += [
        numbers(name, values(table, name), 3)
        for name in ("mean", "worst", "best", "spread")
    ]
    for label, name in (
        ("by mean", "class"),
        ("at worst", "class_worst"),
        ("at best", "class_best"),
    ):
        texts = tuple(text or "" for text in values(table, name))
        places = {each: float(at) for at, each in enumerate(TONES)}
        keys = tuple(places.get(text, 9.0) for text in texts)
        columns.append(Column(label, texts, keys, "class"))
    caption = f"What topics owe to their wording (mean {printable(found.measure)})"
    return Grid("wording", caption, tuple(columns), table)
