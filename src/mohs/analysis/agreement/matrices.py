"""Matrices: the values of one measure, in one table or under one level of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.scores import to_cube

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.scores import Scores

    Floats = NDArray[np.float64]

MEASURE = "measure"
_AXES = ("topic", "system")


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Values (T, S) of one measure for T topics and S systems, NaN where there is none.

    ``table`` is the name of the table, if there are two; ``level`` that of the level,
    if the levels of a column are told apart; ``missing`` says in words which values
    are.
    """

    table: str
    level: str
    measure: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    missing: str = ""

    @property
    def name(self) -> str:
        """Names of table and level, as far as there are any."""
        return ", ".join(part for part in (self.table, self.level) if part)


def matrices_of(scores: Scores, table: str = "", by: str | None = None) -> list[Matrix]:
    """Return a matrix for each level of a column, or the one that there is.

    Raises
    ------
    UnknownNameError
        If the scores have no such column.
    InputError
        If several values belong to one topic and system.

    Examples
    --------
    >>> from mohs.measures.reading import read_scores
    >>> scores = read_scores({"a": {"1": {"AP": 0.5, "RR": 1.0}}})
    >>> [(each.level, each.values.tolist()) for each in matrices_of(scores, by="measure")]
    [('AP', [[0.5]]), ('RR', [[1.0]])]
    """  # noqa: E501
    # What was evaluated here is in the order it came in, which must not matter.
    arranged = scores.take(np.arange(len(scores)))
    if by is None:
        return [_matrix(arranged.of_measure(), table, "")]
    return [_matrix(part, table, level) for level, part in _levels(arranged, by)]


def _levels(scores: Scores, by: str) -> Iterator[tuple[str, Scores]]:
    columns = {
        **{name: each for name, each in scores.factors.items() if name not in _AXES},
        MEASURE: scores.measure,
    }
    if by in _AXES:
        raise InputError(
            f"--by {by}: topics are what is compared, and systems come in --sets; name"
            f" another column: {', '.join(columns)}"
        )
    if by not in columns:
        raise UnknownNameError("column", by, columns)
    chosen = scores if by == MEASURE else scores.of_measure()
    factor = chosen.measure if by == MEASURE else chosen.factors[by]
    for code, level in enumerate(factor.levels):
        yield level, chosen.take(factor.codes == code)


def _matrix(scores: Scores, table: str, level: str) -> Matrix:
    cube = to_cube(scores, _AXES)
    return Matrix(
        table,
        level,
        cube.measure,
        cube.axes["topic"],
        cube.axes["system"],
        cube.values,
        cube.describe_missing(),
    )


def means_known(values: Floats) -> Floats:
    """Return the mean of each row (T, n) over what is known, else NaN: (T,).

    Rows are added up by themselves, so that a topic's mean is the same to the last
    digit whatever other topics there are.

    Examples
    --------
    >>> means_known(np.array([[0.5, np.nan], [np.nan, np.nan]])).tolist()
    [0.5, nan]
    """
    known = ~np.isnan(values)
    sums = np.ascontiguousarray(np.where(known, values, 0.0)).sum(axis=1)
    counts = known.sum(axis=1)
    means: Floats = np.full(len(values), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def common_topics(left: Sequence[str], right: Sequence[str]) -> tuple[list[int], ...]:
    """Return where the topics that both sides have stand on each.

    Examples
    --------
    >>> common_topics(["1", "2", "3"], ["3", "1"])
    ([0, 2], [1, 0])
    """
    places = {topic: place for place, topic in enumerate(right)}
    shared = [place for place, topic in enumerate(left) if topic in places]
    return shared, [places[left[place]] for place in shared]
