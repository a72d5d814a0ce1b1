"""Worlds: the request as it is, and as it could have been.

A world holds what the ratio looks at (a problem) and what the other strategies look at
(evidence). Either may be missing, where a change does not touch it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mohs.analysis.difficulty.pool import list_topic, pose
from mohs.analysis.difficulty.strategies.evidence import NOTHING, evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Listing, Problem
    from mohs.analysis.difficulty.strategies import Evidence
    from mohs.gains.grades import Gain

    Floats = NDArray[np.float64]
    PoolRule = Literal["formed", "fixed"]


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """One form of the request; ``case`` names what sets it apart, if anything does."""

    problem: Problem | None
    evidence: Evidence | None
    case: str | None = None

    def of_topics(self, kept: Sequence[int]) -> World:
        """Leave out all other topics."""
        return replace(
            self,
            problem=self.problem and self.problem.of_topics(kept),
            evidence=self.evidence and self.evidence.of_topics(kept),
        )

    def of_systems(
        self, kept: Sequence[int], pool: PoolRule, case: str | None = None
    ) -> World:
        """Leave out all other systems; only the ratio knows of pools."""
        evidence = self.evidence if pool == "formed" else None
        return World(
            problem=self.problem and self.problem.of_systems(kept, pool=pool),
            evidence=evidence and evidence.of_systems(kept),
            case=case,
        )

    def with_junk(self, count: int, pool: PoolRule) -> World:
        """Add systems that return only documents found by nobody else, none relevant.

        They return as many as the longest list that is looked at has. Their scores fall
        evenly, and alike on every topic.
        """
        evidence = self.evidence if pool == "formed" else None
        return World(
            problem=self.problem and _problem_with_junk(self.problem, count, pool),
            evidence=evidence and _evidence_with_junk(evidence, count),
        )


@dataclass(frozen=True, slots=True)
class Raised:
    """A gain function plus a constant, for documents without gain too."""

    gain: Gain
    by: float

    def __call__(self, grades: Floats, /) -> Floats:
        """Return the gain of each grade, same shape."""
        return self.gain(grades) + self.by


def with_grades(
    world: World, change: Callable[[Floats], Floats], depth: int, measure: str
) -> World:
    """Change the grade of every judged document.

    Parameters
    ----------
    world
        Its problem must be known.
    change
        Returns new grades for old ones.
    depth, measure
        Of the evidence, which is collected anew.
    """
    problem = _known(world)
    judgments = problem.rankings.judgments
    judgments = replace(judgments, grades=change(judgments.grades))
    rankings = replace(problem.rankings, judgments=judgments)
    listings = [
        replace(listing, grades=change(listing.grades)) for listing in problem.listings
    ]
    posed = pose(replace(problem, rankings=rankings), listings)
    return World(posed, evidence_of(posed, depth=depth, measure=measure))


def with_gains(world: World, by: float) -> World:
    """Add a constant to the gain of every document of a pool, judged or not."""
    problem = _known(world)
    rules = replace(problem.rules, gain=Raised(problem.rules.gain, by))
    return World(pose(replace(problem, rules=rules), problem.listings), None)


def with_fodder(world: World, count: int) -> World:
    """Add the documents of junk systems to the pools, and the systems themselves not.

    This shows what lower mean gains do to the ratio by themselves.
    """
    problem = _known(world)
    joined = _problem_with_junk(problem, count, "formed")
    return World(joined.of_systems(range(len(problem.systems)), pool="fixed"), None)


def with_depth(world: World, depth: int) -> World:
    """Form the pools of so many documents, and show strategies no more of a list."""
    problem, evidence = _known(world), world.evidence
    cutoff = problem.rules.cutoff
    rules = replace(
        problem.rules,
        depth=depth,
        cutoff=None if cutoff is None else min(cutoff, depth),
    )
    listings = [
        list_topic(problem.rankings, problem.rows, column, rules)
        for column in problem.columns.tolist()
    ]
    return World(
        problem=pose(replace(problem, rules=rules), listings),
        evidence=evidence
        and replace(
            evidence,
            scores=evidence.scores[..., :depth],
            documents=evidence.documents[..., :depth],
        ),
    )


def _known(world: World) -> Problem:
    if world.problem is None:
        raise ValueError("this change needs the problem")
    return world.problem


def _problem_with_junk(problem: Problem, count: int, pool: PoolRule) -> Problem:
    size = len(problem.systems)
    names = tuple(f"junk {number}" for number in range(1, count + 1))
    joined = replace(problem, systems=problem.systems + names)
    listings = [
        _listing_with_junk(listing, size + np.arange(count))
        for listing in problem.listings
    ]
    return pose(joined, listings, problem.pools if pool == "fixed" else None)


def _listing_with_junk(listing: Listing, systems: NDArray[np.int64]) -> Listing:
    depth = listing.lists.shape[1]
    fresh = len(systems) * depth
    lists = len(listing.documents) + np.arange(fresh).reshape(-1, depth)
    return replace(
        listing,
        documents=(*listing.documents, *(f"junk {n}" for n in range(fresh))),
        grades=np.append(listing.grades, np.zeros(fresh)),
        systems=np.append(listing.systems, systems).astype(np.int32),
        lists=np.concatenate([listing.lists, lists]).astype(np.int32),
    )


def _evidence_with_junk(evidence: Evidence, count: int) -> Evidence:
    _, topics, depth = evidence.scores.shape
    shape = count, topics, depth
    falling = np.arange(depth, 0, -1) / max(depth, 1)
    first = evidence.documents.max(initial=NOTHING) + 1
    fresh = first + np.arange(count * depth).reshape(count, 1, depth)
    return replace(
        evidence,
        systems=(*evidence.systems, *(f"junk {n}" for n in range(1, count + 1))),
        values=np.concatenate([evidence.values, np.zeros((count, topics))]),
        scores=np.concatenate([evidence.scores, np.broadcast_to(falling, shape)]),
        documents=np.concatenate([evidence.documents, np.broadcast_to(fresh, shape)]),
        corpus_scores=None,
    )
