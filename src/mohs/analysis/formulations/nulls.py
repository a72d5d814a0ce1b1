"""Nulls: what the experiment gives when topics cannot matter.

Under the joint null the labels of topic and formulation change places, in the same way
for all pairs, so that systems stay as alike as they are. Under the independent null
they do so in every pair by itself; then there are as many different systems as pairs,
and the best of them does better than the best of relatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs.analysis.formulations.experiment import draw_labels
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.formulations.experiment import Reached
    from mohs.analysis.formulations.panel import Panel

_BAND = (0.05, 0.95)


class Relabel(Protocol):
    """Deals the scores out anew."""

    def __call__(self, panel: Panel, seed: int, *purpose: str | int) -> Panel:
        """Return a panel in which topics cannot matter."""
        ...


NULLS: Registry[Relabel] = Registry("null")


@NULLS.add("joint")
def joint(panel: Panel, seed: int, *purpose: str | int) -> Panel:
    """Exchange the labels of cells, in all pairs alike."""
    size = len(panel.formulations)
    return panel.relabelled(draw_labels(size, seed, "joint null", *purpose))


@NULLS.add("independent")
def independent(panel: Panel, seed: int, *purpose: str | int) -> Panel:
    """Exchange the labels of cells, in every pair by itself."""
    places = np.tile(np.arange(len(panel.formulations)), (len(panel.pairs), 1))
    for row, ranks, name in zip(places, panel.ranks, panel.pairs, strict=True):
        known = np.flatnonzero(ranks >= 0)
        labels = draw_labels(len(known), seed, "independent null", name, *purpose)
        row[known] = known[labels]
    return panel.taken(places)


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """What the replicates of a null gave."""

    name: str
    replicates: Sequence[Reached]

    @property
    def means(self) -> list[float]:
        """The mean best tau of every replicate."""
        return [each.mean_best for each in self.replicates]

    @property
    def mean(self) -> float:
        """The mean of these."""
        return float(np.mean(self.means))

    @property
    def band(self) -> tuple[float, float]:
        """The 5th and the 95th percentile of the means."""
        low, high = np.quantile(self.means, _BAND).tolist()
        return low, high

    def p(self, observed: float) -> float:
        """Return how often a replicate is at or below an observed mean."""
        below = sum(mean <= observed for mean in self.means)
        return (below + 1) / (len(self.means) + 1)
