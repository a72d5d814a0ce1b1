"""One topic in full: what its systems achieved, and where they put its documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.pool import RELEVANT
from mohs.errors import UnknownNameError
from mohs.tables import Factor, Integers, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.result import Part
    from mohs.tables import Column

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DrillDown(Result):
    """One topic.

    The tables are ``topic``, its row; ``systems``, the best first; ``documents``, the
    pool and all relevant documents, with the number of systems that have them among
    their first k (``top``) or anywhere (``found``), the best rank and the median of
    all ranks; ``ranks``, the rank of each of these in each ranking. Of unjudged
    documents only the ranks down to k are known.
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
    problem = part.solution.problem
    pool, contest = problem.pools[place], problem.contests[place]
    ranks = _judged_ranks(part, place)
    rows, columns = np.nonzero(contest.places >= 0)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        member = int(contest.places[row, column])
        system = int(contest.systems[row])
        ranks.setdefault(pool.documents[member], {})[system] = column + 1
    grades = _grades(part, place) | dict(zip(pool.documents, pool.grades, strict=True))
    gains = dict(zip(pool.documents, pool.gains, strict=True))
    names = sorted(
        (name for name, grade in grades.items() if name in gains or grade >= RELEVANT),
        key=lambda name: (-np.nan_to_num(grades[name], nan=-np.inf), name),
    )
    places = [ranks.get(name, {}) for name in names]
    depth = contest.places.shape[1]
    documents: dict[str, Column] = {
        "document": tuple(names),
        "grade": np.array([grades[name] for name in names], np.float64),
        "gain": np.array([gains.get(name, np.nan) for name in names], np.float64),
        "pool": np.array([name in gains for name in names], np.bool_),
        "top": _counts([[r for r in each.values() if r <= depth] for each in places]),
        "found": _counts([[*each] for each in places]),
        "best": _smallest(places),
        "median": _medians(places),
    }
    pairs = [
        (name, system, rank)
        for name, each in zip(names, places, strict=True)
        for system, rank in sorted(each.items())
    ]
    listed = Table(
        {
            "document": Factor.of(name for name, _, _ in pairs),
            "grade": np.array([grades[name] for name, _, _ in pairs], np.float64),
            "system": Factor(
                problem.systems, np.array([s for _, s, _ in pairs], np.int32)
            ),
            "rank": np.array([rank for _, _, rank in pairs], np.int64),
        }
    )
    return Table(documents), listed


def _grades(part: Part, place: int) -> dict[str, float]:
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
    ranks: dict[str, dict[int, int]] = {}
    for system, row in enumerate(problem.rows.tolist()):
        cell = row * len(rankings.topics) + int(problem.columns[place])
        first, last = rankings.offsets[cell : cell + 2].tolist()
        entries = zip(
            rankings.judged[first:last].tolist(),
            rankings.ranks[first:last].tolist(),
            strict=True,
        )
        for judged, rank in entries:
            name = rankings.judgments.documents[judged]
            ranks.setdefault(name, {})[system] = rank
    return ranks


def _counts(lists: Sequence[Sequence[int]]) -> Counts:
    return np.array([len(each) for each in lists], np.int64)


def _smallest(places: Sequence[Mapping[int, int]]) -> Integers:
    values = [min(each.values(), default=0) for each in places]
    return Integers(np.array(values, np.int64), np.array(values, np.int64) > 0)


def _medians(places: Sequence[Mapping[int, int]]) -> Floats:
    lists = [[*each.values()] for each in places]
    return np.array([np.median(each) if each else np.nan for each in lists])
