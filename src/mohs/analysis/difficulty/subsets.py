"""Fewer topics with the same order of systems: the best, the worst and any choice.

For every number of topics, systems are ordered by their mean over so many topics, and
that order is compared with the one over all topics. To find the best choice of a number
one would have to try them all. Here topics are added one by one, each time the one that
makes the orders agree best (or least), so that the first rows of the table are the
choice of that number. Random choices show what to expect without choosing; when most
topics are in, the best of them may surpass the choice grown from the first topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.scores.cubes import to_cube
from mohs.statistics.correlation import tau_b
from mohs.statistics.steps import stepped
from mohs.statistics.streams import stream
from mohs.tables import Factor, Result, Table, natural_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.scores.observations import Scores

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

BAND = (0.025, 0.5, 0.975)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TopicSubsets(Result):
    """How well 1 to T topics keep the order of systems that all T topics give.

    ``best`` and ``worst`` (T,) are τ_b of the chosen subsets, to which ``best_order``
    and ``worst_order`` (T,) name the topic that each size adds. ``mean``, ``low``,
    ``median`` and ``high`` (T,) describe random subsets, low and high at 2.5% and
    97.5%.
    """

    measure: str
    systems: tuple[str, ...]
    best: Floats
    worst: Floats
    mean: Floats
    low: Floats
    median: Floats
    high: Floats
    best_order: tuple[str, ...]
    worst_order: tuple[str, ...]

    def tables(self) -> Mapping[str, Table]:
        """Return one row for each number of topics."""
        count = len(self.best)
        table = Table(
            {
                "measure": Factor.constant(self.measure, count),
                "topics": np.arange(1, count + 1),
                "best": self.best,
                "worst": self.worst,
                "mean": self.mean,
                "low": self.low,
                "median": self.median,
                "high": self.high,
                "best_topic": self.best_order,
                "worst_topic": self.worst_order,
            }
        )
        return {"subsets": table}


def topic_subsets(
    scores: Scores, *, measure: str | None = None, repeats: int = 1000, seed: int = 0
) -> TopicSubsets:
    """Find subsets of topics that keep, or upset, the order of systems [1]_.

    Parameters
    ----------
    scores
        Values for every system on every topic.
    measure
        Which measure, if the scores are of several.
    repeats
        Random subsets of each size.
    seed
        Of the random subsets.

    Raises
    ------
    InputError
        If there are fewer than two systems, or scores are missing.

    References
    ----------
    .. [1] Guiver, Mizzaro and Robertson, "A few good topics: experiments in topic set
       reduction for retrieval evaluation", ACM TOIS 27(4), 2009.

    Examples
    --------
    >>> from mohs.scores.cubes import Cube, from_cube
    >>> axes = {"system": ("a", "b", "c"), "topic": ("1", "2")}
    >>> values = np.array([[0.9, 0.1], [0.5, 0.2], [0.1, 0.3]])
    >>> result = topic_subsets(from_cube(Cube(axes, "AP", values)), repeats=100)
    >>> result.best.tolist(), result.best_order
    ([1.0, 1.0], ('1', '2'))
    >>> result.worst.tolist()
    [-1.0, 1.0]
    """
    cube = to_cube(scores.of_measure(measure)).require_complete()
    systems, topics = cube.axes["system"], cube.axes["topic"]
    if len(systems) < 2:
        raise InputError(f"found {len(systems)} system; an order takes two or more")
    order = sorted(range(len(topics)), key=lambda place: natural_key(topics[place]))
    columns = stepped(cube.values.T[order])
    best, best_places = greedy(columns)
    worst, worst_places = greedy(columns, worst=True)
    taus = random_subsets(columns, repeats, stream(seed, "topic subsets"))
    low, median, high = np.quantile(taus, BAND, axis=1)
    names = [topics[place] for place in order]
    return TopicSubsets(
        measure=cube.measure,
        systems=systems,
        best=best,
        worst=worst,
        mean=taus.mean(axis=1),
        low=low,
        median=median,
        high=high,
        best_order=tuple(names[place] for place in best_places),
        worst_order=tuple(names[place] for place in worst_places),
    )


def greedy(values: Floats, *, worst: bool = False) -> tuple[Floats, Codes]:
    """Add topics one by one, from values (T, S): τ_b after each, and its place: (T,).

    Of topics that are as good, the first is taken.
    """
    target = values.sum(axis=0)
    left = np.arange(len(values))
    reached = np.zeros(values.shape[1])
    taus, places = [], []
    for _ in range(len(values)):
        tried = np.nan_to_num(tau_b(target, reached + values[left]))
        at = int(tried.argmin() if worst else tried.argmax())
        taus.append(tried[at])
        places.append(left[at])
        reached = reached + values[left[at]]
        left = np.delete(left, at)
    return np.array(taus), np.array(places)


def random_subsets(values: Floats, repeats: int, draws: np.random.Generator) -> Floats:
    """Return τ_b of random subsets of every size, from values (T, S): (T, repeats)."""
    target = values.sum(axis=0)
    orders = draws.permuted(np.tile(np.arange(len(values)), (repeats, 1)), axis=1)
    reached = np.zeros((repeats, values.shape[1]))
    taus = []
    for size in range(len(values)):
        reached += values[orders[:, size]]
        taus.append(np.nan_to_num(tau_b(target, reached)))
    return np.array(taus)
