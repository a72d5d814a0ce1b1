"""Formulations: how long the experiment of a paper takes, and beside NumPy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.children import Job, measure
from bench.figures import Figure, Goal, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INSIDE = (sys.executable, "-m", "bench.orders")


@dataclass(frozen=True, slots=True)
class Formulations:
    """What the benchmarks of one run share."""

    rounds: int
    small: bool

    def benchmarks(self) -> dict[str, Callable[[], Iterator[Figure]]]:
        """Return the benchmark by the beginning of its figures' names."""
        return {"formulations/c21": self.beside_numpy}

    def beside_numpy(self) -> Iterator[Figure]:
        """Time the experiment with all its nulls, and without them against NumPy."""
        size = ("small",) if self.small else ()
        jobs = {
            peer: Job((*_INSIDE, peer, *size), timed_inside=True)
            for peer in ("mohs", "core", "numpy")
        }
        costs = measure(jobs, self.rounds)
        whole, name = costs["mohs"], "formulations/c21/call"
        if isinstance(whole, str):
            yield Figure(name, "s", None, None, Goal("mohs", 8), whole)
        else:
            note = f"{whole.megabytes:.0f} MB, with the joint null"
            yield Figure(name, "s", whole.seconds, None, Goal("mohs", 8), note)
        yield compare("formulations/c21/core/numpy", costs["core"], costs["numpy"])
