"""What a collection consists of, and which topics collections share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.tables import Integers, Result, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.tables import Column

ALL = "all"


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection in numbers.

    ``common`` is how many of the ``topics`` all of its systems have; ``judged`` and
    ``relevant`` count judgments, None where only scores are known.
    """

    name: str
    systems: int
    topics: frozenset[str]
    common: int
    judged: int | None = None
    relevant: int | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Overview(Result):
    """Collections in numbers, and how many topics every two of them share.

    ``files`` are the names of the files they came from, with the content of what cannot
    be read twice, and ``notes`` sentences about what was read.
    """

    collections: tuple[Collection, ...]
    files: Mapping[str, bytes | None]
    notes: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the collections, and the topics that two of them have in common."""
        return {"collections": self._collections(), "shared": self._shared()}

    def matrix(self) -> Table:
        """Return the number of shared topics, a row and a column for a collection."""
        columns: dict[str, Column] = {
            "topics in common": tuple(each.name for each in self.collections)
        }
        for right in self.collections:
            shared = [len(left.topics & right.topics) for left in self.collections]
            columns[right.name] = np.array(shared)
        return Table(columns)

    def _collections(self) -> Table:
        rows = self.collections
        return Table(
            {
                "collection": tuple(each.name for each in rows),
                "systems": np.array([each.systems for each in rows], dtype=np.int64),
                "topics": np.array([len(each.topics) for each in rows], dtype=np.int64),
                "judged": _integers([each.judged for each in rows]),
                "relevant": _integers([each.relevant for each in rows]),
                "topics_in_common": np.array(
                    [each.common for each in rows], dtype=np.int64
                ),
            }
        )

    def _shared(self) -> Table:
        pairs = [(one, two) for one in self.collections for two in self.collections]
        shared = [len(one.topics & two.topics) for one, two in pairs]
        return Table(
            {
                "left": tuple(one.name for one, _ in pairs),
                "right": tuple(two.name for _, two in pairs),
                "topics": np.array(shared, dtype=np.int64),
            }
        )


def _integers(values: Sequence[int | None]) -> Integers:
    known = np.array([value is not None for value in values], dtype=np.bool_)
    return Integers(np.array([value or 0 for value in values], dtype=np.int64), known)
