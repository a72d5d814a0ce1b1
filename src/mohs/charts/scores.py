"""The picture of scores: topics from hard to easy, systems from best to worst.

Where the scores are many, neighbours in the order of systems, and of topics, share a
cell that shows their mean, so that no picture outgrows a screen or a mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.charts.drawing import CHARTS
from mohs.charts.rows import number, several, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.scores import Scores

    Floats = NDArray[np.float64]

_ROWS, _COLUMNS = 300, 200
_WIDTH, _TALL, _SHORT = 1100, 14.0, 9.0
_FEW = 100
_LETTER = 11.0
_DECIMALS = 4
_LEGIBLE = 8.5  # the least width of a column that can bear a name


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """Mean scores of R groups of topics under C groups of systems.

    ``values`` (R, C) are NaN where nothing is known; ``topics`` (R,) and ``systems``
    (C,) are labels.
    """

    values: Floats
    topics: tuple[str, ...]
    systems: tuple[str, ...]


@CHARTS.add("Scores")
def scores(
    result: Scores, /, *, title: str | None = None
) -> alt.LayerChart | alt.Chart:
    """Draw a cell for every topic and system, of one measure."""
    found = result.of_measure()
    measure = printable(found.measures[0])
    heat = arrange(found)
    systems = several(len(found.systems), "system")
    told = f"{measure} of {systems} on {several(len(found.topics), 'topic')}"
    return _cells(heat, measure).properties(
        title=alt.TitleParams(
            title or told,
            subtitle=_caption(found, heat),
            offset=12,
        )
    )


def _caption(scores: Scores, heat: Heat) -> list[str]:
    order = "Topics from hard (above) to easy, systems from best (left) to worst"
    systems = -(-len(scores.systems) // len(heat.systems))
    topics = -(-len(scores.topics) // len(heat.topics))
    lines = [order]
    if systems > 1:
        lines.append(f"A column is the mean of up to {systems} systems")
    if topics > 1:
        lines.append(f"A row is the mean of up to {topics} topics")
    if np.isnan(heat.values).any():
        lines.append("Blank: no score")
    return lines


def arrange(scores: Scores) -> Heat:
    """Order topics and systems by their means, and put neighbours together if many."""
    systems, topics = scores.factors["system"], scores.factors["topic"]
    cells = topics.codes * np.int64(len(systems.levels)) + systems.codes
    known = ~np.isnan(scores.values)
    size = len(topics.levels) * len(systems.levels)
    counts = np.bincount(cells[known], minlength=size).astype(np.float64)
    sums = np.bincount(cells[known], scores.values[known], minlength=size)
    shape = len(topics.levels), len(systems.levels)
    values = _ratio(sums, counts).reshape(shape)
    hard_first = np.argsort(_means(values, 1), kind="stable")
    best_first = np.argsort(-_means(values, 0), kind="stable")
    values = values[hard_first][:, best_first]
    rows, columns = _groups(shape[0], _ROWS), _groups(shape[1], _COLUMNS)
    values = np.stack([_means(values[each], 0) for each in rows])
    values = np.stack([_means(values[:, each], 1) for each in columns], axis=1)
    return Heat(
        values,
        _labels([topics.levels[code] for code in hard_first.tolist()], rows),
        _labels([systems.levels[code] for code in best_first.tolist()], columns),
    )


def _groups(size: int, most: int) -> list[slice]:
    """Split places into groups of one length, at most so many."""
    length = -(-size // most)
    return [slice(start, start + length) for start in range(0, size, length)]


def _labels(names: Sequence[str], groups: Sequence[slice]) -> tuple[str, ...]:
    chosen = (names[each] for each in groups)
    return tuple(
        printable(some[0] if len(some) == 1 else f"{some[0]} … {some[-1]}")
        for some in chosen
    )


def _means(values: Floats, axis: int) -> Floats:
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis))


def _ratio(sums: NDArray[Any], counts: NDArray[Any]) -> Floats:
    out = np.full(sums.shape, np.nan)
    means: Floats = np.divide(sums, counts, out=out, where=counts > 0)
    return means


def _cells(heat: Heat, measure: str) -> alt.Chart:
    """Embed a row of figures for every topic, and take it apart in the browser."""
    width = min(max(_WIDTH / len(heat.systems), 1.0), _TALL)
    height = _TALL if len(heat.topics) <= _FEW else _SHORT
    named = alt.LookupData({"name": "systems"}, key="place", fields=["system"])
    chart: alt.Chart = (
        alt.Chart({"name": "topics"}, datasets=_data(heat))
        .transform_flatten(["value"])
        .transform_window(place="row_number()", groupby=["topic"])
        .transform_lookup(lookup="place", from_=named)
        .transform_filter("isValid(datum.value)")
        .mark_rect(style="heat", aria=False)
        .encode(
            x=_axis("system", heat.systems, width, angle=-90),
            y=_axis("topic", heat.topics, height, angle=0),
            opacity=_depth(measure),
            tooltip=tips(
                {
                    "topic": ("topic", ""),
                    "system": ("system", ""),
                    "value": (measure, ".3f"),
                }
            ),
        )
    )
    return chart.properties(
        width=width * len(heat.systems), height=height * len(heat.topics)
    )


def _depth(measure: str) -> alt.Opacity:
    """Show a score by the depth of one colour, which holds on every ground."""
    legend = alt.Legend(symbolType="square", symbolSize=200, symbolStrokeWidth=0)
    scale = alt.Scale(range=[0.06, 1])
    return alt.Opacity("value:Q", title=measure, scale=scale, legend=legend)


def _data(heat: Heat) -> dict[str, Any]:
    rows = zip(heat.topics, heat.values.round(_DECIMALS).tolist(), strict=True)
    return {
        "topics": [{"topic": name, "value": [*map(number, row)]} for name, row in rows],
        "systems": [
            {"place": place, "system": name}
            for place, name in enumerate(heat.systems, start=1)
        ],
    }


def _axis(name: str, labels: Sequence[str], width: float, *, angle: float) -> Any:  # noqa: ANN401
    """Lay out labels in their order, if there is room for them."""
    channel = alt.X if angle else alt.Y
    return channel(
        f"{name}:N",
        scale=alt.Scale(domain=[*labels], padding=0),
        sort=None,
        title=f"{name}s" if width < _LEGIBLE else None,
        axis=alt.Axis(
            labels=width >= _LEGIBLE,
            labelAngle=angle,
            labelFontSize=min(_LETTER, width - 0.5),
            labelOverlap=False,
            labelLimit=160,
            ticks=False,
            domain=False,
        ),
    )
