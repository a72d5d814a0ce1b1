"""Answers for all topics of a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.null import Null, shuffle
from mohs.analysis.difficulty.question import Baseline, Question
from mohs.analysis.difficulty.ratio import decide
from mohs.analysis.difficulty.rows import INTERVALS, Row, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Problem
    from mohs.analysis.difficulty.ratio import Outcome

    Floats = NDArray[np.float64]
    Clusters = NDArray[np.int64]
    Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What came of a problem with T topics: rows, outcomes and nulls belong to them.

    ``nulls`` are None for excluded topics, and everywhere without permutations.
    """

    problem: Problem
    question: Question
    rows: tuple[Row, ...]
    outcomes: tuple[Outcome, ...]
    nulls: tuple[Null | None, ...]

    @property
    def difficulty(self) -> Floats:
        """Share of systems that beat the baseline, NaN where excluded: (T,)."""
        return np.array([row.difficulty for row in self.rows])

    @property
    def classes(self) -> tuple[str | None, ...]:
        """Class of every topic, None where it has none."""
        return tuple(row.class_ for row in self.rows)

    @property
    def p(self) -> Floats:
        """Two-sided p-value of every difficulty, NaN where there is none: (T,)."""
        return np.array([row.p for row in self.rows])


def solve(
    problem: Problem,
    question: Question | None = None,
    *,
    workers: int | None = None,
) -> Solution:
    """Answer a question about every topic.

    Nothing is read again, so the same problem can be posed to fewer systems and solved
    once more; without permutations that takes little time.

    Parameters
    ----------
    problem
        Pools and contests.
    question
        The baseline, the interval, and how chance is drawn.
    workers
        Threads that shuffle; the result is the same.

    Raises
    ------
    UnknownNameError
        If there is no such baseline or interval.
    """
    asked = question or Question()
    baseline = Baseline.named(asked.baseline, problem.systems)
    outcomes = tuple(
        decide(pool, contest, baseline)
        for pool, contest in zip(problem.pools, problem.contests, strict=True)
    )
    nulls: list[Null | None] = [None] * len(outcomes)
    if asked.permutations:
        nulls = shuffle(
            problem,
            outcomes,
            asked.permutations,
            seed=asked.seed,
            workers=workers,
        )
    bounds = _bounds(outcomes, asked, _teams(problem.systems, asked))
    parts = problem.listings, problem.pools, outcomes, nulls, bounds
    rows = tuple(row_of(*each) for each in zip(*parts, strict=True))
    return Solution(problem, asked, rows, outcomes, tuple(nulls))


def _bounds(
    outcomes: Sequence[Outcome], asked: Question, teams: Clusters | None
) -> list[Bounds | None]:
    interval = INTERVALS[asked.interval]
    return [
        None
        if outcome.reason
        else interval(outcome, _clusters(teams, outcome), asked.seed)
        for outcome in outcomes
    ]


def _teams(systems: Sequence[str], asked: Question) -> Clusters | None:
    """Return the number of every system's team; without one, it is its own."""
    if not asked.teams:
        return None
    named = [
        (True, asked.teams[system]) if system in asked.teams else (False, system)
        for system in systems
    ]
    numbers = {name: number for number, name in enumerate(sorted(set(named)))}
    return np.array([numbers[name] for name in named], np.int64)


def _clusters(teams: Clusters | None, outcome: Outcome) -> Clusters | None:
    if teams is None:
        return None
    clusters: Clusters = np.unique(teams[outcome.systems], return_inverse=True)[1]
    return clusters
