"""One topic's figures, each computed from that topic alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mohs.analysis.difficulty.pool import RELEVANT
from mohs.analysis.difficulty.ratio import class_of
from mohs.registry import Registry
from mohs.statistics.intervals import bootstrap_share, clustered_share, wilson
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty.null import Null
    from mohs.analysis.difficulty.pool import Listing, Pool
    from mohs.analysis.difficulty.ratio import Outcome

    Clusters = NDArray[np.int64]
    Bounds = tuple[float, float]

UNKNOWN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One topic's figures; those that an excluded topic lacks are None or NaN.

    ``difficulty`` is the share of ``systems`` that beat the baseline: 1 for the easiest
    topic, 0 for the hardest. ``low`` and ``high`` bound it; ``chance``, ``chance_low``
    and ``chance_high`` are what shuffled gains give; ``p`` is two-sided. ``mean`` to
    ``worst`` are of NDCG_std. ``pool`` documents were shuffled, of which a share of
    ``prevalence`` is relevant; ``judged`` and ``relevant`` count all judgments.
    """

    topic: str
    systems: int
    wins: int | None = None
    difficulty: float = UNKNOWN
    low: float = UNKNOWN
    high: float = UNKNOWN
    chance: float = UNKNOWN
    chance_low: float = UNKNOWN
    chance_high: float = UNKNOWN
    p: float = UNKNOWN
    class_: str | None = None
    margin: float = UNKNOWN
    mean: float = UNKNOWN
    median: float = UNKNOWN
    best: float = UNKNOWN
    worst: float = UNKNOWN
    pool: int
    prevalence: float
    judged: int
    relevant: int
    reason: str | None


class Interval(Protocol):
    """Bounds the ratio of a topic."""

    def __call__(
        self, outcome: Outcome, teams: Clusters | None, seed: int, /
    ) -> Bounds:
        """Return the lower and the upper bound; ``teams`` (n,) number the clusters."""
        ...


INTERVALS: Registry[Interval] = Registry("interval")


@INTERVALS.add("bootstrap")
def _bootstrap(outcome: Outcome, teams: Clusters | None, seed: int) -> Bounds:
    if teams is None:
        return bootstrap_share(outcome.wins, len(outcome.won))
    random = stream(seed, "bootstrap over teams", outcome.topic)
    return clustered_share(outcome.won, teams, random)


@INTERVALS.add("wilson")
def _wilson(outcome: Outcome, teams: Clusters | None, seed: int) -> Bounds:
    del teams, seed
    return wilson(outcome.wins, len(outcome.won))


def row_of(
    listing: Listing,
    pool: Pool,
    outcome: Outcome,
    null: Null | None,
    interval: Bounds | None,
) -> Row:
    """Put the figures of a topic together."""
    counts: dict[str, Any] = {
        "topic": listing.topic,
        "pool": len(pool),
        "prevalence": float((pool.grades >= RELEVANT).mean()) if len(pool) else UNKNOWN,
        "judged": listing.judged,
        "relevant": listing.relevant,
        "reason": outcome.reason,
    }
    if outcome.reason or interval is None:
        return Row(systems=len(listing.systems), **counts)
    systems = len(outcome.won)
    low, high = interval
    return Row(
        systems=systems,
        wins=outcome.wins,
        difficulty=outcome.wins / systems,
        low=low,
        high=high,
        class_=class_of(outcome.wins, systems),
        margin=float(outcome.margins.mean()),
        **_spread(outcome),
        **(_chance(null, outcome.wins) if null else {}),
        **counts,
    )


def _spread(outcome: Outcome) -> dict[str, Any]:
    values = outcome.standardised
    if np.isnan(values).any():
        return {}
    return {
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "best": float(values.max()),
        "worst": float(values.min()),
    }


def _chance(null: Null, wins: int) -> dict[str, Any]:
    low, high = null.band()
    return {
        "chance": null.chance,
        "chance_low": low,
        "chance_high": high,
        "p": null.p(wins),
    }
