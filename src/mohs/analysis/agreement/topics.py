"""Average average precision and its kin: what a topic is to a set of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.intervals import bootstrap_mean, bootstrap_median, bootstrap_share
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.agreement.sides import Side

    Floats = NDArray[np.float64]

_FIGURES = ("mean", "median", "share")


def describe_topics(side: Side, *, above: float, seed: int) -> Table:
    """Describe the scores that a set of systems reaches on every topic.

    Mean, median and share above a threshold have 95% intervals for other systems of
    the same kind. A topic's draws depend on the seed and its id alone. Of a random
    set, the first draw is described.
    """
    values = side.values()
    known = ~np.isnan(values)
    rows = [
        _row(row[has], above, stream(seed, "agree", "mean", topic))
        for topic, row, has in zip(side.matrix.topics, values, known, strict=True)
    ]
    figures = np.array(rows).reshape(len(values), len(_FIGURES), 3)
    bounds = ("", "_low", "_high")
    return Table(
        {
            "set": Factor.constant(side.name, len(values)),
            "topic": Factor.of(side.matrix.topics),
            "measure": Factor.constant(side.matrix.measure, len(values)),
            "systems": known.sum(axis=1),
            **{
                f"{name}{bound}": figures[:, place, at]
                for place, name in enumerate(_FIGURES)
                for at, bound in enumerate(bounds)
            },
        }
    )


def _row(
    values: Floats, above: float, random: np.random.Generator
) -> Sequence[tuple[float, float, float]]:
    """Return mean, median and share, each with its bounds."""
    size = len(values)
    if not size:
        return [(np.nan,) * 3] * len(_FIGURES)
    higher = int((values > above).sum())
    return [
        (float(values.mean()), *bootstrap_mean(values, random)),
        (float(np.median(values)), *bootstrap_median(values)),
        (higher / size, *bootstrap_share(higher, size)),
    ]
