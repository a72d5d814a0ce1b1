"""Cells: the columns of a table as text."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from mohs.tables.columns import Column, Factor, Integers

if TYPE_CHECKING:
    from collections.abc import Callable


def cells(
    column: Column,
    quote: Callable[[str], str],
    *,
    missing: str,
    number: Callable[[float], str] = repr,
) -> list[str]:
    """Return a column as text.

    ``quote`` is applied to text, ``number`` to numbers that are not NaN; what is
    missing becomes ``missing``.
    """
    if isinstance(column, Factor):
        return column.pick([quote(level) for level in column.levels], missing)
    if isinstance(column, tuple):
        return [missing if text is None else quote(text) for text in column]
    if isinstance(column, Integers):
        pairs = zip(column.values.tolist(), column.known.tolist(), strict=True)
        return [str(value) if known else missing for value, known in pairs]
    if column.dtype.kind == "b":
        return ["true" if value else "false" for value in column.tolist()]
    if column.dtype.kind == "i":
        return list(map(str, column.tolist()))
    texts = list(map(number, column.tolist()))
    for row in np.flatnonzero(np.isnan(column)).tolist():
        texts[row] = missing
    return texts


def is_text(column: Column) -> bool:
    """Return whether a column holds text, which is aligned to the left."""
    return isinstance(column, Factor | tuple)


def figure(value: float) -> str:
    """Return a number rounded for reading.

    Examples
    --------
    >>> [figure(value) for value in (0.25, 0.0, 1.23456e-9, 22370.77)]
    ['0.2500', '0.0000', '1.23e-09', '22370.7700']
    """
    small = value and abs(value) < 1e-4
    large = abs(value) >= 1e7 and math.isfinite(value)
    return f"{value:.2e}" if small or large else f"{value:.4f}"


def printable(text: str) -> str:
    r"""Return text that moves no cursor: control characters as escapes.

    Examples
    --------
    >>> printable("a\tb")
    'a\\tb'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in text
    )


def width(text: str) -> int:
    """Return the number of places a text takes up on a screen."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else _WIDTHS.get(kind, 1)
        for char in text
        for kind in (unicodedata.east_asian_width(char),)
    )


_WIDTHS = {"W": 2, "F": 2}
