"""What a reader gets to see of one topic on demand: plain values for the script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.difficulty.exhibits import exhibit
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part
    from mohs.scores import Cube

_DECIMALS = 3
# Ranks that a page carries; so many documents of each topic are shown that it keeps.
_RANKS = 600_000
_FEWEST, _MOST = 10, 80


def details_of(part: Part) -> dict[str, Any]:
    """Collect systems and documents of every topic."""
    problem = part.solution.problem
    size = max(1, len(problem.topics) * len(problem.systems))
    most = min(max(_RANKS // size, _FEWEST), _MOST)
    return {
        "kind": "runs",
        "systems": [*map(printable, problem.systems)],
        "measure": f"nDCG_std@{problem.rules.scored}",
        "depth": problem.rules.depth,
        "topics": {
            topic: _topic(part, place, most)
            for place, topic in enumerate(problem.topics)
        },
    }


def scores_details(cube: Cube) -> dict[str, Any]:
    """Collect the scores of every topic."""
    values = cube.values.T
    return {
        "kind": "scores",
        "systems": [*map(printable, cube.axes["system"])],
        "measure": printable(cube.measure),
        "topics": {
            topic: {"name": printable(topic), "values": _rounded(values[place])}
            for place, topic in enumerate(cube.axes["topic"])
        },
    }


def _topic(part: Part, place: int, most: int) -> dict[str, Any]:
    solution = part.solution
    outcome, null = solution.outcomes[place], solution.nulls[place]
    shown = exhibit(solution.problem, place, most)
    query = part.texts[place] if part.texts else None
    order = np.argsort(-np.nan_to_num(outcome.margins), kind="stable")
    p = null.p_of_systems()[order] if null else np.empty(0)
    return {
        "name": printable(shown.topic),
        "query": None if query is None else printable(query),
        "reason": solution.rows[place].reason,
        "systems": outcome.systems[order].tolist(),
        "won": outcome.won[order].astype(int).tolist(),
        "ndcg": _rounded(outcome.ndcg[order]),
        "std": _rounded(outcome.standardised[order]),
        "margin": _rounded(outcome.margins[order]),
        "p": [float(f"{each:.2g}") for each in p.tolist()],
        "documents": [*map(printable, shown.documents)],
        "grades": [float(f"{each:g}") for each in shown.grades.tolist()],
        "top": shown.top.tolist(),
        "ranks": shown.ranks.tolist(),
        "judged": shown.judged,
    }


def _rounded(values: NDArray[np.float64]) -> Sequence[float | None]:
    return [
        None if value != value else round(value, _DECIMALS)  # noqa: PLR0124 (NaN)
        for value in values.tolist()
    ]
