"""The experiment: order the topics at random, and pick formulations to match [1]_.

For every random order of the topics, every pair of system and corpus picks for each
topic the formulation that keeps most of the order. How well the best pair does says how
free the choice of words leaves the order of topics. What is worked on is told by tasks,
each of which stands alone, so that it does not matter who does them.

References
----------
.. [1] Culpepper, Faggioli, Ferro and Kurland, "Topic difficulty: collection and query
   formulation effects", ACM TOIS 40(1), 2021.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from mohs import _core
from mohs.parallel import each
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from mohs.analysis.formulations.panel import Panel

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]
    Orders = NDArray[np.uint32]
    Problem = tuple[Panel, Orders]

Rule: TypeAlias = Literal["greedy-low", "greedy-first", "quantile", "local", "bound"]

PORTION = 4096  # orders that one task holds at most


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """How far P orders of T topics were kept by K pairs.

    ``best`` (P,) are the concordances minus discordances of the best pair, ``pair``
    (P,) says which that is, and ``total`` (P,) is the sum over pairs.
    """

    best: Codes
    pair: Codes
    total: Codes
    topics: int
    pairs: int

    def __len__(self) -> int:
        return len(self.best)

    @property
    def most(self) -> int:
        """How many pairs of topics there are."""
        return self.topics * (self.topics - 1) // 2

    @property
    def tau(self) -> Floats:
        """Kendall's tau-a of the best pair: (P,)."""
        return self.best / self.most

    @property
    def mean_best(self) -> float:
        """Mean tau of the best pair."""
        return float(self.best.sum() / (len(self) * self.most))

    @property
    def sd_best(self) -> float:
        """Standard deviation of tau of the best pair."""
        return float(self.tau.std(ddof=1)) if len(self) > 1 else np.nan

    @property
    def mean_pair(self) -> float:
        """Mean tau of all pairs."""
        return float(self.total.sum() / (len(self) * self.most * self.pairs))


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A panel, as the core takes it, and the orders (P, T) to be tried on it."""

    cells: tuple[list[int], NDArray[np.int16], Floats, Floats]
    orders: Orders
    rule: Rule
    workers: int | None


def arrange(task: Task) -> tuple[Codes, Codes, Codes]:
    """Try orders: what the best pair reaches, which that is, and the sum."""
    threads = task.workers or os.cpu_count() or 1
    # What came over a network lies in memory wherever its message did.
    starts, *arrays = task.cells
    ranks, values, targets, orders = (
        np.require(each, requirements=["C", "A"]) for each in (*arrays, task.orders)
    )
    cells = (starts, ranks, values, targets)
    return _core.arrange(cells, orders, task.rule, threads=threads)


def draw_orders(size: int, topics: int, seed: int, *purpose: str | int) -> Orders:
    """Draw random orders of topics: (size, topics), the first of any more."""
    drawn = stream(seed, *purpose).random((size, topics))
    return drawn.argsort(axis=1, kind="stable").astype(np.uint32)


def draw_labels(size: int, seed: int, *purpose: str | int) -> Codes:
    """Draw a permutation of labels: (size,)."""
    return stream(seed, *purpose).random(size).argsort(kind="stable")


@dataclass(frozen=True, slots=True)
class Work:
    """How the experiment is done: by which rule, and where.

    ``portion`` is how many orders a task holds at most; neither it nor ``workers`` nor
    ``cluster`` changes what is found. ``told`` is called with the number of orders that
    a task has tried.
    """

    rule: Rule
    workers: int | None = None
    cluster: str | None = None
    portion: int | None = None
    told: Callable[[int], None] | None = None


def solve(problems: Iterable[Problem], work: Work) -> list[Reached]:
    """Try the orders (P, T) of every problem on its panel."""
    shapes: list[tuple[int, int, int]] = []

    def tasks() -> Iterator[Task]:
        for panel, orders in problems:
            cells = cells_of(panel, work.rule)
            size = work.portion or PORTION
            starts = range(0, len(orders), size)
            shapes.append((len(starts), len(panel.topics), len(panel.pairs)))
            for start in starts:
                some = orders[start : start + size]
                yield Task(cells, some, work.rule, work.workers)

    outcomes = []
    for outcome in each(arrange, tasks(), cluster=work.cluster):
        outcomes.append(outcome)
        if work.told is not None:
            work.told(len(outcome[0]))
    found = iter(outcomes)
    results = []
    for count, topics, pairs in shapes:
        columns = zip(*islice(found, count), strict=True)
        best, pair, total = map(np.concatenate, columns)
        results.append(Reached(best, pair, total, topics, pairs))
    return results


def cells_of(
    panel: Panel, rule: Rule
) -> tuple[list[int], NDArray[np.int16], Floats, Floats]:
    """Return what the core wants to know of a panel, scores only if the rule does."""
    ranks = np.ascontiguousarray(panel.ranks)
    if rule != "quantile":
        return list(panel.starts), ranks, np.empty((0, 0)), np.empty((0, 0))
    # The order counts places from 0; each asks for the middle of its share of scores.
    size = len(panel.topics)
    places = (np.arange(size) + 0.5) / size
    targets = np.nanquantile(panel.values, places, axis=1).T
    values = np.ascontiguousarray(panel.values)
    return list(panel.starts), ranks, values, np.ascontiguousarray(targets)
