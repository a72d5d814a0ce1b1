"""What the model leaves: whether it is normal, and spreads alike everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
from scipy import special

from mohs.analysis.anova.decomposition import left_over
from mohs.charts.captions import about
from mohs.charts.rows import number, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.anova import Anova

    Floats = NDArray[np.float64]
    Record = dict[str, Any]

_WIDE, _TALL = 330, 330
_MOST = 500
_FEWEST, _BINS = 10, 44
_DIGITS = 12


def residuals(result: Anova, /, *, title: str | None = None) -> alt.HConcatChart:
    """Draw quantiles of the residuals, and residuals against fitted values."""
    parts = result.parts
    left = left_over(parts)
    fitted = parts.mean + parts.design.values - left
    points, cells = _quantiles(left), _cells(fitted, left)
    told = title or f"Residuals of {printable(result.measure)}"
    cut = f" ({len(points)} of {len(left):,} shown)" if len(points) < len(left) else ""
    caption = [
        f"Left: residuals over their standard deviation{cut}; on the line if normal",
        "Right: how many observations have such a fitted value and such a residual",
    ]
    return alt.hconcat(
        _normal(),
        _spread(cells, printable(result.measure)),
        datasets={"quantiles": points, "line": _line(points), "cells": cells},
        title=alt.TitleParams(told, subtitle=[*about(result), *caption], offset=12),
        spacing=36,
    )


def thinned(count: int) -> NDArray[np.int64]:
    """Return the ranks, from 0, that stand for all: ends, and even steps between.

    Steps are even on the normal scale, so the tails are there in full.

    Examples
    --------
    >>> thinned(3).tolist(), len(thinned(10**6)) <= 500
    ([0, 1, 2], True)
    """
    if count <= _MOST:
        return np.arange(count)
    end = special.ndtri(0.5 / count)
    ranks = special.ndtr(np.linspace(end, -end, _MOST)) * count - 0.5
    return np.unique(np.round(ranks).astype(np.int64))


def _quantiles(left: Floats) -> list[Record]:
    spread = left.std()
    z = np.round(np.sort(left / spread if spread else left), _DIGITS)
    ranks = thinned(len(left))
    normal = special.ndtri((ranks + 0.5) / len(left))
    return [
        {"normal": number(at), "residual": number(value), "rank": rank + 1}
        for at, value, rank in zip(
            normal.tolist(), z[ranks].tolist(), ranks.tolist(), strict=True
        )
    ]


def _line(points: list[Record]) -> list[Record]:
    """Return the ends of the line on which normal residuals lie."""
    ends = points[0]["normal"], points[-1]["normal"]
    return [{"normal": end, "residual": end} for end in ends]


def _cells(fitted: Floats, left: Floats) -> list[Record]:
    """Count observations in the cells of a grid; empty ones are left out."""
    bins = min(_BINS, max(_FEWEST, round(2 * len(left) ** 0.5)))
    # Values that differ by rounding only are not to be told apart by an edge.
    counts, across, up = np.histogram2d(
        np.round(fitted, _DIGITS), np.round(left, _DIGITS), bins
    )
    return [
        {
            "from": number(across[column]),
            "to": number(across[column + 1]),
            "low": number(up[row]),
            "high": number(up[row + 1]),
            "count": int(counts[column, row]),
        }
        for column, row in np.argwhere(counts).tolist()
    ]


def _normal() -> alt.LayerChart:
    told = tips(
        {
            "residual": ("residual, standardised", ".4f"),
            "normal": ("normal quantile", ".4f"),
            "rank": ("rank", ",d"),
        }
    )
    x = alt.X("normal:Q", title="normal quantile", axis=alt.Axis(tickCount=6))
    y = alt.Y("residual:Q", title="residual over its standard deviation")
    return alt.LayerChart(
        layer=[
            alt.Chart({"name": "line"})
            .mark_line(style="whisker", strokeWidth=1.5)
            .encode(x, y),
            alt.Chart({"name": "quantiles"})
            .mark_point(style="estimate", filled=True, opacity=1, size=14)
            .encode(x, y, tooltip=told),
        ],
        width=_WIDE,
        height=_TALL,
    )


def _spread(cells: list[Record], measure: str) -> alt.LayerChart:
    told = tips(
        {
            "count": ("observations", ",d"),
            "from": ("fitted from", ".4~g"),
            "to": ("fitted to", ".4~g"),
            "low": ("residual from", ".4~g"),
            "high": ("residual to", ".4~g"),
        }
    )
    most = max(cell["count"] for cell in cells)
    powers = [10**power for power in range(len(str(most)))]
    legend = alt.Legend(
        title="observations",
        gradientLength=160,
        values=powers if most >= 10 else [*range(1, most + 1)],
        format=",d",
    )
    scale = alt.Scale(type="log", domain=[1, max(most, 2)], range="heatmap")
    colour = alt.Color("count:Q", scale=scale, legend=legend)
    flat = alt.Scale(zero=False, nice=False)
    return alt.LayerChart(
        layer=[
            alt.Chart({"name": "cells"})
            .mark_rect()
            .encode(
                x=alt.X("from:Q", title=f"fitted {measure}", scale=flat),
                x2="to:Q",
                y=alt.Y("low:Q", title="residual", scale=flat),
                y2="high:Q",
                color=colour,
                tooltip=told,
            ),
            alt.Chart({"name": "line"})
            .mark_rule(style="zero")
            .encode(y=alt.datum(0, type="quantitative")),
        ],
        width=_WIDE,
        height=_TALL,
    )
