"""Figures in words: rounded alike wherever they stand, with what bounds them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING = "–"  # noqa: RUF001 (a dash where there is no number)
_MINUS = "−"  # noqa: RUF001
_NAMED = 3
_SMALLEST = 0.001


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with so many decimals, a dash if there is none.

    Examples
    --------
    >>> number(0.126), number(-0.5, 1), number(-0.001), number(float("nan"))
    ('0.13', '−0.5', '0.00', '–')
    """  # noqa: RUF002 (what is shown)
    if value is None or math.isnan(value):
        return NOTHING
    text = f"{value:.{digits}f}"
    if not float(text):
        text = text.removeprefix("-")
    return text.replace("-", _MINUS)


def between(low: float, high: float, digits: int = 2) -> str:
    """Return an interval.

    Examples
    --------
    >>> between(0.1, 0.25), between(-0.5, 0.5), between(float("nan"), 0.5)
    ('0.10–0.25', '−0.50 to 0.50', '–')
    """  # noqa: RUF002 (what is shown)
    if math.isnan(low) or math.isnan(high):
        return NOTHING
    mark = " to " if low < 0 else "–"  # noqa: RUF001
    return f"{number(low, digits)}{mark}{number(high, digits)}"


def chance(p: float) -> str:
    """Return a p-value.

    Examples
    --------
    >>> chance(0.0421), chance(1e-9)
    ('0.042', '< 0.001')
    """
    if math.isnan(p):
        return NOTHING
    return f"< {_SMALLEST}" if p < _SMALLEST else f"{p:.3f}"


def is_p(p: float) -> str:
    """Return a p-value as a sentence has it.

    Examples
    --------
    >>> is_p(0.5), is_p(0.0)
    ('p = 0.500', 'p < 0.001')
    """
    text = chance(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def counted(count: int, noun: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> counted(1, "topic"), counted(1200, "topic")
    ('1 topic', '1,200 topics')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    shown = [printable(name) for name in names]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def some(names: Sequence[str], most: int = _NAMED) -> str:
    """Return a few names, and how many more there are.

    Examples
    --------
    >>> some(["a", "b", "c", "d", "e"]), some(["a", "b"])
    ('a, b, c and 2 more', 'a and b')
    """
    if len(names) <= most + 1:
        return listed(names)
    shown = ", ".join(printable(name) for name in names[:most])
    return f"{shown} and {len(names) - most:,} more"


def sentence(text: str) -> str:
    """Return a note as a sentence.

    Examples
    --------
    >>> sentence("topics are tied")
    'Topics are tied.'
    """
    shown = printable(text)
    return f"{shown[:1].upper()}{shown[1:].removesuffix('.')}."


def is_or_are(count: int) -> str:
    """Return the verb that goes with a number of things."""
    return "is" if count == 1 else "are"
