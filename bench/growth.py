"""Grids: that cells take no longer where there are many, and one large collection."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.cells import SMALLEST, collect
from bench.children import ROOT, Cost, Job, measure
from bench.figures import Figure, Goal, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Cells of a grid, and of one to try the benchmark.
SIZES = {False: (100, 1000), True: (20, 50)}
# A tenth is what a measurement on a quiet machine differs by.
STEADY = Goal("ratio", 0.9)
# One system on the large collection: seconds, megabytes, and how far scores differ.
SECONDS, MEGABYTES, TOLERANCE = 30, 8192, 1e-9


@dataclass(frozen=True, slots=True)
class Growth:
    """What the benchmarks of one run share; ``folder`` keeps what is generated."""

    folder: Path
    work: Path
    rounds: int
    small: bool

    def benchmarks(self) -> dict[str, Callable[[], Iterator[Figure]]]:
        """Return every benchmark by the beginning of its figures' names."""
        return {"grid-cells": self.many_cells, "grid-large": self.large}

    def many_cells(self) -> Iterator[Figure]:
        """Compare large grids with as many times the cost of a small one."""
        where = self.folder / "grid-cells"
        collect(where, small=self.small)
        sizes = (SMALLEST, *SIZES[self.small])
        jobs = {str(size): self._job("cells", str(size), where) for size in sizes}
        costs = measure(jobs, self.rounds)
        few = costs[str(SMALLEST)]
        for size in sizes[1:]:
            many, name = costs[str(size)], f"grid-cells/{size}/{SMALLEST}-cells"
            scaled = few
            if isinstance(few, Cost):
                scaled = Cost(few.seconds * size / SMALLEST, few.megabytes)
            yield compare(f"{name}/time", many, scaled, goal=STEADY)
            yield compare(f"{name}/memory", many, few, memory=True)

    def large(self) -> Iterator[Figure]:
        """Time one system on many documents against SciPy's sparse product."""
        where = self.folder / "grid-large"
        subprocess.run(self._job("large", "make", where).command, check=True, cwd=ROOT)
        values = {peer: self.work / f"large-{peer}.npy" for peer in ("mohs", "scipy")}
        jobs = {
            peer: self._job("large", peer, where, "values", str(path))
            for peer, path in values.items()
        }
        jobs["task"] = self._job("large", "task", where)
        costs = measure(jobs, self.rounds)
        pair, name = (costs["mohs"], costs["scipy"]), "grid-large"
        yield compare(f"{name}/call/scipy", *pair, goal=Goal("mohs", SECONDS))
        memory = Goal("mohs", MEGABYTES)
        yield compare(f"{name}/call-memory/scipy", *pair, goal=memory, memory=True)
        yield _alone(f"{name}/task", costs["task"])
        yield _differences(f"{name}/call-values/scipy", *values.values())

    def _job(self, module: str, what: str, where: Path, *others: str) -> Job:
        size = ("small",) if self.small else ()
        inside = (sys.executable, "-m", f"bench.{module}", what, str(where))
        return Job((*inside, *size, *others), timed_inside=True)


def _alone(name: str, cost: Cost | str) -> Figure:
    if isinstance(cost, str):
        return Figure(name, "s", None, None, None, cost)
    note = f"{cost.megabytes:.0f} MB, four systems on the queries of a paper"
    return Figure(name, "s", cost.seconds, None, None, note)


def _differences(name: str, mohs: Path, peer: Path) -> Figure:
    """Return the largest difference of scores, rank by rank."""
    import numpy as np

    goal = Goal("mohs", TOLERANCE)
    try:
        left, right = np.load(mohs), np.load(peer)
    except FileNotFoundError as missing:
        return Figure(name, "difference", None, None, goal, f"no {missing.filename}")
    same = left.shape == right.shape
    largest = float(np.abs(left - right).max()) if same else math.inf
    note = f"largest of {left.size} differences"
    return Figure(name, "difference", largest, None, goal, note)
