"""Which levels differ: Tukey's groups, each a bar that joins levels not told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from mohs.charts.captions import about
from mohs.charts.means import axis_of_means, mean_tips
from mohs.charts.rows import in_rows, letters, number, precision, tall, tips
from mohs.errors import InputError
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.anova import Anova
    from mohs.analysis.anova.comparisons import Comparisons

    Floats = NDArray[np.float64]
    Record = dict[str, Any]

NO_GROUPS = "no levels were compared, so there are no groups; ask for --tukey COLUMN"

_WIDE, _BAR = 380, 13
# Of more letters, only the ends of a run are named.
_SPELLED = 5
_LETTER = re.compile(r"[A-Za-z]\d*")


def groups(result: Anova, /, *, title: str | None = None) -> alt.HConcatChart:
    """Draw levels by their means, bars that join the like, and letters."""
    if result.comparisons is None:
        raise InputError(NO_GROUPS)
    found = result.comparisons
    levels, bars = _levels(found), _bars(found)
    by = f"by mean {printable(result.measure)}"
    told = title or f"Groups of {printable(found.factor)} {by}"
    many = f"{len(bars):,} group" + "s" * (len(bars) != 1)
    caption = (
        "Tukey, 5%: levels that share a bar, and its letter, are not told apart"
        f" ({len(levels):,} levels, {many})"
    )
    marks = (
        "Line: half of the difference that counts on each side of the mean; those that"
        " do not overlap differ" + ("" if result.parts.balance else ", approximately")
    )
    return alt.hconcat(
        _means(found, result.measure, levels),
        _joined(found, levels, bars),
        datasets={"levels": levels, "groups": bars},
        title=alt.TitleParams(
            told, subtitle=[*about(result), caption, marks], offset=14
        ),
        spacing=16,
    )


def half_widths(found: Comparisons) -> Floats:
    """Return how far each level's interval reaches, (k,) [1]_.

    Two intervals touch where the difference of their means is as large as its own
    half-width; exactly so if all half-widths are equal, else by least squares.

    References
    ----------
    .. [1] Hochberg and Tamhane, "Multiple comparison procedures", 1987, section 3.3.
    """
    count = len(found.levels)
    wide = (found.high - found.low) / 2
    if count == 2:
        return np.repeat(wide / 2, 2)
    sums = np.bincount(found.left, wide, count)
    sums += np.bincount(found.right, wide, count)
    halves: Floats = (sums - sums.sum() / (2 * count - 2)) / (count - 2)
    return halves


def _levels(found: Comparisons) -> list[Record]:
    columns = found.means, half_widths(found), found.counts
    return [
        {
            "level": printable(level),
            "mean": number(mean),
            "low": number(mean - half),
            "high": number(mean + half),
            "observations": count,
            "group": group,
            "short": _shortened(group),
        }
        for level, mean, half, count, group in zip(
            found.levels,
            *(each.tolist() for each in columns),
            found.groups,
            strict=True,
        )
    ]


def _shortened(group: str) -> str:
    """Name a long run of letters by its ends: no letter between them is missing."""
    every = _LETTER.findall(group)
    return group if len(every) <= _SPELLED else f"{every[0]}–{every[-1]}"  # noqa: RUF001


def _bars(found: Comparisons) -> list[Record]:
    """Find the first and the last level of every stretch that has a letter."""
    stretches: dict[str, list[list[int]]] = {}
    for place, group in enumerate(found.groups):
        for letter in _LETTER.findall(group):
            known = stretches.setdefault(letter, [])
            if known and known[-1][-1] == place - 1:
                known[-1].append(place)
            else:
                known.append([place])
    return [
        {
            "letter": letter,
            "first": printable(found.levels[held[0]]),
            "last": printable(found.levels[held[-1]]),
            "count": len(held),
            "highest": number(float(found.means[held[0]])),
            "lowest": number(float(found.means[held[-1]])),
        }
        for letter, several in stretches.items()
        for held in several
    ]


def _means(found: Comparisons, measure: str, records: list[Record]) -> alt.LayerChart:
    levels = alt.Chart({"name": "levels"})
    names = [record["level"] for record in records]
    form = precision(found.means)
    told = mean_tips({"level": printable(found.factor), "group": "groups"}, form)
    axis = axis_of_means(measure, len(names))
    x = alt.X("low:Q", axis=axis, scale=alt.Scale(zero=False, nice=False, padding=6))
    return alt.LayerChart(
        layer=[
            levels.mark_rule(style="estimate", strokeWidth=2).encode(
                x=x, x2="high:Q", y=in_rows("level", names), tooltip=told
            ),
            levels.mark_point(style="estimate", filled=True, opacity=1, size=40).encode(
                x="mean:Q", y="level:N", tooltip=told
            ),
            levels.mark_text(align="left", fontSize=letters(len(names))).encode(
                x=alt.value(_WIDE + 8),
                y="level:N",
                text=alt.Text("mean:Q", format=form),
                tooltip=told,
            ),
        ],
        width=_WIDE,
        height=tall(len(names)),
    )


def _joined(
    found: Comparisons, records: list[Record], bars: list[Record]
) -> alt.LayerChart:
    """Draw a bar for every group, its letter on top, and the letters of each level."""
    names = [record["level"] for record in records]
    form = f".{int(precision(found.means)[1]) + 2}f"
    told = tips(
        {
            "letter": ("group", ""),
            "count": ("levels", ",d"),
            "first": ("from", ""),
            "highest": ("of mean", form),
            "last": ("to", ""),
            "lowest": ("of mean ", form),
        }
    )
    named = tips({"level": (printable(found.factor), ""), "group": ("groups", "")})
    size = letters(len(names))
    drawn, levels = alt.Chart({"name": "groups"}), alt.Chart({"name": "levels"})
    scale = alt.Scale(domain=[bar["letter"] for bar in bars])
    x = alt.X("letter:N", axis=None, scale=scale, sort=None)
    top = in_rows("first", names, labels=False).bandPosition(0.1)
    wide = _BAR * len(bars)
    return alt.LayerChart(
        layer=[
            drawn.mark_rule(style="group", strokeWidth=4).encode(
                x=x, y=top, y2=alt.Y2("last:N", bandPosition=0.9), tooltip=told
            ),
            drawn.mark_text(baseline="bottom", dy=-1, fontSize=size).encode(
                x=x,
                y=alt.Y("first:N", bandPosition=0.0),
                text="letter:N",
                tooltip=told,
            ),
            levels.mark_text(align="left", fontSize=size).encode(
                x=alt.value(wide + 8), y="level:N", text="short:N", tooltip=named
            ),
        ],
        width=wide,
        height=tall(len(names)),
    )
