"""The picture of the synthetic experiment: figure 2 of Moniz et al. [1]_.

Every mistake has a panel, and every distribution of scores a box of nDCG by φ. The rule
is nDCG by levels, which no distribution changes.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017,
   figure 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.analysis.relevance.synthetic import CUTOFF
from mohs.charts.boxes import Box
from mohs.charts.drawing import CHARTS
from mohs.charts.rows import number, tips

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mohs.analysis.relevance.synthetic import Experiment

    Record = dict[str, Any]

_WIDTH, _HEIGHT, _BOX = 260, 260, 36
# What the mistakes are to a reader; others go by their names.
_MISTAKES = {
    "swap": "Ranks 10 and 11 swapped",
    "inversion": "First ten ranks inverted",
}
_PARTS = ("low", "q1", "median", "q3", "high")
_TIPS = {
    "distribution": ("scores", ""),
    "samples": ("samples", ",d"),
    "median": ("median", ".4f"),
    "q1": ("lower quartile", ".4f"),
    "q3": ("upper quartile", ".4f"),
    "low": ("whisker from", ".4f"),
    "high": ("whisker to", ".4f"),
    "least": ("lowest", ".4f"),
    "most": ("highest", ".4f"),
}


@CHARTS.add("Experiment")
def experiment(result: Experiment, /, *, title: str | None = None) -> alt.HConcatChart:
    """Draw a panel for every scenario."""
    scenarios = dict.fromkeys(scenario for scenario, _ in result.phi)
    data = {scenario: [*_boxes(result, scenario)] for scenario in scenarios}
    panels = [_panel(scenario, data[scenario]) for scenario in scenarios]
    told = title or f"nDCG@{CUTOFF} by φ of rankings with one mistake"
    counts = sorted({len(values) for values in result.phi.values()})
    caption = [
        "Of each distribution "
        + " to ".join(f"{each:,}" for each in counts)
        + " samples",
        "Boxes: quartiles and median, whiskers up to 1.5 IQR; dots: lowest and highest",
        f"Rule: nDCG@{CUTOFF} by levels, the same for all samples; scales differ",
    ]
    return alt.HConcatChart(
        hconcat=panels,
        datasets=data,
        spacing=24,
        title=alt.TitleParams(told, subtitle=caption, offset=12),
    )


def _boxes(result: Experiment, scenario: str) -> Iterator[Record]:
    for key, values in result.phi.items():
        box = Box.of(values)
        if key[0] != scenario or box is None:
            continue
        yield {
            "distribution": key[1],
            "samples": int((~np.isnan(values)).sum()),
            **{part: number(getattr(box, part)) for part in _PARTS},
            "least": number(float(np.nanmin(values))),
            "most": number(float(np.nanmax(values))),
            "levels": number(float(np.median(result.levels[key]))),
        }


def _panel(scenario: str, records: list[Record]) -> alt.LayerChart:
    rows, shown = alt.Chart({"name": scenario}), tips(_TIPS)
    order = [each["distribution"] for each in records]
    x = alt.X("distribution:N", title="scores", sort=order, axis=alt.Axis(labelAngle=0))
    y = alt.Y("low:Q", title=f"nDCG@{CUTOFF}", scale=alt.Scale(zero=False))
    level = records[0]["levels"]
    same = rows.mark_rule(style="zero", strokeDash=[4, 3]).encode(
        y=alt.datum(level, type="quantitative")
    )
    whisker = rows.mark_rule(style="whisker").encode(
        x=x, y=y, y2="high:Q", tooltip=shown
    )
    body = rows.mark_bar(style="box", size=_BOX).encode(
        x=x, y="q1:Q", y2="q3:Q", tooltip=shown
    )
    median = rows.mark_tick(style="median", thickness=2, size=_BOX).encode(
        x=x, y="median:Q", tooltip=shown
    )
    ends = [
        rows.mark_point(style="outlier", filled=True, size=14).encode(
            x=x, y=f"{end}:Q", tooltip=shown
        )
        for end in ("least", "most")
    ]
    return alt.LayerChart(
        layer=[same, whisker, body, median, *ends],
        width=_WIDTH,
        height=_HEIGHT,
        title=alt.TitleParams(
            _MISTAKES.get(scenario, scenario), subtitle=f"rule: {level:.4f} by levels"
        ),
    )
