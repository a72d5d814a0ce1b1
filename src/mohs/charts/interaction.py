"""Interactions: how the means of one factor's levels depend on those of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.analysis.anova.formula import name_of
from mohs.analysis.anova.uncertainty import TOPIC
from mohs.charts.captions import about
from mohs.charts.means import check_factors, mean_tips
from mohs.charts.rows import number, precision
from mohs.errors import InputError
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova import Anova
    from mohs.analysis.anova.design import Design

    Record = dict[str, Any]

_TALL = 340
_WIDEST, _NARROWEST, _COLUMNS = 100.0, 16.0, 720.0
_PER_LETTER, _BESIDE = 6.2, 12.0
# Six colours, in as many patterns as can be told apart.
_COLOURS = 6
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])


def interaction(
    result: Anova, /, *, factors: Sequence[str] = (), title: str | None = None
) -> alt.LayerChart:
    """Draw a line for every level of the smaller of two factors."""
    design = result.parts.design
    along, lines = _arranged(design, check_factors(design, factors) or _default(result))
    records = _records(result, along, lines)
    form = precision([record["mean"] for record in records])
    told = title or f"{printable(lines)} and {printable(along)}: mean"
    caption = (
        "Bars: 95% interval of the mean, by t with the error of the model; the highest"
        " means of levels come first"
    )
    return alt.LayerChart(
        layer=_layers(result, along, lines, form),
        datasets={"means": records},
        title=alt.TitleParams(
            told if title else f"{told} {printable(result.measure)}",
            subtitle=[*about(result), caption],
            offset=12,
        ),
        width=_step(design.size(along)) * design.size(along),
        height=_TALL,
    )


def _default(result: Anova) -> list[str]:
    """Return the two factors that interact the most, as far as that is known."""
    parts = result.parts
    effects = np.asarray(result.tables()["anova"].columns["omega2_partial"], float)
    found = {
        place: float(np.nan_to_num(effects[place], nan=-np.inf))
        for place, term in enumerate(parts.terms)
        if len(term) == 2 and TOPIC not in term
    }
    if found:
        return [*parts.terms[max(found, key=found.__getitem__)]]
    others = [name for name in parts.design.levels if name != TOPIC]
    pair = others if len(others) > 1 else ["system", "corpus"]
    raise InputError(
        "the model has no interaction of two factors other than topic; add one to the"
        f" formula, as in + {name_of((pair[0], pair[1]))}"
    )


def _arranged(design: Design, factors: Sequence[str]) -> tuple[str, str]:
    """Return the factor along the axis, and that of the lines."""
    if len(factors) != 2:
        raise InputError(
            f"an interaction is drawn of two different factors, not of {len(factors)}"
        )
    lines, along = sorted(factors, key=design.size)
    most = _COLOURS * len(_DASHES)
    if design.size(lines) > most:
        raise InputError(
            f"{lines} has {design.size(lines):,} levels, and {along} no fewer; up to"
            f" {most} lines can be told apart, so choose fewer levels with --where"
        )
    return along, lines


def _records(result: Anova, along: str, lines: str) -> list[Record]:
    design = result.parts.design
    table = result.marginal(lines, along)
    first = _first(design.cells((lines, along)), len(table))
    place = {name: place for place, name in enumerate(_by_mean(result, along))}
    records = [
        {
            "along": printable(design.levels[along][design.codes[along][row]]),
            "line": printable(design.levels[lines][design.codes[lines][row]]),
            "mean": number(mean),
            "low": number(low),
            "high": number(high),
            "observations": count,
        }
        for row, (_, _, mean, low, high, count) in zip(
            first.tolist(), table.rows(), strict=True
        )
    ]
    return [{**record, "place": place[record["along"]]} for record in records]


def _first(cells: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return an observation of every cell."""
    found = np.zeros(count, np.int64)
    found[cells] = np.arange(len(cells))
    return found


def _by_mean(result: Anova, factor: str) -> list[str]:
    table = result.marginal(factor)
    order = np.argsort(-np.asarray(table.columns["mean"], float), kind="stable")
    levels = [printable(str(row[1])) for row in table.rows()]
    return [levels[place] for place in order.tolist()]


def _step(levels: int) -> float:
    return min(_WIDEST, max(_NARROWEST, _COLUMNS / levels))


def _layers(result: Anova, along: str, lines: str, form: str) -> list[alt.Chart]:
    means = alt.Chart({"name": "means"})
    columns, names = _by_mean(result, along), _by_mean(result, lines)
    told = mean_tips({"line": printable(lines), "along": printable(along)}, form)
    x = _columns(printable(along), columns, len(names))
    # Lines of one level stand side by side, so that no bar hides another.
    beside = alt.XOffset("line:N", scale=alt.Scale(domain=names), sort=None)
    title = f"mean {printable(result.measure)}"
    flat = alt.Scale(zero=False)
    y, low = (alt.Y(f"{name}:Q", title=title, scale=flat) for name in ("mean", "low"))
    many = len(names) > _COLOURS
    legend = alt.Legend(
        title=printable(lines),
        symbolOpacity=1,
        symbolLimit=0,
        symbolType="stroke" if many else "circle",
        symbolSize=400 if many else 100,
        symbolStrokeWidth=2 if many else 0,
    )
    colour = alt.Color(
        "line:N", scale=alt.Scale(domain=names), sort=None, legend=legend
    )
    dashes = [_DASHES[place // _COLOURS] for place in range(len(names))]
    dash = alt.StrokeDash(
        "line:N",
        scale=alt.Scale(domain=names, range=dashes),
        sort=None,
        legend=legend if many else None,
    )
    return [
        means.mark_rule(strokeWidth=2 if many else 4, opacity=0.3).encode(
            x, low, beside, colour, y2="high:Q", tooltip=told
        ),
        means.mark_line(strokeWidth=1.5).encode(
            x, y, beside, colour, dash, order=alt.Order("place:Q")
        ),
        means.mark_point(filled=True, opacity=1, size=30).encode(
            x, y, beside, colour, tooltip=told
        ),
    ]


def _columns(title: str, names: list[str], lines: int) -> alt.X:
    """Give every level a column, with labels turned where they are too long."""
    wide = _step(len(names))
    fits = max(map(len, names)) * _PER_LETTER < wide
    axis = alt.Axis(
        title=title,
        labelAngle=0 if fits else -45,
        labelOverlap=False,
        labelLimit=160,
        grid=False,
    )
    between = max(0.3, 1 - _BESIDE * lines / wide)
    scale = alt.Scale(domain=names, paddingInner=between, paddingOuter=between / 2)
    return alt.X("along:N", axis=axis, scale=scale, sort=None)
