"""One topic in full: what its systems achieved, and where they put its documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.pool import END
from mohs.errors import UnknownNameError
from mohs.tables import Factor, Integers, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.analysis.difficulty.pool import Problem
    from mohs.analysis.difficulty.result import Part
    from mohs.tables import Column


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DrillDown(Result):
    """One topic.

    The tables are ``topic``, its row; ``systems``, the best first; ``documents``, the
    pool and all judged documents, with the number of systems that have them as deep as
    pools are formed (``top``) or anywhere (``found``), the best rank and the median of
    all ranks; ``ranks``, the rank of each of these in each ranking. Of unjudged
    documents only the ranks down to the pool's depth are known: ``found`` and the
    median are missing where a ranking goes on below it.
    """

    topic: Table
    systems: Table
    documents: Table
    ranks: Table

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, the systems first."""
        return {
            "systems": self.systems,
            "documents": self.documents,
            "ranks": self.ranks,
            "topic": self.topic,
        }


def drill(parts: Sequence[Part], topic: str) -> DrillDown:
    """Collect what there is to say of one topic, in all parts; see `Difficulty.drill`.

    Raises
    ------
    UnknownNameError
        If there is no such topic.
    """
    found = [(part, place) for part in parts for place in _places(part, topic)]
    if not found:
        known = {name for part in parts for name in part.solution.problem.topics}
        raise UnknownNameError("topic", topic, known)
    rows = [part.topics().take(np.array([place])) for part, place in found]
    pieces = [_pieces(part, place) for part, place in found]
    systems, documents, ranks = (stack(each) for each in zip(*pieces, strict=True))
    return DrillDown(stack(rows), systems, documents, ranks)


def _places(part: Part, topic: str) -> list[int]:
    queries = part.solution.problem.topics
    named = zip(queries, part.keys["topic"].texts(), strict=True)
    return [place for place, names in enumerate(named) if topic in names]


def _pieces(part: Part, place: int) -> tuple[Table, Table, Table]:
    tables = _systems(part, place), *_documents(part, place)
    keys = {name: key.texts()[place] or "" for name, key in part.keys.items()}
    systems, documents, ranks = (
        Table({**_constants(keys, len(table)), **table.columns}) for table in tables
    )
    return systems, documents, ranks


def _constants(keys: Mapping[str, str], size: int) -> dict[str, Column]:
    return {name: Factor.constant(text, size) for name, text in keys.items()}


def _systems(part: Part, place: int) -> Table:
    solution = part.solution
    problem, outcome = solution.problem, solution.outcomes[place]
    null = solution.nulls[place]
    rankings = problem.rankings
    rows = problem.rows[outcome.systems]
    table = Table(
        {
            "system": Factor(problem.systems, outcome.systems),
            "retrieved": rankings.retrieved[rows, problem.columns[place]],
            "win": outcome.won,
            "ndcg": outcome.ndcg,
            "ndcg_std": outcome.standardised,
            "margin": outcome.margins,
            "p": null.p_of_systems() if null else np.full(len(rows), np.nan),
        }
    )
    best = outcome.margins if len(outcome.won) else outcome.ndcg
    return table.take(np.argsort(-best, kind="stable"))


def _documents(part: Part, place: int) -> tuple[Table, Table]:
    """Lay out the documents of a topic, and their ranks."""
    seen = _sightings(part, place)
    return seen.documents(), seen.listed(part.solution.problem.systems)


