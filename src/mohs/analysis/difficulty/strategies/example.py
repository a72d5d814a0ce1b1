"""Evidence small enough to check on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.strategies.evidence import NOTHING, Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Lists = Sequence[Sequence[Sequence[float]]]


def seen(
    *,
    values: Sequence[Sequence[float]] | None = None,
    scores: Lists | None = None,
    documents: Lists | None = None,
) -> Evidence:
    """Lay out what systems ``s1``, ``s2``... did on topics ``t1``, ``t2`` and so on.

    Parameters
    ----------
    values
        Of AP, for each system the topics.
    scores, documents
        For each system and topic the list; lists may differ in length.

    Examples
    --------
    >>> seen(scores=[[[3, 1], [5]]]).scores.tolist()
    [[[3.0, 1.0], [5.0, nan]]]
    """
    known = next(each for each in (values, scores, documents) if each is not None)
    systems, topics = len(known), len(known[0])
    none: Lists = [[[]] * topics] * systems
    return Evidence(
        systems=tuple(f"s{number}" for number in range(1, systems + 1)),
        topics=tuple(f"t{number}" for number in range(1, topics + 1)),
        measure="AP",
        values=np.zeros((systems, topics)) if values is None else np.array(values),
        scores=_filled(scores or none, np.nan),
        documents=_filled(documents or none, NOTHING).astype(np.int64),
    )


def _filled(lists: Lists, end: float) -> NDArray[np.float64]:
    longest = max(len(each) for of_system in lists for each in of_system)
    filled = np.full((len(lists), len(lists[0]), longest), end, np.float64)
    for system, topic in np.ndindex(filled.shape[:2]):
        filled[system, topic, : len(lists[system][topic])] = lists[system][topic]
    return filled
