"""How much topics owe to their wording: a row for each, and a dot per formulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.analysis.formulations.wording import CLASSES
from mohs.charts.rows import in_rows, number, tall, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mohs.analysis.formulations import Formulations

    Record = dict[str, Any]

_WIDE = 520

_DOT = {
    "topic": ("topic", ""),
    "formulation": ("formulation", ""),
    "value": ("mean over systems", ".4f"),
}
_ROW = {
    "topic": ("topic", ""),
    "mean": ("mean", ".4f"),
    "best": ("best", ".4f"),
    "worst": ("worst", ".4f"),
    "class_worst": ("class of the worst", ""),
    "class_best": ("class of the best", ""),
}


def wording(result: Formulations, /, *, title: str | None = None) -> alt.LayerChart:
    """Draw the topics from the easiest to the hardest."""
    found = result.overall
    order = np.argsort(-found.mean, kind="stable").tolist()
    names = [printable(result.panel.topics[topic]) for topic in order]
    measure = printable(result.measure)
    told = (
        f"{int(found.depends.sum())} of {len(names)} topics change their class with the"
        f" wording; {found.smaller:.0%} of pairs of topics differ less than their own"
        " formulations do"
    )
    caption = [
        "Dot: a formulation, mean over all systems; bar: mean over formulations",
        told,
    ]
    return alt.LayerChart(
        layer=_layers(names, measure),
        datasets={
            "topics": [*_topics(result, order)],
            "formulations": [*_dots(result, order)],
        },
        title=alt.TitleParams(
            title or f"{measure} of topics by formulation", subtitle=caption, offset=12
        ),
        width=_WIDE,
        height=tall(len(names)),
    )


def _topics(result: Formulations, order: list[int]) -> Iterable[Record]:
    found = result.overall
    for topic in order:
        _, worst, best = found.classes[:, topic].tolist()
        yield {
            "topic": printable(result.panel.topics[topic]),
            "mean": number(found.mean[topic]),
            "best": number(found.best[topic]),
            "worst": number(found.worst[topic]),
            "class_worst": CLASSES[worst],
            "class_best": CLASSES[best],
        }


def _dots(result: Formulations, order: list[int]) -> Iterable[Record]:
    panel, means = result.panel, result.means
    for topic in order:
        for cell in range(*panel.starts[topic : topic + 2]):
            if not np.isnan(means[cell]):
                yield {
                    "topic": printable(panel.topics[topic]),
                    "formulation": printable(panel.formulations[cell]),
                    "value": number(means[cell]),
                }


def _layers(names: list[str], measure: str) -> list[alt.Chart]:
    topics = alt.Chart({"name": "topics"})
    y, row = in_rows("topic", names), tips(_ROW)
    return [
        topics.mark_rule(style="whisker").encode(
            x=alt.X("worst:Q", title=measure, axis=alt.Axis(tickCount=8)),
            x2="best:Q",
            y=y,
            tooltip=row,
        ),
        topics.mark_tick(style="median", thickness=2, size=9).encode(
            x="mean:Q", y="topic:N", tooltip=row
        ),
        alt.Chart({"name": "formulations"})
        .mark_point(style="estimate", filled=True, opacity=0.6, size=28)
        .encode(x="value:Q", y="topic:N", tooltip=tips(_DOT)),
    ]
