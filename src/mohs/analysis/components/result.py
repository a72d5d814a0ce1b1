"""The result of `mohs components`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.statistics.correlation import tau_b, ties_joined
from mohs.tables import Factor, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.analysis.components.effects import Effect
    from mohs.tables import Column

    Floats = NDArray[np.float64]

# What rounding may make of no effect.
TIE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Components(Result):
    """What every level of every component does on every topic.

    ``effects`` are one for each level, over ``topics``; ``notes`` are sentences about
    what was compared.

    The tables are ``components``, one row for each level and topic; ``summary``, one
    for each level; and ``means``, the scores of topics with the level and without it.
    """

    measure: str
    topics: tuple[str, ...]
    matched: bool
    effects: tuple[Effect, ...]
    notes: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the topics first."""
        each = {"delta": "delta", "low": "low", "high": "high", "systems": "systems"}
        means = {"with": "one", "without": "other"}
        return {
            "components": stack([self._by_topic(one, each) for one in self.effects]),
            "summary": Table(_columns([summarise(one) for one in self.effects])),
            "means": stack([self._by_topic(one, means) for one in self.effects]),
        }

    def _by_topic(self, effect: Effect, figures: Mapping[str, str]) -> Table:
        count = len(self.topics)
        labels = {
            "component": Factor.constant(effect.component, count),
            "level": Factor.constant(effect.level, count),
            "baseline": Factor.constant(effect.baseline, count),
        }
        columns = {name: effect.column(field) for name, field in figures.items()}
        return Table({**labels, "topic": self.topics, **columns})


def summarise(effect: Effect) -> dict[str, Any]:
    """Count the topics that a level helps and harms, and say by how much.

    A gain or a loss is clear if its interval leaves zero out.
    """
    delta, low, high, one, other = (
        effect.column(name)[effect.known]
        for name in ("delta", "low", "high", "one", "other")
    )
    gains, losses = delta > TIE, delta < -TIE
    return {
        "component": effect.component,
        "level": effect.level,
        "baseline": effect.baseline,
        "systems": int(effect.column("systems").max()),
        "baselines": int(effect.column("baselines").max()),
        "left_out": effect.left_out,
        "topics": len(delta),
        "gains": int(gains.sum()),
        "losses": int(losses.sum()),
        "ties": int((~gains & ~losses).sum()),
        "clear_gains": int((gains & (low > 0)).sum()),
        "clear_losses": int((losses & (high < 0)).sum()),
        "mean": _mean(delta),
        "median": float(np.median(delta)),
        "mean_gain": _mean(delta[gains]),
        "mean_loss": _mean(delta[losses]),
        "with": _mean(one),
        "without": _mean(other),
        "tau_b": float(tau_b(ties_joined(one), ties_joined(other))),
    }


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else np.nan


def _columns(rows: list[dict[str, Any]]) -> dict[str, Column]:
    """Turn records of text and numbers into columns."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {
        name: Factor.of(each) if isinstance(each[0], str) else np.array(each)
        for name, each in columns.items()
    }
