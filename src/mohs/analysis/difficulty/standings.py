"""How systems stand against chance: on how many topics each beats the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.intervals import wilson
from mohs.tables import Table

if TYPE_CHECKING:
    from mohs.analysis.difficulty.result import Part


def standings(part: Part) -> Table:
    """Count for every system the topics on which it beats the baseline.

    Returns
    -------
    Table
        ``system, topics, wins, share, low, high, ndcg_std``: of the topics that have a
        difficulty and for which it retrieved anything, those it won, their share with
        its 95% interval after Wilson for other topics, and its mean NDCG_std.
    """
    solution = part.solution
    size = len(solution.problem.systems)
    topics, wins = np.zeros(size, np.int64), np.zeros(size, np.int64)
    sums = np.zeros(size)
    for outcome in solution.outcomes:
        topics[outcome.systems] += 1
        wins[outcome.systems] += outcome.won
        sums[outcome.systems] += outcome.standardised
    pairs = zip(wins.tolist(), topics.tolist(), strict=True)
    bounds = [wilson(w, n) if n else (np.nan, np.nan) for w, n in pairs]
    low, high = np.array(bounds).reshape(size, 2).T
    with np.errstate(invalid="ignore"):
        return Table(
            {
                "system": solution.problem.systems,
                "topics": topics,
                "wins": wins,
                "share": wins / topics,
                "low": low,
                "high": high,
                "ndcg_std": sums / topics,
            }
        )
