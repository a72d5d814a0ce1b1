"""Items with numeric scores, from files, frames, columns or plain numbers.

A column of text whose every entry is a number, written as Mohs would write it, becomes
numbers; all others stay as they are, so that nothing that is read is lost.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.files import MAX_BYTES, decode, unpack
from mohs.scores.frames import scan
from mohs.scores.records import check_rows, nowhere, read_json, row_names
from mohs.scores.sheets import Delimited, delimiter_of, read_sheet
from mohs.tables import Factor, Integers, Table
from mohs.tables.columns import MISSING
from mohs.tables.frames import as_polars, from_polars, is_frame
from mohs.trec.inputs import expand_path
from mohs.trec.names import find_column
from mohs.trec.numbers import read_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mohs.scores.sheets import Lines
    from mohs.tables import Column
    from mohs.trec.inputs import Input

    Floats = NDArray[np.float64]

_PARQUET = b"PAR1"
_JSON = (b"{", b"[")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Items in the rows of a table.

    ``source`` says in messages what was read, ``lines`` where its rows stand, counted
    from 1; ``files`` are those to name where a result says how it was made. In a
    ``spelled`` table, numbers were text, which they still print as.
    """

    source: str
    table: Table
    lines: Lines
    files: Mapping[str, bytes | None]
    spelled: bool = False

    def faults(self, wrong: Sequence[tuple[int, str]]) -> list[FormatError]:
        """Say what is wrong in some rows, by their lines if they have any."""
        lines = self.lines([row for row, _ in wrong])
        return [
            FormatError(self.source, line, text if line else f"row {row + 1}: {text}")
            for line, (row, text) in zip(lines, wrong, strict=True)
        ]

    def column(self, name: str) -> Column:
        """Return a column.

        Raises
        ------
        UnknownNameError
            If there is none of this name.
        """
        if name not in self.table.names:
            raise UnknownNameError(f"column of {self.source}", name, self.table.names)
        return self.table[name]

    def numbers(self, name: str) -> Floats:
        """Return a column as numbers, NaN where one is missing.

        Raises
        ------
        FormatError
            With every row that holds something else.
        """
        column = self.column(name)
        if not isinstance(column, Factor | tuple):
            return _as_floats(column)
        factor = column if isinstance(column, Factor) else Factor.of(column)
        values, problems = read_numbers(factor.levels)
        wrong = np.isin(factor.codes, [*problems])
        if wrong.any():
            rows = np.flatnonzero(wrong).tolist()
            told = [(row, f"{name} {problems[factor.codes[row]]}") for row in rows]
            raise FormatError.gather(self.faults(told))
        return np.append(values, np.nan)[factor.codes]

    def texts(self, name: str) -> Factor:
        """Return a column as text, the labels of lists or items."""
        column = self.column(name)
        if isinstance(column, Factor):
            return column
        if isinstance(column, tuple):
            return Factor.of(column)
        known = ~np.isnan(_as_floats(column))
        values = column.values if isinstance(column, Integers) else column
        levels, codes = np.unique(values, return_inverse=True)
        return Factor(
            tuple(self._labels(levels)),
            np.where(known, codes, MISSING).astype(np.int32),
        )

    def _labels(self, levels: NDArray[Any]) -> list[str]:
        """Print numbers as labels; frames make floats of whole ones with gaps."""
        finite = levels[np.isfinite(levels)] if levels.dtype.kind == "f" else levels
        if not self.spelled and (finite == np.floor(finite)).all():
            return [f"{each:.0f}" for each in levels.tolist()]
        return [str(each) for each in levels.tolist()]


def _as_floats(column: Any) -> Floats:  # noqa: ANN401 (a column of numbers)
    if isinstance(column, Integers):
        return np.where(column.known, column.values, np.nan)
    return np.asarray(column, np.float64)


def choose_column(items: Items, name: str | None) -> str:
    """Return the column of scores: the one named, or the only one that it can be."""
    if name is not None:
        items.column(name)
        return name
    if found := find_column("score", items.table.names):
        return found
    columns = items.table.columns
    numeric = [
        each for each in columns if not isinstance(columns[each], Factor | tuple)
    ]
    if len(numeric) == 1:
        return numeric[0]
    listed = ", ".join(numeric or items.table.names)
    raise InputError(
        f"{items.source}: name the column of scores with --column; it has {listed}"
    )


