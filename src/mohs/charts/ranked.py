"""The picture of scores by rank: where levels end, and where scores fall off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import numpy as np

from mohs.charts.boxes import Box
from mohs.charts.rows import number, tips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_WIDTH, _HEIGHT, _BOX = 460, 240, 28
_TIPS = {"rank": ("rank", ",d"), "score": ("score", ",.6~g")}
_BOX_TIPS = {
    "q1": ("lower quartile", ",.6~g"),
    "median": ("median", ",.6~g"),
    "q3": ("upper quartile", ",.6~g"),
}


def ranked(
    scores: NDArray[np.float64],
    bounds: Sequence[int],
    *,
    title: str = "Scores by rank",
) -> alt.HConcatChart:
    """Draw scores (N,) by rank with a rule at the last rank of each level, and a box.

    Examples
    --------
    >>> drawn = ranked(np.array([9.0, 5.0, 4.0]), [1, 2])
    >>> [row["rank"] for row in drawn.to_dict()["datasets"]["scores"]]
    [1, 2, 3]
    """
    ordered = -np.sort(-scores)
    box = Box.of(ordered)
    assert box is not None  # noqa: S101 (there is no rank without a score)
    names = ("low", "q1", "median", "q3", "high")
    data = {
        "scores": [
            {"rank": place, "score": number(score)}
            for place, score in enumerate(ordered.tolist(), start=1)
        ],
        "bounds": [{"bound": bound} for bound in bounds],
        "box": [{name: number(getattr(box, name)) for name in names}],
    }
    caption = "Rules: the last rank of each level; box: quartiles and median"
    return alt.HConcatChart(
        hconcat=[_scores(), _box()],
        datasets=data,
        spacing=12,
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(y="shared")),
        title=alt.TitleParams(title, subtitle=[caption], offset=12),
    )


def _scores() -> alt.LayerChart:
    dots = alt.Chart({"name": "scores"}).mark_point(
        style="estimate", filled=True, size=24, opacity=1
    )
    rules = alt.Chart({"name": "bounds"}).mark_rule(style="zero")
    return alt.LayerChart(
        layer=[
            rules.encode(x="bound:Q"),
            dots.encode(
                x=alt.X("rank:Q", title="rank"),
                y=alt.Y("score:Q", title="score"),
                tooltip=tips(_TIPS),
            ),
        ],
        width=_WIDTH,
        height=_HEIGHT,
    )


def _box() -> alt.LayerChart:
    rows, middle = alt.Chart({"name": "box"}), alt.value(_BOX)
    bare = alt.Axis(labels=False, ticks=False, title=None)
    body = rows.mark_bar(style="box", size=_BOX).encode(
        x=middle, y=alt.Y("q1:Q", axis=bare), y2="q3:Q", tooltip=tips(_BOX_TIPS)
    )
    whisker = rows.mark_rule(style="whisker").encode(
        x=middle, y=alt.Y("low:Q", axis=bare), y2="high:Q", tooltip=tips(_BOX_TIPS)
    )
    median = rows.mark_tick(
        style="median", thickness=2, size=_BOX, orient="horizontal"
    ).encode(x=middle, y=alt.Y("median:Q", axis=bare))
    return alt.LayerChart(layer=[whisker, body, median], width=2 * _BOX, height=_HEIGHT)