@dataclass(frozen=True, slots=True, eq=False)
class _Sightings:
    """Documents of a topic: ``ranks`` say which system has which where.

    ``tops`` count the systems that have a document where pools are formed, and
    ``whole`` are those of which every rank is known.
    """

    names: tuple[str, ...]
    grades: Mapping[str, float]
    gains: Mapping[str, float]
    tops: Mapping[str, int]
    ranks: Mapping[str, Mapping[int, int]]
    whole: set[str]

    def documents(self) -> Table:
        """Lay out one row for each document."""
        ranks = [list(self.ranks[name].values()) for name in self.names]
        whole = np.array([name in self.whole for name in self.names], np.bool_)
        found = np.array([len(each) for each in ranks], np.int64)
        best = np.array([min(each, default=0) for each in ranks], np.int64)
        medians = [np.median(each) if each else np.nan for each in ranks]
        gains = [self.gains.get(name, np.nan) for name in self.names]
        tops = np.array([self.tops.get(name, 0) for name in self.names], np.int64)
        grades = np.array([self.grades[name] for name in self.names], np.float64)
        columns: dict[str, Column] = {
            "document": self.names,
            "grade": grades,
            "gain": np.array(gains, np.float64),
            "pool": np.array([name in self.gains for name in self.names], np.bool_),
            "top": tops,
            "found": Integers(found, whole),
            "best": Integers(best, best > 0),
            "median": np.where(whole, np.array(medians, np.float64), np.nan),
        }
        worth = np.nan_to_num(grades, nan=-np.inf)
        return Table(columns).take(np.lexsort((-found, -tops, -worth)))

    def listed(self, systems: tuple[str, ...]) -> Table:
        """Lay out one row for each document and each system that retrieved it."""
        entries = [
            (name, system, rank)
            for name in self.names
            for system, rank in sorted(self.ranks[name].items())
        ]
        names, codes, ranks = zip(*entries, strict=True) if entries else ((), (), ())
        return Table(
            {
                "document": Factor.of(names),
                "grade": np.array([self.grades[name] for name in names], np.float64),
                "system": Factor(systems, np.array(codes, np.int32)),
                "rank": np.array(ranks, np.int64),
            }
        )


def _sightings(part: Part, place: int) -> _Sightings:
    problem = part.solution.problem
    pool, listing = problem.pools[place], problem.listings[place]
    judged, cut = _judged(part, place), _cut_off(problem, place)
    grades = dict(zip(pool.documents, pool.grades.tolist(), strict=True)) | judged
    tops: dict[str, int] = dict.fromkeys(grades, 0)
    ranks: dict[str, dict[int, int]] = {name: {} for name in grades}
    for row, column in np.argwhere(listing.lists != END).tolist():
        name = listing.documents[listing.lists[row, column]]
        if name in grades:
            tops[name] += 1
            ranks[name][int(listing.systems[row])] = column + 1
    # Of judged documents all ranks are known, whatever a list was stripped of.
    ranks |= _judged_ranks(part, place)
    return _Sightings(
        names=tuple(sorted(grades)),
        grades=grades,
        gains=dict(zip(pool.documents, pool.gains.tolist(), strict=True)),
        tops=tops,
        ranks=ranks,
        whole={name for name in grades if name in judged or cut <= ranks[name].keys()},
    )


def _cut_off(problem: Problem, place: int) -> set[int]:
    """Return the systems that retrieved more than what pools are formed of."""
    retrieved = problem.rankings.retrieved[problem.rows, problem.columns[place]]
    return set(np.flatnonzero(retrieved > problem.rules.depth).tolist())


def _judged(part: Part, place: int) -> dict[str, float]:
    problem = part.solution.problem
    rankings = problem.rankings
    judgments = rankings.judgments
    group = rankings.groups[problem.columns[place]]
    first, last = judgments.offsets[group : group + 2].tolist()
    grades = judgments.grades[first:last].tolist()
    return dict(zip(judgments.documents[first:last], grades, strict=True))


def _judged_ranks(part: Part, place: int) -> dict[str, dict[int, int]]:
    """Return where each system put each judged document."""
    problem = part.solution.problem
    rankings = problem.rankings
    ranks: dict[str, dict[int, int]] = {name: {} for name in _judged(part, place)}
    for system, row in enumerate(problem.rows.tolist()):
        cell = row * len(rankings.topics) + int(problem.columns[place])
        entries = slice(*rankings.offsets[cell : cell + 2].tolist())
        found = rankings.judged[entries].tolist(), rankings.ranks[entries].tolist()
        for judged, rank in zip(*found, strict=True):
            name = rankings.judgments.documents[judged]
            ranks[name][system] = rank
    return ranks
