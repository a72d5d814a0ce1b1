"""The picture of components: figures 4 and 5 of Zampieri et al. [1]_.

Every level has a panel with a bar for each topic, from the largest gain to the largest
loss. Panels of one component share their scale.

References
----------
.. [1] Zampieri et al., "On topic difficulty in IR evaluation: the effect of systems,
   corpora, and system components", SIGIR 2019, figures 4 and 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.analysis.components.result import summarise
from mohs.charts.drawing import CHARTS
from mohs.charts.rows import number, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mohs.analysis.components import Components
    from mohs.analysis.components.effects import Effect

    Record = dict[str, Any]
    Span = tuple[float, float]

_WIDTH, _HEIGHT = 760, 130
_WIDE, _NARROW, _THIN = 16.0, 8.5, 2.0
_NAMED = 300  # topics, from which on ids would make the picture wider than any page
_LETTER = 11.0
_LEAST = 0.005  # what a scale reaches to where nothing has an effect

_TIPS = {
    "topic": ("topic", ""),
    "delta": ("difference", "+.4f"),
    "low": ("interval from", "+.4f"),
    "high": ("interval to", "+.4f"),
    "one": ("mean with it", ".4f"),
    "other": ("mean without", ".4f"),
    "systems": ("systems", "d"),
}
_FIGURES = [name for name in _TIPS if name != "topic"]


@CHARTS.add("Components")
def components(result: Components, /, *, title: str | None = None) -> alt.VConcatChart:
    """Draw a panel for every level, with a bar for every topic."""
    spans = _spans(result.effects)
    panels, data = [], {}
    for place, effect in enumerate(result.effects, start=1):
        name = f"effect {place}"  # whatever a level is called
        data[name] = list(_records(result.topics, effect))
        panel = _panel(name, data[name], spans[effect.component], result.measure)
        panels.append(panel.properties(title=_heading(effect)))
    chart = alt.vconcat(*panels, spacing=24, datasets=data)
    return chart.properties(
        title=alt.TitleParams(
            title
            or f"Effects of components on {printable(result.measure)}, topic by topic",
            subtitle=_caption(result),
            offset=16,
        )
    )


def _records(topics: Iterable[str], effect: Effect) -> Iterable[Record]:
    """Yield what is drawn of each topic, the largest gain first."""
    known = (
        pair
        for pair in zip(topics, effect.contrasts, strict=True)
        if not np.isnan(pair[1].delta)
    )
    for topic, contrast in sorted(known, key=lambda pair: -pair[1].delta):
        yield {
            "topic": printable(topic),
            **{name: number(getattr(contrast, name)) for name in _FIGURES},
            "clear": contrast.low > 0 or contrast.high < 0,
        }


def _spans(effects: Iterable[Effect]) -> Mapping[str, Span]:
    """Return the lowest and the highest end of a bar or whisker, by component."""
    spans: dict[str, Span] = {}
    for effect in effects:
        ends = [effect.column(name) for name in ("delta", "low", "high")]
        low, high = spans.get(effect.component, (-_LEAST, _LEAST))
        spans[effect.component] = (
            min(low, float(np.nanmin(ends))),
            max(high, float(np.nanmax(ends))),
        )
    return spans


def step(topics: int) -> float:
    """Return the width of a bar: the more topics, the less, while ids stay legible.

    Examples
    --------
    >>> step(10), step(50), step(250), step(1000)
    (16.0, 15.2, 8.5, 2.0)
    """
    if topics > _NAMED:
        return _THIN
    return min(max(_WIDTH / topics, _NARROW), _WIDE)


def _panel(
    name: str, records: list[Record], span: Span, measure: str
) -> alt.LayerChart:
    rows = alt.Chart({"name": name})
    x, shown = _in_columns(records), tips(_TIPS)
    y = alt.Y(
        "delta:Q",
        scale=alt.Scale(domain=span),
        title=f"difference of {printable(measure)}",
        axis=alt.Axis(tickCount=5, format="+.2~f", titleFontSize=_LETTER),
    )
    pale = alt.condition("datum.clear", alt.value(1), alt.value(0.45))
    bars = [
        rows.transform_filter(f"datum.delta {sign} 0")
        .mark_bar(style=style)
        .encode(x=x, y=y, opacity=pale, tooltip=shown)
        for sign, style in ((">", "gain"), ("<=", "loss"))
    ]
    zero = rows.mark_rule(style="zero", strokeWidth=0.5).encode(
        y=alt.datum(0, type="quantitative")
    )
    # Whiskers in the colour of text can be seen on bars of any colour.
    whiskers = rows.transform_filter("isValid(datum.low)").mark_rule(
        style="median", strokeWidth=0.8
    )
    whiskers = whiskers.encode(x=x, y="low:Q", y2="high:Q", tooltip=shown)
    width = step(len(records)) * len(records)
    return alt.LayerChart(layer=[zero, *bars, whiskers], width=width, height=_HEIGHT)


def _in_columns(records: list[Record]) -> alt.X:
    """Give every topic a column, in the order of the records."""
    axis = alt.Axis(
        labels=len(records) <= _NAMED,
        labelAngle=-90,
        labelFontSize=min(_LETTER, step(len(records)) - 1),
        labelOverlap=False,
        labelLimit=80,
        ticks=False,
        domain=False,
    )
    scale = alt.Scale(domain=[each["topic"] for each in records], padding=0.1)
    title = None if len(records) <= _NAMED else "topics"
    return alt.X("topic:N", axis=axis, scale=scale, sort=None, title=title)


def _heading(effect: Effect) -> alt.TitleParams:
    found = summarise(effect)
    clear = {side: found[f"clear_{side}"] for side in ("gains", "losses")}
    told = (
        f"{found['gains']:,} of {found['topics']:,} topics gain"
        f" ({clear['gains']} clearly),"
        f" {found['losses']} lose ({clear['losses']} clearly); mean"
        f" {found['mean']:+.4f}"
    )
    if not np.isnan(found["tau_b"]):
        told += f"; τ of difficulties with and without {found['tau_b']:.2f}"
    line = f"{effect.component}: {effect.level} instead of {effect.baseline}"
    return alt.TitleParams(
        printable(line),
        subtitle=told.replace("-", "−"),  # noqa: RUF001
        fontSize=12,
        offset=6,
    )


def _caption(result: Components) -> list[str]:
    compared = "pairs of systems that differ in the component alone"
    if not result.matched:
        compared = "all systems with the component and all systems in the baseline"
    drawn = "pairs" if result.matched else "systems"
    return [
        f"Bar: mean score with the component minus that without, over {compared}",
        f"Line: 95% interval, bootstrap over {drawn}; pale where it holds zero",
    ]
