"""Tables below one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.tables.columns import Column, Factor, Integers, Table

if TYPE_CHECKING:
    from collections.abc import Sequence


def stack(tables: Sequence[Table]) -> Table:
    """Put tables of the same columns below one another.

    Examples
    --------
    >>> upper = Table({"topic": Factor.of(["1"]), "p": np.array([0.5])})
    >>> lower = Table({"topic": Factor.of(["2"]), "p": np.array([np.nan])})
    >>> stack([upper, lower])
    topic       p
    1      0.5000
    2           -
    """
    first, *others = tables
    if any(table.names != first.names for table in others):
        raise ValueError("tables of different columns")
    if not others:
        return first
    return Table({name: _joined([t[name] for t in tables]) for name in first.names})


def _joined(columns: Sequence[Any]) -> Column:
    first = columns[0]
    if isinstance(first, Factor):
        return Factor.of(text for column in columns for text in column.texts())
    if isinstance(first, Integers):
        values = np.concatenate([column.values for column in columns])
        return Integers(values, np.concatenate([column.known for column in columns]))
    if isinstance(first, tuple):
        return tuple(text for column in columns for text in column)
    joined: Column = np.concatenate(columns)
    return joined
