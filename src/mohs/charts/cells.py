"""Cells: a number for every pair of a row and a column, darker where there is more.

Beside numbers, a cell may belong to a class, as a topic does by the word of a strategy;
then its colour is that of the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import altair as alt
import numpy as np

from mohs.charts.drawing import CHARTS
from mohs.charts.rows import letters, number, tall, tips
from mohs.charts.themes import CLASSES
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Record = dict[str, Any]

_CELL = 64
_LABEL = 260
_SERIOUS = len(CLASSES) - 1  # the last of them says that there is none
# From which share of the way to the darkest colour letters are those of the ground.
_DARK = {"taus": 0.6, "shares": 0.4}


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Numbers of R rows and C columns, ``values`` (R, C), NaN where there is none.

    ``taus`` lie between -1 and 1; ``shares`` are at least about 0, and small ones are
    kept apart. With ``classes``, R tuples of C, a colour is that of the class instead,
    and ``form`` is that of what is written.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    title: str
    about: tuple[str, ...]
    kind: Literal["taus", "shares", "classes"] = "shares"
    name: str = "value"
    form: str = ".2f"
    classes: tuple[tuple[str | None, ...], ...] = ()


@CHARTS.add("Cells")
def cells(result: Cells, /, *, title: str | None = None) -> alt.LayerChart:
    """Draw a cell for every number."""
    records = [*_records(result)]
    base = alt.Chart({"name": "cells"}).encode(
        x=_across(result.columns),
        y=_down(result.rows),
    )
    colour = _classed if result.kind == "classes" else _shaded
    text = alt.Text("value:Q", format=result.form)
    size = letters(len(result.rows))
    layers = [
        *colour(base, result),
        base.transform_filter("datum.dark").mark_text(style="blank", fontSize=size),
        base.transform_filter("!datum.dark").mark_text(fontSize=size),
    ]
    for place in (-2, -1):
        layers[place] = layers[place].encode(text=text)
    return alt.LayerChart(
        layer=layers,
        datasets={"cells": records},
        title=alt.TitleParams(
            title or result.title, subtitle=[*result.about], offset=12
        ),
        width=_CELL * len(result.columns),
        height=tall(len(result.rows)),
    )


def _records(result: Cells) -> Sequence[Record]:
    known = [
        (row, column)
        for row in range(len(result.rows))
        for column in range(len(result.columns))
        if not np.isnan(result.values[row, column])
    ]
    records: list[Record] = []
    for row, column in known:
        value = float(result.values[row, column])
        record: Record = {
            "row": printable(result.rows[row]),
            "column": printable(result.columns[column]),
            "value": number(value),
        }
        if result.classes:
            record["class"] = result.classes[row][column]
        records.append(record | {"dark": _is_dark(result, value, record.get("class"))})
    return records


def _is_dark(result: Cells, value: float, named: str | None) -> bool:
    if result.kind == "classes":
        return named in CLASSES[:_SERIOUS]
    if result.kind == "taus":
        return abs(value) >= _DARK["taus"]
    share = max(value, 0.0) / (_most(result) or 1.0)
    return float(np.sqrt(share)) >= _DARK["shares"]


def _most(result: Cells) -> float:
    return float(np.nanmax(result.values, initial=0.0))


def _down(names: Sequence[str]) -> alt.Y:
    axis = alt.Axis(
        title=None,
        ticks=False,
        domain=False,
        grid=False,
        labelOverlap=False,
        labelLimit=_LABEL,
        labelFontSize=letters(len(names)),
    )
    scale = alt.Scale(domain=[*map(printable, names)], padding=0.04)
    return alt.Y("row:N", axis=axis, scale=scale, sort=None)


def _across(names: Sequence[str]) -> alt.X:
    axis = alt.Axis(
        orient="top",
        title=None,
        ticks=False,
        domain=False,
        grid=False,
        labelAngle=-40,
        labelOverlap=False,
        labelLimit=_LABEL,
    )
    scale = alt.Scale(domain=[*map(printable, names)], padding=0.02)
    return alt.X("column:N", axis=axis, scale=scale, sort=None)


def _shaded(base: alt.Chart, result: Cells) -> list[alt.Chart]:
    """Colour by the number: from turned round to the same, or from little to much."""
    if result.kind == "taus":
        scale = alt.Scale(domain=[-1, 0, 1], range="diverging", interpolate="rgb")
    else:
        scale = alt.Scale(
            domain=[0, _most(result) or 1.0],
            range="heatmap",
            interpolate="rgb",
            type="sqrt",
            clamp=True,
        )
    legend = alt.Legend(title=result.name, gradientLength=140, format=result.form)
    told = {"row": ("row", ""), "column": ("column", "")}
    shown = tips({**told, "value": (result.name, ".4f")})
    colour = alt.Color("value:Q", scale=scale, legend=legend)
    return [base.mark_rect().encode(color=colour, tooltip=shown)]


def _classed(base: alt.Chart, result: Cells) -> list[alt.Chart]:
    """Colour by the class; what is in the middle is grey, and without one blank."""
    named = [*CLASSES[:_SERIOUS]]
    shown = tips(
        {
            "row": ("topic", ""),
            "column": ("strategy", ""),
            "class": ("class", ""),
            "value": (result.name, result.form),
        }
    )
    legend = alt.Legend(
        title=None, orient="bottom", symbolType="square", symbolOpacity=1
    )
    scale = alt.Scale(domain=[*CLASSES], range="ordinal")
    legend.values = named
    colour = alt.Color("class:O", scale=scale, legend=legend)
    middle = base.transform_filter("datum.class === 'medium'")
    classed = base.transform_filter(alt.FieldOneOfPredicate("class", named))
    return [
        middle.mark_rect(style="band").encode(tooltip=shown),
        classed.mark_rect().encode(color=colour, tooltip=shown),
    ]
