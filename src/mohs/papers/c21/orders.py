"""The experiment of Culpepper et al.: order topics at will by choosing formulations.

What it reaches in a design without any effect of topics, and in one that has the
effects which the paper itself printed, says what a high tau is evidence of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.formulations.experiment import Work, draw_orders, solve
from mohs.analysis.formulations.nulls import joint
from mohs.analysis.formulations.panel import laid_out
from mohs.papers.c21.printed import (
    CORPORA,
    FORMULATIONS,
    MSE,
    NESTED,
    PAIRS,
    SYSTEMS,
    TABLE_2,
    TOPIC,
    TOPICS,
)
from mohs.papers.printed import variances
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.formulations.experiment import Rule
    from mohs.analysis.formulations.panel import Panel

    Floats = NDArray[np.float64]
    Draw = Callable[[np.random.Generator, int], Floats]

SIZES = (1, 3, 5, 10, 15)
# Orders that are tried on each design, fewer where a rule takes its time.
_ORDERS: Mapping[Rule, int] = {
    "greedy-low": 100,
    "greedy-first": 100,
    "quantile": 40,
    "local": 20,
}
RULES = tuple(_ORDERS)
DESIGNS = 8
ERROR = "residual"

_SF, _ST = "system:formulation(topic)", "system:topic"
_TC, _FC, _TSC = "topic:corpus", "formulation(topic):corpus", "topic:system:corpus"
# The factors along which each component varies, of topic, formulation, system, corpus.
AXES = {
    TOPIC: "t",
    NESTED: "tf",
    _ST: "ts",
    _SF: "tfs",
    _TC: "tc",
    _FC: "tfc",
    _TSC: "tsc",
    ERROR: "tfsc",
}
_LENGTHS = {"t": TOPICS, "f": FORMULATIONS, "s": SYSTEMS, "c": CORPORA}


def components() -> dict[str, float]:
    """Return the variance components that the mean squares of Table 2 imply.

    Topics and formulations, and whatever they interact with, are random, in the
    unrestricted model; effects of systems and corpora alone move no topic.

    Examples
    --------
    >>> round(components()["topic"], 4)
    0.0066
    """
    ms = {name: TABLE_2[name].f * MSE for name in AXES if name != ERROR}
    return variances(
        {**ms, ERROR: MSE},
        {row: {name: _copies(name, row) for name in AXES} for row in AXES},
    )


def _copies(component: str, row: str) -> float:
    """Return how often a mean square holds a component: 0 unless it contains it."""
    if not set(AXES[row]) <= set(AXES[component]):
        return 0.0
    return float(
        np.prod([n for axis, n in _LENGTHS.items() if axis not in AXES[component]])
    )


def noise(seed: int) -> Table:
    """Lay out what is reached where nothing but noise orders formulations.

    ``null_mean_best`` is the same with labels of topic and formulation exchanged.
    """
    runs: list[tuple[Rule, int]] = [(RULES[0], size) for size in SIZES]
    runs += [(rule, FORMULATIONS) for rule in RULES[1:]]
    return _reached(seed, "noise", runs, _noise)


def predicted(seed: int) -> Table:
    """Lay out what is reached with the effects that were printed."""
    runs: list[tuple[Rule, int]] = [(rule, FORMULATIONS) for rule in RULES]
    spreads = {
        name: max(variance, 0.0) ** 0.5 for name, variance in components().items()
    }

    def design(draws: np.random.Generator, formulations: int) -> Floats:
        return _drawn(spreads, draws, formulations)

    return _reached(seed, "printed", runs, design)


def _noise(draws: np.random.Generator, formulations: int) -> Floats:
    return draws.random((PAIRS, TOPICS * formulations))


def _drawn(
    spreads: Mapping[str, float], draws: np.random.Generator, formulations: int
) -> Floats:
    """Draw scores with effects of given spreads, a row for each pair."""
    lengths = {**_LENGTHS, "f": formulations}
    total = np.zeros([*lengths.values()])
    for name, spread in spreads.items():
        shape = [n if axis in AXES[name] else 1 for axis, n in lengths.items()]
        total = total + spread * draws.standard_normal(shape)
    return np.ascontiguousarray(total.reshape(TOPICS * formulations, PAIRS).T)


def _reached(
    seed: int, purpose: str, runs: Sequence[tuple[Rule, int]], draw: Draw
) -> Table:
    rows = []
    for rule, size in runs:
        means = [
            _mean_best(draw, (seed, "c21", purpose, size, number), rule, size)
            for number in range(DESIGNS)
        ]
        observed, null = np.array(means).T
        rows.append((observed.mean(), observed.std(ddof=1), null.mean()))
    mean, spread, null_mean = np.array(rows).T
    return Table(
        {
            "design": Factor.constant(purpose, len(runs)),
            "rule": Factor.of(rule for rule, _ in runs),
            "formulations": np.array([size for _, size in runs]),
            "mean_best": mean,
            "sd_designs": spread,
            "null_mean_best": null_mean,
        }
    )


def _mean_best(
    draw: Draw, key: tuple[int, *tuple[str | int, ...]], rule: Rule, size: int
) -> tuple[float, float]:
    """Return what a design reaches, and what it does with labels exchanged."""
    panel = _panel(draw(stream(*key), size), size)
    orders = draw_orders(_ORDERS[rule], TOPICS, *key, "orders")
    exchanged = joint(panel, *key)
    found = solve([(panel, orders), (exchanged, orders)], Work(rule))
    return found[0].mean_best, found[1].mean_best


def _panel(values: Floats, size: int) -> Panel:
    cells = TOPICS * size
    return laid_out(
        values,
        tuple(map(str, range(TOPICS))),
        tuple(range(0, cells + 1, size)),
        tuple(str(cell % size) for cell in range(cells)),
        tuple(map(str, range(PAIRS))),
    )
