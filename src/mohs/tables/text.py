"""Tables to look at: aligned, figures rounded, as wide as the screen."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mohs.tables.cells import cells, figure, is_text, printable, width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mohs.tables.columns import Table

MISSING = "-"
SHOWN = 20

_GAP = "  "
_NARROWEST = 8


class _Strip(NamedTuple):
    """A column as text, its header first, every cell at most ``size`` wide."""

    texts: list[str]
    size: int
    left: bool

    def lines(self) -> list[str]:
        """Return the cells, padded to the same width."""
        return [self._padded(text) for text in self.texts]

    def _padded(self, text: str) -> str:
        space = " " * (self.size - width(text))
        return text + space if self.left else space + text

    def narrowed(self, size: int) -> _Strip:
        """Return the cells cut to a width, the cut marked.

        They lose their end, or their middle where they would else look alike.
        """
        texts = [_cut(text, size) for text in self.texts]
        if len({*texts}) < len({*self.texts}):
            texts = [_cut(text, size, end=(size - 1) // 2) for text in self.texts]
        return _Strip(texts, min(size, max(map(width, texts))), self.left)


def aligned(
    table: Table,
    *,
    columns: int | None = None,
    header: Callable[[str], str] = str,
) -> str:
    """Return the table for a fixed-width font.

    Where it is wider than ``columns``, long texts are cut; if that does not suffice,
    the rest follows below in blocks that repeat the first column. ``header`` decorates
    header lines.

    Examples
    --------
    >>> from mohs.tables import Table
    >>> print(aligned(Table({"topic": ("401", None), "p": np.array([0.5, 1e-9])})))
    topic         p
    401      0.5000
    -      1.00e-09
    """
    strips = list(map(_strip, table.names, itertools.repeat(table)))
    if columns is not None:
        strips = _fitted(strips, columns)
    return "\n\n".join(
        _joined(block, header) for block in _blocks(strips, columns or 0)
    )


def shortened(table: Table) -> str:
    """Return the table with its middle left out if it is long, and the count."""
    part, left_out = excerpt(table)
    if not left_out:
        return aligned(table)
    lines = aligned(part).split("\n")
    lines.insert(1 + SHOWN // 2, f"... {left_out:,} more rows ...")
    return "\n".join(lines)


def excerpt(table: Table) -> tuple[Table, int]:
    """Return the first and last rows of a long table, and how many are left out."""
    left_out = max(len(table) - SHOWN, 0)
    if not left_out:
        return table, 0
    rows = np.arange(SHOWN)
    rows[SHOWN // 2 :] += left_out
    return table.take(rows), left_out


def _strip(name: str, table: Table) -> _Strip:
    column = table[name]
    body = cells(column, printable, missing=MISSING, number=figure)
    texts = [printable(name), *body]
    return _Strip(texts, max(map(width, texts)), is_text(column))


def _fitted(strips: Sequence[_Strip], columns: int) -> list[_Strip]:
    fitted = list(strips)
    over = sum(strip.size + len(_GAP) for strip in strips) - len(_GAP) - columns
    while over > 0:
        texts = [i for i, each in enumerate(fitted) if each.left]
        widest = max(texts, key=lambda i: fitted[i].size, default=None)
        if widest is None or fitted[widest].size <= _NARROWEST:
            break
        size = max(fitted[widest].size - over, fitted[widest].size // 2, _NARROWEST)
        over -= fitted[widest].size - size
        fitted[widest] = strips[widest].narrowed(size)
    if over <= 0:
        return fitted
    # In blocks, a text has only the first column, or one of figures, beside it.
    room = columns - len(_GAP)
    figures = max((strip.size for strip in strips if not strip.left), default=0)
    most = max(min(room // 2, room - figures), _NARROWEST)
    return [_at_most(strip, most) for strip in strips]


def _at_most(strip: _Strip, size: int) -> _Strip:
    return strip.narrowed(size) if strip.left and strip.size > size else strip


def _blocks(strips: Sequence[_Strip], columns: int) -> Iterator[Sequence[_Strip]]:
    if not columns or len(strips) < 3:
        yield strips
        return
    first, *rest = strips
    block = [first]
    for strip in rest:
        used = sum(each.size + len(_GAP) for each in block)
        if len(block) > 1 and used + strip.size > columns:
            yield block
            block = [first]
        block.append(strip)
    yield block


def _joined(strips: Sequence[_Strip], header: Callable[[str], str]) -> str:
    rows = zip(*(strip.lines() for strip in strips), strict=True)
    lines = [_GAP.join(row).rstrip() for row in rows]
    return "\n".join([header(lines[0]), *lines[1:]]) if lines else ""


def _cut(text: str, size: int, *, end: int = 0) -> str:
    """Cut a text to a width, and keep so much of its end."""
    if width(text) <= size:
        return text
    tail = text[len(text) - end :]
    while width(tail) > end:
        tail = tail[1:]
    head = text
    while width(head) + width(tail) > size - 1:
        head = head[:-1]
    return f"{head}…{tail}"
