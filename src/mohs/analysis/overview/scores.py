"""Tables of scores in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.overview.summary import ALL, Collection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from mohs.scores import Scores

# Columns whose levels are collections of their own.
PARTS = ("corpus", "collection")


def count_scores(tables: Mapping[str, Scores]) -> Iterator[Collection]:
    """Yield every table, or the corpora in it, as a collection."""
    for name, scores in tables.items():
        known = ~np.isnan(scores.values)
        if _column(scores) is None:
            yield _count(name, scores, known)
            continue
        yield _count(_named(name, ALL, tables), scores, known)
        for level, rows in _levels(scores):
            yield _count(_named(name, level, tables), scores, known & rows)


def parts_of(tables: Mapping[str, Scores]) -> Mapping[str, Scores]:
    """Return the scores of every table, or of each of the corpora in it."""
    parts: dict[str, Scores] = {}
    for name, scores in tables.items():
        if _column(scores) is None:
            parts[name] = scores
        for level, rows in _levels(scores):
            parts[_named(name, level, tables)] = scores.take(rows)
    return parts


def _column(scores: Scores) -> str | None:
    return next((each for each in PARTS if each in scores.factors), None)


def _levels(scores: Scores) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield every corpus of a table, and which observations are in it."""
    column = _column(scores)
    if column is not None:
        factor = scores.factors[column]
        for code, level in enumerate(factor.levels):
            yield level, factor.codes == code


def _named(table: str, level: str, tables: Mapping[str, Scores]) -> str:
    return f"{table}: {level}" if len(tables) > 1 else level


def _count(name: str, scores: Scores, rows: NDArray[np.bool_]) -> Collection:
    systems, topics = (scores.factors[each] for each in ("system", "topic"))
    seen = np.zeros((len(systems.levels), len(topics.levels)), dtype=np.bool_)
    seen[systems.codes[rows], topics.codes[rows]] = True
    seen = seen[seen.any(axis=1)]
    known = np.flatnonzero(seen.any(axis=0)).tolist()
    return Collection(
        name,
        systems=len(seen),
        topics=frozenset(topics.levels[code] for code in known),
        common=int(seen[:, known].all(axis=0).sum()),
    )
