"""What there is to see of one topic: its most telling documents, and their ranks.

A topic may have thousands of judged documents. Few of them say why it is hard: the
relevant ones that systems found or missed, and those not relevant that many systems
believed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.pool import RELEVANT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Problem

    Codes = NDArray[np.int64]

_MISLEADING = 4  # One of so many is not relevant, if there are as many that are.


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """Judged documents of one topic, the relevant ones first.

    ``documents`` (D,) and ``grades`` (D,) name them; ``top`` (D,) counts the systems
    that have them as deep as pools are formed; ``ranks`` (D, S) say where each system
    of the problem put them, 0 where it did not retrieve them. ``judged`` is the number
    of documents that they were chosen from.
    """

    topic: str
    documents: tuple[str, ...]
    grades: NDArray[np.float64]
    top: Codes
    ranks: Codes
    judged: int


def exhibit(problem: Problem, place: int, most: int) -> Exhibit:
    """Choose at most so many judged documents of a topic.

    Of the relevant ones, those of the highest grade come first, then those that most
    systems have; of the others, only what some system ranks as deep as pools are
    formed.
    """
    rankings = problem.rankings
    judgments = rankings.judgments
    group = rankings.groups[problem.columns[place]]
    first, last = judgments.offsets[group : group + 2].tolist()
    grades = judgments.grades[first:last]
    ranks = _ranks(problem, place, first, last)
    top = ((ranks > 0) & (ranks <= problem.rules.depth)).sum(axis=1)
    chosen = _chosen(grades, top, (ranks > 0).sum(axis=1), most)
    return Exhibit(
        topic=problem.topics[place],
        documents=tuple(judgments.documents[first + at] for at in chosen.tolist()),
        grades=grades[chosen],
        top=top[chosen],
        ranks=ranks[chosen],
        judged=last - first,
    )


def _ranks(problem: Problem, place: int, first: int, last: int) -> Codes:
    """Lay out the ranks of all judged documents of a topic, (last - first, S)."""
    rankings = problem.rankings
    cells = problem.rows * len(rankings.topics) + problem.columns[place]
    ranks = np.zeros((last - first, len(cells)), np.int64)
    for system, cell in enumerate(cells.tolist()):
        entries = slice(*rankings.offsets[cell : cell + 2].tolist())
        ranks[rankings.judged[entries] - first, system] = rankings.ranks[entries]
    return ranks


def _chosen(grades: NDArray[np.float64], top: Codes, found: Codes, most: int) -> Codes:
    order = np.lexsort((-found, -top, -grades))
    relevant = order[grades[order] >= RELEVANT]
    misleading = np.lexsort((-found, -top))
    misleading = misleading[(grades[misleading] < RELEVANT) & (top[misleading] > 0)]
    room = max(most - len(relevant), most // _MISLEADING)
    misleading = misleading[:room]
    return np.concatenate([relevant[: most - len(misleading)], misleading])
