"""Tables as they are read on a page: columns by their kind, digits by their size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mohs.papers.definition import COMPARISONS, comparison_table
from mohs.reporting.columns import counts, names, numbers
from mohs.reporting.page import Column, Grid
from mohs.reporting.wording import NOTHING, number
from mohs.tables import Factor, Integers
from mohs.tables.cells import printable
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.papers.definition import Comparison
    from mohs.tables import Column as TableColumn
    from mohs.tables import Table

_SHOWN, _FOLDED = 200, 30
_EXTRA = 2  # digits beyond those that were printed
_DIGITS = 4


def comparison_grid(comparisons: Sequence[Comparison]) -> Grid:
    """Show what was printed in the digits it was printed in, and the rest beside it."""
    published = _in_digits("published", comparisons, 0)
    columns = (
        _texts("place", [each.place for each in comparisons]),
        _texts("what", [each.quantity for each in comparisons]),
        published,
        _in_digits("computed", comparisons, _EXTRA),
        _in_digits("difference", comparisons, _EXTRA, hint="Computed − published."),  # noqa: RUF001
        _verdicts(comparisons),
        _texts("reason", [each.reason for each in comparisons]),
    )
    return Grid(
        COMPARISONS,
        "What the paper says, and what is computed",
        columns,
        comparison_table(comparisons),
    )


def grid_of(name: str, caption: str, table: Table, beside: str) -> Grid:
    """Show a table, folded if it is long, and cut if it is very long."""
    size = len(table)
    shown = table if size <= _SHOWN else table.take(np.arange(_SHOWN))
    notes: tuple[str, ...] = ()
    if size > _SHOWN:
        notes = (f"The first {_SHOWN} of {size:,} rows; {beside} has all of them.",)
    columns = tuple(_column(label, each) for label, each in shown.columns.items())
    return Grid(name, caption, columns, shown, folded=size > _FOLDED, notes=notes)


def _column(name: str, column: TableColumn) -> Column:
    label, values = name.replace("_", " "), python_values(column)
    if isinstance(column, Factor | tuple):
        return _texts(label, values)
    if isinstance(column, Integers) or column.dtype.kind == "i":
        return counts(label, values)
    if column.dtype.kind == "b":
        return names(label, ["yes" if each else "no" for each in values])
    return _floats(label, values)


def _texts(label: str, texts: Sequence[str | None]) -> Column:
    # Long texts break lines, which names do not.
    return names(label, texts, kind="text")


def _floats(label: str, values: Sequence[float | None]) -> Column:
    known = [each for each in values if each is not None and math.isfinite(each)]
    digits = _digits(known)
    plain = numbers(label, values, digits)
    cells = tuple(_small(each, digits) for each in values)
    return Column(label, cells, plain.keys, "number", first="descending")


def _digits(known: Sequence[float]) -> int:
    """Return how many decimals are worth showing: fewer of what is large or round.

    Examples
    --------
    >>> _digits([0.1, 0.2]), _digits([0.123456]), _digits([82.0, 30.857])
    (1, 4, 2)
    """
    most = _DIGITS if max(map(abs, known), default=0.0) < 10 else 2
    fits = (d for d in range(most) if all(round(each, d) == each for each in known))
    return next(fits, most)


def _small(value: float | None, digits: int) -> str:
    """Return a number, with its leading digits if so many decimals would hide it."""
    if value and math.isfinite(value) and abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}".replace("-", "−")  # noqa: RUF001
    return number(value, digits)


def _in_digits(
    name: str, comparisons: Sequence[Comparison], extra: int, *, hint: str = ""
) -> Column:
    values = [getattr(each, name) for each in comparisons]
    digits = [_shown(each, extra) for each in comparisons]
    cells = tuple(map(number, values, digits))
    keys = numbers(name, values).keys
    return Column(name, cells, keys, "number", hint, first="descending")


def _shown(each: Comparison, extra: int) -> int:
    """Return how many decimals to show, with so many beyond those printed.

    A count that was printed and found as one is shown as one.
    """
    if each.digits is None:
        return _DIGITS
    if (
        each.digits == 0
        and each.computed is not None
        and float(each.computed).is_integer()
    ):
        return 0
    return max(each.digits + extra * (each.published is not None), 0)


def _verdicts(comparisons: Sequence[Comparison]) -> Column:
    texts = tuple(printable(each.verdict) or NOTHING for each in comparisons)
    return Column("verdict", texts, texts, "class")
