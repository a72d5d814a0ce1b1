"""The picture of φ: figure 1 of Moniz et al. [1]_.

Every function has a panel with its curve and control points; below stand the scores
that it comes from, as a box plot and as a rug.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation",
   2017, figure 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.charts.boxes import Box
from mohs.charts.drawing import CHARTS
from mohs.charts.rows import number, several, tips
from mohs.gains.control import restored, transformed
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mohs.analysis.relevance import Relevance
    from mohs.gains.control import Transform
    from mohs.gains.phi import Phi

    Floats = NDArray[np.float64]
    Record = dict[str, Any]
    Axis = Callable[..., alt.X]

_WIDTH, _HEIGHT, _LOW = 460, 220, 60
_BOX, _RUG = 20, 46  # pixels from the top of the lower panel
_PANELS = 6
_STEPS, _MARKS = 200, 400
# Thousands with a letter, each label with its own; what is small without.
_LABEL = (
    "abs(datum.value) < 1000 ? format(datum.value, '.6~g') : format(datum.value, '~s')"
)

_TIPS = {"score": ("score", ",.6~g"), "phi": ("φ", ".4f")}
_BOX_TIPS = {
    "q1": ("lower quartile", ",.6~g"),
    "median": ("median", ",.6~g"),
    "q3": ("upper quartile", ",.6~g"),
    "low": ("whisker from", ",.6~g"),
    "high": ("whisker to", ",.6~g"),
}


@CHARTS.add("Relevance")
def relevance(result: Relevance, /, *, title: str | None = None) -> alt.ConcatChart:
    """Draw a panel for every function, up to six."""
    shown = [*result.functions.items()][:_PANELS]
    panels, data = [], {}
    for place, (name, phi) in enumerate(shown, start=1):
        scores = _scores(result, name)
        low, high = _window(scores, phi)
        curve, marks, box = (f"{kind} {place}" for kind in ("curve", "scores", "box"))
        data[curve] = [*_curve(phi, low, high)]
        data[f"{curve} points"] = [_point(*each) for each in phi.points]
        data[marks] = [*_rug(scores)]
        data[box] = [_box(scores, phi.transform)]
        along = _axis(printable(result.column), low, high, phi)
        above = _function(curve, along)
        if name:
            above = above.properties(title=printable(name))
        below = _data(marks, box, along)
        panels.append(alt.vconcat(above, below, spacing=4))
    chart = alt.concat(*panels, columns=2, spacing=24, datasets=data)
    told = title or f"Relevance φ of {printable(result.column)}"
    return chart.properties(
        title=alt.TitleParams(told, subtitle=_caption(result, len(shown)), offset=12)
    )


def _scores(result: Relevance, name: str) -> Floats:
    """Return the scores that a function was made from."""
    mine = ~np.isnan(result.scores)
    if result.functions.keys() != {""}:
        mine &= result.lists.codes == result.lists.levels.index(name)
    return result.scores[mine]


def _window(scores: Floats, phi: Phi) -> tuple[float, float]:
    ends = [scores.min(), scores.max(), phi.points[0][0], phi.points[-1][0]]
    low, high = float(min(ends)), float(max(ends))
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _curve(phi: Phi, low: float, high: float) -> Iterator[Record]:
    start, stop = transformed(np.array([low, high]), phi.transform).tolist()
    even = restored(np.linspace(start, stop, _STEPS), phi.transform)
    places = np.unique([*even, *(score for score, _ in phi.points)])
    for score, value in zip(places, phi(places), strict=True):
        yield _point(score, value)


def _point(score: float, value: float) -> Record:
    return {"score": number(score), "phi": number(value)}


def _rug(scores: Floats) -> Iterator[Record]:
    """Yield the scores, or if they are many, some that stand for all."""
    ordered = np.unique(scores)
    if len(ordered) > _MARKS:
        places = np.linspace(0, len(ordered) - 1, _MARKS).round().astype(np.int64)
        ordered = ordered[places]
    for score in ordered.tolist():
        yield {"score": number(score)}


def _box(scores: Floats, transform: Transform) -> Record:
    box = Box.of(transformed(scores, transform))
    assert box is not None  # noqa: S101 (there is no function without scores)
    ends = restored(np.array([getattr(box, name) for name in _BOX_TIPS]), transform)
    return dict(zip(_BOX_TIPS, map(number, ends.tolist()), strict=True))


def _axis(column: str, low: float, high: float, phi: Phi) -> Axis:
    """Return what lays a field out along the scores, with a title or without labels."""
    scale = alt.Scale(domain=[low, high], nice=False)
    shown = alt.Axis(labelExpr=_LABEL, grid=False, labelOverlap=True, tickCount=6)
    if phi.transform == "log":
        scale.type = "symlog"
        shown.values = [0, *(10**power for power in range(19) if 10**power <= high)]
    bare = alt.Axis(labels=False, ticks=False, grid=False)

    def along(field: str, *, labels: bool = True) -> alt.X:
        return alt.X(
            f"{field}:Q",
            title=column if labels else None,
            scale=scale,
            axis=shown if labels else bare,
        )

    return along


def _function(name: str, along: Axis) -> alt.LayerChart:
    x = along("score", labels=False)
    y = alt.Y("phi:Q", title="φ", scale=alt.Scale(domain=[0, 1]))
    curve = alt.Chart({"name": name}).mark_line(
        style="estimate", strokeWidth=2, interpolate="linear", clip=True
    )
    points = alt.Chart({"name": f"{name} points"}).mark_point(
        style="estimate", filled=True, size=60, opacity=1
    )
    return alt.LayerChart(
        layer=[
            curve.encode(x=x, y=y, tooltip=tips(_TIPS)),
            points.encode(x=x, y=y, tooltip=tips(_TIPS)),
        ],
        width=_WIDTH,
        height=_HEIGHT,
    )


def _data(marks: str, box: str, along: Axis) -> alt.LayerChart:
    """Draw a box plot, and a rug below it."""
    rows, scores = alt.Chart({"name": box}), alt.Chart({"name": marks})
    shown, middle = tips(_BOX_TIPS), alt.value(_BOX)

    whisker = rows.mark_rule(style="whisker").encode(
        x=along("low"), x2="high:Q", y=middle, tooltip=shown
    )
    body = rows.mark_bar(style="box", size=16).encode(
        x=along("q1"), x2="q3:Q", y=middle, tooltip=shown
    )
    median = rows.mark_tick(style="median", thickness=2, size=16).encode(
        x=along("median"), y=middle, tooltip=shown
    )
    rug = scores.mark_tick(style="outlier", size=14, thickness=1, opacity=0.5).encode(
        x=along("score"), y=alt.value(_RUG), tooltip=tips({"score": _TIPS["score"]})
    )
    layers = [whisker, body, median, rug]
    return alt.LayerChart(layer=layers, width=_WIDTH, height=_LOW)


def _caption(result: Relevance, shown: int) -> list[str]:
    known = ~np.isnan(result.scores)
    lines = [
        "Dots: control points; box: quartiles and median, whiskers up to 1.5 IQR",
        f"Ticks: scores of {several(int(known.sum()), 'item')}"
        + (", not all of them drawn" if len(result.scores) > _MARKS else ""),
    ]
    if shown < len(result.functions):
        lines.append(f"The first {shown} of {len(result.functions)} lists")
    if (~known).any():
        lines.append(f"{(~known).sum():,} of {len(known):,} items have no score")
    return lines
