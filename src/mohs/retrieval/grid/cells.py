"""Cells: what is left of the rankings of one system in one collection."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.files import describe, write_bytes
from mohs.retrieval.grid.scoring import Scorer
from mohs.retrieval.grid.writing import as_run, run_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.retrieval.grid.job import Job
    from mohs.retrieval.grid.plan import Task
    from mohs.retrieval.grid.spec import System
    from mohs.retrieval.search import Found

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """Scores of one system in one collection, on the Q judged queries.

    ``values`` (M, Q), ``retrieved`` (Q,), and whether a query is ``counted`` (Q,),
    which those are not that have nothing relevant in the collection. ``run`` is the
    SHA-256 of the run file, if one was written, and ``judged`` is the number of
    judgments about documents of the collection.
    """

    values: Floats
    retrieved: NDArray[np.int32]
    counted: NDArray[np.bool_]
    run: str = ""
    judged: int = 0

    def to_bytes(self) -> bytes:
        """Return the cell as the content of a file."""
        file = io.BytesIO()
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def of_bytes(cls, content: bytes) -> Cell:
        """Read a cell back."""
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            values, retrieved, counted = (
                arrays[name] for name in ("values", "retrieved", "counted")
            )
            run, judged = str(arrays["run"]), int(arrays["judged"])
            return cls(values, retrieved, counted, run, judged)


def finished(job: Job, index: str, task: Task) -> list[Cell | None]:
    """Take the cells that are done from the store."""
    return [_found(job, job.cell_key(index, each), task, each) for each in task.systems]


def _found(job: Job, key: str, task: Task, system: System) -> Cell | None:
    if job.store is None or job.own(system):
        return None
    content = job.store.get(key)
    cell = None if content is None else _sound(content)
    if cell is None or job.runs is None:
        return cell
    path = run_path(job.runs, task.corpus, system)
    # A run of the same name may be that of another grid.
    kept = path.is_file() and describe(path).sha256 == cell.run
    return cell if kept else None


def _sound(content: bytes) -> Cell | None:
    """Read a cell, unless it was damaged."""
    try:
        return Cell.of_bytes(content)
    except (zipfile.BadZipFile, EOFError, KeyError, OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """Where the cells of one index are entered.

    ``index`` is the name of the index in the store, ``documents`` are the ids of the
    collection, and the ``scorer`` is missing where nothing is scored.
    """

    job: Job
    index: str
    documents: Sequence[str]
    scorer: Scorer | None

    @classmethod
    def of(cls, job: Job, index: str, documents: Sequence[str]) -> Ledger:
        """Match the judgments to the documents."""
        scorer = None
        if job.judging is not None:
            alone = len(job.collections) == 1
            scorer = Scorer.of(job.judging, job.topics, documents, alone=alone)
        return cls(job, index, documents, scorer)

    def enter(self, task: Task, system: System, found: Found) -> Cell:
        """Score rankings, write them down if that is wanted, and keep the cell."""
        job, cell = self.job, _scored(self.scorer, found)
        if job.runs is not None:
            content = as_run(job.topics, self.documents, found, system.name)
            write_bytes(run_path(job.runs, task.corpus, system), content)
            cell = replace(cell, run=hashlib.sha256(content).hexdigest())
        if job.store is not None and not job.own(system):
            job.store.put(job.cell_key(self.index, system), cell.to_bytes())
        return cell


def _scored(scorer: Scorer | None, found: Found) -> Cell:
    if scorer is not None:
        values, retrieved = scorer.score(found)
        return Cell(values, retrieved, scorer.counted, judged=len(scorer.keys))
    sizes = np.diff(found.starts).astype(np.int32)
    return Cell(np.zeros((0, len(sizes))), sizes, np.ones(len(sizes), bool))
