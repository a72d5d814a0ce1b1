"""Scores of rankings as they are made: no ranking is written to be read again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.measures.calculation import calculate
from mohs.rankings import Rankings
from mohs.retrieval.weighing import ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.measures.evaluation import Request
    from mohs.rankings import Judgments
    from mohs.retrieval.grid.job import Judging
    from mohs.retrieval.search import Found
    from mohs.trec.topics import Topic

    Floats = NDArray[np.float64]


def query_id(topic: Topic) -> str:
    """Return what a run calls a query: its topic, and its formulation if it has one."""
    if topic.formulation is None:
        return topic.topic
    return f"{topic.topic}_{topic.formulation}"


def judged_queries(
    judgments: Judgments, topics: Sequence[Topic]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Match queries to judged topics, by their exact id, then by their topic.

    Returns
    -------
    asked, groups
        Places of the Q judged queries among all, and the topics that judge them.

    Raises
    ------
    InputError
        If no query is judged.
    """
    known = {topic: number for number, topic in enumerate(judgments.topics)}
    found = (known.get(query_id(topic), known.get(topic.topic)) for topic in topics)
    pairs = [(i, group) for i, group in enumerate(found) if group is not None]
    if not pairs:
        raise InputError(
            f"{judgments.label or 'judgments'}: none of the {len(topics)} queries is"
            f" judged; the first is called {query_id(topics[0])!r}, the first judged"
            f" topic {judgments.topics[0]!r}"
        )
    asked, groups = np.array(pairs, np.int64).T
    return asked, groups


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """What decides the scores of rankings of the Q judged queries of one collection.

    ``asked`` (Q,) are their places among all queries, ``groups`` (Q,) the topic of
    ``judgments`` that judges each, and ``counted`` (Q,) says whether that topic has
    something relevant here. ``keys`` (J,) ascend: topic times the number of
    ``documents``, plus document, for every judged document of the collection, and
    ``judged`` (J,) is the judgment that each one is. ``known`` (documents,) are judged
    for some topic.
    """

    request: Request
    judgments: Judgments
    asked: NDArray[np.int64]
    groups: NDArray[np.int64]
    counted: NDArray[np.bool_]
    documents: int
    known: NDArray[np.bool_]
    keys: NDArray[np.int64]
    judged: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        judging: Judging,
        topics: Sequence[Topic],
        documents: Sequence[str],
        *,
        alone: bool,
    ) -> Scorer:
        """Match queries and documents to judgments.

        Where the collection is not ``alone``, what is judged elsewhere does not count
        here, and neither do topics that have nothing relevant here.
        """
        judgments, level = judging.judgments, judging.request.level
        asked, groups = judged_queries(judgments, topics)
        names = set(judgments.documents)
        places = {name: i for i, name in enumerate(documents) if name in names}
        if not alone:
            judgments = _restricted(judgments, places)
        relevant = np.add.reduceat(
            np.append(judgments.grades >= level, False), judgments.offsets[:-1]
        ) * (np.diff(judgments.offsets) > 0)
        keys, judged = _match(judgments, places, len(documents))
        if alone and not len(keys):
            raise InputError(
                f"{judgments.label or 'judgments'}: none of the judged documents is in"
                f" the collection; its first is {documents[0]!r}, the first judged"
                f" {judgments.documents[0]!r}"
            )
        known = np.zeros(len(documents), bool)
        known[keys % len(documents)] = True
        return cls(
            judging.request,
            judgments,
            asked,
            groups,
            (relevant[groups] > 0) | alone,
            len(documents),
            known,
            keys,
            judged,
        )

    def score(self, found: Found) -> tuple[Floats, NDArray[np.int32]]:
        """Score one system: values (M, Q), and how much it retrieved (Q,)."""
        rankings = self.request.restrict(self._rankings(found))
        values = calculate(
            self.request.measures,
            rankings,
            level=self.request.level,
            gain=self.request.gain,
        )
        sizes = np.diff(found.starts)[self.asked]
        return values[:, 0], sizes.astype(np.int32)

    def _rankings(self, found: Found) -> Rankings:
        sizes = np.diff(found.starts)[self.asked]
        ends = np.cumsum(sizes)
        documents = found.documents[ranges(found.starts[self.asked], sizes)]
        # Most of what is found was never judged, for whatever topic.
        judged = np.flatnonzero(self.known[documents])
        cells = np.searchsorted(ends, judged, side="right")
        ranks = (judged - (ends - sizes)[cells] + 1).astype(np.int32)
        keys = self.groups[cells] * self.documents + documents[judged]
        at = np.searchsorted(self.keys, keys)
        at[at == len(self.keys)] = 0
        hits = self.keys[at] == keys if len(self.keys) else np.zeros(len(keys), bool)
        cells, ranks = cells[hits], ranks[hits]
        top = cells[ranks <= 10]
        shape = 1, len(sizes)
        return Rankings(
            systems=("",),
            topics=tuple(map(str, self.asked)),
            groups=self.groups,
            judgments=self.judgments,
            offsets=np.searchsorted(cells, np.arange(len(sizes) + 1)),
            ranks=ranks,
            judged=self.judged[at[hits]],
            # Whoever cares for ties reads the runs.
            mirrored=ranks,
            retrieved=sizes.astype(np.int32).reshape(shape),
            tied=np.zeros(shape, np.int32),
            judged_top=np.bincount(top, minlength=len(sizes))
            .astype(np.int32)
            .reshape(shape),
        )


def _restricted(judgments: Judgments, places: Mapping[str, int]) -> Judgments:
    """Leave out the judgments of documents that are elsewhere."""
    here = np.array([name in places for name in judgments.documents], bool)
    ends = np.concatenate([[0], np.cumsum(here)])
    return replace(
        judgments,
        offsets=ends[judgments.offsets],
        documents=list(compress(judgments.documents, here)),
        grades=judgments.grades[here],
    )


def _match(
    judgments: Judgments, places: Mapping[str, int], documents: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Find judged documents in the collection; others cannot be retrieved."""
    ids = list(judgments.documents)
    topics = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.offsets))
    here = np.array([i for i, name in enumerate(ids) if name in places], np.int32)
    keys = topics[here] * documents
    keys += np.array([places[ids[i]] for i in here], np.int64)
    order = np.argsort(keys)
    return keys[order], here[order]
