"""Changes: ways in which a request could have been another, each with its worlds.

What is random comes from streams keyed by the change and the repetition, so that more
repetitions never alter the first ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.difficulty.perturbation.worlds import (
    World,
    with_depth,
    with_fodder,
    with_gains,
    with_grades,
)
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.perturbation.worlds import PoolRule
    from mohs.analysis.difficulty.pool import Problem

    Floats = NDArray[np.float64]
    Worlds = Callable[[], Iterator[World]]

JUNK = (1, 3, 5)
DEPTHS = (5, 10, 20, 50, 100)
POOLS: tuple[PoolRule, ...] = ("formed", "fixed")


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One way to change the request, and the worlds that come of it, made when needed.

    ``pool`` says whether pools were formed anew or held fixed, where that matters.
    """

    name: str
    pool: PoolRule | None
    worlds: Worlds


@dataclass(frozen=True, slots=True)
class Group:
    """Systems that are left out together, and their name if they have one."""

    systems: Sequence[int]
    case: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try.

    ``teams`` names the team of a system; ``kept`` is a system that is never left out,
    as others are compared with it. ``measure`` tells which systems are best. ``depth``
    is how much of a list the strategies look at.
    """

    repeats: int
    seed: int
    measure: str
    depth: int
    teams: Mapping[str, str]
    kept: int | None = None


def changes(world: World, plan: Plan, other: World | None = None) -> Iterator[Change]:
    """Yield every change that can be made; ``other`` was judged by others."""
    yield Change("half of the topics", None, lambda: _half_of_topics(world, plan))
    for name, lists in _systems(world, plan):
        for pool in POOLS:
            yield Change(name, pool, _of_systems(world, lists, pool))
    for count in JUNK:
        name = f"{count} junk {'system' if count == 1 else 'systems'} added"
        for pool in POOLS:
            yield Change(name, pool, _one(World.with_junk, world, count, pool))
        yield Change(
            f"{name} to the pools alone", "formed", _one(with_fodder, world, count)
        )
    given = plan.depth, plan.measure
    yield Change("grades times 2", None, _one(with_grades, world, _doubled, *given))
    yield Change("grades plus 1", None, _one(with_grades, world, _raised, *given))
    yield Change("all gains plus 1", None, _one(with_gains, world, 1.0))
    for depth in _depths(world):
        yield Change(f"pools of depth {depth}", None, _one(with_depth, world, depth))
    if other is not None:
        yield Change("other judgments", None, lambda: iter([other]))


def _half_of_topics(world: World, plan: Plan) -> Iterator[World]:
    size = len(_problem(world).topics)
    for repeat in range(plan.repeats):
        draws = stream(plan.seed, "stability", "topics", repeat)
        kept = draws.permutation(size)[: -(-size // 2)]
        yield world.of_topics(sorted(kept.tolist()))


def _of_systems(world: World, groups: Sequence[Group], pool: PoolRule) -> Worlds:
    everyone = range(len(_problem(world).systems))

    def worlds() -> Iterator[World]:
        for group in groups:
            left = set(group.systems)
            kept = [system for system in everyone if system not in left]
            yield world.of_systems(kept, pool, group.case)

    return worlds


def _systems(world: World, plan: Plan) -> Iterator[tuple[str, list[Group]]]:
    """Yield the groups of systems that are left out in turn, by what they are."""
    systems = _problem(world).systems
    loose = [place for place in range(len(systems)) if place != plan.kept]
    if len(systems) < 2 or not loose:
        return
    yield "half of the systems", list(_halves(loose, plan))
    by_score = _best_first(world, loose)
    quarter = max(1, round(len(loose) / 4))
    yield "without the best quarter of the systems", [Group(by_score[:quarter])]
    yield "without the worst quarter of the systems", [Group(by_score[-quarter:])]
    yield "without one system", [Group([place], systems[place]) for place in loose]
    if plan.teams:
        yield "without one team", list(_teams(systems, loose, plan.teams))


def _halves(loose: Sequence[int], plan: Plan) -> Iterator[Group]:
    for repeat in range(plan.repeats):
        draws = stream(plan.seed, "stability", "systems", repeat)
        yield Group(draws.permutation(loose)[: len(loose) // 2].tolist())


def _best_first(world: World, loose: Sequence[int]) -> list[int]:
    if world.evidence is None:
        raise ValueError("which systems are best follows from the evidence")
    means = np.round(world.evidence.values.mean(axis=1), 12)
    return sorted(loose, key=lambda place: (-means[place], place))


def _teams(
    systems: Sequence[str], loose: Sequence[int], teams: Mapping[str, str]
) -> Iterator[Group]:
    members: dict[str, list[int]] = {}
    for place in loose:
        if systems[place] in teams:
            members.setdefault(teams[systems[place]], []).append(place)
    for team, places in members.items():
        if len(places) < len(systems):
            yield Group(places, team)


def _depths(world: World) -> list[int]:
    """Return the depths for which enough was read, but for the one there is."""
    problem = _problem(world)
    top = problem.rankings.top
    read = int(np.diff(top.offsets).max(initial=0)) if top else 0
    return [each for each in DEPTHS if each <= read and each != problem.rules.depth]


def _one(
    make: Callable[..., World],
    *given: Any,  # noqa: ANN401 (what the maker takes)
) -> Worlds:
    return lambda: iter([make(*given)])


def _doubled(grades: Floats) -> Floats:
    return grades * 2


def _raised(grades: Floats) -> Floats:
    return grades + 1


def _problem(world: World) -> Problem:
    if world.problem is None:
        raise ValueError("changes start from a problem")
    return world.problem
