"""Rows: what charts share that give every name a row, and a tip to every mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    Tip = tuple[str, str]  # title and format, which text has none of

_TALL, _SHORT = 18.0, 11.0
_FEW, _MANY = 60, 200
_LETTER, _LABEL = 11.0, 220


def step(rows: int) -> float:
    """Return the height of a row: the more rows, the less, while it stays legible.

    Examples
    --------
    >>> step(50), step(250)
    (18.0, 11.0)
    """
    share = min(max(rows - _FEW, 0) / (_MANY - _FEW), 1.0)
    return _TALL - share * (_TALL - _SHORT)


def tall(rows: int) -> float:
    """Return the height of a panel of rows."""
    return step(rows) * (rows + 0.6)


def letters(rows: int) -> float:
    """Return the size of the letters in a row.

    Examples
    --------
    >>> letters(5), letters(250)
    (11.0, 8.5)
    """
    return min(_LETTER, step(rows) - 2.5)


def in_rows(
    field: str, names: Sequence[str], *, labels: bool = True, limit: float = _LABEL
) -> alt.Y:
    """Give every name a row, in the order given, with a line to follow."""
    axis = alt.Axis(
        labels=labels,
        ticks=False,
        domain=False,
        grid=True,
        labelLimit=limit,
        labelFontSize=letters(len(names)),
        labelOverlap=False,
        labelPadding=8,
    )
    scale = alt.Scale(domain=[*names], paddingInner=0, paddingOuter=0.3)
    return alt.Y(f"{field}:N", axis=axis, scale=scale, sort=None, title=None)


def tips(figures: Mapping[str, Tip]) -> list[alt.Tooltip]:
    """Say what a tip shows: for each field its title, and the format of its number."""
    return [
        alt.Tooltip(f"{name}:Q", title=title, format=form)
        if form
        else alt.Tooltip(f"{name}:N", title=title)
        for name, (title, form) in figures.items()
    ]


def several(count: int, thing: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> several(1, "topic"), several(1000, "topic")
    ('1 topic', '1,000 topics')
    """
    return f"{count:,} {thing}" + "s" * (count != 1)


def precision(values: ArrayLike) -> str:
    """Return the format of numbers that stand in a column, and its decimals.

    Examples
    --------
    >>> precision([0.25, 0.5]), precision([120.0, 7.5])
    ('.3f', '.1f')
    """
    largest = float(np.max(np.abs(values), initial=0.0))
    return f".{max(0, 4 - len(str(int(largest))))}f"


def number(value: float) -> float | None:
    """Return a number as a chart holds it: without noise, None if it is not finite.

    Examples
    --------
    >>> number(0.1 + 0.2), number(float("nan"))
    (0.3, None)
    """
    return float(f"{value:.10g}") if np.isfinite(value) else None
