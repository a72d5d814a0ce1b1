"""Sheets: named columns of one source, before it is known what they mean.

A sheet is read in small chunks, label columns straight into factors, so that a large
file never becomes a large list of texts.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mohs.errors import FormatError
from mohs.files import decode
from mohs.tables import Factor
from mohs.trec.numbers import read_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Labels: TypeAlias = Mapping[str, Factor]
    Numbers: TypeAlias = Mapping[str, NDArray[np.float64]]
    Lines: TypeAlias = Callable[[Sequence[int]], Sequence[int]]

# Rows of this many at a time stay in the processor's cache; larger chunks are slower.
_CHUNK = 500

_RAGGED = "give every row as many as the header, and quote those that hold a separator"

_DELIMITER = re.compile("[\t,;]")
_QUOTED = re.compile('"[^"]*("|$)')


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Columns of one source: labels (N,) and numbers (N,), NaN where one is missing.

    ``lines`` tells where in the source rows stand, counted from 1; ``system`` is what
    to call the system if no column does.
    """

    source: str
    labels: Labels
    numbers: Numbers
    lines: Lines
    system: str
    faults: tuple[FormatError, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delimited:
    """UTF-8 text, one row per line, a header on the first line that is not blank."""

    data: bytes
    source: str
    delimiter: str

    def header(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(next(self._rows(), ()))

    def chunks(self) -> Iterator[tuple[int, list[list[str]]]]:
        """Yield rows below the header, and the number of those before."""
        rows = self._rows()
        next(rows, None)
        start = 0
        while chunk := list(itertools.islice(rows, _CHUNK)):
            yield start, chunk
            start += len(chunk)

    def lines(self, rows: Sequence[int]) -> Sequence[int]:
        """Return the line each row ends in; slow, since only errors ask for it."""
        reader = self._reader()
        ends = [reader.line_num for row in reader if row][1:] if rows else []
        return [ends[row] for row in rows]

    def _rows(self) -> Iterator[list[str]]:
        reader = self._reader()
        try:
            yield from filter(None, reader)
        except csv.Error as error:
            problem, remedy = f"is malformed ({error})", "mend its quotes and line ends"
            raise FormatError(self.source, reader.line_num, problem, remedy) from None
        except UnicodeDecodeError:
            decode(self.data, self.source)

    def _reader(self) -> Any:  # noqa: ANN401 - csv does not name it
        data = io.BytesIO(self.data)
        file = io.TextIOWrapper(data, encoding="utf-8-sig", newline="")
        return csv.reader(file, delimiter=self.delimiter, strict=True)


def delimiter_of(line: str) -> str:
    """Return what separates the fields of a header: the first mark that could.

    Examples
    --------
    >>> delimiter_of('"topic";a,b')
    ';'
    """
    found = _DELIMITER.search(_QUOTED.sub("", line))
    return found[0] if found else ","


def read_sheet(
    text: Delimited, names: Sequence[str], *, numeric: Collection[str], system: str
) -> Sheet:
    """Return the columns of delimited text.

    ``names`` are what to call the columns, those in ``numeric`` hold numbers.
    """
    columns = {name: _Numbers() if name in numeric else _Labels() for name in names}
    ragged: list[tuple[int, str]] = []
    for start, rows in text.chunks():
        for row, cells in enumerate(rows):
            if len(cells) != len(names):
                problem = f"expected {len(names)} fields, found {len(cells)}; {_RAGGED}"
                ragged.append((start + row, problem))
                # It takes part with empty cells, so that rows keep their places.
                rows[row] = (cells + [""] * len(names))[: len(names)]
        for column, texts in zip(
            columns.values(), zip(*rows, strict=True), strict=True
        ):
            column.add(texts)
    return Sheet(
        text.source,
        {n: each.factor() for n, each in columns.items() if isinstance(each, _Labels)},
        {n: each.values() for n, each in columns.items() if isinstance(each, _Numbers)},
        text.lines,
        system,
        tuple(_faults(text, columns, ragged)),
    )


class _Labels:
    """A column of labels in the making."""

    def __init__(self) -> None:
        self._codes: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        self._parts: list[NDArray[np.int32]] = []

    def add(self, texts: Sequence[str]) -> None:
        codes = map(self._codes.__getitem__, texts)
        self._parts.append(np.fromiter(codes, np.int32, len(texts)))

    def factor(self) -> Factor:
        parts = self._parts or [np.empty(0, dtype=np.int32)]
        return Factor(tuple(self._codes), np.concatenate(parts))


class _Numbers:
    """A column of numbers in the making, with what is wrong in some rows."""

    def __init__(self) -> None:
        self.problems: list[tuple[int, str]] = []
        self._parts: list[NDArray[np.float64]] = []
        self._size = 0

    def add(self, texts: Sequence[str]) -> None:
        values, problems = read_numbers(texts)
        self.problems += [(self._size + row, each) for row, each in problems.items()]
        self._parts.append(values)
        self._size += len(texts)

    def values(self) -> NDArray[np.float64]:
        return np.concatenate(self._parts or [np.empty(0)])


def _faults(
    text: Delimited,
    columns: Mapping[str, _Labels | _Numbers],
    ragged: Sequence[tuple[int, str]],
) -> list[FormatError]:
    ragged_rows = {row for row, _ in ragged}
    problems = list(ragged)
    faults = []
    numeric = {n: each for n, each in columns.items() if isinstance(each, _Numbers)}
    for name, column in numeric.items():
        wrong = [(row, f"{name} {problem}") for row, problem in column.problems]
        # In a matrix, such a column means that it is none.
        if len(numeric) > 1 and 1 < len(wrong) == len(column.values()):
            problem = f"column {name!r} holds no numbers"
            remedy = "name the column that does with --rename value=COLUMN"
            faults.append(FormatError(text.source, 0, problem, remedy))
        problems += [each for each in wrong if each[0] not in ragged_rows]
    problems.sort()
    lines = text.lines([row for row, _ in problems])
    return faults or [
        FormatError(text.source, line, problem)
        for line, (_, problem) in zip(lines, problems, strict=True)
    ]
