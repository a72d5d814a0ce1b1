"""Judgments and runs that are already in memory: dicts, data frames, iterables.

They become the rows that the core reads, so that they are ranked and matched by the
same code as files are.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.tables.frames import as_polars, check_ids, factor_of, floats
from mohs.trec.faults import describe_fault
from mohs.trec.names import COLUMNS, find_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from mohs._core import Rows
    from mohs.tables import Factor
    from mohs.trec.faults import Kind

# What the number of a row is called.
VALUES: Mapping[Kind, str] = {"judgments": "grade", "run": "score"}

# What a run is called that nobody named.
RUN = "run"

# NumPy would make numbers of these.
_NO_NUMBERS = (str, bytes, bytearray, bool, np.bool_)


def rows_of_dict(topics: Mapping[str, Any], name: str, kind: Kind) -> Rows:
    """Lay a dict of topics, each a dict of documents, out as rows.

    Raises
    ------
    InputError
        If an id is no text or a value no number.
    """
    _check_ids(topics, name)
    for topic, documents in topics.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"{name}: expected {{topic: {{document: {VALUES[kind]}}}}}, "
                f"found {type(documents).__name__} under topic {topic!r}"
            )
    names = [topic for topic, found in topics.items() for _ in found]
    documents = list(chain.from_iterable(topics.values()))
    _check_ids(documents, name)
    values = chain.from_iterable(found.values() for found in topics.values())
    return names, documents, _numbers(list(values), name, kind), None


def rows_of_records(records: Iterable[Any], name: str, kind: Kind) -> Rows:
    """Lay records with named fields out as rows, such as those of ir_measures.

    Raises
    ------
    InputError
        If the records lack a field or an id is no text.
    """
    listed = list(records)
    columns = _columns(_fields(listed), name, kind)
    topics = [getattr(record, columns["topic"]) for record in listed]
    documents = [getattr(record, columns["document"]) for record in listed]
    for ids in (topics, documents):
        _check_ids(ids, name)
    values = [getattr(record, columns[VALUES[kind]]) for record in listed]
    return topics, documents, _numbers(values, name, kind), None


def rows_of_frame(frame: pl.DataFrame, name: str, kind: Kind) -> Rows:
    """Lay a frame out as rows, in either dialect of column names."""
    columns = _columns(frame.columns, name, kind)
    topics, documents = (
        _ids(frame[columns[part]], name) for part in ("topic", "document")
    )
    return (
        topics.pick(topics.levels, ""),
        documents.pick(documents.levels, ""),
        _series_numbers(frame[columns[VALUES[kind]]], name),
        None,
    )


def ranks_of_frame(frame: pl.DataFrame) -> pl.Series | None:
    """Return the column of ranks, if there is one, whatever it holds."""
    column = find_column("rank", frame.columns)
    return None if column is None else frame[column]


def whole_ranks(ranks: pl.Series, label: str) -> NDArray[np.int32]:
    """Return ranks as whole numbers; ``label`` says in messages whose they are.

    Raises
    ------
    InputError
        At the first that is none, as in a file.
    """
    numbers = _series_numbers(ranks, label)
    limits = np.iinfo(np.int32)
    within = (numbers >= limits.min) & (numbers <= limits.max)
    sound = within & (numbers == np.rint(numbers))
    if not sound.all():
        row = int(sound.argmin())
        raise describe_fault((row + 1, "rank", str(ranks[row])), label, "run")
    return numbers.astype(np.int32)


def runs_of_frame(frame: Any) -> dict[str, pl.DataFrame]:  # noqa: ANN401 (any library's)
    """Part a frame into runs by its column of systems; without one it is ``run``."""
    table = as_polars(frame)
    column = find_column("system", table.columns)
    if column is None:
        return {RUN: table}
    systems = _ids(table[column], "runs")
    return {
        system: table.filter(systems.codes == code)
        for code, system in enumerate(systems.levels)
    }


def runs_of_records(records: Iterable[Any]) -> dict[str, list[Any]]:
    """Part records into runs by their field of systems; without one they are ``run``.

    Raises
    ------
    InputError
        If a system is no text.
    """
    listed = list(records)
    field = find_column("system", _fields(listed))
    if field is None:
        return {RUN: listed}
    systems = [getattr(record, field) for record in listed]
    _check_ids(systems, "runs")
    runs: dict[str, list[Any]] = {}
    for system, record in zip(systems, listed, strict=True):
        runs.setdefault(system, []).append(record)
    return runs


def is_run(value: object) -> bool:
    """Tell a run (topics of documents of scores) from a dict of runs."""
    if not (isinstance(value, Mapping) and value):
        return False
    # What is empty may be either, a topic or a run.
    empty: Mapping[str, object] = {}
    filled = (each for each in value.values() if not isinstance(each, Mapping) or each)
    documents = next(filled, empty)
    if not isinstance(documents, Mapping):
        return False
    return not isinstance(next(iter(documents.values()), None), Mapping)


def _fields(records: Sequence[Any]) -> list[str]:
    first = next(iter(records), None)
    return [str(field) for field in getattr(first, "_fields", ())]


def _columns(names: Sequence[str], name: str, kind: Kind) -> dict[str, str]:
    found = {}
    for part in ("topic", "document", VALUES[kind]):
        column = find_column(part, names)
        if column is None:
            known = ", ".join(COLUMNS[part])
            raise InputError(
                f"{name}: no column for the {part}; call it one of {known}"
            )
        found[part] = column
    return found


def _ids(series: pl.Series, name: str) -> Factor:
    if faults := check_ids(series, name):
        raise FormatError.gather(faults)
    ids = factor_of(series)
    if (ids.codes < 0).any():
        problem = f"column {series.name!r} has missing values"
        raise InputError(f"{name}: {problem}; fill them in or drop their rows")
    return ids


def _check_ids(ids: Iterable[object], name: str) -> None:
    for value in ids:
        if not isinstance(value, str):
            raise InputError(
                f"{name}: ids must be text, found {value!r} ({type(value).__name__}); "
                f"write '{value}', as '001' and 1 are different ids"
            )
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                problem = f"id {value!r} holds half a character"
                raise InputError(f"{name}: {problem}; write it in full") from None


def _numbers(values: list[Any], name: str, kind: Kind) -> NDArray[np.float64]:
    if not any(issubclass(each, _NO_NUMBERS) for each in set(map(type, values))):
        try:
            numbers = np.array(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            pass
        else:
            if numbers.ndim == 1:
                return numbers
    problem = next(filter(None, map(_problem, values)))
    raise InputError(f"{name}: {VALUES[kind]} {problem}")


def _problem(value: object) -> str | None:
    """Say why a value is no number; one that is missing is found where it is read."""
    if value is None:
        return None
    if not isinstance(value, _NO_NUMBERS) and not np.ndim(value):  # type: ignore[arg-type]
        try:
            float(value)  # type: ignore[arg-type]
        except OverflowError:
            return "is larger than any double; give it a finite number"
        except (TypeError, ValueError):
            pass
        else:
            return None
    kind = type(value).__name__
    return f"is not a number: {value!r} ({kind}); give it an int or a float"


def _series_numbers(series: pl.Series, name: str) -> NDArray[np.float64]:
    if not series.dtype.is_numeric():
        raise InputError(f"{name}: column {series.name!r} holds no numbers")
    # A missing number reads as NaN, which the core refuses with its row.
    return np.ascontiguousarray(floats(series))
