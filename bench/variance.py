"""Analysis of variance: how long the design of a paper takes, and against a peer."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bench.children import ROOT, Job, measure
from bench.figures import Figure, Goal, compare
from bench.grid_scores import DESIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.children import Cost

_INSIDE = (sys.executable, "-m", "bench.grid_scores")


@dataclass(frozen=True, slots=True)
class Variance:
    """What the benchmarks of one run share; ``mohs`` starts the command."""

    work: Path
    rounds: int
    mohs: tuple[str, ...]
    small: bool

    def benchmarks(self) -> dict[str, Callable[[], Iterator[Figure]]]:
        """Return every benchmark by the beginning of its figures' names."""
        return {
            "anova/c21": partial(self.alone, "c21", call=0.010, process=1.5),
            "anova/c21-gaps": partial(self.alone, "c21-gaps", call=1.0),
            "anova/pairs-gaps": self.beside_statsmodels,
        }

    def alone(
        self, name: str, *, call: float, process: float | None = None
    ) -> Iterator[Figure]:
        """Measure a design that no peer can hold, in memory and from a file."""
        path = self.work / f"{name}.parquet"
        write = (*_INSIDE, "write", name, str(path))
        subprocess.run(write, check=True, cwd=ROOT)
        formula = f"~ {DESIGNS[name].formula}"
        jobs = {
            "call": Job((*_INSIDE, "mohs", name), timed_inside=True),
            "process": Job((*self.mohs, "anova", str(path), formula)),
        }
        costs = measure(jobs, self.rounds)
        goals = {"call": Goal("mohs", call), "process": None}
        if process is not None:
            goals["process"] = Goal("mohs", process)
        for kind, cost in costs.items():
            yield _single(f"anova/{name}/{kind}", cost, goals[kind])

    def beside_statsmodels(self) -> Iterator[Figure]:
        """Compare a call on about the largest design that statsmodels can hold."""
        name = "pairs-gaps-small" if self.small else "pairs-gaps"
        jobs = {
            peer: Job((*_INSIDE, peer, name), timed_inside=True)
            for peer in ("mohs", "statsmodels")
        }
        # The peer takes minutes, and its second round no less.
        costs = measure(jobs, 1)
        pair = costs["mohs"], costs["statsmodels"]
        yield compare("anova/pairs-gaps/call/statsmodels", *pair)
        yield compare("anova/pairs-gaps/call-memory/statsmodels", *pair, memory=True)


def _single(name: str, cost: Cost | str, goal: Goal | None) -> Figure:
    if isinstance(cost, str):
        return Figure(name, "s", None, None, goal, cost)
    return Figure(name, "s", cost.seconds, None, goal, f"{cost.megabytes:.0f} MB")
