"""Tables: named columns of equal length, nothing more.

A table is what a result shows of itself. Text that repeats is a :class:`Factor`, whole
numbers that may be missing are :class:`Integers`; all else is an array or a tuple of
text. A missing number is NaN, a missing text None. Data frames and files are made from
tables at the edge, so that nothing in the middle needs a data frame library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

MISSING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """A column of text that repeats.

    ``levels`` are distinct; ``codes`` (N,) index them, -1 where the text is missing.

    Examples
    --------
    >>> colours = Factor.of(["red", "blue", None, "red"])
    >>> colours.levels
    ('red', 'blue')
    >>> colours.codes.tolist()
    [0, 1, -1, 0]
    """

    levels: tuple[str, ...]
    codes: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", _frozen(self.codes, np.int32))

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> Factor:
        """Return the factor of some texts; levels in order of first appearance."""
        levels: dict[str | None, int] = {None: MISSING}
        codes = [levels.setdefault(text, len(levels) - 1) for text in texts]
        names = tuple(level for level in levels if level is not None)
        return cls(names, np.array(codes, dtype=np.int32))

    @classmethod
    def constant(cls, level: str, size: int) -> Factor:
        """Return the same text, ``size`` times."""
        return cls((level,), np.zeros(size, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def texts(self) -> list[str | None]:
        """Return the text of every row."""
        return self.pick(self.levels, None)

    def pick(self, values: Sequence[Any], missing: object) -> list[Any]:
        """Return for every row the value at its level's place, or ``missing``."""
        choices = np.empty(len(values) + 1, dtype=object)
        choices[:-1] = values
        choices[-1] = missing
        picked: list[Any] = choices[self.codes].tolist()
        return picked

    def take(self, rows: NDArray[Any]) -> Factor:
        """Return some rows, by index or by mask; the levels stay."""
        return Factor(self.levels, self.codes[rows])

    def arranged(self) -> Factor:
        """Return the same texts with only the levels in use, in natural order."""
        counts = np.bincount(self.codes - MISSING, minlength=len(self.levels) + 1)
        used = np.flatnonzero(counts[1:])
        names = [self.levels[code] for code in used.tolist()]
        order = sorted(range(len(names)), key=lambda place: natural_key(names[place]))
        places = np.full(len(self.levels) + 1, MISSING, dtype=np.int32)
        places[used[order]] = np.arange(len(order), dtype=np.int32)
        return Factor(tuple(names[place] for place in order), places[self.codes])


@dataclass(frozen=True, slots=True, eq=False)
class Integers:
    """A column of whole numbers of which some are missing.

    ``values`` (N,); ``known`` (N,) is False where the number is missing.
    """

    values: NDArray[np.int64]
    known: NDArray[np.bool_]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _frozen(self.values, np.int64))
        object.__setattr__(self, "known", _frozen(self.known, np.bool_))

    def __len__(self) -> int:
        return len(self.values)


Column: TypeAlias = (
    "Factor | Integers | NDArray[np.float64] | NDArray[np.int64] | NDArray[np.bool_]"
    " | tuple[str | None, ...]"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """Named columns of equal length, in order.

    Examples
    --------
    >>> table = Table({"topic": ("401", "402"), "difficulty": np.array([0.25, 1.0])})
    >>> table
    topic  difficulty
    401        0.2500
    402        1.0000
    >>> list(table.rows())
    [('401', 0.25), ('402', 1.0)]
    """

    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        columns = {name: _column(each) for name, each in self.columns.items()}
        sizes = {name: len(each) for name, each in columns.items()}
        if len(set(sizes.values())) > 1:
            raise ValueError(f"columns of different lengths: {sizes}")
        object.__setattr__(self, "columns", MappingProxyType(columns))

    def __len__(self) -> int:
        return next((len(each) for each in self.columns.values()), 0)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.columns)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield every row as Python values, None where one is missing."""
        return zip(*map(python_values, self.columns.values()), strict=True)

    def take(self, rows: NDArray[Any]) -> Table:
        """Return some rows, by index or by mask."""
        return Table({name: _take(each, rows) for name, each in self.columns.items()})

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars frame; text as text, what is missing as null."""
        from mohs.tables.frames import to_polars

        return to_polars(self)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame."""
        from mohs.tables.frames import to_pandas

        return to_pandas(self)

    def to_latex(self, *, digits: int | None = None) -> str:
        """Return a LaTeX table for the booktabs package, figures rounded if asked."""
        from mohs.tables.markup import latex

        return latex(self, digits=digits)

    def _repr_html_(self) -> str:
        from mohs.tables.markup import html_fragment

        return html_fragment(self)

    def __repr__(self) -> str:
        from mohs.tables.text import shortened

        return shortened(self)


def python_values(column: Column) -> list[Any]:
    """Return a column as Python values, None where one is missing."""
    if isinstance(column, Factor):
        return column.texts()
    if isinstance(column, Integers):
        pairs = zip(column.values.tolist(), column.known.tolist(), strict=True)
        return [value if known else None for value, known in pairs]
    if isinstance(column, tuple):
        return list(column)
    if column.dtype.kind == "f":
        # NaN is the only number that differs from itself.
        return [value if value == value else None for value in column.tolist()]  # noqa: PLR0124
    return list(column.tolist())


def natural_key(text: str) -> tuple[tuple[tuple[str, int, str], ...], str]:
    """Return a sorting key by which ``t2`` comes before ``t10``, and ``a`` before it.

    Examples
    --------
    >>> sorted(["t10", "t2", "a", "002", "2"], key=natural_key)
    ['002', '2', 'a', 't2', 't10']
    """
    pieces = _DIGITS.findall(text)
    return tuple(map(_piece_key, pieces)), text


_DIGITS = re.compile(r"([^0-9]*)([0-9]*)")


def _piece_key(piece: tuple[str, str]) -> tuple[str, int, str]:
    # Compared by length and then as text, digits need no conversion, which Python
    # refuses beyond some thousands of them.
    number = piece[1].lstrip("0")
    return piece[0], len(number), number


def _take(column: Column, rows: NDArray[Any]) -> Column:
    if isinstance(column, Factor):
        return column.take(rows)
    if isinstance(column, Integers):
        return Integers(column.values[rows], column.known[rows])
    if isinstance(column, tuple):
        texts = np.array([*column, None], dtype=object)[:-1][rows]
        return tuple(texts.tolist())
    part: Column = column[rows]
    return part


_DTYPES: Mapping[str, type] = {
    "f": np.float64,
    "i": np.int64,
    "u": np.int64,
    "b": np.bool_,
}


def _column(values: Column) -> Column:
    if isinstance(values, Factor | Integers | tuple):
        return values
    if values.dtype.kind not in _DTYPES:
        raise TypeError(f"no column can hold {values.dtype}")
    return _frozen(values, _DTYPES[values.dtype.kind])


def _frozen(values: NDArray[Any], dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype).view()
    array.flags.writeable = False
    return array
