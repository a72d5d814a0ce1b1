"""A grid that is to be done: everything its tasks share, and what decides their cells.

A job holds names of files and plain values only, so that it can travel to other
machines, which read the files for themselves.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.files import STANDARD_INPUT, canonical_json, describe
from mohs.measures.caveats import judgment_lines, shown
from mohs.retrieval import terrier_process
from mohs.retrieval.grid.addresses import (
    describe_remote,
    fetched,
    is_address,
    list_files,
    plain,
)
from mohs.retrieval.grid.ownership import own_measures, own_parts
from mohs.retrieval.grid.scoring import judged_queries, query_id
from mohs.retrieval.grid.store import digest, versions
from mohs.trec.documents import read_documents
from mohs.trec.inputs import expand_path, load_data_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mohs.files import Source
    from mohs.measures.evaluation import Request
    from mohs.rankings import Judgments
    from mohs.retrieval.grid.spec import Analysis, System
    from mohs.retrieval.grid.store import Store
    from mohs.trec.topics import Topic


_NO_FILE = "documents are read more than once, so they need a file"


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents of a ``source``, told apart by their ``content``.

    ``files`` are what it means, if it is no data set and not in memory; any machine
    reaches a file by its name.
    """

    source: Any
    files: Mapping[str, Source]
    content: str

    @classmethod
    def of(cls, source: Any) -> Collection:  # noqa: ANN401 (whatever can be read)
        """Look at all files of a collection, or at documents in memory."""
        if not isinstance(source, str | os.PathLike):
            return _of_files(source) or cls(source, {}, _in_memory(source))
        path = plain(os.fspath(source))
        if is_address(path):
            found = {each: describe_remote(each) for each in list_files(path)}
            return cls(source, found, _content(found.values()))
        if path == STANDARD_INPUT:
            raise InputError(_NO_FILE)
        try:
            files = [str(each.path) for each in expand_path(path)]
        except FormatError:
            if os.path.isdir(path) or load_data_set(path) is None:  # noqa: PTH112
                raise
            return cls(source, {}, digest("documents", data_set=path))
        found = {file: describe(file) for file in files}
        if pipes := [file for file, source in found.items() if source.sha256 is None]:
            raise InputError(f"{pipes[0]}: {_NO_FILE}")
        return cls(source, found, _content(found.values()))

    def absolute(self) -> Collection:
        """Name files so that a program in another folder finds them."""
        files = {
            file if is_address(file) else os.path.abspath(file): found  # noqa: PTH100 (links stay)
            for file, found in self.files.items()
        }
        return replace(self, files=files)

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """Give the documents to read, and see that they are what they were.

        Raises
        ------
        InputError
            If a file has another content by now, or on this machine.
        """
        if not self.files:
            yield self.source
        elif any(map(is_address, self.files)):
            with fetched(tuple(self.files)) as (paths, sources):
                self._compare(sources)
                yield paths
        else:
            yield [Path(file) for file in self.files]
            self._compare(map(describe, self.files))

    def _compare(self, found: Iterable[Source]) -> None:
        for (file, before), now in zip(self.files.items(), found, strict=True):
            if before.sha256 != now.sha256:
                raise InputError(
                    f"{file}: has another content than when the grid began, or than it"
                    " has on another machine; start again"
                )


def _of_files(sources: Any) -> Collection | None:  # noqa: ANN401
    """Join files that are listed; None if what is listed are documents or data sets."""
    if not isinstance(sources, list | tuple):
        return None
    if not all(isinstance(each, str | os.PathLike) for each in sources):
        return None
    parts = [Collection.of(each) for each in sources]
    if not parts or not all(part.files for part in parts):
        return None
    files = {file: found for part in parts for file, found in part.files.items()}
    return Collection(sources, files, _content(files.values()))


def _content(files: Iterable[Source]) -> str:
    return digest("documents", files=[each.sha256 for each in files])


def _listed(programs: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in programs.items())


def _engine(name: str) -> str:
    return f"terrier {terrier_process.VERSION}" if name == "terrier" else name


