"""How steady difficulty is: what each strategy says when the request is changed [1]_.

A difficulty is meant to belong to a topic, yet every strategy computes it from the
systems, topics and labels at hand. Here each of these is changed, and what a strategy
then says of the topics is compared with what it said before.

References
----------
.. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
   cumulated gain", CIKM 2020, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.opinion import Opinion
from mohs.analysis.difficulty.perturbation.changes import Plan, changes
from mohs.analysis.difficulty.perturbation.worlds import World
from mohs.analysis.difficulty.question import Baseline, Question
from mohs.analysis.difficulty.ratio import class_of, decide
from mohs.analysis.difficulty.strategies import (
    Strategy,
    chosen,
    consult,
    depth_of,
    evidence_of,
)
from mohs.statistics.correlation import shared, tau_b
from mohs.tables import Factor, Result, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.perturbation.changes import Change
    from mohs.analysis.difficulty.perturbation.worlds import PoolRule
    from mohs.analysis.difficulty.pool import Problem

    Floats = NDArray[np.float64]

RATIO = "difficulty"
BAND = (0.025, 0.975)


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """What one world changed in one opinion.

    ``tau`` is τ_b between the values before and after, ``moved`` the share of topics
    with another class than before (NaN where there are no classes), ``largest`` the
    largest change of a value, and ``topic`` where it is.
    """

    tau: float
    moved: float
    largest: float
    topic: str | None
    case: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Steadiness:
    """One strategy under one change, over all worlds that were tried."""

    strategy: str
    change: str
    pool: PoolRule | None
    topics: int
    shifts: tuple[Shift, ...]

    @property
    def worst(self) -> Shift:
        """The shift in which a value changed most."""
        return max(self.shifts, key=lambda each: np.nan_to_num(each.largest, nan=-1))

    def spread(self, name: str) -> tuple[float, float, float]:
        """Return mean, 2.5% and 97.5% of a figure over the worlds that have it."""
        figures = np.array([getattr(each, name) for each in self.shifts])
        known = figures[~np.isnan(figures)]
        if not len(known):
            return (np.nan,) * 3
        low, high = np.quantile(known, BAND)
        return float(known.mean()), float(low), float(high)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stability(Result):
    """How far strategies keep their opinions when the request is changed."""

    parts: tuple[Steadiness, ...]

    def tables(self) -> Mapping[str, Table]:
        """Return one row for each change and strategy."""
        parts = self.parts
        taus = np.array([part.spread("tau") for part in parts]).reshape(-1, 3)
        moved = np.array([part.spread("moved") for part in parts]).reshape(-1, 3)
        table = Table(
            {
                "change": Factor.of(part.change for part in parts),
                "pool": Factor.of(part.pool for part in parts),
                "strategy": Factor.of(part.strategy for part in parts),
                "worlds": np.array([len(part.shifts) for part in parts], np.int64),
                "topics": np.array([part.topics for part in parts], np.int64),
                "tau_b": taus[:, 0],
                "low": taus[:, 1],
                "high": taus[:, 2],
                "moved": moved[:, 0],
                "moved_low": moved[:, 1],
                "moved_high": moved[:, 2],
                "largest": np.array([part.worst.largest for part in parts]),
                "largest_topic": tuple(part.worst.topic for part in parts),
                "largest_case": tuple(part.worst.case for part in parts),
            }
        )
        return {"stability": table}


def stability_of(  # noqa: PLR0913 (one request)
    problem: Problem,
    question: Question | None = None,
    *,
    strategies: Sequence[str] | str = "all",
    measure: str = "AP",
    repeats: int = 100,
    other: Problem | None = None,
) -> Stability:
    """Measure how steady the ratio and other strategies are.

    Parameters
    ----------
    problem
        Its rankings should hold every judged document, and the first 100 of each list.
    question
        Its baseline, seed and teams count; chance and intervals do not.
    strategies
        Names, or ``all``, of those to compare with the ratio.
    measure
        What takes the place of AP.
    repeats
        How many random halves of the topics and of the systems are tried.
    other
        The same runs with other judgments, to be compared on the topics of both.

    Returns
    -------
    Stability
        For each change, pool rule and strategy the number of ``worlds`` tried and of
        ``topics`` compared; ``tau_b`` with the original values (the mean over the
        worlds, with ``low`` and ``high`` at 2.5% and 97.5%); ``moved``, the share of
        topics that change class; and the ``largest`` change of a value, with its topic
        and, where one system or team was left out, which.
    """
    asked = question or Question()
    asking = chosen(strategies)
    depth = depth_of(strategies)
    world = _world(problem, depth, measure)
    plan = Plan(
        repeats=repeats,
        seed=asked.seed,
        measure=measure,
        depth=depth,
        teams=asked.teams,
        kept=Baseline.named(asked.baseline, problem.systems).system,
    )
    before = ask(world, asked, asking)
    rejudged = None if other is None else _world(other, depth, measure)
    changed = changes(world, plan, rejudged)
    parts = (part for each in changed for part in _try(each, before, asked, asking))
    return Stability(tuple(parts))


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """An opinion, and the topics it is about."""

    topics: tuple[str, ...]
    opinion: Opinion


def ask(
    world: World, question: Question, strategies: Sequence[Strategy]
) -> dict[str, Said]:
    """Return the opinions of all whom a world gives something to look at."""
    said = {}
    if world.problem is not None:
        said[RATIO] = Said(world.problem.topics, _ratio(world.problem, question))
    if world.evidence is not None:
        topics = world.evidence.topics
        for each in consult(strategies, world.evidence):
            said[each.name] = Said(topics, each)
    return said


def compare(before: Said, after: Said, case: str | None = None) -> Shift:
    """Say what changed, on the topics of both.

    Examples
    --------
    >>> def said(values, *classes):
    ...     opinion = Opinion("x", np.array(values), classes, high_is_easy=True)
    ...     return Said(("1", "2", "3"), opinion)
    >>> before = said([0.1, 0.5, 0.9], "hard", "hard", "easy")
    >>> shift = compare(before, said([0.2, 0.9, 0.8], "hard", "easy", "easy"))
    >>> round(shift.tau, 3), round(shift.moved, 3), shift.largest, shift.topic
    (0.333, 0.333, 0.4, '2')
    """
    places = {topic: place for place, topic in enumerate(after.topics)}
    pairs = [(i, places[t]) for i, t in enumerate(before.topics) if t in places]
    first, second = np.array(pairs, np.intp).reshape(-1, 2).T
    old, new = before.opinion.values[first], after.opinion.values[second]
    differences = np.abs(new - old)
    moved = _moved(
        [before.opinion.classes[place] for place in first],
        [after.opinion.classes[place] for place in second],
    )
    tau = float(tau_b(*shared(old, new)))
    if np.isnan(differences).all():
        return Shift(tau, moved, np.nan, None, case)
    at = int(np.nanargmax(differences))
    if differences[at] == 0:
        return Shift(tau, moved, 0.0, None, None)
    return Shift(tau, moved, float(differences[at]), before.topics[first[at]], case)


def _moved(before: Sequence[str | None], after: Sequence[str | None]) -> float:
    if not (set(before) - {None} and set(after) - {None}):
        return np.nan
    pairs = [pair for pair in zip(before, after, strict=True) if pair != (None, None)]
    return sum(old != new for old, new in pairs) / len(pairs)


def _world(problem: Problem, depth: int, measure: str) -> World:
    return World(problem, evidence_of(problem, depth=depth, measure=measure))


def _ratio(problem: Problem, question: Question) -> Opinion:
    baseline = Baseline.named(question.baseline, problem.systems)
    pairs = zip(problem.pools, problem.contests, strict=True)
    outcomes = [decide(pool, contest, baseline) for pool, contest in pairs]
    counts = [(each.wins, len(each.won)) for each in outcomes]
    return Opinion(
        name=RATIO,
        values=np.array([wins / size if size else np.nan for wins, size in counts]),
        classes=tuple(class_of(*each) if each[1] else None for each in counts),
        high_is_easy=True,
    )


def _try(
    change: Change,
    before: Mapping[str, Said],
    question: Question,
    strategies: Sequence[Strategy],
) -> Iterator[Steadiness]:
    """Go through the worlds of a change, one at a time."""
    shifts: dict[str, list[Shift]] = {}
    topics: dict[str, int] = {}
    for world in change.worlds():
        for name, after in ask(world, question, strategies).items():
            shift = compare(before[name], after, world.case)
            shifts.setdefault(name, []).append(shift)
            topics[name] = len(set(before[name].topics) & set(after.topics))
    for name, found in shifts.items():
        pool = change.pool if name == RATIO else None
        yield Steadiness(name, change.name, pool, topics[name], tuple(found))
