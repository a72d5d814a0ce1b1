"""A grid that is to be done: everything its tasks share, and what decides their cells.

A job holds names of files and plain values only, so that it can travel to other
machines, which read the files for themselves.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.files import STANDARD_INPUT, canonical_json, describe
from mohs.measures.caveats import judgment_lines, shown
from mohs.retrieval.grid.scoring import judged_queries, query_id
from mohs.retrieval.grid.store import digest
from mohs.retrieval.stoplists import stop_words
from mohs.trec.documents import read_documents
from mohs.trec.inputs import expand_path, load_data_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mohs.measures.evaluation import Request
    from mohs.rankings import Judgments
    from mohs.retrieval.grid.spec import Analysis, System
    from mohs.retrieval.grid.store import Store
    from mohs.trec.topics import Topic


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents in ``files``, told apart by their content."""

    source: Any
    files: tuple[str, ...]
    content: str

    @classmethod
    def of(cls, source: Any) -> Collection:  # noqa: ANN401 (whatever can be read)
        """Look at all files of a collection, or at documents in memory."""
        if not isinstance(source, str | os.PathLike):
            return cls(source, (), _in_memory(source))
        path = os.fspath(source)
        if path == STANDARD_INPUT:
            raise InputError("documents are read more than once, so they need a file")
        try:
            files = tuple(str(each.path) for each in expand_path(path))
        except FormatError:
            if os.path.isdir(path) or load_data_set(path) is None:  # noqa: PTH112
                raise
            return cls(source, (), digest("documents", data_set=path))
        hashes = [describe(file).sha256 for file in files]
        return cls(source, files, digest("documents", files=hashes))


def _in_memory(source: Any) -> str:  # noqa: ANN401
    hashed = hashlib.sha256()
    for batch in read_documents(source):
        hashed.update(canonical_json([batch.ids, batch.texts]).encode())
    return digest("documents", texts=hashed.hexdigest())


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """How rankings are scored, and by which judgments; ``content`` names those."""

    request: Request
    judgments: Judgments
    content: str

    @classmethod
    def of(cls, request: Request, judgments: Judgments) -> Judging:
        """Take judgments out of the core, so that they can travel."""
        documents = tuple(judgments.documents)
        plain = replace(judgments, documents=documents, index=None, account=None)
        hashed = hashlib.sha256(canonical_json([plain.topics, documents]).encode())
        for array in (plain.offsets, plain.grades):
            hashed.update(np.ascontiguousarray(array).tobytes())
        return cls(request, plain, hashed.hexdigest())


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Collections by name, topics, and what to do about rankings.

    Without a ``store`` nothing is kept; ``runs`` is the folder of run files, and
    ``judging`` is missing where nothing is scored. ``read`` are the files of topics and
    judgments.
    """

    collections: Mapping[str, Collection]
    topics: tuple[Topic, ...]
    depth: int
    engine: str
    judging: Judging | None
    runs: Path | None
    store: Store | None
    read: tuple[str, ...]

    def index_key(self, corpus: str, analysis: Analysis) -> str:
        """Name an index after all that it is made from."""
        return digest(
            "index",
            engine=self.engine,
            documents=self.collections[corpus].content,
            tokeniser=str(analysis.tokeniser),
            stoplist=sorted(stop_words(analysis.stoplist.name)),
            stemmer=str(analysis.stemmer),
        )

    def cell_key(self, index: str, system: System) -> str:
        """Name a cell after all that it is made from."""
        judging = self.judging
        return digest(
            "cell",
            index=index,
            topics=[list(topic) for topic in self.topics],
            model=str(system.model),
            expansion=str(system.expansion),
            depth=self.depth,
            judgments=judging and judging.content,
            scoring=judging and repr(judging.request),
        )

    def asked(self) -> tuple[Topic, ...]:
        """Return the queries that are judged; all, where nothing is scored."""
        if self.judging is None:
            return self.topics
        places, _ = judged_queries(self.judging.judgments, self.topics)
        return tuple(self.topics[place] for place in places)

    def files(self) -> tuple[str, ...]:
        """Return all files that are read."""
        every = (file for each in self.collections.values() for file in each.files)
        return tuple(dict.fromkeys((*every, *self.read)))

    def notes(self) -> Iterator[str]:
        """Yield what to know about topics and judgments."""
        if self.judging is None:
            return
        asked, known = self.asked(), self.judging.judgments.topics
        if left := len(self.topics) - len(asked):
            yield f"{left} of {len(self.topics)} queries are not judged and left out"
        topics = {name for each in asked for name in (each.topic, query_id(each))}
        if idle := [name for name in known if name not in topics]:
            yield f"{len(idle)} judged topics are not asked: {shown(idle)}"
        request = self.judging.request
        yield from judgment_lines(
            self.judging.judgments, request.level, signed=request.signed
        )
