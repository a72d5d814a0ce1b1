"""What a collection consists of, and which topics collections share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.tables import Integers, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.overview.against import Against
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
    be read twice, ``notes`` sentences about what was read, and ``comparisons`` those
    with a baseline, if one was named.
    """

    collections: tuple[Collection, ...]
    files: Mapping[str, bytes | None]
    notes: tuple[str, ...] = ()
    comparisons: tuple[Against, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the collections first.

        ``shared`` has the topics that two of them have in common; ``composition``, if
        there are sub-corpora, their shares of the documents; ``against`` and
        ``against_topics`` compare with the baseline.
        """
        tables = {"collections": self._collections(), "shared": self._shared()}
        if len(self.collections) > 1 and self.collections[0].judged is not None:
            tables["composition"] = self._composition()
        if self.comparisons:
            tables["against"] = stack([each.by_system() for each in self.comparisons])
            by_topic = [each.by_topic() for each in self.comparisons]
            tables["against_topics"] = stack(by_topic)
        return tables

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

    def _composition(self) -> Table:
        """Say what part of the judged and of the relevant documents is where."""
        names = tuple(each.name for each in self.collections)
        columns: dict[str, Column] = {"collection": names}
        counts = {
            "topics": [len(each.topics) for each in self.collections],
            "judged": [each.judged or 0 for each in self.collections],
            "relevant": [each.relevant or 0 for each in self.collections],
        }
        for name, each in counts.items():
            columns[name] = np.array(each, dtype=np.int64)
            columns[f"{name}_share"] = _shares(each, each[:1] * len(each))
        columns["prevalence"] = _shares(counts["relevant"], counts["judged"])
        return Table(columns)

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


def _shares(parts: Sequence[int], wholes: Sequence[int]) -> NDArray[np.float64]:
    pairs = zip(parts, wholes, strict=True)
    return np.array([part / whole if whole else np.nan for part, whole in pairs])


def _integers(values: Sequence[int | None]) -> Integers:
    known = np.array([value is not None for value in values], dtype=np.bool_)
    return Integers(np.array([value or 0 for value in values], dtype=np.int64), known)
