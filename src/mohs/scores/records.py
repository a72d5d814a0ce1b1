"""Rows that are dictionaries, from JSON or from Python, as sheets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError
from mohs.files import decode
from mohs.scores.sheets import Sheet
from mohs.tables import Factor
from mohs.trec.names import find_column
from mohs.trec.numbers import read_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from mohs.scores.sheets import Lines

_TEXT = "make it text, written as in the runs"


def read_json(data: bytes, source: str) -> tuple[Any, Lines]:
    """Return what JSON text holds, a value or a row on every line, and where rows are.

    Raises
    ------
    FormatError
        Where the text is no JSON.
    """
    text = decode(data, source)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _broken(source, error.lineno, error.msg) from None
        return _read_lines(text, source)
    except (ValueError, RecursionError) as error:
        raise _broken(source, 0, _reason(error)) from None
    if isinstance(value, Mapping) and isinstance(value.get("rows"), list):
        value = value["rows"]
    return value, nowhere


def nowhere(rows: Sequence[int]) -> Sequence[int]:
    """Return no lines for rows that stand on none."""
    return [0] * len(rows)


def _read_lines(text: str, source: str) -> tuple[Any, Lines]:
    values, numbers, faults = [], [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            numbers.append(number)
            try:
                values.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                faults.append(_broken(source, number, _reason(error)))
    if faults:
        raise FormatError.gather(faults)
    return values, lambda rows: [numbers[row] for row in rows]


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "too many brackets"
    # Python makes no whole number of thousands of digits.
    known = isinstance(error, json.JSONDecodeError)
    return str(error) if known else "a number has too many digits"


def _broken(source: str, line: int, reason: str) -> FormatError:
    return FormatError(source, line, f"is malformed JSON ({reason})", "write it anew")


def check_rows(rows: Sequence[Any], source: str, lines: Lines) -> None:
    """Refuse rows that are no dictionaries.

    Raises
    ------
    FormatError
        With every such row.
    """
    wrong = [place for place, row in enumerate(rows) if not isinstance(row, Mapping)]
    expected = 'write rows such as {"system": "a", "topic": "401", "value": 0.5}'
    if wrong:
        problems = [f"row {place + 1} is no object" for place in wrong]
        raise FormatError.gather(
            [
                FormatError(source, line, problem, expected)
                for line, problem in zip(lines(wrong), problems, strict=True)
            ]
        )


def rows_sheet(
    rows: Sequence[Mapping[str, Any]],
    source: str,
    *,
    numeric: Collection[str],
    system: str,
    lines: Lines,
) -> Sheet:
    """Return the columns of rows that are dictionaries, ids and labels as text."""
    names = row_names(rows)
    ids = {find_column(kind, names) for kind in ("system", "topic")}
    labels, numbers, problems = {}, {}, []
    notes = []
    for name in names:
        values = [row.get(name) for row in rows]
        if name in numeric:
            numbers[name], wrong = to_numbers(values)
            problems += [(row, f"{name} {text}") for row, text in wrong.items()]
            continue
        labels[name] = Factor.of(map(_text, values))
        if name in ids:
            problems += [
                (row, f"{name} is a decimal number; {_TEXT}")
                for row, value in enumerate(values)
                if isinstance(value, float)
            ]
            if any(isinstance(value, int) for value in values):
                notes.append(f"{source}: whole numbers in {name!r} are taken as text")
    places = lines([row for row, _ in problems])
    faults = [
        FormatError(source, line, problem)
        for line, (_, problem) in zip(places, problems, strict=True)
    ]
    return Sheet(source, labels, numbers, lines, system, tuple(faults), tuple(notes))


def row_names(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the names of all columns, in order of appearance."""
    return tuple(dict.fromkeys(str(name) for row in rows for name in row))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return str(value)


def to_numbers(values: Sequence[Any]) -> tuple[NDArray[np.float64], dict[int, str]]:
    """Return Python values as numbers, and what is wrong with some, by place."""
    numbers = np.full(len(values), np.nan)
    problems: dict[int, str] = {}
    for row, value in enumerate(values):
        if isinstance(value, str):
            parsed, wrong = read_numbers([value])
            numbers[row] = parsed[0]
            problems.update((row, problem) for problem in wrong.values())
        elif isinstance(value, bool | np.bool_) or not _is_number(value):
            problems[row] = f"{value!r} is not a number; give an int or a float"
        elif value is not None:
            numbers[row] = float(value)
    return numbers, problems


def _is_number(value: Any) -> bool:  # noqa: ANN401
    if value is None:
        return True
    try:
        return isinstance(float(value), float)
    except (TypeError, ValueError, OverflowError):
        return False
