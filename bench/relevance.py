"""Relevance: how long φ takes, of many scores and of many lists, beside SciPy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bench.children import Job, measure
from bench.figures import Figure, Goal, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INSIDE = (sys.executable, "-m", "bench.items")
# A million scores, and 10,000 rankings of 100 items: seconds.
_GOALS = {"scores": Goal("mohs", 0.2), "rankings": Goal("mohs", 1.0)}


@dataclass(frozen=True, slots=True)
class Relevance:
    """What the benchmarks of one run share."""

    rounds: int
    small: bool

    def benchmarks(self) -> dict[str, Callable[[], Iterator[Figure]]]:
        """Return every benchmark by the beginning of its figures' names."""
        return {
            f"relevance/{kind}": partial(self.beside_scipy, kind) for kind in _GOALS
        }

    def beside_scipy(self, kind: str) -> Iterator[Figure]:
        """Time φ against SciPy's interpolation, which takes lists one by one."""
        size = ("small",) if self.small else ()
        jobs = {
            peer: Job((*_INSIDE, peer, kind, *size), timed_inside=True)
            for peer in ("mohs", "scipy")
        }
        costs = measure(jobs, self.rounds)
        name = f"relevance/{kind}/scipy"
        yield compare(name, costs["mohs"], costs["scipy"], goal=_GOALS[kind])
