"""Judgments and runs that are already in memory: dicts, data frames, iterables.

They become the rows that the core reads, so that they are ranked and matched by the
same code as files are.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import InputError
from mohs.tables.frames import as_polars, factor_of, floats
from mohs.trec.names import COLUMNS, find_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl

    from mohs._core import Rows
    from mohs.trec.faults import Kind

# What the number of a row is called.
VALUES: Mapping[Kind, str] = {"judgments": "grade", "run": "score"}


def rows_of_dict(topics: Mapping[str, Any], name: str, kind: Kind) -> Rows:
    """Lay a dict of topics, each a dict of documents, out as rows.

    Raises
    ------
    InputError
        If an id is no text or a value no number.
    """
    for topic, documents in topics.items():
        _check_id(topic, name)
        if not isinstance(documents, Mapping):
            raise InputError(
                f"{name}: expected {{topic: {{document: {VALUES[kind]}}}}}, "
                f"found {type(documents).__name__} under topic {topic!r}"
            )
    names = [topic for topic, found in topics.items() for _ in found]
    documents = list(chain.from_iterable(topics.values()))
    for document in documents:
        _check_id(document, name)
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
    fields = (
        [str(field) for field in getattr(listed[0], "_fields", ())] if listed else []
    )
    columns = _columns(fields, name, kind)
    topics = [getattr(record, columns["topic"]) for record in listed]
    documents = [getattr(record, columns["document"]) for record in listed]
    for each in chain(topics, documents):
        _check_id(each, name)
    values = [getattr(record, columns[VALUES[kind]]) for record in listed]
    return topics, documents, _numbers(values, name, kind), None


def rows_of_frame(frame: pl.DataFrame, name: str, kind: Kind) -> Rows:
    """Lay a frame out as rows, in either dialect of column names."""
    columns = _columns(frame.columns, name, kind)
    topics, documents = (
        factor_of(frame[columns[part]]) for part in ("topic", "document")
    )
    for part, factor in (("topic", topics), ("document", documents)):
        if (factor.codes < 0).any():
            raise InputError(f"{name}: column {columns[part]!r} has missing values")
    ranks = find_column("rank", frame.columns) if kind == "run" else None
    return (
        topics.pick(topics.levels, ""),
        documents.pick(documents.levels, ""),
        _series_numbers(frame[columns[VALUES[kind]]], name),
        None if ranks is None else frame[ranks].to_numpy().astype(np.int32),
    )


def runs_of_frame(frame: Any) -> dict[str, pl.DataFrame]:  # noqa: ANN401 (any library's)
    """Part a frame into runs by its column of systems; without one it is ``run``."""
    table = as_polars(frame)
    column = find_column("system", table.columns)
    if column is None:
        return {"run": table}
    systems = factor_of(table[column])
    return {
        system: table.filter(systems.codes == code)
        for code, system in enumerate(systems.levels)
    }


def is_run(value: object) -> bool:
    """Tell a run (topics of documents of scores) from a dict of runs."""
    if not isinstance(value, Mapping):
        return False
    documents = next(iter(value.values()), None)
    if not isinstance(documents, Mapping):
        return False
    return not isinstance(next(iter(documents.values()), None), Mapping)


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


def _check_id(value: object, name: str) -> None:
    if not isinstance(value, str):
        raise InputError(
            f"{name}: ids must be text, found {value!r} ({type(value).__name__}); "
            f"write '{value}', as '001' and 1 are different ids"
        )


def _numbers(values: list[Any], name: str, kind: Kind) -> np.ndarray[Any, Any]:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        bad = next(value for value in values if not isinstance(value, int | float))
        raise InputError(f"{name}: {VALUES[kind]} is not a number: {bad!r}") from None


def _series_numbers(series: pl.Series, name: str) -> np.ndarray[Any, Any]:
    if not series.dtype.is_numeric():
        raise InputError(f"{name}: column {series.name!r} holds no numbers")
    # A missing number reads as NaN, which the core refuses with its row.
    return np.ascontiguousarray(floats(series))
