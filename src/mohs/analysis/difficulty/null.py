"""What chance makes of the ratio, when systems share documents.

Systems that retrieve the same documents win and lose together, so the ratio of a topic
spreads much wider under chance than if each tossed a coin of its own. Here the gains of
the pool are shuffled over its documents, one shuffle for all systems, and the ratio is
computed again. The systems' lists stay as they are, and so does what they share.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs import _core
from mohs.statistics.intervals import lattice_quantiles
from mohs.statistics.streams import key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Problem
    from mohs.analysis.difficulty.ratio import Outcome

_HALF = 64  # bits of a key that make one word
_TAILS = 0.025, 0.975


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """What the shuffles of one topic gave, for n systems.

    ``wins`` (n + 1,) counts the shuffles in which 0, 1, … n systems won; ``reached``
    (n,) those in which a system gained as much as it really did, or more.
    """

    wins: NDArray[np.int64]
    reached: NDArray[np.int64]

    @property
    def shuffles(self) -> int:
        """How many there were."""
        return int(self.wins.sum())

    @property
    def chance(self) -> float:
        """Mean ratio."""
        systems = len(self.reached)
        return float((self.wins @ np.arange(systems + 1)) / (self.shuffles * systems))

    def band(self) -> tuple[float, float]:
        """Return the ratios at 2.5% and 97.5%."""
        low, high = lattice_quantiles(self.wins.astype(np.float64), *_TAILS)
        return low / len(self.reached), high / len(self.reached)

    def p(self, wins: int) -> float:
        """Return the two-sided p-value of a number of wins."""
        low, high = self.wins[: wins + 1].sum(), self.wins[wins:].sum()
        return min(1.0, 2.0 * (int(min(low, high)) + 1) / (self.shuffles + 1))

    def p_of_systems(self) -> NDArray[np.float64]:
        """Return the chance of every system's gain or a higher one: (n,)."""
        return (self.reached + 1) / (self.shuffles + 1)


def shuffle(
    problem: Problem,
    outcomes: Sequence[Outcome],
    permutations: int,
    *,
    seed: int = 0,
    workers: int | None = None,
) -> list[Null | None]:
    """Shuffle the gains of every pool; None where a topic is excluded.

    The draws of a topic depend on the seed and its id alone.
    """
    parts = problem.pools, problem.contests, outcomes
    asked = [
        (
            _words(key(seed, "joint null", outcome.topic)),
            pool.gains - pool.mean,
            contest.places,
            contest.weights,
            outcome.marks,
            outcome.sums,
            outcome.rival,
        )
        for pool, contest, outcome in zip(*parts, strict=True)
        if outcome.reason is None
    ]
    threads = workers or os.cpu_count() or 1
    counted = iter(_core.permute(asked, permutations, threads=threads))
    return [
        None if outcome.reason else _null(*next(counted), outcome)
        for outcome in outcomes
    ]


def _null(
    wins: NDArray[np.int64], reached: NDArray[np.int64], outcome: Outcome
) -> Null:
    if outcome.rival is None:
        return Null(wins, reached)
    return Null(wins[:-1], np.delete(reached, outcome.rival))


def _words(bits: int) -> tuple[int, int]:
    return bits & ((1 << _HALF) - 1), bits >> _HALF
