"""Figures: what mohs and a peer cost, the ratio, and what it should be."""

from __future__ import annotations

import csv
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bench.children import Cost


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure should be: a ratio of at least, or a cost below, a bound."""

    of: str
    bound: float

    def __str__(self) -> str:
        return f"ratio >= {self.bound:g}" if self.of == "ratio" else f"< {self.bound:g}"

    def reached(self, figure: Figure) -> bool:
        """Say whether a figure is good enough."""
        if self.of == "ratio":
            return figure.ratio is not None and figure.ratio >= self.bound
        return figure.mohs is not None and figure.mohs < self.bound


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the result.

    `mohs` and `peer` are in `unit`; `ratio` is how many times less mohs costs. `note`
    tells why something is missing.
    """

    name: str
    unit: str
    mohs: float | None
    peer: float | None
    goal: Goal | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times less mohs costs than its peer."""
        if self.mohs is None or self.peer is None or self.unit == "difference":
            return None
        return self.peer / self.mohs

    @property
    def passed(self) -> bool | None:
        """Whether the goal is reached; None without a goal."""
        return self.goal.reached(self) if self.goal else None

    def record(self) -> dict[str, Any]:
        """Return the figure as JSON can hold it."""
        parts = asdict(self) | {"ratio": self.ratio, "passed": self.passed}
        return parts | {"goal": str(self.goal) if self.goal else None}


def compare(
    name: str,
    mohs: Cost | str,
    peer: Cost | str,
    *,
    goal: Goal | None = None,
    memory: bool = False,
) -> Figure:
    """Return the figure of two costs; a cost that is text tells a failure."""
    attribute = "megabytes" if memory else "seconds"
    return Figure(
        name,
        "MB" if memory else "s",
        getattr(mohs, attribute, None),
        getattr(peer, attribute, None),
        goal,
        "; ".join(
            dict.fromkeys(cost for cost in (mohs, peer) if isinstance(cost, str))
        ),
    )


def difference(name: str, mohs: Path, peer: Path, tolerance: float) -> Figure:
    """Return the largest difference of two long tables of scores as a figure."""
    goal = Goal("mohs", tolerance)
    try:
        left, right = _scores(mohs), _scores(peer)
    except FileNotFoundError as missing:
        return Figure(name, "difference", None, None, goal, f"no {missing.filename}")
    odd = len(left.keys() ^ right.keys())
    if odd or not left:
        note = f"{odd} scores are given by one of both only"
        return Figure(name, "difference", math.inf, None, goal, note)
    largest = max(abs(left[key] - right[key]) for key in left)
    note = f"largest of {len(left)} differences"
    return Figure(name, "difference", largest, None, goal, note)


def _scores(path: Path) -> dict[tuple[str, str, str], float]:
    with path.open(newline="") as file:
        return {
            (row["system"], row["topic"], row["measure"]): float(row["value"])
            for row in csv.DictReader(file)
        }


def aligned(figures: Iterable[Figure]) -> str:
    """Lay figures out as text, ratios before seconds."""
    header = ("figure", "ratio", "mohs", "peer", "unit", "goal", "", "note")
    rows = [header, *map(_cells, figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if 1 <= i <= 3 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _cells(figure: Figure) -> tuple[str, ...]:
    verdict = {True: "ok", False: "MISSED", None: ""}[figure.passed]
    return (
        figure.name,
        _number(figure.ratio),
        _number(figure.mohs),
        _number(figure.peer),
        figure.unit,
        str(figure.goal or ""),
        verdict,
        figure.note,
    )


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
