"""Columns of grids, from arrays and from columns of tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mohs.reporting.page import Column, Mark
from mohs.reporting.wording import NOTHING, between, chance, number
from mohs.tables.cells import printable
from mohs.tables.columns import natural_key, python_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.reporting.page import Graph, Key, Kind
    from mohs.tables import Table


def values(table: Table, name: str) -> list[Any]:
    """Return a column of a table as Python values."""
    return python_values(table[name])


def names(
    label: str, texts: Sequence[str | None], *, kind: Kind = "name", hint: str = ""
) -> Column:
    """Return a column of names, in whose natural order it sorts."""
    order = sorted({text or "" for text in texts}, key=natural_key)
    places = {text: float(place) for place, text in enumerate(order)}
    return Column(
        label,
        tuple(NOTHING if text is None else printable(text) for text in texts),
        tuple(None if text is None else places[text] for text in texts),
        kind,
        hint,
    )


def numbers(
    label: str, given: Sequence[float | None], digits: int = 2, *, hint: str = ""
) -> Column:
    """Return a column of numbers, the highest first when it is sorted."""
    return Column(
        label,
        tuple(number(value, digits) for value in given),
        tuple(map(_key, given)),
        "number",
        hint,
        first="descending",
    )


def counts(label: str, given: Sequence[int | None], *, hint: str = "") -> Column:
    """Return a column of whole numbers."""
    cells = tuple(NOTHING if value is None else f"{value:,}" for value in given)
    keys = tuple(None if value is None else float(value) for value in given)
    return Column(label, cells, keys, "number", hint, first="descending")


def chances(label: str, given: Sequence[float | None], *, hint: str = "") -> Column:
    """Return a column of p-values."""
    cells = tuple(chance(math.nan if p is None else p) for p in given)
    return Column(label, cells, tuple(map(_key, given)), "number", hint)


def intervals(
    label: str,
    low: Sequence[float | None],
    high: Sequence[float | None],
    *,
    digits: int = 2,
    hint: str = "",
) -> Column:
    """Return a column of intervals, sorted by how wide they are."""
    pairs = [(_known(a), _known(b)) for a, b in zip(low, high, strict=True)]
    return Column(
        label,
        tuple(between(a, b, digits) for a, b in pairs),
        tuple(_key(b - a) for a, b in pairs),
        "number",
        hint,
        first="descending",
    )


def graphs(
    label: str,
    drawn: Sequence[Graph],
    keys: Sequence[float | None],
    ticks: Sequence[tuple[float, str]],
    *,
    hint: str = "",
) -> Column:
    """Return a column of small graphs."""
    return Column(
        label,
        ("",) * len(drawn),
        tuple(map(_key, keys)),
        "graph",
        hint,
        tuple(drawn),
        tuple(ticks),
        "descending",
    )


def tau_columns(table: Table, label: str = "τ_b") -> tuple[Column, ...]:
    """Return the columns of rank correlations: a graph, figures and chances."""
    bounds = [values(table, name) for name in ("tau_b", "low", "high")]
    drawn = [
        (Mark("chance", 0.5, 0.5), *reach(*row, scale=(-1.0, 1.0)))
        for row in zip(*bounds, strict=True)
    ]
    ticks = ((0.0, "−1"), (0.5, "0"), (1.0, "1"))  # noqa: RUF001
    return (
        graphs(label, drawn, bounds[0], ticks),
        numbers("τ_b", bounds[0], hint="0 by chance, 1 for the same order."),
        intervals("95% interval", bounds[1], bounds[2]),
        chances("p", values(table, "p")),
        counts("topics", values(table, "topics")),
    )


def reach(
    at: float | None,
    low: float | None,
    high: float | None,
    *,
    scale: tuple[float, float] = (0.0, 1.0),
    tone: str = "",
) -> Graph:
    """Draw a dot with its interval."""
    least, most = scale
    size = (most - least) or 1.0

    def placed(value: float) -> float:
        return min(max((value - least) / size, 0.0), 1.0)

    marks = []
    if low is not None and high is not None:
        marks.append(Mark("span", placed(low), placed(high), tone))
    if at is not None:
        marks.append(Mark("dot", placed(at), placed(at), tone))
    return tuple(marks)


def _known(value: float | None) -> float:
    return math.nan if value is None else value


def _key(value: float | None) -> Key:
    return None if value is None or math.isnan(value) else float(f"{value:.10g}")
