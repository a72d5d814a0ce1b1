"""Data frames: recognised by what they can do, made where they are wanted.

No data frame library is imported before a frame comes in or is asked for. A frame of
any library is taken that speaks the Arrow stream interface (Polars, PyArrow, narwhals,
DuckDB) or has rows to be located as in pandas, with or without PyArrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError, MissingExtraError
from mohs.tables.columns import MISSING, Column, Factor, Integers, Table, python_values

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray


def is_frame(value: object) -> bool:
    """Return whether a value is a data frame of some library.

    Examples
    --------
    >>> is_frame({"a": [1]})
    False
    """
    pandas_like = hasattr(value, "iloc") and hasattr(value, "columns")
    lazy = hasattr(value, "collect_schema") and hasattr(value, "collect")
    return pandas_like or lazy or hasattr(value, "__arrow_c_stream__")


def as_polars(frame: Any) -> pl.DataFrame:  # noqa: ANN401 - any library's frame
    """Return a frame of any library as a Polars frame.

    The index of a pandas frame becomes columns unless it just counts the rows; a level
    without a name gets an empty one.
    """
    import polars as pl

    if hasattr(frame, "iloc"):
        return _from_pandas(frame)
    if hasattr(frame, "collect_schema") and not hasattr(frame, "__arrow_c_stream__"):
        return as_polars(frame.collect())
    return pl.DataFrame(frame)


def _from_pandas(frame: Any) -> pl.DataFrame:  # noqa: ANN401
    import polars as pl

    index = frame.index
    levels = [index.get_level_values(place) for place in range(index.nlevels)]
    # Rows that were filtered keep their old numbers, which mean nothing.
    kept = [each for each in levels if each.name is not None or each.dtype.kind != "i"]
    columns = kept + [frame.iloc[:, place] for place in range(frame.shape[1])]
    names = ["" if each.name is None else str(each.name) for each in columns]
    if len(set(names)) < len(names):
        raise InputError(f"the frame has two columns of one name: {names}")
    series = map(_pandas_series, names, columns)
    return pl.DataFrame(dict(zip(names, series, strict=True)))


def _pandas_series(name: str, column: Any) -> pl.Series:  # noqa: ANN401
    import polars as pl

    if column.dtype.kind in "iufb" and isinstance(column.dtype, np.dtype):
        return pl.Series(name, column.to_numpy(), nan_to_null=True)
    pairs = zip(column.tolist(), column.isna(), strict=True)
    values = [None if missing else value for value, missing in pairs]
    try:
        return pl.Series(name, values)
    except TypeError:
        remedy = "make them all text or all numbers"
        raise InputError(f"column {name!r} mixes text and numbers; {remedy}") from None


def from_polars(frame: pl.DataFrame) -> Table:
    """Return a Polars frame as a table; what is neither number nor truth as text."""
    return Table({name: column_of(frame[name]) for name in frame.columns})


def column_of(series: pl.Series) -> Column:
    """Return a Polars series as a column."""
    import polars as pl

    if series.dtype.is_integer():
        if not series.null_count():
            return series.to_numpy().astype(np.int64)
        known = series.is_not_null().to_numpy()
        return Integers(series.fill_null(0).to_numpy().astype(np.int64), known)
    if series.dtype.is_numeric():
        return floats(series)
    if series.dtype == pl.Boolean and not series.null_count():
        return series.to_numpy()
    return factor_of(series)


def check_ids(series: pl.Series, source: str) -> list[FormatError]:
    """Say what is wrong with a column of ids: decimal numbers have many spellings."""
    if not series.dtype.is_float():
        return []
    problem = f"column {series.name!r} holds decimal numbers"
    remedy = "make its ids text, written as in the runs"
    return [FormatError(source, 0, problem, remedy)]


def floats(series: pl.Series) -> NDArray[np.float64]:
    """Return a series of numbers, NaN where one is missing."""
    import polars as pl

    values: NDArray[np.float64] = series.cast(pl.Float64).to_numpy()
    return values


def factor_of(series: pl.Series) -> Factor:
    """Return a series as text; levels in order of first appearance."""
    import polars as pl

    texts = series.cast(pl.String)
    levels = texts.unique(maintain_order=True).drop_nulls()
    codes = texts.cast(pl.Enum(levels)).to_physical().cast(pl.Int32)
    return Factor(tuple(levels.to_list()), codes.fill_null(MISSING).to_numpy())


def to_polars(table: Table) -> pl.DataFrame:
    """Return a table as a Polars frame; text as text, what is missing as null."""
    import polars as pl

    return pl.DataFrame({name: _series(name, table[name]) for name in table.names})


def _series(name: str, column: Column) -> pl.Series:
    import polars as pl

    if isinstance(column, Factor):
        levels = pl.Series(name, [*column.levels, None], dtype=pl.String)
        places = np.where(column.codes < 0, len(column.levels), column.codes)
        return levels.gather(places.astype(np.uint32))
    if isinstance(column, tuple):
        return pl.Series(name, column, dtype=pl.String)
    if isinstance(column, Integers):
        return pl.Series(name, python_values(column), dtype=pl.Int64)
    return pl.Series(name, column, nan_to_null=True)


def to_pandas(table: Table) -> pd.DataFrame:
    """Return a table as a pandas frame; whole numbers with gaps as ``Int64``."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("a pandas frame", "pandas") from None

    columns = {name: _pandas_values(table[name]) for name in table.names}
    frame = pd.DataFrame(columns)
    gaps = {name: "Int64" for name in table.names if isinstance(table[name], Integers)}
    return frame.astype(gaps)


def _pandas_values(column: Column) -> Any:  # noqa: ANN401
    if isinstance(column, Factor | Integers | tuple):
        return np.array([*python_values(column), None], dtype=object)[:-1]
    return column.copy()