def _in_memory(source: Any) -> str:  # noqa: ANN401
    if isinstance(source, Iterator):
        kind = type(source).__name__
        raise InputError(
            f"documents are read more than once: make a list of the {kind}"
        )
    hashed = hashlib.sha256()
    nothing = hashed.digest()
    for batch in read_documents(source):
        hashed.update(canonical_json([batch.ids, batch.texts]).encode())
    if hashed.digest() == nothing:
        raise InputError("there are no documents; give each an id and a text")
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
    ``judging`` is missing where nothing is scored. ``stopped`` are the words of each
    stop list, and ``read`` the files of topics and judgments. ``versions`` say which
    programs compute, and ``mark`` is a key that other machines look for in the store.
    """

    collections: Mapping[str, Collection]
    topics: tuple[Topic, ...]
    depth: int
    engine: str
    judging: Judging | None
    runs: Path | None
    store: Store | None
    stopped: Mapping[str, frozenset[str]]
    read: Mapping[str, Source | None]
    versions: Mapping[str, str] = field(default_factory=versions)
    mark: str = ""

    def index_key(self, corpus: str, analysis: Analysis) -> str:
        """Name an index after all that it is made from."""
        return digest(
            "index",
            engine=_engine(self.engine),
            documents=self.collections[corpus].content,
            tokeniser=str(analysis.tokeniser),
            stoplist=sorted(self.stopped[analysis.stoplist.name]),
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
            # Judged documents that are elsewhere count in the only collection.
            alone=len(self.collections) == 1,
        )

    def own(self, system: System) -> list[str]:
        """Name what is a user's own, of a system and the scoring of it."""
        measures = self.judging.request.measures if self.judging else ()
        return [*own_parts(system), *own_measures(measures)]

    @contextmanager
    def sent(self) -> Iterator[Job]:
        """Give what other machines understand, while they work on it.

        Raises
        ------
        InputError
            If there is no store, or something is not to be kept in it.
        """
        if self.store is None:
            problem = "--dask needs a folder that all machines see"
            raise InputError(f"{problem}: name it --store")
        mark = os.urandom(16).hex()
        self.store.put(mark, b"")
        try:
            yield replace(
                self,
                collections={
                    name: each.absolute() for name, each in self.collections.items()
                },
                runs=self.runs and self.runs.absolute(),
                store=self.store.absolute(),
                mark=mark,
            )
        finally:
            self.store.drop(mark)

    def arrived(self) -> None:
        """See that this machine can do the job.

        Raises
        ------
        InputError
            If it computes by other programs, or has another store.
        """
        if (here := versions()) != self.versions:
            raise InputError(
                f"a worker has {_listed(here)} where this machine has"
                f" {_listed(self.versions)}: install the same"
            )
        if self.store is None or self.store.get(self.mark) is None:
            raise InputError(
                f"a worker does not see the store {self.store}: name a folder that all"
                " machines share, or an address"
            )

    def asked(self) -> tuple[Topic, ...]:
        """Return the queries that are judged; all, where nothing is scored."""
        if self.judging is None:
            return self.topics
        places, _ = judged_queries(self.judging.judgments, self.topics)
        return tuple(self.topics[place] for place in places)

    def files(self) -> Mapping[str, Source | None]:
        """Return all files that are read, with their content if that is known."""
        found: dict[str, Source | None] = {}
        for each in self.collections.values():
            found |= each.files
        return found | dict(self.read)

    def notes(self, judged: int) -> Iterator[str]:
        """Yield what to know about topics and judgments.

        ``judged`` of the judgments are about documents of the collections.
        """
        if self.judging is None:
            return
        asked, known = self.asked(), self.judging.judgments.topics
        if left := len(self.topics) - len(asked):
            yield f"{left} of {len(self.topics)} queries are not judged and left out"
        topics = {name for each in asked for name in (each.topic, query_id(each))}
        if idle := [name for name in known if name not in topics]:
            yield f"{len(idle)} judged topics are not asked: {shown(idle)}"
        given = len(self.judging.judgments.grades)
        if judged < given:
            yield (
                f"{given - judged} of {given} judgments are about documents that are in"
                " no collection"
            )
        request = self.judging.request
        yield from judgment_lines(
            self.judging.judgments, request.level, signed=request.signed
        )
