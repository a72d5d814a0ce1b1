"""What strategies say of the same topics: ranks, agreement, steadiness."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.comparison import agreement, ease_of
from mohs.charts.cells import Cells
from mohs.reporting.wording import between
from mohs.statistics.association import bootstrap_tau, chance_tau
from mohs.statistics.correlation import mean_ranks, shared
from mohs.statistics.streams import stream
from mohs.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part
    from mohs.analysis.difficulty.opinion import Opinion

    Floats = NDArray[np.float64]

_LEAST = 3  # topics, without which an order says nothing


def ranks_of(part: Part, title: str) -> Cells:
    """Return the rank of every topic by every opinion, the hardest topic first."""
    said = part.said()
    ranks = np.array([_ranks(ease_of(each)) for each in said]).T
    order = np.lexsort((np.nan_to_num(ranks, nan=np.inf).mean(axis=1), ranks[:, 0]))
    topics = part.solution.problem.topics
    return Cells(
        rows=tuple(topics[place] for place in order),
        columns=tuple(each.name for each in said),
        values=ranks[order],
        title=title,
        about=(
            "Rank of the topic, 1 the hardest; colour: its class, grey in the middle",
            "Strategies without colours give no classes",
        ),
        kind="classes",
        name="rank",
        form=".3~g",
        classes=tuple(tuple(each.classes[place] for each in said) for place in order),
    )


def _ranks(ease: Floats) -> Floats:
    known = ~np.isnan(ease)
    ranks = np.full(len(ease), np.nan)
    ranks[known] = mean_ranks(ease[known])
    return ranks


def taus_table(part: Part) -> Table:
    """Compare every two opinions, with intervals and what chance gives.

    Returns
    -------
    Table
        ``left, right, topics, tau_b, classed, opposed`` as in `agreement`; ``low`` and
        ``high``, 95% of the coefficients when topics are drawn anew; and ``chance``,
        ``chance_low`` and ``chance_high``, mean and 95% of those of unrelated orders.
    """
    said = part.said()
    seed = part.solution.question.seed
    found = np.array(
        [_bounds(*pair, seed) for pair in combinations(said, 2)], np.float64
    ).reshape(-1, 5)
    names = ("low", "high", "chance", "chance_low", "chance_high")
    bounds = {name: found[:, place] for place, name in enumerate(names)}
    return Table({**agreement(said).columns, **bounds})


def _bounds(left: Opinion, right: Opinion, seed: int) -> tuple[float, ...]:
    one, other = shared(ease_of(left), ease_of(right))
    if len(one) < _LEAST:
        return (np.nan,) * 5
    names = left.name, right.name
    return (
        *bootstrap_tau(one, other, stream(seed, "strategies", "tau", *names)),
        *chance_tau(one, other, stream(seed, "strategies", "chance", *names)),
    )


def chance_band(taus: Table) -> tuple[float, float]:
    """Return the widest bounds of what chance gives, of all pairs."""
    low, high = (
        np.asarray(taus[f"chance_{end}"], np.float64) for end in ("low", "high")
    )
    return float(np.nanmin(low)), float(np.nanmax(high))


def taus_of(part: Part, taus: Table, title: str) -> Cells:
    """Return the coefficients of every two opinions, mirrored."""
    names = tuple(each.name for each in part.said())
    found = dict(
        zip(
            combinations(names, 2),
            np.asarray(taus["tau_b"], float).tolist(),
            strict=True,
        )
    )
    values = np.array(
        [
            [
                np.nan
                if row == column
                else found.get((row, column), found.get((column, row)))
                for column in names
            ]
            for row in names
        ],
        np.float64,
    )
    low, high = chance_band(taus)
    return Cells(
        rows=names,
        columns=names,
        values=values,
        title=title,
        about=(
            "Kendall's tau_b over topics: 1 the same order, 0 on average by chance",
            f"Of unrelated orders, 95% are within {between(low, high)}",
        ),
        kind="taus",
        name="tau_b",
    )


def steadiness_of(table: Table, title: str) -> Cells:
    """Return the mean coefficients of a stability: a row for each change."""
    found: dict[tuple[str, str], float] = {}
    for row in table.rows():
        change, pool, strategy, _, _, tau, *_ = row
        fixed = pool == "fixed"
        column = f"{strategy}, fixed pools" if fixed else strategy
        found.setdefault((change, column), np.nan if tau is None else tau)
    rows = tuple(dict.fromkeys(change for change, _ in found))
    columns = _with_ratio_first(list(dict.fromkeys(name for _, name in found)))
    values = [[found.get((row, name), np.nan) for name in columns] for row in rows]
    return Cells(
        rows=rows,
        columns=columns,
        values=np.array(values, np.float64),
        title=title,
        about=(
            "Mean tau_b with the original order of the topics: 1 the same, 0 by chance",
            "Pools are formed anew from the systems that are left, or held fixed",
        ),
        kind="taus",
        name="tau_b",
    )


def _with_ratio_first(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: not name.startswith("difficulty")))
