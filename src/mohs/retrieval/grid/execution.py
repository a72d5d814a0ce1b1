"""The work itself: index, search, expand, score.

The indexes of one tokenisation are made one after the other, and the tasks of an index
run side by side. A cell that the store has is taken from there, and an index that no
missing cell needs is not made at all.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING

from mohs.parallel import each
from mohs.retrieval.grid.cells import Cell, Ledger, finished
from mohs.retrieval.grid.indexing import index as make_index
from mohs.retrieval.grid.indexing import kept_index, queries_of, tokenise
from mohs.retrieval.grid.ownership import own_analysis
from mohs.retrieval.grid.spec import NONE
from mohs.retrieval.search import Found, expand, looks_at, search
from mohs.retrieval.weighing import Weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mohs.retrieval.expansion import Query
    from mohs.retrieval.grid.job import Job
    from mohs.retrieval.grid.plan import Task
    from mohs.retrieval.grid.spec import Analysis, System
    from mohs.retrieval.index import Bags, Index
    from mohs.retrieval.spelling import Component

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where tasks of one index are done: all that they share.

    ``threads`` is how many queries of one search are answered side by side.
    """

    ledger: Ledger
    index: Index
    queries: tuple[Query, ...]
    threads: int


def carry_out(
    job: Job, tasks: Sequence[Task], *, workers: int, cluster: str | None = None
) -> Iterator[tuple[Task, System, Cell]]:
    """Do the tasks, and yield the cells in the order of the plan.

    Parameters
    ----------
    job
        What all tasks share.
    tasks
        As `plan` laid them out.
    workers
        How many tasks run side by side here; the cells are the same.
    cluster
        The address of the Dask cluster that does them instead.
    """
    lots = [tuple(lot) for _, lot in groupby(tasks, _tokenisation)]
    if cluster is not None:
        made = _there(job, lots, tasks, cluster)
    else:
        made = (cells for lot in lots for cells in _here(job, lot, workers))
    for task, cells in zip(tasks, made, strict=True):
        for system, cell in zip(task.systems, cells, strict=True):
            yield task, system, cell


def _tokenisation(task: Task) -> tuple[str, Component]:
    return task.corpus, task.analysis.tokeniser


def _here(job: Job, lot: Sequence[Task], workers: int) -> Iterator[list[Cell]]:
    """Do the tasks of one tokenisation, index after index."""
    bags = _bags(job, lot[0].corpus, lot[0].analysis)
    for _, group in groupby(lot, lambda task: task.analysis):
        tasks = tuple(group)
        key = job.index_key(tasks[0].corpus, tasks[0].analysis)
        done = [finished(job, key, task) for task in tasks]
        missing = sum(None in cells for cells in done)
        place = None
        if missing:
            threads = max(workers // missing, 1)
            corpus, analysis = tasks[0].corpus, tasks[0].analysis
            place = _place(job, key, corpus, analysis, bags=bags, threads=threads)
        with ThreadPoolExecutor(workers) as pool:
            try:
                yield from pool.map(partial(perform, place), tasks, done)
            finally:
                pool.shutdown(cancel_futures=True)


def _there(
    job: Job, lots: Sequence[Sequence[Task]], tasks: Sequence[Task], cluster: str
) -> Iterator[list[Cell]]:
    """Let a cluster make the indexes, and then do the tasks."""
    with job.sent() as sent:
        for _ in each(prepare, lots, cluster=cluster, given=(sent,)):
            pass
        yield from each(perform_there, tasks, cluster=cluster, given=(sent,))


def prepare(job: Job, lot: Sequence[Task]) -> None:
    """Put the indexes of one tokenisation into the store, if a missing cell needs them.

    For a cluster, whose machines all see the store.
    """
    job.arrived()
    bags = _bags(job, lot[0].corpus, lot[0].analysis)
    for task in lot:
        key = job.index_key(task.corpus, task.analysis)
        if None in finished(job, key, task):
            _indexed(job, key, bags, task.analysis)


def perform_there(job: Job, task: Task) -> list[Cell]:
    """Do one task by itself, on a machine of a cluster."""
    job.arrived()
    key = job.index_key(task.corpus, task.analysis)
    done = finished(job, key, task)
    if None not in done:
        return perform(None, task, done)
    return perform(_lasting(job, key, task.corpus, task.analysis), task, done)


@lru_cache(maxsize=2)
def _lasting(job: Job, key: str, corpus: str, analysis: Analysis) -> Place:
    """Keep what tasks of one index share, since a worker does many of them."""
    return _place(job, key, corpus, analysis)


def _bags(job: Job, corpus: str, analysis: Analysis) -> Callable[[], Bags]:
    """Tokenise a collection when it is first asked for."""
    return cache(partial(tokenise, job.collections[corpus], analysis.tokeniser))


def _indexed(job: Job, key: str, bags: Callable[[], Bags], analysis: Analysis) -> Index:
    def make() -> Index:
        return make_index(bags(), analysis, job.stopped[analysis.stoplist.name])

    if job.store is None or own_analysis(analysis):
        return make()
    return kept_index(job.store, key, make)


def _place(  # noqa: PLR0913 (what to index, how, and where to put it)
    job: Job,
    key: str,
    corpus: str,
    analysis: Analysis,
    *,
    bags: Callable[[], Bags] | None = None,
    threads: int = 1,
) -> Place:
    """Make or find an index, and read the topics with it."""
    index = _indexed(job, key, bags or _bags(job, corpus, analysis), analysis)
    stopped = job.stopped[analysis.stoplist.name]
    queries = queries_of(job.topics, index, analysis, stopped)
    return Place(Ledger.of(job, key, index.documents), index, queries, threads)


def perform(place: Place | None, task: Task, done: Sequence[Cell | None]) -> list[Cell]:
    """Answer all queries by the systems of a task whose cells are missing."""
    wanted = [s for s, cell in zip(task.systems, done, strict=True) if cell is None]
    made = {}
    if place is not None and wanted:
        depth = place.ledger.job.depth
        expansions = [s.expansion for s in wanted if s.expansion != NONE]
        depth = max([depth, *map(looks_at, expansions)])
        weights = Weights.of(place.index, task.model)
        first = _search(place, weights, place.queries, depth)
        made = {s: complete(place, task, s, first, weights) for s in wanted}
    return [cell or made[s] for s, cell in zip(task.systems, done, strict=True)]


def _search(
    place: Place, weights: Weights, queries: Sequence[Query], depth: int
) -> Found:
    return search(
        place.index,
        weights.model,
        queries,
        depth=depth,
        threads=place.threads,
        weights=weights,
    )


def complete(
    place: Place, task: Task, system: System, first: Found, weights: Weights
) -> Cell:
    """Finish one cell: its rankings, its run if it is wanted, its scores."""
    depth = place.ledger.job.depth
    found = first.down_to(depth)
    if system.expansion != NONE:
        queries = expand(place.index, system.expansion, place.queries, first)
        found = _search(place, weights, queries, depth)
    return place.ledger.enter(task, system, found)
