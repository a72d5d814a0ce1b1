"""The systems: their means, which of them differ, and how often they beat chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.charts.groups import half_widths
from mohs.reporting.columns import graphs, intervals, names, numbers, reach, values
from mohs.reporting.page import Column, Grid, Mark, Section
from mohs.reporting.wording import counted, number
from mohs.tables import Table
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.anova import Anova
    from mohs.analysis.anova.comparisons import Comparisons
    from mohs.tables import Column as Cells

    Floats = NDArray[np.float64]

_LEVEL = 0.05


def section_of(
    result: Anova, standings: Table | None = None, chance: float = np.nan
) -> Section:
    """Lay out the systems, the best mean first.

    ``standings`` say on how many topics each beats the baseline, and ``chance`` on what
    share of them it would by chance.
    """
    found = result.comparisons
    if found is None:
        return without()
    halves = half_widths(found)
    source = _source(found, halves, standings)
    columns = [*_means(found, halves, printable(result.measure))]
    if standings is not None:
        columns += _standings(source, chance)
    grid = Grid("systems", "Systems by their means", tuple(columns), source)
    return Section("systems", "Systems", _sentences(found, result), grids=(grid,))


def without() -> Section:
    """Say that there is nothing to compare."""
    told = "Systems were not compared: it takes two of them, on two topics."
    return Section("systems", "Systems", (told,))


def pairs_apart(found: Comparisons) -> int:
    """Count the pairs of systems that differ."""
    return int((found.p < _LEVEL).sum())


def least_difference(found: Comparisons) -> float:
    """Return the difference that chance reaches between any two in 5% of cases."""
    return float(np.median((found.high - found.low) / 2))


def _sentences(found: Comparisons, result: Anova) -> tuple[str, ...]:
    measure, noun = printable(result.measure), "pair"
    apart = pairs_apart(found)
    return (
        (
            f"Systems that share a letter are not told apart: Tukey's test of all"
            f" {counted(len(found.p), noun)} at once, 5%, with topics as blocks;"
            f" {apart:,} of them differ. Means of {measure} closer than"
            f" {number(least_difference(found), 3)} are within what chance gives."
        ),
        "The line in the graph is half of that on each side of a mean, so that systems"
        " whose lines do not overlap differ"
        + ("." if result.parts.balance else ", approximately."),
    )


def _source(found: Comparisons, halves: Floats, standings: Table | None) -> Table:
    columns: dict[str, Cells] = {
        "system": found.levels,
        "mean": found.means,
        "low": found.means - halves,
        "high": found.means + halves,
        "observations": found.counts,
        "group": found.groups,
    }
    if standings is not None:
        known = {name: at for at, name in enumerate(values(standings, "system"))}
        rows = np.array([known[name] for name in found.levels], np.intp)
        columns |= {
            name: each
            for name, each in standings.take(rows).columns.items()
            if name != "system"
        }
    return Table(columns)


def _means(found: Comparisons, halves: Floats, measure: str) -> list[Column]:
    low, high = found.means - halves, found.means + halves
    scale = min(0.0, float(low.min())), float(high.max())
    rows = zip(found.means.tolist(), low.tolist(), high.tolist(), strict=True)
    zero = -scale[0] / ((scale[1] - scale[0]) or 1.0)
    places = {name: place for place, name in enumerate(dict.fromkeys(found.groups))}
    return [
        names("system", found.levels),
        graphs(
            f"mean {measure}",
            [reach(*row, scale=scale) for row in rows],
            found.means.tolist(),
            ((zero, "0"), (1.0, number(scale[1], 2))),
        ),
        numbers("mean", found.means.tolist(), 3),
        intervals("mean ± ½ HSD", low.tolist(), high.tolist(), digits=3),
        Column(
            "group",
            found.groups,
            tuple(float(places[name]) for name in found.groups),
            "letters",
            hint="Systems that share a letter are not told apart.",
        ),
    ]


def _standings(table: Table, chance: float) -> list[Column]:
    share, low, high = (values(table, name) for name in ("share", "low", "high"))
    drawn = []
    for row in zip(share, low, high, strict=True):
        base = () if np.isnan(chance) else (Mark("chance", chance, chance),)
        drawn.append((*base, *reach(*row)))
    return [
        graphs(
            "topics won",
            drawn,
            share,
            ((0.0, "0"), (0.5, "½"), (1.0, "1")),
            hint="Share of topics on which the system beats the baseline, its 95%"
            " interval for other topics, and the share by chance (mark).",
        ),
        numbers("won", share, hint="Share of topics."),
        intervals("95% interval", low, high),
        numbers("nDCG_std", values(table, "ndcg_std"), hint="0 by chance."),
    ]
