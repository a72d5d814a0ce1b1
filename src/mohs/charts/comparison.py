"""The picture of a comparison: figures 3 and 4 of Moniz et al. [1]_.

Above, how far nDCG by levels is from nDCG by φ, for each tenth of its scale and each
cut-off; below, both of every ranking, or of a sample where there are many.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017,
   figures 3 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import altair as alt
import numpy as np

from mohs.analysis.relevance.comparison import verdicts
from mohs.charts.boxes import Box
from mohs.charts.drawing import CHARTS
from mohs.charts.rows import number, tips
from mohs.registry import check_choice
from mohs.statistics.streams import stream
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.analysis.relevance import Comparison

    Record = dict[str, Any]

SAMPLE = 2000
_SIDE, _WIDE, _TALL = 300, 640, 180
_TENTHS = 10
_BOXES = "Boxes of the differences by tenths of nDCG, whiskers up to 1.5 IQR"
_SIGNS = ("under-estimated", "equal", "over-estimated")

_BOX_TIPS = {
    "k": ("cut-off", ""),
    "tenth": ("nDCG", ""),
    "lists": ("rankings", ",d"),
    "median": ("median difference", "+.4f"),
    "q1": ("lower quartile", "+.4f"),
    "q3": ("upper quartile", "+.4f"),
}
_POINT_TIPS = {
    "list": ("ranking", ""),
    "ndcg": ("nDCG by levels", ".4f"),
    "phi": ("nDCG by φ", ".4f"),
    "best": ("rank of the best item", ",d"),
}


Shows: TypeAlias = Literal["both", "differences", "rankings"]


@CHARTS.add("Comparison")
def comparison(
    result: Comparison,
    /,
    *,
    title: str | None = None,
    show: Shows = "both",
    seed: int = 0,
) -> alt.VConcatChart:
    """Draw differences by level and by cut-off, and below them the rankings."""
    check_choice("show", show, Shows)
    chosen = sample(len(result.lists), seed)
    panels: list[alt.LayerChart | alt.ConcatChart] = []
    data, caption = {}, []
    if show != "rankings":
        panels.append(_differences())
        data["boxes"] = [*_boxes(result)]
        caption.append(_BOXES)
    if show != "differences":
        panels.append(_rankings(result))
        data["rankings"] = [*_points(result, chosen)]
        caption.append(_dots(result, len(chosen)))
    if show == "both":
        caption = [
            f"{place}: {each[0].lower()}{each[1:]}"
            for place, each in zip(("Above", "Below"), caption, strict=True)
        ]
    told = title or "nDCG by ad-hoc levels, and by φ"
    return alt.VConcatChart(
        vconcat=panels,
        datasets=data,
        spacing=24,
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(color="independent")),
        title=alt.TitleParams(told, subtitle=caption, offset=12),
    )


def sample(count: int, seed: int) -> NDArray[np.int64]:
    """Choose the rankings that are drawn one by one, at most 2,000.

    Examples
    --------
    >>> sample(3, 0).tolist(), len(sample(9999, 0))
    ([0, 1, 2], 2000)
    """
    if count <= SAMPLE:
        return np.arange(count)
    draw = stream(seed, "comparison", "rankings")
    return np.sort(draw.choice(count, SAMPLE, replace=False))


def _boxes(result: Comparison) -> Iterator[Record]:
    for column, k in enumerate(result.cutoffs):
        levels, differences = result.levels[:, column], result.differences[:, column]
        known = ~np.isnan(differences)
        tenths = np.minimum(np.floor(levels[known] * _TENTHS), _TENTHS - 1)
        for tenth in np.unique(tenths).tolist():
            box = Box.of(differences[known][tenths == tenth])
            assert box is not None  # noqa: S101 (no tenth without rankings)
            ends = (
                getattr(box, name) for name in ("low", "q1", "median", "q3", "high")
            )
            names = ("low", "q1", "median", "q3", "high")
            yield {
                "k": k,
                "tenth": f"{tenth / _TENTHS:.1f}",
                "lists": int((tenths == tenth).sum()),
                **dict(zip(names, map(number, ends), strict=True)),
            }


def _points(result: Comparison, chosen: NDArray[np.int64]) -> Iterator[Record]:
    for column, k in enumerate(result.cutoffs):
        signs = verdicts(result.differences[:, column])
        for row in chosen.tolist():
            if signs[row] >= 0:
                yield {
                    "k": k,
                    "list": printable(result.lists[row]),
                    "ndcg": number(result.levels[row, column]),
                    "phi": number(result.phi[row, column]),
                    "best": int(result.best[row]),
                    "estimate": _SIGNS[signs[row]],
                }


def _differences() -> alt.LayerChart:
    rows, shown = alt.Chart({"name": "boxes"}), tips(_BOX_TIPS)
    x = alt.X("tenth:O", title="nDCG by levels, from", axis=alt.Axis(labelAngle=0))
    beside = alt.XOffset("k:O")
    y = alt.Y("low:Q", title="nDCG by levels − by φ", axis=alt.Axis(format="+.1f"))  # noqa: RUF001 (a minus)
    colour = alt.Color("k:O", title="cut-off", scale=alt.Scale(range="category"))
    zero = rows.mark_rule(style="zero", strokeWidth=0.5).encode(
        y=alt.datum(0, type="quantitative")
    )
    whisker = rows.mark_rule(style="whisker").encode(
        x=x, xOffset=beside, y=y, y2="high:Q", tooltip=shown
    )
    body = rows.mark_bar(size=8).encode(
        x=x, xOffset=beside, y="q1:Q", y2="q3:Q", color=colour, tooltip=shown
    )
    median = rows.mark_tick(style="median", thickness=1.5, size=8).encode(
        x=x, xOffset=beside, y="median:Q", tooltip=shown
    )
    layers = [zero, whisker, body, median]
    return alt.LayerChart(layer=layers, width=_WIDE, height=_TALL)


def _rankings(result: Comparison) -> alt.ConcatChart:
    return alt.concat(*map(_ranking, result.cutoffs), columns=2, spacing=16)


def _ranking(k: int) -> alt.LayerChart:
    rows = alt.Chart({"name": "rankings"}).transform_filter(f"datum.k == {k}")
    unit = alt.Scale(domain=[0, 1])
    colour = alt.Color(
        "estimate:N",
        title=None,
        scale=alt.Scale(domain=[*_SIGNS], range="category"),
    )
    dots = rows.mark_circle(size=14, opacity=0.5).encode(
        x=alt.X("ndcg:Q", title="nDCG by levels", scale=unit),
        y=alt.Y("phi:Q", title="nDCG by φ", scale=unit),
        color=colour,
        tooltip=tips(_POINT_TIPS),
    )
    ends = alt.InlineData([{"end": 0}, {"end": 1}])
    same = alt.Chart(ends).mark_line(style="zero", strokeWidth=0.7)
    same = same.encode(x="end:Q", y="end:Q")
    return alt.LayerChart(
        layer=[same, dots], width=_SIDE, height=_SIDE, title=f"first {k}"
    )


def _dots(result: Comparison, drawn: int) -> str:
    if drawn < len(result.lists):
        return (
            f"A dot for each of {drawn:,} rankings, drawn at random from"
            f" {len(result.lists):,}"
        )
    if drawn == 1:
        return "A dot for the one ranking"
    return f"A dot for each of {drawn:,} rankings"
