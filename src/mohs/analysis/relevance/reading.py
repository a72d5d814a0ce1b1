"""From items to scores and lists: what is missing, and what nothing can be made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.registry import check_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.relevance.items import Items
    from mohs.gains.control import Transform
    from mohs.tables import Factor

    Floats = NDArray[np.float64]

Missing = Literal["drop", "zero", "error"]


def read_scores(
    items: Items,
    column: str,
    *,
    missing: Missing,
    missing_value: float | None,
    transform: Transform,
) -> Floats:
    """Return the scores of items, NaN where one is missing: (N,).

    Raises
    ------
    FormatError
        With every row whose score is no number, infinite, without a logarithm that is
        wanted, or missing where that is an error.
    InputError
        If no item has a score.
    """
    check_choice("missing", missing, Missing)
    scores = items.numbers(column)
    if missing_value is not None:
        scores = np.where(scores == missing_value, np.nan, scores)
    remedy = "say what to do with --missing drop or --missing zero"
    checks = {
        f"is missing; {remedy}": np.isnan(scores) & (missing == "error"),
        "is infinite; write a finite number": np.isinf(scores),
        "is below 0, which has no logarithm; leave out --transform log": (
            (scores < 0) & (transform == "log")
        ),
    }
    wrong = [
        (row, f"{column} {problem}")
        for problem, rows in checks.items()
        for row in np.flatnonzero(rows).tolist()
    ]
    if wrong:
        raise FormatError.gather(items.faults(wrong))
    if np.isnan(scores).all():
        raise InputError(f"{items.source}: no item has a score in column {column!r}")
    return scores


def read_lists(items: Items, by: str) -> Factor:
    """Return the list that every item belongs to.

    Raises
    ------
    FormatError
        With every row that names none.
    """
    lists = items.texts(by)
    empty = [code for code, name in enumerate(lists.levels) if not name]
    bare = (lists.codes < 0) | np.isin(lists.codes, empty)
    if bare.any():
        told = f"{by} is missing; name the list of every item, or remove the row"
        wrong = [(row, told) for row in np.flatnonzero(bare).tolist()]
        raise FormatError.gather(items.faults(wrong))
    return lists
