"""Topic difficulty a second time, slow and plain, to hold the fast one against.

It follows the definitions to the letter, over dicts and one number at a time, and
shares no code with what it checks.
"""

import itertools
import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Grades = Mapping[str, float]
Run = Mapping[str, Mapping[str, float]]
Gain = Callable[[float], float]

GAINS: Mapping[tuple[str, str], Gain] = {
    ("linear", "zero"): lambda grade: max(grade, 0.0),
    ("linear", "keep"): lambda grade: grade,
    ("exponential", "zero"): lambda grade: 2.0 ** max(grade, 0.0) - 1,
    ("binary", "zero"): lambda grade: float(grade >= 1),
}
DISCOUNTS: Mapping[str, Callable[[int], float]] = {
    "log2": lambda rank: math.log2(rank + 1),
    "ln": lambda rank: math.log(rank + 1),
    "zipf": float,
    "none": lambda _: 1.0,
}


@dataclass(frozen=True)
class Asked:
    """Options of a request, by their names on the command line."""

    depth: int = 20
    cutoff: int | None = None
    pool: str = "runs"
    unjudged: str = "nonrelevant"
    pad: bool = True
    gain: str = "linear"
    negative: str = "zero"
    discount: str = "log2"
    baseline: str | float = "random"


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return documents by score, equal ones by id from the highest byte down."""
    return sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)


def rate(
    qrels: Mapping[str, Grades], runs: Mapping[str, Run], asked: Asked
) -> dict[str, dict[str, object]]:
    """Return the figures of every topic that is judged."""
    rows = {}
    for topic, grades in qrels.items():
        scores = {name: run[topic] for name, run in runs.items() if run.get(topic)}
        rows[topic] = _row(grades, scores, asked)
    return rows


def _row(grades: Grades, scores: Run, asked: Asked) -> dict[str, object]:
    lists = {
        name: [d for d in ranked(each) if asked.unjudged != "condense" or d in grades]
        for name, each in scores.items()
    }
    pool = _pool(grades, lists, asked)
    gain = GAINS[asked.gain, asked.negative]
    gains = {d: gain(grades.get(d, 0.0)) for d in pool}
    relevant = sum(grades.get(d, 0) >= 1 for d in pool)
    row: dict[str, object] = {
        "systems": len(lists),
        "pool": len(pool),
        "judged": len(grades),
        "relevant": sum(grade >= 1 for grade in grades.values()),
        "prevalence": relevant / len(pool) if pool else None,
    }
    if lists and len(set(gains.values())) > 1:
        row |= _figures(grades, lists, gains, asked)
    return row


def _pool(grades: Grades, lists: Mapping[str, list[str]], asked: Asked) -> set[str]:
    if asked.pool == "judged":
        return set(grades)
    union = {d for each in lists.values() for d in each[: asked.depth]}
    return union if asked.unjudged == "nonrelevant" else union & set(grades)


def _figures(
    grades: Grades, lists: Mapping[str, list[str]], gains: Grades, asked: Asked
) -> dict[str, object]:
    m = len(gains)
    depth = min(asked.cutoff or asked.depth, m)
    weights = [1 / DISCOUNTS[asked.discount](rank) for rank in range(1, depth + 1)]
    mean = math.fsum(gains.values()) / m
    spread = max(gains.values()) - min(gains.values())
    tolerance = 1e-12 * spread * sum(weights)
    leads = {
        name: math.fsum(
            weight * above
            for weight, above in zip(
                weights, _above(grades, each, gains, asked), strict=False
            )
        )
        for name, each in lists.items()
    }
    padded = weights + [0.0] * (m - depth)
    centre = math.fsum(padded) / m
    variance = (
        math.fsum((w - centre) ** 2 for w in padded)
        * math.fsum((g - mean) ** 2 for g in gains.values())
        / (m - 1)
    )
    best = sorted((g - mean for g in gains.values()), reverse=True)
    ideal = math.fsum(g * w for g, w in zip(best, weights, strict=False))
    meaning = m > depth or asked.discount != "none"
    target = 0.0
    if asked.baseline in leads:
        target = leads.pop(asked.baseline)
    elif asked.baseline != "random":
        target = float(asked.baseline) * ideal
    wins = sum(lead - target > tolerance for lead in leads.values())
    n = len(leads)
    row = {"systems": n, "wins": wins, "difficulty": wins / n if n else None}
    row["class"] = _class(wins, n)
    if meaning and leads:
        standard = [lead / ideal for lead in leads.values()]
        row["margin"] = statistics.fmean(leads.values()) / math.sqrt(variance)
        row |= {"mean": statistics.fmean(standard), "best": max(standard)}
        row |= {"median": statistics.median(standard), "worst": min(standard)}
    return row


def _above(
    grades: Grades, documents: list[str], gains: Grades, asked: Asked
) -> Iterator[float]:
    """Yield how far the gain at each rank is above the mean, for ever."""
    mean = math.fsum(gains.values()) / len(gains)
    for document in documents:
        if document in gains:
            yield gains[document] - mean
        elif asked.unjudged != "neutral" or document in grades:
            yield -mean
        else:
            yield 0.0
    yield from itertools.repeat(-mean if asked.pad else 0.0)


def _class(wins: int, systems: int) -> str | None:
    names = "hard", "moderately hard", "moderately easy", "easy"
    if systems < 10:
        return None
    return next(n for q, n in enumerate(names, 1) if 4 * wins <= q * systems)
