"""What formulations reach: the best tau beside chance, by their number, and in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.charts.rows import number, several, tips
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mohs.analysis.formulations import Formulations
    from mohs.tables import Table

    Record = dict[str, Any]

_WIDE, _TALL = 520, 260
_PANEL = 210
_BINS = 50
_NULLS = {"joint": "joint null", "independent": "independent null"}


def distribution(
    result: Formulations, /, *, title: str | None = None
) -> alt.LayerChart:
    """Draw how often permutations reach each best tau, observed and by chance."""
    sources = ["observed", *(_NULLS[null.name] for null in result.nulls)]
    records = [*_bins(result, sources)]
    scale = alt.Scale(domain=sources, range="category")
    colour = alt.Color("source:N", scale=scale, legend=alt.Legend(title=None))
    told = {
        "source": ("source", ""),
        "from": ("τ from", ".3f"),
        "to": ("to", ".3f"),
        "share": ("share of permutations", ".2%"),
    }
    y = alt.Y("share:Q", title="share of permutations", axis=alt.Axis(format=".0%"))
    # There is no tau beyond 1, so the axis does not go on to a round number.
    scale_x = alt.Scale(zero=False, nice=False, padding=8)
    x = alt.X("tau:Q", title="τ of the best pair", scale=scale_x)
    bins = alt.Chart({"name": "bins"})
    return alt.LayerChart(
        layer=[
            bins.mark_line(interpolate="step", strokeWidth=1.5).encode(x, y, colour),
            bins.mark_point(size=60, opacity=0).encode(x, y, tooltip=tips(told)),
            alt.Chart({"name": "means"})
            .mark_rule(strokeDash=[4, 3], strokeWidth=1.5)
            .encode(
                x="tau:Q",
                color=colour,
                tooltip=tips({"source": ("source", ""), "tau": ("mean", ".4f")}),
            ),
        ],
        datasets={"bins": records, "means": _means(result, sources)},
        title=_heading(result, title or "How well formulations order the topics"),
        width=_WIDE,
        height=_TALL,
    )


def _bins(result: Formulations, sources: list[str]) -> Iterable[Record]:
    found = [
        result.reached.tau,
        *(
            np.concatenate([each.tau for each in null.replicates])
            for null in result.nulls
        ),
    ]
    # Between two values that tau can have, so that no edge tells equal ones apart.
    least = 1 / result.reached.most
    low, high = min(map(np.min, found)), max(map(np.max, found))
    steps = max(1, round((high - low) / (2 * least)))
    width = 2 * least * max(1, -(-steps // _BINS))
    edges = np.arange(low - least, high + width + least, width)
    for source, tau in zip(sources, found, strict=True):
        counts = np.histogram(tau, edges)[0]
        for start, count in zip(edges.tolist(), counts.tolist(), strict=False):
            yield {
                "source": source,
                "tau": number(start + width / 2),
                "from": number(start),
                "to": number(start + width),
                "share": number(count / len(tau)),
            }


def _means(result: Formulations, sources: list[str]) -> list[Record]:
    means = [result.reached.mean_best, *(null.mean for null in result.nulls)]
    return [
        {"source": source, "tau": number(mean)}
        for source, mean in zip(sources, means, strict=True)
    ]


def sizes(result: Formulations, /, *, title: str | None = None) -> alt.LayerChart:
    """Draw mean best tau by the number of formulations, and what chance makes of it."""
    records = [*_records(result.tables()["by_formulations"])]
    told = tips(
        {
            "formulations": ("formulations", "d"),
            "mean_best": ("observed", ".4f"),
            "null_mean_best": ("joint null", ".4f"),
            "null_low": ("5th percentile", ".4f"),
            "null_high": ("95th percentile", ".4f"),
        }
    )
    x = alt.X(
        "formulations:Q",
        title="formulations of each topic",
        axis=alt.Axis(
            values=[record["formulations"] for record in records],
            format="d",
            grid=False,
        ),
        scale=alt.Scale(nice=False, padding=12),
    )
    title_y = "mean τ of the best pair"
    rows = alt.Chart({"name": "sizes"})
    return alt.LayerChart(
        layer=[
            rows.mark_area(style="band").encode(
                x, alt.Y("null_low:Q", title=title_y), y2="null_high:Q", tooltip=told
            ),
            rows.mark_line(style="chance", strokeDash=[4, 3]).encode(
                x, y="null_mean_best:Q"
            ),
            rows.mark_line(style="estimate").encode(x, y="mean_best:Q"),
            rows.mark_point(style="estimate", filled=True, opacity=1, size=60).encode(
                x, y="mean_best:Q", tooltip=told
            ),
        ],
        datasets={"sizes": records},
        title=_heading(
            result,
            title or "τ by the number of formulations",
            "Line: observed; dashes and band: joint null, its mean and 5% to 95%",
        ),
        width=_WIDE,
        height=_TALL,
    )


def orders(result: Formulations, /, *, title: str | None = None) -> alt.HConcatChart:
    """Draw achieved places against those asked for, for three permutations."""
    panels, data = [], {}
    records = [*_records(result.tables()["orders"])]
    for case in dict.fromkeys(record["case"] for record in records):
        chosen = [record for record in records if record["case"] == case]
        data[case] = [*_achieved(chosen)]
        panels.append(_order(case, chosen[0], len(chosen)))
    return alt.hconcat(
        *panels,
        datasets=data,
        spacing=30,
        title=_heading(
            result,
            title or "The order achieved against the order asked for",
            "Dot: the formulation picked for a topic; on the line if the order is kept",
        ),
    )


def _achieved(records: list[Record]) -> Iterable[Record]:
    values = np.array([record["value"] for record in records])
    for record, value in zip(records, values.tolist(), strict=True):
        ties = (values < value).sum() + ((values == value).sum() + 1) / 2
        yield {
            "topic": printable(record["topic"]),
            "formulation": printable(record["formulation"]),
            "value": number(value),
            "place": record["place"],
            "achieved": number(ties),
        }


def _order(case: str, record: Record, size: int) -> alt.LayerChart:
    scale = alt.Scale(domain=[0, size + 1], nice=False)
    x = alt.X("place:Q", title="place asked for", scale=scale)
    y = alt.Y("achieved:Q", title="place achieved", scale=scale)
    told = tips(
        {
            "topic": ("topic", ""),
            "formulation": ("formulation", ""),
            "value": ("score", ".4f"),
            "place": ("place asked for", "d"),
            "achieved": ("place achieved", ".1~f"),
        }
    )
    rows = alt.Chart({"name": case})
    return alt.LayerChart(
        layer=[
            rows.mark_line(style="whisker").encode(
                x, alt.Y("place:Q", title="place achieved", scale=scale)
            ),
            rows.mark_point(style="estimate", filled=True, opacity=1, size=36).encode(
                x, y, tooltip=told
            ),
        ],
        title=alt.TitleParams(
            f"{case}: τ {record['tau']:.2f}".replace("-", "−"),  # noqa: RUF001
            subtitle=printable(record["pair"]),
            fontSize=12,
            limit=_PANEL,
        ),
        width=_PANEL,
        height=_PANEL,
    )


def _heading(result: Formulations, title: str, *lines: str) -> alt.TitleParams:
    reached, null = result.reached, result.nulls[0]
    low, high = null.band
    pairs = several(reached.pairs, "pair")
    found = (
        f"{printable(result.measure)}, {result.rule}; {len(reached):,} permutations of"
        f" {reached.topics:,} topics, {pairs} of system and corpus"
    )
    beside = (
        f"Mean best τ {reached.mean_best:.3f}; joint null {null.mean:.3f}"
        f" ({low:.3f} to {high:.3f}), p = {null.p(reached.mean_best):.2g}"
    )
    return alt.TitleParams(title, subtitle=[found, beside, *lines], offset=12)


def _records(table: Table) -> Iterable[Record]:
    for row in table.rows():
        cells = zip(table.names, row, strict=True)
        yield {
            name: number(cell) if isinstance(cell, float) else cell
            for name, cell in cells
        }
