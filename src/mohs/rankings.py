"""Rankings: where each system put the documents that were judged.

Everything Mohs says about runs follows from these arrays: for every system and
topic, the ranks of the judged documents it retrieved, which judgment each one
carries, and how many documents were retrieved in all. Text is read, ranked and
matched in the Rust core; from here on there are only arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Grades of documents, grouped by topic.

    ``topics`` (T,) in order of first appearance; topic t owns the judgments
    ``offsets[t]:offsets[t + 1]``, in file order. ``documents`` and ``grades`` (J,).
    """

    topics: tuple[str, ...]
    offsets: NDArray[np.int64]
    documents: tuple[str, ...]
    grades: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """Ranks of the judged documents, for every system and topic.

    S systems, Q topics, N judged documents retrieved in all. Cells are the pairs of a
    system and a topic, system by system: cell ``s * Q + q`` owns the entries
    ``offsets[cell]:offsets[cell + 1]`` of the arrays over N.

    ``groups`` (Q,) says which topic of ``judgments`` judges topic q: q itself, unless
    topics are formulations of one another. ``ranks`` (N,) start at 1 and ascend within
    a cell; ``judged`` (N,) indexes ``judgments.grades``; ``mirrored`` (N,) is the
    rank the document would have if ties were broken the other way round.
    ``retrieved`` (S, Q) counts the documents retrieved, 0 where the system returned
    nothing; ``tied`` (S, Q) those among them that share their score with another;
    ``judged_top`` (S, Q) the judged ones among the first ten.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    groups: NDArray[np.int64]
    judgments: Judgments
    offsets: NDArray[np.int64]
    ranks: NDArray[np.int32]
    judged: NDArray[np.int32]
    mirrored: NDArray[np.int32]
    retrieved: NDArray[np.int32]
    tied: NDArray[np.int32]
    judged_top: NDArray[np.int32]
