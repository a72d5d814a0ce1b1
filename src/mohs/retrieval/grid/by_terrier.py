"""The cells of a grid by Terrier: the same request, answered by another engine."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval import terrier
from mohs.retrieval.grid.cells import Ledger, finished
from mohs.retrieval.index import tie_places
from mohs.retrieval.search import Found
from mohs.trec.documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mohs.retrieval.grid.cells import Cell
    from mohs.retrieval.grid.job import Job
    from mohs.retrieval.grid.plan import Task
    from mohs.retrieval.grid.spec import System
    from mohs.retrieval.index import Whole


def carry_out(job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, System, Cell]]:
    """Do the tasks one after the other, and yield the cells in the order of the plan.

    Raises
    ------
    UnknownNameError
        If Terrier has no such component.
    """
    for corpus, group in groupby(tasks, lambda task: task.corpus):
        cells = [
            (task, system, cell)
            for task in group
            for system, cell in zip(task.systems, _done(job, task), strict=True)
        ]
        yield from _in_collection(job, corpus, cells)


def _done(job: Job, task: Task) -> list[Cell | None]:
    return finished(job, job.index_key(task.corpus, task.analysis), task)


def _in_collection(
    job: Job, corpus: str, cells: Sequence[tuple[Task, System, Cell | None]]
) -> Iterator[tuple[Task, System, Cell]]:
    names: list[str] = []

    def texts() -> Iterator[str]:
        with job.collections[corpus].opened() as documents:
            for batch in read_documents(documents):
                names.extend(batch.ids)
                yield from batch.texts

    rankings = terrier.search(
        texts(),
        [topic.query for topic in job.topics],
        [_in_its_words(system) for _, system, cell in cells if cell is None],
        depth=job.depth,
    )
    for task, system, cell in cells:
        made = cell
        if made is None:
            found = _ordered(next(rankings), tie_places(names))
            key = job.index_key(corpus, task.analysis)
            made = Ledger.of(job, key, names).enter(task, system, found)
        yield task, system, made


def _in_its_words(system: System) -> terrier.System:
    read = system.analysis
    return terrier.System(
        stoplist=read.stoplist.name,
        stemmer=read.stemmer.name,
        model=system.model,
        expansion=system.expansion,
        tokeniser=str(read.tokeniser),
    )


def _ordered(found: terrier.Retrieved, places: Whole) -> Found:
    """Let ties go by id, as everywhere; Terrier has them in the order of indexing."""
    queries = np.repeat(np.arange(len(found.offsets) - 1), np.diff(found.offsets))
    order = np.lexsort((places[found.documents], -found.scores, queries))
    return Found(found.offsets, found.documents[order], found.scores[order])
