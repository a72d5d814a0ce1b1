"""Judgments and rankings as arrays.

Everything Mohs says about runs follows from these: for every system and topic, the
ranks of the judged documents it retrieved, which judgment each one carries, and how
many documents were retrieved in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mohs import _core


class Documents(Sequence[str]):
    """Identifiers of the judged documents, read from the core when asked for."""

    __slots__ = ("_index", "_size")

    def __init__(self, index: _core.Judgments, size: int) -> None:
        self._index = index
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self._index.document(i) for i in range(self._size)[place]]
        return self._index.document(range(self._size)[place])


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Grades of documents, grouped by topic.

    ``topics`` (T,) in order of first appearance; topic t owns the judgments
    ``offsets[t]:offsets[t + 1]``, in file order. ``documents`` and ``grades`` (J,).
    ``index`` finds them again for the core, and ``account`` says what else the input
    held; both are missing in judgments made by hand.
    """

    topics: tuple[str, ...]
    offsets: NDArray[np.int64]
    documents: Sequence[str]
    grades: NDArray[np.float64]
    label: str = ""
    index: _core.Judgments | None = field(default=None, repr=False)
    account: _core.Account | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Top:
    """The first documents of every ranking, judged or not.

    Cell c owns ``offsets[c]:offsets[c + 1]`` of ``scores`` and ``documents``. A
    document below the number of judgments J is that judgment; J + u is the u-th of
    ``unjudged``, whose topics among the judgments are ``groups``.
    """

    offsets: NDArray[np.int64]
    scores: NDArray[np.float64]
    documents: NDArray[np.int64]
    unjudged: tuple[str, ...]
    groups: NDArray[np.int64]


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
    ``judged_top`` (S, Q) the judged ones among the first ten. ``accounts`` (S,) say
    what else each input held, and ``labels`` (S,) which input it was.
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
    top: Top | None = None
    accounts: tuple[_core.Account, ...] = ()
    labels: tuple[str, ...] = ()
