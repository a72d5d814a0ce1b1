"""Pairs of sides, and how alike the difficulties of their topics are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.agreement.matrices import common_topics
from mohs.analysis.agreement.sides import overlap
from mohs.measures.reading import is_same_measure
from mohs.statistics.association import bootstrap_tau, mean_known, permutation_p
from mohs.statistics.correlation import (
    has_ties,
    pearson,
    spearman,
    tau_a,
    tau_ap,
    tau_b,
)
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.agreement.sides import Side

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two sides, compared on the T topics that both have.

    ``x`` and ``y`` (R, T) are the difficulties of ``topics`` on the left and on the
    right; every coefficient is a mean over R draws. ``low`` and ``high`` bound τ_b for
    other topics, ``p`` is its permutation p-value. ``ties`` says whether topics are
    tied, so that τ_AP does not exist.
    """

    left: Side
    right: Side
    topics: tuple[str, ...]
    x: Floats
    y: Floats
    overlap: float
    tau_b: float
    low: float
    high: float
    p: float
    tau_a: float
    tau_ap_left: float
    tau_ap_right: float
    spearman: float
    pearson: float
    ties: bool

    @property
    def measure(self) -> str:
        """The measure of both sides, or both measures."""
        left, right = self.left.matrix.measure, self.right.matrix.measure
        return left if is_same_measure(left, right) else f"{left}, {right}"

    @property
    def entangled(self) -> bool:
        """Whether the same scores count on both sides."""
        return self.left.matrix is self.right.matrix and self.overlap > 0


def pairs_of(sides: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    """Yield what there is to compare.

    With two tables it is the same set, and level, in both; with several levels, the
    same set under every two of them; and else every two sets.
    """
    tables = {side.matrix.table for side in sides}
    levels = {side.matrix.level for side in sides}
    for left, right in combinations(sides, 2):
        if len(tables) > 1:
            wanted = _belong_together(left, right)
        elif len(levels) > 1:
            wanted = left.chosen == right.chosen
        else:
            wanted = True
        if wanted:
            yield left, right


def _belong_together(left: Side, right: Side) -> bool:
    """Return whether set and level are the same in two tables."""
    one, other = left.matrix, right.matrix
    if left.chosen.text != right.chosen.text:
        return False
    if (one.level, other.level) == (one.measure, other.measure):
        return is_same_measure(one.level, other.level)
    return one.level == other.level


def compare(left: Side, right: Side, seed: int) -> Pair:
    """Compare two sides on the topics that have a difficulty on both."""
    at_left, at_right = common_topics(left.matrix.topics, right.matrix.topics)
    x, y = left.difficulty[:, at_left], right.difficulty[:, at_right]
    known = ~(np.isnan(x).any(axis=0) | np.isnan(y).any(axis=0))
    topics = [left.matrix.topics[place] for place in at_left]
    x, y = x[:, known], y[:, known]
    low, high = bootstrap_tau(x, y, stream(seed, "agree", "bootstrap"))
    return Pair(
        left,
        right,
        topics=tuple(topics[place] for place in np.flatnonzero(known).tolist()),
        x=x,
        y=y,
        overlap=overlap(left, right),
        tau_b=mean_known(tau_b(x, y)),
        low=low,
        high=high,
        p=permutation_p(x, y, stream(seed, "agree", "permutations")),
        tau_a=mean_known(tau_a(x, y)),
        tau_ap_left=mean_known(tau_ap(x, y)),
        tau_ap_right=mean_known(tau_ap(y, x)),
        spearman=mean_known(spearman(x, y)),
        pearson=mean_known(pearson(x, y)),
        ties=bool((has_ties(x) | has_ties(y)).any()),
    )