def read_items(source: Any, *, max_bytes: int = MAX_BYTES) -> Items:  # noqa: ANN401
    """Read items from a path, ``-``, a frame, a mapping of columns, or numbers.

    Examples
    --------
    >>> read_items([3, 1.5]).table
     score
    3.0000
    1.5000
    """
    if isinstance(source, str | os.PathLike):
        return _read_input(_only(os.fspath(source)), max_bytes)
    if is_frame(source) and not hasattr(source, "to_frame"):
        table = from_polars(as_polars(source))
    elif isinstance(source, Mapping):
        table = Table({str(name): _column(each) for name, each in source.items()})
    else:
        table = Table({"score": _column(source)})
    return Items("items", table, lambda rows: [row + 1 for row in rows], {})


def _only(path: str) -> Input:
    found = list(expand_path(path))
    if len(found) > 1:
        raise InputError(f"{path}: stands for {len(found)} files; name one of them")
    return found[0]


def _read_input(found: Input, max_bytes: int) -> Items:
    assert isinstance(found.source, str | bytes)  # noqa: S101 (what paths stand for)
    data = unpack(found.source, found.label, max_bytes=max_bytes)
    files = {found.label: found.content} if found.is_file else {}
    table, lines, spelled = _read(data, found.label)
    if not len(table):
        raise FormatError(found.label, 0, "holds no items", "put one in every row")
    return Items(found.label, table, lines, files, spelled)


def _read(data: bytes, label: str) -> tuple[Table, Lines, bool]:
    """Return the table, the lines of its rows, and whether its numbers were text."""
    start = data.removeprefix(_MARK).lstrip()
    if data.startswith(_PARQUET):
        return from_polars(scan(io.BytesIO(data), label).collect()), nowhere, False
    if not start:
        remedy = "begin with a header that names the columns"
        raise FormatError(label, 0, "is empty", remedy)
    if start.startswith(_JSON):
        rows, lines = read_json(data, label)
        rows = [rows] if isinstance(rows, Mapping) else rows
        check_rows(rows, label, lines)
        names = row_names(rows)
        columns = {name: _column([row.get(name) for row in rows]) for name in names}
        return Table(columns), lines, False
    return *_read_text(data, start, label), True


def _read_text(data: bytes, start: bytes, label: str) -> tuple[Table, Lines]:
    delimiter = delimiter_of(decode(start.split(b"\n", 1)[0], label))
    text = Delimited(data, label, delimiter)
    names = text.header()
    if twice := sorted({name for name in names if names.count(name) > 1}):
        problem = f"two columns are called {twice[0]!r}"
        raise FormatError(label, text.lines([0])[0] - 1, problem, "rename one")
    sheet = read_sheet(text, names, numeric=(), system="")
    if sheet.faults:
        raise FormatError.gather(sheet.faults)
    return Table({name: _typed(sheet.labels[name]) for name in names}), sheet.lines


def _typed(factor: Factor) -> Column:
    """Return text as numbers where that loses nothing; empty text is missing."""
    empty = factor.levels.index("") if "" in factor.levels else MISSING - 1
    codes = np.where(factor.codes == empty, MISSING, factor.codes)
    texts = [level or "0" for level in factor.levels]
    for kind in (int, float):
        if texts and _survives(texts, kind):
            levels = np.array([kind(text) for text in texts])
            if kind is float:
                return np.where(codes < 0, np.nan, levels[codes])
            known = codes >= 0
            values = levels[codes].astype(np.int64)
            return values if known.all() else Integers(values, known)
    return Factor(factor.levels, codes)


def _survives(texts: Sequence[str], kind: Callable[[str], Any]) -> bool:
    """Return whether numbers would be written as they were."""
    try:
        values = [kind(text) for text in texts]
    except ValueError:
        return False
    largest = max(map(abs, values))
    return largest < 1 << 62 and [*map(repr, values)] == [
        "0.0" if text == "0" and kind is float else text for text in texts
    ]


def _column(values: Any) -> Column:  # noqa: ANN401 (whatever can be listed)
    """Return Python values as a column: numbers, or text where one of them is text."""
    if hasattr(values, "dtype") and values.dtype.kind in "iufb":
        return np.asarray(values)
    listed = list(values)
    known = [each for each in listed if each is not None]
    if all(isinstance(each, bool) for each in known) and len(known) == len(listed):
        return np.array(listed, np.bool_)
    if all(type(each) is int and abs(each) < 1 << 62 for each in known):
        numbers = np.array([each or 0 for each in listed], np.int64)
        gaps = np.array([each is not None for each in listed], np.bool_)
        return numbers if gaps.all() else Integers(numbers, gaps)
    if all(isinstance(each, int | float | np.number) for each in known):
        return np.array([np.nan if each is None else each for each in listed], float)
    return tuple(None if each is None else str(each) for each in listed)
