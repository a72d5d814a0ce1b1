"""How much each term explains: partial omega squared, a row for every term.

The axis is of square roots, which keep small effects apart beside one that explains
nearly everything, as topics do, and have room for negative estimates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.analysis.anova.effects import SIZES
from mohs.charts.captions import about
from mohs.charts.rows import in_rows, letters, number, tall, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mohs.analysis.anova import Anova
    from mohs.tables import Table

    Record = dict[str, Any]

_WIDE = 460
_TICKS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
_ROOM = 0.2  # up to where the axis reaches at least, so that sizes have their place

_TIPS = {
    "term": ("term", ""),
    "partial": ("partial ω²", ".4f"),
    "low": ("interval from", ".4f"),
    "high": ("interval to", ".4f"),
    "size": ("size", ""),
    "omega2": ("ω²", ".4f"),
    "eta2": ("partial η²", ".4f"),
    "ss": ("sum of squares", ".6~g"),
    "df": ("degrees of freedom", ",d"),
    "f": ("F", ",.4~g"),
    "p": ("p", ""),
    "f_random": ("F, in the population", ",.4~g"),
    "p_random": ("p, in the population", ""),
    "note": ("note", ""),
}
_COLUMNS = {"omega2_partial_low": "low", "omega2_partial_high": "high"}
_COLUMNS |= {"omega2_partial": "partial", "eta2_partial": "eta2"}
_COLUMNS |= {name: name for name in ("omega2", "ss", "df", "f", "f_random", "p_random")}

_WAYS = {
    "bootstrap": "Line: 95% interval, bootstrap over topics",
    "noncentral": "Line: 95% interval, from the non-central F",
    "none": "No intervals were asked for",
}


def effects(result: Anova, /, *, title: str | None = None) -> alt.LayerChart:
    """Draw a row for every term, in the order of the table."""
    records = [*_records(result)]
    names = [record["term"] for record in records]
    told = title or f"Effects on {printable(result.measure)}"
    return alt.LayerChart(
        layer=[*_thresholds(), *_estimates(records, names)],
        datasets={"terms": records, "sizes": _sizes()},
        title=alt.TitleParams(told, subtitle=_caption(result, records), offset=12),
        width=_WIDE,
        height=tall(len(names)),
    )


def _records(result: Anova) -> Iterable[Record]:
    table: Table = result.tables()["anova"]
    names = [*table.columns]
    for row in list(table.rows())[: len(result.parts.terms)]:
        cells = dict(zip(names, row, strict=True))
        record: Record = {"term": printable(cells["term"]), "size": cells["size"]}
        for name, kept in _COLUMNS.items():
            if cells.get(name) is not None:
                record[kept] = number(cells[name])
        record["p"] = _chance(cells["p"], cells["log10_p"])
        if "p_random" in record:
            record["p_random"] = _chance(cells["p_random"], -np.inf)
        if cells["size"] is None:
            aliased = cells["status"] == "aliased"
            record["note"] = "aliased, df 0" if aliased else "no estimate"
        yield {name: each for name, each in record.items() if each is not None}


def _chance(p: float | None, log10_p: float) -> str | None:
    """Spell a p-value, even one below the smallest number there is."""
    if p is None or np.isnan(p):
        return None
    if p > 0:
        return f"{p:.2g}"
    return f"1e{log10_p:.0f}" if np.isfinite(log10_p) else "below 1e-300"


def _sizes() -> list[Record]:
    named = [(name, least) for name, least in SIZES.items() if np.isfinite(least)]
    return [
        {"size": name, "from": least, "tip": f"{name} from {least:g}"}
        for name, least in named
    ]


def _caption(result: Anova, records: list[Record]) -> list[str]:
    way = _WAYS[result.intervals]
    without = [
        record["term"]
        for record in records
        if "partial" in record and "low" not in record
    ]
    if without and result.intervals != "none":
        way += f"; none for {', '.join(without)}"
    return [*about(result), way]


def _thresholds() -> list[alt.Chart]:
    """From where on an effect is called small, medium or large."""
    sizes = alt.Chart({"name": "sizes"})
    return [
        sizes.mark_rule(style="threshold", strokeDash=[2, 2]).encode(
            x="from:Q", tooltip="tip:N"
        ),
        sizes.mark_text(style="note", baseline="bottom", fontSize=10).encode(
            x="from:Q", y=alt.value(-4), text="size:N", tooltip="tip:N"
        ),
    ]


def _estimates(records: list[Record], names: list[str]) -> list[alt.Chart]:
    terms = alt.Chart({"name": "terms"})
    known = {name for record in records for name in record}
    told = tips({name: tip for name, tip in _TIPS.items() if name in known})
    estimated = terms.transform_filter("isValid(datum.partial)")
    bounded = terms.transform_filter("isValid(datum.low) && isValid(datum.high)")
    noted = terms.transform_filter("isValid(datum.note)")
    scale = alt.Scale(domain=[*SIZES], range="ramp")
    colour = alt.Color("size:O", scale=scale, legend=None)
    x, y = _axis(records), in_rows("term", names, limit=300)
    size = letters(len(names))
    beside = alt.value(_WIDE + 10)
    return [
        # An axis even if nothing has been estimated.
        terms.mark_point(opacity=0).encode(x=x, y=y, tooltip=told),
        terms.mark_rule(style="zero").encode(x=alt.datum(0, type="quantitative")),
        bounded.mark_rule(strokeWidth=2).encode(
            x="low:Q", y="term:N", x2="high:Q", color=colour, tooltip=told
        ),
        estimated.mark_point(filled=True, opacity=1, size=70).encode(
            x="partial:Q", y="term:N", color=colour, tooltip=told
        ),
        estimated.mark_text(align="left", fontWeight="bold", fontSize=size).encode(
            x=beside,
            y="term:N",
            color=colour,
            text=alt.Text("partial:Q", format=".4f"),
            tooltip=told,
        ),
        noted.mark_text(style="note", align="left", fontSize=size).encode(
            x=beside, y="term:N", text="note:N", tooltip=told
        ),
    ]


def _axis(records: list[Record]) -> alt.X:
    found = [0.0, _ROOM]
    for name in ("partial", "low", "high"):
        found += [each for record in records if (each := record.get(name)) is not None]
    low, high = min(found) * 1.3, min(max(found) * 1.05, 1.0)
    ticks = [sign * tick for tick in _TICKS for sign in (-1, 1)] + [0.0]
    axis = alt.Axis(
        title="partial ω², on an axis of square roots",
        values=sorted(tick for tick in ticks if low <= tick <= high),
        format=".2~f",
        labelOverlap="greedy",
        grid=False,
    )
    scale = alt.Scale(type="sqrt", domain=[number(low), number(high)], nice=False)
    return alt.X("partial:Q", scale=scale, axis=axis)
