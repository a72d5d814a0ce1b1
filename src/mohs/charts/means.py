"""Means of the levels of every factor: a panel for each, the highest mean on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import altair as alt

from mohs.analysis.anova.uncertainty import TOPIC
from mohs.charts.captions import about
from mohs.charts.rows import in_rows, letters, number, precision, tall, tips
from mohs.errors import UnknownNameError
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.anova import Anova
    from mohs.analysis.anova.design import Design

    Record = dict[str, Any]

_WIDE = 460
_MANY, _LONG = 60, 30

_INTERVAL = "95% interval of the mean, by t with the error of the model"


def means(
    result: Anova, /, *, factors: Sequence[str] = (), title: str | None = None
) -> alt.VConcatChart:
    """Draw a panel for every factor, or for those that are named."""
    design = result.parts.design
    chosen = check_factors(design, factors) or _chosen(design)
    panels = {name: _records(result, name) for name in chosen}
    every = [record for records in panels.values() for record in records]
    form = precision([record["mean"] for record in every])
    ends = [each for row in every for each in (row["low"], row["high"])]
    # Panels of one scale show which factor moves means the most.
    scale = alt.Scale(domain=_padded(ends), nice=False)
    left_out = [name for name in design.levels if name not in chosen]
    told = title or f"Mean {printable(result.measure)} of every level"
    return alt.vconcat(
        *(_panel(result, name, panels[name], scale, form) for name in chosen),
        datasets={_data(name): panels[name] for name in chosen},
        title=alt.TitleParams(
            told, subtitle=[*about(result), *_caption(design, left_out)], offset=12
        ),
        spacing=24,
    )


def check_factors(design: Design, factors: Sequence[str]) -> list[str]:
    """Return the names, each once, if the design has such factors.

    Raises
    ------
    UnknownNameError
        If it has not.
    """
    for name in factors:
        if name not in design.levels:
            raise UnknownNameError("factor in the formula", name, design.levels)
    return list(dict.fromkeys(factors))


def _chosen(design: Design) -> list[str]:
    """Leave out topics, and factors of many levels, but never all."""
    others = [name for name in design.levels if name != TOPIC] or [TOPIC]
    few = [name for name in others if design.size(name) <= _MANY]
    return few or [min(others, key=design.size)]


def _caption(design: Design, left_out: list[str]) -> list[str]:
    listed = ", ".join(
        f"{printable(name)} ({design.size(name):,} levels)" for name in left_out
    )
    return [f"Line: {_INTERVAL}", *([f"Not drawn: {listed}"] if listed else [])]


def _records(result: Anova, factor: str) -> list[Record]:
    table = result.marginal(factor)
    found = [
        {
            "factor": printable(factor),
            "level": printable(level),
            "mean": number(mean),
            "low": number(low),
            "high": number(high),
            "observations": count,
        }
        for _, level, mean, low, high, count in table.rows()
    ]
    return sorted(found, key=lambda record: -record["mean"])


def _padded(values: Sequence[float]) -> list[float | None]:
    low, high = min(values), max(values)
    room = 0.03 * (high - low) or 0.5
    return [number(low - room), number(high + room)]


def _data(factor: str) -> str:
    return f"means of {printable(factor)}"


def axis_of_means(measure: str, rows: int) -> alt.Axis:
    """Show the axis below the rows, or above where its end would be far away."""
    orient: Literal["top", "bottom"] = "top" if rows > _LONG else "bottom"
    title = f"mean {printable(measure)}"
    return alt.Axis(title=title, orient=orient, grid=False, tickCount=7)


def mean_tips(first: dict[str, str], form: str) -> list[alt.Tooltip]:
    """Say what the tip of a mean shows, with one digit more than beside it."""
    exact = f".{int(form[1]) + 2}f"
    return tips(
        {
            **{field: (told, "") for field, told in first.items()},
            "mean": ("mean", exact),
            "low": ("interval from", exact),
            "high": ("interval to", exact),
            "observations": ("observations", ",d"),
        }
    )


def _panel(
    result: Anova, factor: str, records: list[Record], scale: alt.Scale, form: str
) -> alt.LayerChart:
    names = [record["level"] for record in records]
    levels = alt.Chart({"name": _data(factor)})
    told = mean_tips({"level": printable(factor)}, form)
    x = alt.X("low:Q", axis=axis_of_means(result.measure, len(names)), scale=scale)
    return alt.LayerChart(
        layer=[
            levels.mark_rule(style="estimate", strokeWidth=2).encode(
                x=x, x2="high:Q", y=in_rows("level", names), tooltip=told
            ),
            levels.mark_point(style="estimate", filled=True, opacity=1, size=50).encode(
                x="mean:Q", y="level:N", tooltip=told
            ),
            levels.mark_text(align="left", fontSize=letters(len(names))).encode(
                x=alt.value(_WIDE + 10),
                y="level:N",
                text=alt.Text("mean:Q", format=form),
                tooltip=told,
            ),
        ],
        title=alt.TitleParams(
            printable(factor), fontSize=12, offset=2, anchor="start", frame="group"
        ),
        width=_WIDE,
        height=tall(len(names)),
    )
