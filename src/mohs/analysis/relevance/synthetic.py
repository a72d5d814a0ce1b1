"""Rankings with a known mistake: what nDCG by levels and by φ make of it [1]_.

A hundred items are ranked without fault but for one mistake, and their scores are drawn
from distributions that differ in their tails. Levels by rank cannot see the scores, so
nDCG by levels is always the same; φ asks how much was lost.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017,
   figure 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs.analysis.relevance.comparison import compared
from mohs.gains.bands import Bands
from mohs.gains.summaries import Ordered, summarise
from mohs.registry import Registry
from mohs.statistics.streams import stream
from mohs.tables import Factor, Result, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

SIZE, CUTOFF = 100, 10
_QUARTILES = (0.25, 0.5, 0.75)


class Draw(Protocol):
    """Draws the scores of lists of 100 items."""

    def __call__(self, random: np.random.Generator, lists: int, /) -> Floats:
        """Return scores, (lists, 100)."""
        ...


class Mistake(Protocol):
    """Makes a mistake in a perfect ranking."""

    def __call__(self, order: Counts, /) -> Counts:
        """Return the ranks' items, the best item being 0, with the mistake: (100,)."""
        ...


DISTRIBUTIONS: Registry[Draw] = Registry("distribution")
SCENARIOS: Registry[Mistake] = Registry("scenario")


@DISTRIBUTIONS.add("balanced")
def balanced(random: np.random.Generator, lists: int, /) -> Floats:
    """Draw all scores evenly between 1 and 1000."""
    return random.uniform(1, 1000, (lists, SIZE))


@DISTRIBUTIONS.add("imbalanced")
def imbalanced(random: np.random.Generator, lists: int, /) -> Floats:
    """Draw 90 scores up to 100 and 10 above, as the paper's text says."""
    few = random.uniform(100, 1000, (lists, 10))
    return np.concatenate((random.uniform(1, 100, (lists, 90)), few), axis=1)


@DISTRIBUTIONS.add("program")
def program(random: np.random.Generator, lists: int, /) -> Floats:
    """Draw 80 scores up to 500 and 20 above, anew until one is beyond the fence.

    So does the authors' own program.
    """
    scores = np.empty((lists, SIZE))
    wanted = np.arange(lists)
    while len(wanted):
        low = random.uniform(1, 500, (len(wanted), 80))
        high = random.uniform(500, 1000, (len(wanted), 20))
        scores[wanted] = np.concatenate((low, high), axis=1)
        wanted = wanted[~_has_outlier(scores[wanted])]
    return scores


def _has_outlier(scores: Floats) -> NDArray[np.bool_]:
    lists = np.repeat(np.arange(len(scores)), SIZE)
    ordered = Ordered.of(scores.reshape(-1), lists, len(scores))
    return summarise(ordered, "type7", "fence").exceeded


@SCENARIOS.add("swap")
def swap(order: Counts, /) -> Counts:
    """Swap the items at ranks 10 and 11."""
    return np.concatenate((order[:9], order[10:8:-1], order[11:]))


@SCENARIOS.add("inversion")
def inversion(order: Counts, /) -> Counts:
    """Invert the first ten items."""
    return np.concatenate((order[9::-1], order[10:]))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Experiment(Result):
    """NDCG@10 of samples, by levels and by φ, for scenarios and distributions.

    ``levels`` and ``phi`` hold (samples,) each, by scenario and distribution.
    """

    levels: Mapping[tuple[str, str], Floats]
    phi: Mapping[tuple[str, str], Floats]

    def tables(self) -> Mapping[str, Table]:
        """Return the quartiles of either, one row for a scenario and a distribution."""
        keys = [*self.levels]
        q1, median, q3 = np.transpose(
            [np.nanquantile(self.phi[key], _QUARTILES) for key in keys]
        )
        return {
            "experiment": Table(
                {
                    "scenario": Factor.of(scenario for scenario, _ in keys),
                    "distribution": Factor.of(name for _, name in keys),
                    "samples": np.array([len(self.phi[key]) for key in keys]),
                    "ndcg": np.array([np.median(self.levels[key]) for key in keys]),
                    "phi_q1": q1,
                    "phi_median": median,
                    "phi_q3": q3,
                }
            )
        }


def experiment(*, samples: int = 20_000, seed: int = 0) -> Experiment:
    """Repeat the paper's experiment.

    Examples
    --------
    >>> found = experiment(samples=50).table
    >>> found.filter(found["distribution"] == "balanced")["ndcg"].round(7).to_list()
    [0.9636453, 1.0]
    """
    levels, phi = {}, {}
    for name in DISTRIBUTIONS.names():
        random = stream(seed, "relevance", "experiment", name)
        # The best item of every list comes first.
        scores = -np.sort(-DISTRIBUTIONS[name](random, samples), axis=1)
        for scenario in SCENARIOS.names():
            key = scenario, name
            levels[key], phi[key] = _score(scores, SCENARIOS[scenario])
    keys = [
        (one, other) for one in SCENARIOS.names() for other in DISTRIBUTIONS.names()
    ]
    return Experiment(
        {key: levels[key] for key in keys}, {key: phi[key] for key in keys}
    )


def _score(scores: Floats, mistake: Mistake) -> tuple[Floats, Floats]:
    """Return nDCG@10 by levels and by φ of rankings with a mistake: (samples,) each."""
    ranking = np.empty(SIZE)
    ranking[mistake(np.arange(SIZE))] = -np.arange(SIZE)
    count = len(scores)
    lists = np.repeat(np.arange(count), SIZE)
    levels, phi, _, _ = compared(
        scores.reshape(-1), np.tile(ranking, count), lists, count, [CUTOFF], Bands()
    )
    return levels[:, 0], phi[:, 0]
