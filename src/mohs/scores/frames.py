"""Data frames and Parquet files as sheets; of a file, only the rows that are wanted."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from mohs.errors import FormatError, UnknownNameError
from mohs.scores.conditions import Condition
from mohs.scores.observations import find_measure
from mohs.scores.sheets import Sheet
from mohs.tables import Factor
from mohs.tables.frames import check_ids, factor_of, floats
from mohs.trec.names import find_column
from mohs.trec.numbers import read_numbers

if TYPE_CHECKING:
    import io
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from mohs.scores.request import Request
    from mohs.scores.sheets import Lines


def frame_sheet(
    frame: pl.DataFrame,
    source: str,
    *,
    numeric: Collection[str],
    system: str,
    lines: Lines,
) -> Sheet:
    """Return the columns of a Polars frame, with ids and labels as text."""
    labelled = [name for name in frame.columns if name not in numeric]
    ids = [find_column(kind, labelled) for kind in ("system", "topic")]
    faults, notes = [], []
    for name in filter(None, ids):
        faults += check_ids(frame[name], source)
        if frame.schema[name].is_integer():
            notes.append(f"{source}: the whole numbers in {name!r} are taken as text")
    numbers = {}
    for name in frame.columns:
        if name in numeric:
            numbers[name], problems = _numbers(frame[name])
            faults += [
                FormatError(source, lines([row])[0], f"{name} {problem}")
                for row, problem in problems.items()
            ]
    return Sheet(
        source,
        {name: _labels(frame[name]) for name in labelled},
        numbers,
        lines,
        system,
        tuple(faults),
        tuple(notes),
    )


def _labels(series: pl.Series) -> Factor:
    import polars as pl

    if series.dtype == pl.Object:
        return Factor.of(["" if each is None else str(each) for each in series])
    return factor_of(series.cast(pl.String).fill_null(""))


def _numbers(series: pl.Series) -> tuple[NDArray[np.float64], Mapping[int, str]]:
    if series.dtype.is_numeric():
        return floats(series), {}
    return read_numbers(["" if each is None else str(each) for each in series])


def scan(file: str | io.BytesIO, source: str) -> pl.LazyFrame:
    """Return a Parquet file of which only the names of columns are read yet."""
    import polars as pl

    try:
        if isinstance(file, str):
            frame = pl.scan_parquet(file, glob=False)
        else:
            frame = pl.read_parquet(file).lazy()
        frame.collect_schema()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise _unreadable(source, error) from None
    return frame


def wanted_rows(
    frame: pl.LazyFrame, decidable: Collection[str], request: Request, source: str
) -> tuple[pl.DataFrame, Mapping[str, Sequence[str]]]:
    """Return the rows of a file that are wanted; others, of a huge file, stay unread.

    Conditions are decided on the ``decidable`` columns. The second value lists, for
    columns of which something was wanted that these rows lack, the levels in the file.
    """
    import polars as pl

    labelled = {"topic", "formulation"} if request.formulation else set()
    conditions = [
        each
        for each in request.conditions
        if each.column in decidable and each.column not in labelled
    ]
    measure = request.measure if "measure" in decidable else None
    rows = _select(frame, conditions, measure, source)
    doubtful = {
        each.column
        for each in conditions
        if each.negated or each.values.difference(rows[each.column].cast(pl.String))
    }
    if measure is not None and rows.is_empty():
        doubtful.add("measure")
    known = _levels(frame, doubtful, source)
    if measure is not None and "measure" in known:
        with contextlib.suppress(UnknownNameError):
            measure = find_measure(known["measure"], measure, request.canonical)
            rows = _select(frame, conditions, measure, source)
    return rows, known


def _select(
    frame: pl.LazyFrame,
    conditions: Sequence[Condition],
    measure: str | None,
    source: str,
) -> pl.DataFrame:
    import polars as pl

    if measure is not None:
        conditions = [*conditions, Condition("measure", frozenset({measure}))]
    for condition in conditions:
        text = pl.col(condition.column).cast(pl.String)
        if condition.allows(""):
            text = text.fill_null("")
        fulfilled = text.is_in(sorted(condition.values))
        frame = frame.filter(~fulfilled if condition.negated else fulfilled)
    return _collected(frame, source)


def _levels(
    frame: pl.LazyFrame, columns: Collection[str], source: str
) -> dict[str, list[str]]:
    import polars as pl

    if not columns:
        return {}
    levels = [
        pl.col(name).cast(pl.String).fill_null("").unique().implode()
        for name in columns
    ]
    row = _collected(frame.select(levels), source).row(0)
    return dict(zip(columns, map(list, row), strict=True))


def _collected(frame: pl.LazyFrame, source: str) -> pl.DataFrame:
    import polars as pl

    try:
        return frame.collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: str, error: BaseException) -> FormatError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    problem = f"cannot be read as Parquet ({reason})"
    return FormatError(source, 0, problem, "write the file anew")
