"""The picture of topic difficulty: figure 1 of Gienapp et al. [1]_, with its chances.

Every topic is a row. At the left a box plot shows NDCG_std of all systems; at the right
stand the difficulty, its interval, and the band within which chance alone would put it.

References
----------
.. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
   cumulated gain", CIKM 2020, figure 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import altair as alt

from mohs.charts.drawing import CHARTS
from mohs.charts.rows import in_rows, letters, step, tall, tips
from mohs.charts.strips import arrange, caption, measured
from mohs.charts.themes import CLASSES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.analysis.difficulty import Difficulty, Part, Solution
    from mohs.charts.strips import Strips

    Tip = tuple[str, str]  # title and format

_BOXES, _RATIOS = 420, 190
_LONG = 30

_BOX_TIPS = {
    "topic": ("topic", ""),
    "query": ("query", ""),
    "systems": ("systems", "d"),
    "best": ("best", ".3f"),
    "q3": ("third quartile", ".3f"),
    "middle": ("median", ".3f"),
    "q1": ("first quartile", ".3f"),
    "worst": ("worst", ".3f"),
    "mean": ("mean", ".3f"),
}
_RATIO_TIPS = {
    "topic": ("topic", ""),
    "query": ("query", ""),
    "class": ("class", ""),
    "difficulty": ("difficulty", ".3f"),
    "wins": ("systems that win", "d"),
    "systems": ("of systems", "d"),
    "low": ("interval from", ".3f"),
    "high": ("interval to", ".3f"),
    "chance": ("by chance", ".3f"),
    "chance_low": ("chance band from", ".3f"),
    "chance_high": ("chance band to", ".3f"),
    "p": ("p", ".2g"),
}


@CHARTS.add("Difficulty")
def difficulty(
    result: Difficulty, /, *, title: str | None = None
) -> alt.HConcatChart | alt.VConcatChart:
    """Draw a row for every topic; sub-corpora stand one below the other."""
    drawn = [(_arranged(part), part.solution) for part in result.parts]
    data = {name: rows for strips, _ in drawn for name, rows in _data(strips).items()}
    figures = [_figure(strips, solution, title) for strips, solution in drawn]
    if len(figures) > 1:
        apart = alt.Resolve(scale=alt.ScaleResolveMap(color="independent"))
        return alt.vconcat(*figures, spacing=40, datasets=data, resolve=apart)
    figures[0].datasets = data
    return figures[0]


def _arranged(part: Part) -> Strips:
    topics = part.solution.problem.topics
    texts = dict(zip(topics, part.texts or [None] * len(topics), strict=True))
    corpora = part.keys["corpus"].texts() if "corpus" in part.keys else []
    return arrange(part.solution, next(iter(corpora), None) or "", texts)


def _data(strips: Strips) -> dict[str, Sequence[Mapping[str, Any]]]:
    data = {
        "topics": strips.rows,
        "outliers": strips.points,
        "beyond": strips.edges,
        "once": [{"topic": name} for name in strips.names[:1]],
    }
    return {_name(strips, name): [*rows] for name, rows in data.items()}


def _name(strips: Strips, name: str) -> str:
    return f"{name} of {strips.part}" if strips.part else name


def _figure(strips: Strips, solution: Solution, title: str | None) -> alt.HConcatChart:
    told = title or _title(strips)
    heading = alt.TitleParams(
        f"{strips.part}: {told}" if strips.part else told,
        subtitle=caption(solution, strips),
        offset=12,
    )
    panels = _boxes(strips, measured(solution)), _ratios(strips)
    return alt.hconcat(*panels, title=heading, spacing=10)


def _title(strips: Strips) -> str:
    rated = sum("difficulty" in row for row in strips.rows)
    left = len(strips.rows) - rated
    told = f"Difficulty of {rated} topic" + "s" * (rated != 1)
    return f"{told}; {left} left out" if left else told


def _of(strips: Strips, data: str) -> alt.Chart:
    return alt.Chart({"name": _name(strips, data)})


def _boxes(strips: Strips, measure: str) -> alt.LayerChart:
    """Box plots with a zero line, outliers, and notes where there is no box."""
    rows = _of(strips, "topics")
    height = step(len(strips.names))
    told = tips(_known(_BOX_TIPS, strips))
    scale = alt.Scale(domain=[strips.window.low, strips.window.high], nice=False)
    x = alt.X("from:Q", scale=scale, axis=None)
    boxed = rows.transform_filter("isValid(datum.q1)")
    noted = rows.transform_filter("isValid(datum.note)")
    layers = [
        boxed.mark_rule(style="whisker", clip=True).encode(
            x, in_rows("topic", strips.names), x2="to:Q"
        ),
        boxed.mark_bar(style="box", clip=True, height={"band": 0.62}).encode(
            x="q1:Q", y="topic:N", x2="q3:Q", tooltip=told
        ),
        boxed.mark_tick(
            style="median", clip=True, thickness=2, size=0.62 * height
        ).encode(x="middle:Q", y="topic:N", tooltip=told),
        _of(strips, "once")
        .mark_rule(style="zero")
        .encode(x=alt.datum(0, type="quantitative")),
        noted.mark_bar(style="blank", height={"band": 1}).encode(
            x=alt.value(1), y="topic:N", x2=alt.value(_BOXES)
        ),
        noted.mark_text(
            style="note", align="left", fontSize=letters(len(strips.names))
        ).encode(x=alt.value(8), y="topic:N", text="note:N"),
        *_outliers(strips, measure),
    ]
    frame = _frame(strips, scale, f"{measure} of the systems")
    return _panel(frame, alt.LayerChart(layer=layers), strips, _BOXES)


def _outliers(strips: Strips, measure: str) -> list[alt.Chart]:
    """Points within the window, and arrows at its edge for what lies beyond."""
    told = tips(
        {"system": ("system", ""), "topic": ("topic", ""), "value": (measure, ".3f")}
    )
    points = _of(strips, "outliers")
    layers = [
        points.mark_point(style="outlier", size=14, filled=True, opacity=1).encode(
            x="value:Q", y="topic:N", tooltip=told
        )
    ]
    for side, place, shape in ((-1, 0, "triangle-left"), (1, _BOXES, "triangle-right")):
        arrows = _of(strips, "beyond").transform_filter(f"datum.side == {side}")
        arrows = arrows.mark_point(
            style="outlier", shape=shape, size=40, filled=True, opacity=1
        )
        layers.append(arrows.encode(x=alt.value(place), y="topic:N", tooltip=told))
    return layers


def _ratios(strips: Strips) -> alt.LayerChart:
    """Chance bands below intervals and dots, and the numbers beside them."""
    rows = _of(strips, "topics")
    rows = rows.transform_filter("isValid(datum.difficulty)")
    height = step(len(strips.names))
    told, colour = tips(_known(_RATIO_TIPS, strips)), _colour(strips)
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("chance_low:Q", scale=scale, axis=None)
    layers = [
        rows.mark_bar(style="band", height={"band": 0.8}).encode(
            x,
            in_rows("topic", strips.names, labels=False),
            x2="chance_high:Q",
            tooltip=told,
        ),
        rows.mark_tick(style="chance", thickness=1.5, size=0.8 * height).encode(
            x="chance:Q", y="topic:N", tooltip=told
        ),
        rows.mark_rule(strokeWidth=2).encode(
            x="low:Q", y="topic:N", x2="high:Q", color=colour, tooltip=told
        ),
        rows.mark_point(filled=True, opacity=1, size=3.4 * height).encode(
            x="difficulty:Q", y="topic:N", color=colour, tooltip=told
        ),
        rows.mark_text(
            align="left", dx=8, fontWeight="bold", fontSize=letters(len(strips.names))
        ).encode(
            x=alt.value(_RATIOS),
            y="topic:N",
            color=colour,
            text=alt.Text("difficulty:Q", format=".2f"),
        ),
    ]
    title = "difficulty: 1 = easiest, 0 = hardest"
    frame = _frame(strips, scale, title, values=[0, 0.25, 0.5, 0.75, 1], format=".2~f")
    return _panel(frame, alt.LayerChart(layer=layers), strips, _RATIOS)


def _frame(
    strips: Strips,
    scale: alt.Scale,
    title: str,
    **axis: Any,  # noqa: ANN401
) -> list[alt.Chart]:
    """Show the axis above the rows, and below them too if that is far away."""
    sides: list[Literal["top", "bottom"]] = ["top"]
    if len(strips.names) > _LONG:
        sides.append("bottom")
    nothing = _of(strips, "once").mark_point(opacity=0)
    axes = [
        alt.Axis(orient=side, title=title, tickCount=8, grid=side == "top", **axis)
        for side in sides
    ]
    # Without a y of their own, two of them in nested panels are more than Vega takes.
    return [
        nothing.encode(
            x=alt.X(datum=0, type="quantitative", scale=scale, axis=each), y="topic:N"
        )
        for each in axes
    ]


def _panel(
    frame: Sequence[alt.Chart], layers: alt.LayerChart, strips: Strips, width: float
) -> alt.LayerChart:
    height = tall(len(strips.names))
    apart = alt.Resolve(scale=alt.ScaleResolveMap(x="independent"))
    return alt.LayerChart(
        layer=[*frame, layers], width=width, height=height, resolve=apart
    )


def _colour(strips: Strips) -> alt.Color:
    legend = alt.Legend(
        title=None,
        orient="bottom",
        columns=len(CLASSES),
        columnPadding=24,
        values=strips.classes,
        symbolType="circle",
        symbolOpacity=1,
        symbolStrokeWidth=0,
    )
    scale = alt.Scale(domain=[*CLASSES], range="ordinal")
    return alt.Color("class:O", scale=scale, legend=legend)


def _known(figures: Mapping[str, Tip], strips: Strips) -> dict[str, Tip]:
    """Return the figures that some topic has."""
    known = {name for row in strips.rows for name in row}
    return {name: tip for name, tip in figures.items() if name in known}
