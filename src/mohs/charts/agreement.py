"""Pictures of agreement: scatter-plot matrices, as in Zampieri et al. [1]_, and heat.

Every panel sets the difficulties of topics on one side against those on another. Below
the diagonal are the points, above it stands what they amount to.

References
----------
.. [1] Zampieri et al., "On topic difficulty in IR evaluation: the effect of systems,
   corpora, and system components", SIGIR 2019.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import altair as alt
import numpy as np

from mohs.charts.drawing import CHARTS, Draw
from mohs.charts.rows import several
from mohs.registry import Registry
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from altair.typing import ChartType

    from mohs.analysis.agreement import Agreement
    from mohs.analysis.agreement.pairs import Pair

    Record = dict[str, Any]

_MOST = 15  # pairs that are drawn point by point, unless that is asked for
_PANEL, _LONE, _CELL = 130, 240, 54
_ACROSS = 3
_STRONG = 0.6  # from here on, letters of the ground stand out from the colour more
_LABEL = 180


SHOWS: Registry[Draw] = Registry("picture of agreement")


@CHARTS.add("Agreement")
def agreement(
    result: Agreement,
    /,
    *,
    show: str | None = None,
    **options: Any,  # noqa: ANN401 (those of the picture)
) -> ChartType:
    """Draw what sides agree on.

    Parameters
    ----------
    result
        What `mohs.agree` returns.
    show
        ``scatter``: a point for every topic; ``heat``: a colour for every pair, which
        is the default where there are many pairs.
    **options
        A ``title``.
    """
    usual = "heat" if len(result.pairs) > _MOST else "scatter"
    return SHOWS[show or usual](result, **options)


@SHOWS.add("scatter")
def scatter(result: Agreement, /, *, title: str | None = None) -> alt.ConcatChart:
    """Draw a panel for each pair: a triangle where every two sides were compared."""
    return (_matrix if _is_whole(result) else _row)(result, title)


def _is_whole(result: Agreement) -> bool:
    """Return whether every two sides were compared."""
    compared = [(pair.left.name, pair.right.name) for pair in result.pairs]
    return compared == list(combinations(_names(result), 2)) and len(compared) > 1


def _names(result: Agreement) -> list[str]:
    return [side.name for side in result.sides]


def _matrix(result: Agreement, title: str | None) -> alt.ConcatChart:
    """Draw points below the diagonal, names on it, and τ_b above."""
    names = _names(result)
    pairs = {(pair.left.name, pair.right.name): pair for pair in result.pairs}
    scale = _scale(result)
    panels = []
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if row == column:
                panels.append(_named(one))
            elif row < column:
                panels.append(_told(pairs[one, other]))
            else:
                edges = column == 0, row == len(names) - 1
                panels.append(_scatter(pairs[other, one], scale, edges))
    return alt.concat(
        *panels,
        columns=len(names),
        spacing=20,
        bounds="flush",
        title=_heading(result, title),
    )


def _row(result: Agreement, title: str | None) -> alt.ConcatChart:
    """Draw one panel for each pair, the left side along the axis at the bottom."""
    scale = _scale(result)
    panels = [
        _scatter(pair, scale, (True, True), size=_LONE, told=True)
        for pair in result.pairs
    ]
    columns = min(_ACROSS, math.ceil(math.sqrt(len(panels))))
    heading = _heading(result, title)
    return alt.concat(*panels, columns=columns, spacing=30, title=heading)


def _heading(result: Agreement, title: str | None) -> alt.TitleParams:
    lines = [
        f"Every point is a topic: its {_meaning(result)} over the systems of each side",
        "Hard topics stand at the lower left",
        "Line: equal difficulty; tau_b with its 95% interval, bootstrap over topics",
    ]
    drawn = {len(side.difficulty) for side in result.sides} - {1}
    if drawn:
        lines.append(
            f"Random sets: points of the first of {max(drawn)} draws, tau_b over all"
        )
    told = title or "Agreement on which topics are hard"
    return alt.TitleParams(told, subtitle=lines, offset=14)


def _meaning(result: Agreement) -> str:
    measures = dict.fromkeys(side.matrix.measure for side in result.sides)
    return f"mean {' or '.join(map(printable, measures))}"


def _scale(result: Agreement) -> alt.Scale:
    """Return one scale for all axes, so that the diagonal means equality."""
    values = np.concatenate(
        [each.ravel() for pair in result.pairs for each in (pair.x[:1], pair.y[:1])]
    )
    lowest, highest = float(values.min(initial=0.0)), float(values.max(initial=0.0))
    return alt.Scale(domain=[lowest, highest if highest > lowest else 1.0], nice=True)


def _scatter(
    pair: Pair,
    scale: alt.Scale,
    edges: tuple[bool, bool],
    *,
    size: int = _PANEL,
    told: bool = False,
) -> alt.LayerChart:
    """Draw the topics of a pair; `edges` say whether labels are left and below."""
    left, right = printable(pair.left.name), printable(pair.right.name)
    points = [
        {"topic": printable(topic), "x": x, "y": y}
        for topic, x, y in zip(
            pair.topics, pair.x[0].tolist(), pair.y[0].tolist(), strict=True
        )
    ]
    axis_x = _axis(left if told else None, labels=edges[1])
    axis_y = _axis(right if told else None, labels=edges[0])
    tips = [
        alt.Tooltip("topic:N"),
        alt.Tooltip("x:Q", title=left, format=".3f"),
        alt.Tooltip("y:Q", title=right, format=".3f"),
    ]
    marks = alt.Chart(alt.InlineData(values=points))
    marks = marks.mark_point(
        style="estimate", filled=True, size=22, opacity=0.75
    ).encode(
        x=alt.X("x:Q", scale=scale, axis=axis_x),
        y=alt.Y("y:Q", scale=scale, axis=axis_y),
        tooltip=tips,
    )
    line = _once().mark_rule(style="chance", strokeDash=[4, 3])
    line = line.encode(
        x=alt.value(0), y=alt.value(size), x2=alt.value(size), y2=alt.value(0)
    )
    layers = [line, marks]
    if told:
        value, *rest = _figures(pair)
        lines = [f"tau_b {value}", *rest]
        layers.append(_label(lines, size=11, x=6, y=10, align="left"))
    return alt.LayerChart(layer=layers, width=size, height=size)


def _axis(title: str | None, *, labels: bool) -> alt.Axis:
    return alt.Axis(
        title=title, labels=labels, ticks=labels, tickCount=4, titleLimit=_LONE
    )


def _named(name: str) -> alt.LayerChart:
    """Write what stands in this row and column."""
    middle = _PANEL / 2
    words = _wrapped(printable(name))
    return _blank([_label(words, size=13, x=middle, y=middle, bold=True)])


def _told(pair: Pair) -> alt.LayerChart:
    """Write what the mirrored panel amounts to."""
    middle = _PANEL / 2
    value, *rest = _figures(pair)
    return _blank(
        [
            _label([value], size=20, x=middle, y=middle - 18),
            _label(rest, size=11, x=middle, y=middle + 10, style="note"),
        ]
    )


def _figures(pair: Pair) -> list[str]:
    topics = several(len(pair.topics), "topic")
    if np.isnan(pair.tau_b):
        return ["none", topics]
    interval = f"{_short(pair.low)} to {_short(pair.high)}"
    return [_short(pair.tau_b), interval, topics]


def _short(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")  # noqa: RUF001 (as the axes write it)


def _wrapped(name: str) -> list[str]:
    """Break the name of a set of somewhere into two lines."""
    head, of, tail = name.partition(" of ")
    return [head, f"of {tail}"] if of else [name]


def _blank(layers: Sequence[alt.Chart]) -> alt.LayerChart:
    return alt.LayerChart(layer=[*layers], width=_PANEL, height=_PANEL)


def _label(  # noqa: PLR0913 (a text and where it stands)
    lines: Sequence[str],
    *,
    size: int,
    x: float,
    y: float,
    align: Literal["left", "center"] = "center",
    style: str = "plain",
    bold: bool = False,
) -> alt.Chart:
    mark = _once().mark_text(
        style=style,
        align=align,
        baseline="middle",
        fontSize=size,
        fontWeight="bold" if bold else "normal",
        lineHeight=size + 4,
        limit=_PANEL - 4 if align == "center" else _LONE,
    )
    # A single line in a list would be written as a list.
    text = [*lines] if len(lines) > 1 else lines[0]
    drawn: alt.Chart = mark.encode(x=alt.value(x), y=alt.value(y), text=alt.value(text))
    return drawn


def _once() -> alt.Chart:
    return alt.Chart(alt.InlineData(values=[{}]))


@SHOWS.add("heat")
def heat(result: Agreement, /, *, title: str | None = None) -> alt.LayerChart:
    """Draw a cell for each pair, and its mirror image if every two were compared."""
    whole = _is_whole(result)
    cells = [_cell(pair) for pair in result.pairs]
    if whole:
        cells += [_mirrored(cell) for cell in cells]
    rows = _names(result) if whole else [pair.left.name for pair in result.pairs]
    columns = _names(result) if whole else [pair.right.name for pair in result.pairs]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=_band("right", columns, "top"),
        y=_band("left", rows, "left"),
        tooltip=[
            alt.Tooltip("left:N"),
            alt.Tooltip("right:N"),
            alt.Tooltip("topics:Q"),
            *(
                alt.Tooltip(f"{name}:Q", format=".3f")
                for name in ("tau_b", "low", "high", "overlap")
            ),
        ],
    )
    colour = alt.Color(
        "tau_b:Q",
        scale=alt.Scale(domain=[-1, 0, 1], range="diverging", interpolate="rgb"),
        legend=alt.Legend(title="tau_b", orient="right", gradientLength=160),
    )
    none = base.transform_filter("!isValid(datum.tau_b)")
    base = base.transform_filter("isValid(datum.tau_b)")
    strong = f"abs(datum.tau_b) >= {_STRONG}"
    text = alt.Text("tau_b:Q", format=".2f")
    layers = [
        base.mark_rect().encode(color=colour),
        base.transform_filter(strong)
        .mark_text(style="blank", fontWeight="bold")
        .encode(text=text),
        base.transform_filter(f"!({strong})")
        .mark_text(fontWeight="bold")
        .encode(text=text),
        none.mark_text(style="note").encode(text=alt.value("none")),
    ]
    heading = alt.TitleParams(
        title or "Agreement on which topics are hard",
        subtitle=[
            f"tau_b of the {_meaning(result)} of {_counted(result)}",
            "Tip: its 95% interval, bootstrap over topics",
        ],
        offset=14,
    )
    step = alt.Step(_CELL)
    return alt.LayerChart(layer=layers, width=step, height=step, title=heading)


def _counted(result: Agreement) -> str:
    """Say how many topics the pairs have."""
    counts = sorted({len(pair.topics) for pair in result.pairs})
    if len(counts) > 1:
        return f"{counts[0]:,} to {counts[-1]:,} topics"
    return several(counts[0], "topic")


def _cell(pair: Pair) -> Record:
    figures = {
        "tau_b": pair.tau_b,
        "low": pair.low,
        "high": pair.high,
        "overlap": pair.overlap,
    }
    return {
        "left": printable(pair.left.name),
        "right": printable(pair.right.name),
        "topics": len(pair.topics),
        # NaN is the only number that differs from itself, and JSON has none.
        **{name: value for name, value in figures.items() if value == value},  # noqa: PLR0124
    }


def _mirrored(cell: Mapping[str, Any]) -> Record:
    return {**cell, "left": cell["right"], "right": cell["left"]}


def _band(field: str, names: Sequence[str], side: Literal["top", "left"]) -> Any:  # noqa: ANN401 (x or y)
    axis = alt.Axis(
        orient=side,
        title=None,
        ticks=False,
        domain=False,
        grid=False,
        labelLimit=_LABEL,
        labelAngle=-45 if side == "top" else 0,
    )
    domain = [*dict.fromkeys(map(printable, names))]
    scale = alt.Scale(domain=domain, padding=0.04)
    kind = alt.X if side == "top" else alt.Y
    return kind(f"{field}:N", axis=axis, scale=scale, sort=None)
