"""How many systems beat the baseline on a topic, and what each of them achieved.

Everything follows from a system's lead over the random re-ranker,

    Σ w_r (g_r - μ),  r = 1..k',

where a rank that counts for nothing adds nothing: a lead above 0 is a win, the lead as
a share of the ideal's lead is NDCG_std (standard deviations cancel), and the lead in
standard deviations of the re-ranker's DCG is the margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.pool import PAD
from mohs.analysis.difficulty.reranker import RandomReranker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Contest, Pool
    from mohs.analysis.difficulty.question import Baseline

    Floats = NDArray[np.float64]

CLASSES = ("hard", "moderately hard", "moderately easy", "easy")
CLASSED = 10  # systems below which classes would say more than they know


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What n systems achieved on one topic; all empty where it is excluded.

    ``systems`` (n,) index those of the request, without the baseline's. ``won`` (n,)
    says who beat the baseline. ``ndcg``, ``standardised`` (NDCG_std) and ``margins``
    (n,) are NaN where they have no meaning. ``marks`` (n,) are what the sum of weighted
    gains above the mean, over the members of the pool alone, has to exceed, and
    ``sums`` (n,) what it is, for shuffles to be compared with; ``rival`` is the
    contest's row of the baseline, whose sum is taken from all others'.
    """

    topic: str
    systems: NDArray[np.int32]
    won: NDArray[np.bool_]
    ndcg: Floats
    standardised: Floats
    margins: Floats
    marks: Floats
    sums: Floats
    rival: int | None
    reason: str | None

    @property
    def wins(self) -> int:
        """Systems that beat the baseline."""
        return int(self.won.sum())


def decide(pool: Pool, contest: Contest, baseline: Baseline) -> Outcome:
    """Decide who beats the baseline on a topic.

    Parameters
    ----------
    pool, contest
        Of the topic.
    baseline
        A system, or the value that NDCG_std has to exceed.
    """
    if reason := pool.reason or _reason(pool, contest, baseline):
        return _excluded(pool.topic, reason)
    return _decided(pool, contest, baseline)


def class_of(wins: int, systems: int) -> str | None:
    """Return the class of a topic, decided in whole numbers; None for few systems.

    Examples
    --------
    >>> class_of(5, 20), class_of(6, 20), class_of(20, 20), class_of(9, 9)
    ('hard', 'moderately hard', 'easy', None)
    """
    if systems < CLASSED:
        return None
    return CLASSES[max(0, -(-4 * wins // systems) - 1)]


def _reason(pool: Pool, contest: Contest, baseline: Baseline) -> str | None:
    others = contest.systems != baseline.system
    if baseline.system is not None and others.all():
        return "the baseline retrieved no document"
    if not others.any():
        return "only the baseline retrieved a document"
    if baseline.value and not RandomReranker(pool.gains, contest.weights).lead:
        return "NDCG_std has no meaning: every order is as good"
    return None


def _decided(pool: Pool, contest: Contest, baseline: Baseline) -> Outcome:
    reranker = RandomReranker(pool.gains, contest.weights)
    others = contest.systems != baseline.system
    rival = None if others.all() else int(np.flatnonzero(~others)[0])
    centred = pool.gains - pool.mean
    # The last two places are those of ABSENT and PAD.
    sums = _add_up(np.append(centred, [0.0, 0.0]), contest)
    pads = -pool.mean * ((contest.places == PAD) * contest.weights).sum(axis=1)
    marks = baseline.value * reranker.lead + reranker.tolerance - pads
    above = sums
    if rival is not None:
        marks, above = marks + pads[rival], sums - sums[rival]
    leads = (sums + pads)[others]
    sd = np.sqrt(reranker.variance) if reranker.lead else 0.0
    gained = _add_up(np.append(pool.gains, [0.0, 0.0]), contest)[others]
    # The baseline must not win against itself in any shuffle.
    marks[~others] = np.inf
    reached = np.where(others, above - reranker.tolerance, np.inf)
    return Outcome(
        topic=pool.topic,
        systems=contest.systems[others],
        won=(above > marks)[others],
        ndcg=_share(gained, reranker.ideal),
        standardised=_share(leads, reranker.lead),
        margins=_share(leads, sd),
        marks=marks,
        sums=reached,
        rival=rival,
        reason=None,
    )


def _add_up(gains: Floats, contest: Contest) -> Floats:
    sums: Floats = (gains[contest.places] * contest.weights).sum(axis=1)
    return sums


def _share(parts: Floats, whole: float) -> Floats:
    shares: Floats = parts / whole if whole > 0 else np.full(len(parts), np.nan)
    return shares


def _excluded(topic: str, reason: str) -> Outcome:
    none = np.empty(0)
    return Outcome(
        topic=topic,
        systems=np.empty(0, np.int32),
        won=np.empty(0, np.bool_),
        ndcg=none,
        standardised=none,
        margins=none,
        marks=none,
        sums=none,
        rival=None,
        reason=reason,
    )
