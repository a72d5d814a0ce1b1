"""What the picture of topic difficulty says, before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.difficulty.question import RANDOM, Baseline
from mohs.charts.boxes import Box, Window
from mohs.charts.themes import CLASSES
from mohs.tables import natural_key
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mohs.analysis.difficulty.question import Question
    from mohs.analysis.difficulty.ratio import Outcome
    from mohs.analysis.difficulty.rows import Row
    from mohs.analysis.difficulty.solution import Solution

    Record = dict[str, Any]

NO_CLASS = CLASSES[-1]
_NO_TEXTS: Mapping[str, str | None] = MappingProxyType({})

# What is copied from a topic's row into the data of the chart.
_COPIED = (
    "systems",
    "wins",
    "difficulty",
    "low",
    "high",
    "chance",
    "chance_low",
    "chance_high",
    "p",
    "mean",
    "best",
    "worst",
)


@dataclass(frozen=True, slots=True)
class Strips:
    """Rows of the picture, from the easiest topic to the hardest, then the excluded.

    ``part`` is the sub-corpus, if there are any, and ``names`` are the topics in order.
    The rest are the records that the chart embeds: ``rows`` one for a topic, ``points``
    one for an outlier, and ``edges`` one for each end of a box, and each outlier, that
    leaves the window.
    """

    part: str
    names: tuple[str, ...]
    rows: tuple[Record, ...]
    points: tuple[Record, ...]
    edges: tuple[Record, ...]
    window: Window

    @property
    def classes(self) -> list[str]:
        """The classes that occur, from hard to easy."""
        found = {row["class"] for row in self.rows if "class" in row}
        return [name for name in CLASSES if name in found]


def arrange(
    solution: Solution, part: str = "", texts: Mapping[str, str | None] = _NO_TEXTS
) -> Strips:
    """Arrange topics by difficulty, and summarise the NDCG_std of their systems.

    Parameters
    ----------
    solution
        What is known of the topics.
    part
        The sub-corpus, if there are any.
    texts
        What was asked, by topic.
    """
    pairs = list(zip(solution.rows, solution.outcomes, strict=True))
    pairs.sort(key=lambda pair: _place(pair[0]))
    boxes = {
        outcome.topic: box
        for _, outcome in pairs
        if (box := Box.of(outcome.standardised)) is not None
    }
    values = [np.empty(0), *(outcome.standardised for _, outcome in pairs)]
    window = Window.over([*boxes.values()], np.concatenate(values))
    points = [
        point
        for _, outcome in pairs
        if outcome.topic in boxes
        for point in _outliers(outcome, boxes[outcome.topic], solution.problem.systems)
    ]
    rows = [_record(row, boxes.get(row.topic), window) for row, _ in pairs]
    for (row, _), record in zip(pairs, rows, strict=True):
        if text := texts.get(row.topic):
            record["query"] = printable(text)
    return Strips(
        printable(part),
        tuple(printable(row.topic) for row, _ in pairs),
        tuple(rows),
        tuple(each for each in points if not window.side(each["value"])),
        tuple(_edges(boxes, points, window)),
        window,
    )


def _place(row: Row) -> tuple[object, ...]:
    if row.reason:
        return 1, natural_key(row.topic)
    margin = row.margin if row.margin == row.margin else 0.0
    return 0, -row.difficulty, -margin, natural_key(row.topic)


def _record(row: Row, box: Box | None, window: Window) -> Record:
    record: Record = {"topic": printable(row.topic)}
    if row.reason:
        return {**record, "note": f"left out: {printable(row.reason)}"}
    found = ((name, getattr(row, name)) for name in _COPIED)
    # NaN is the only number that differs from itself.
    record |= {name: value for name, value in found if value == value}  # noqa: PLR0124
    record["class"] = row.class_ or NO_CLASS
    if box is None:
        return {**record, "note": "NDCG_std has no meaning: every order is as good"}
    if window.side(box.low) == window.side(box.high) != 0:
        reach = f"{box.low:.3g} to {box.high:.3g}".replace("-", "−")  # noqa: RUF001
        record["note"] = f"beyond the axis: {reach}"
    ends = {"from": box.low, "q1": box.q1, "middle": box.median, "q3": box.q3}
    return {**record, **ends, "to": box.high}


def _outliers(outcome: Outcome, box: Box, systems: Sequence[str]) -> Iterable[Record]:
    for place in box.outliers.tolist():
        yield {
            "topic": printable(outcome.topic),
            "system": printable(systems[outcome.systems[place]]),
            "value": float(outcome.standardised[place]),
        }


def _edges(
    boxes: Mapping[str, Box], points: Iterable[Record], window: Window
) -> Iterable[Record]:
    for name, box in boxes.items():
        for value in (box.low, box.high):
            if side := window.side(value):
                yield {"topic": printable(name), "value": value, "side": side}
    for point in points:
        if side := window.side(point["value"]):
            yield {**point, "side": side}


def measured(solution: Solution) -> str:
    """Name what the boxes summarise."""
    return f"nDCG_std@{solution.problem.rules.scored}"


def caption(solution: Solution, strips: Strips) -> list[str]:
    """Say what was measured, how, and what the marks mean."""
    rules = solution.problem.rules
    pooled = "all judged documents"
    if rules.pool == "runs":
        pooled = f"the first {rules.depth} documents of every system"
    lines = [
        f"{_count(solution)}, {measured(solution)}; pool: {pooled}",
        "Left: quartiles, whiskers up to 1.5 interquartile ranges, systems beyond as "
        "dots" + ("; arrows lead off the axis" if strips.edges else ""),
        f"Right: the share of systems that {_feat(solution)}",
    ]
    return [*lines, *_marks(solution.question)]


def _count(solution: Solution) -> str:
    counts = {len(outcome.systems) for outcome in solution.outcomes} - {0}
    most, least = max(counts, default=0), min(counts, default=0)
    if most == least:
        return f"{most} system" + "s" * (most != 1)
    return f"{least} to {most} systems"


def _feat(solution: Solution) -> str:
    """Say what a system has to do to win."""
    if solution.question.baseline == RANDOM:
        return "beat a random order of the pool"
    systems = solution.problem.systems
    baseline = Baseline.named(solution.question.baseline, systems)
    if baseline.system is not None:
        return f"beat {printable(systems[baseline.system])}"
    return f"reach more than {baseline.value:g} of {measured(solution)}"


def _marks(question: Question) -> list[str]:
    drawn = "teams" if question.teams else "systems"
    intervals = {
        "bootstrap": f"Line: 95% interval, bootstrap over {drawn}",
        "wilson": "Line: 95% Wilson interval, too short unless systems are independent",
    }
    marks = [intervals[question.interval]]
    if question.permutations:
        marks.append("grey: where 95% of shares fall when the grades are shuffled")
    return ["; ".join(marks)]
