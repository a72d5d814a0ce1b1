"""Effects: what a level of a component adds to the scores of each topic [1]_.

Matched, every system of the level meets the system of the baseline that differs from it
in this component alone, and the differences are averaged. Unmatched, the means of all
systems on either side are compared, as in the paper's figures 4 and 5.

References
----------
.. [1] Zampieri et al., "On topic difficulty in IR evaluation: the effect of systems,
   corpora, and system components", SIGIR 2019.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.intervals import drawn_means
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.analysis.components.baselines import Baseline
    from mohs.analysis.components.panel import Panel

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

_DRAWS = 2000
_BAND = (0.025, 0.975)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Scores with a level of a component and without it, in K cases.

    ``one`` (U, K) and ``other`` (V, K), NaN where unknown; if ``paired``, rows belong
    together and U = V. ``left_out`` counts the systems that found no partner.
    """

    one: Floats
    other: Floats
    paired: bool
    left_out: int


@dataclass(frozen=True, slots=True)
class Contrast:
    """What exchanging the baseline of a component for a level does on one topic.

    ``delta`` is the effect, between ``low`` and ``high``; ``one`` and ``other`` are the
    mean scores with the level and without it. All are NaN where they are unknown.
    ``systems`` and ``baselines`` count what was compared: of pairs, both the same.
    """

    delta: float
    low: float
    high: float
    one: float
    other: float
    systems: int
    baselines: int


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What a level of a component does on T topics.

    ``contrasts`` are one for each topic; ``left_out`` counts the systems that found no
    partner.
    """

    component: str
    level: str
    baseline: str
    contrasts: tuple[Contrast, ...]
    left_out: int

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether there was something to compare, (T,)."""
        return ~np.isnan(self.column("delta"))

    def column(self, name: str) -> Floats:
        """Return one figure of every topic, (T,)."""
        return np.array([getattr(each, name) for each in self.contrasts])


def effects(
    panel: Panel, baseline: Baseline, *, matched: bool, seed: int
) -> Iterator[Effect]:
    """Yield the effect of every level of a component but that of the baseline.

    Draws depend on the seed, the component, the level and the topic alone.
    """
    component = baseline.component
    trait = panel.traits[component]
    compare = _matched if matched else _unmatched
    starts = np.searchsorted(panel.topic, np.arange(len(panel.topics) + 1)).tolist()
    cases = dict(zip(panel.topics, pairwise(starts), strict=True))
    for code, level in enumerate(trait.levels):
        if level == baseline.level:
            continue
        sides = compare(panel, baseline, trait.codes == code)
        key = (seed, "components", component, level)
        contrasts = [
            _on_topic(sides, slice(*span), stream(*key, topic))
            for topic, span in cases.items()
        ]
        yield Effect(component, level, baseline.name, tuple(contrasts), sides.left_out)


def _unmatched(panel: Panel, baseline: Baseline, rows: NDArray[np.bool_]) -> Sides:
    one, other = panel.values[rows], panel.values[baseline.systems]
    return Sides(one, other, paired=False, left_out=0)


def _matched(panel: Panel, baseline: Baseline, rows: NDArray[np.bool_]) -> Sides:
    keys = panel.keys(baseline.component)
    common = np.intersect1d(keys[rows], keys[baseline.systems])
    found = np.isin(keys, common)
    one, other = (
        _grouped(
            panel.values[side & found], np.searchsorted(common, keys[side & found])
        )
        for side in (rows, baseline.systems)
    )
    alone = (rows | baseline.systems) & ~found
    return Sides(one, other, paired=True, left_out=int(alone.sum()))


def _grouped(values: Floats, groups: Codes) -> Floats:
    """Return the means of rows of the same group; most often it has one."""
    order = np.argsort(groups, kind="stable")
    if not len(order) or groups.max() + 1 == len(order):
        return values[order]
    parts = np.split(values[order], np.flatnonzero(np.diff(groups[order])) + 1)
    return np.stack([_means(np.ascontiguousarray(part.T)) for part in parts])


def _means(values: Floats) -> Floats:
    """Return the mean of what is known in each row, NaN where nothing is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    out = np.full(len(values), np.nan)
    sums = np.where(known, values, 0.0).sum(axis=1)
    means: Floats = np.divide(sums, counts, out=out, where=counts > 0)
    return means


def _on_topic(sides: Sides, cases: slice, random: np.random.Generator) -> Contrast:
    one, other = _compared(sides, cases)
    if not (len(one) and len(other)):
        nothing = math.nan
        return Contrast(
            nothing, nothing, nothing, nothing, nothing, len(one), len(other)
        )
    means = float(one.mean()), float(other.mean())
    if sides.paired:
        gains = one - other
        delta, drawn = float(gains.mean()), drawn_means(gains, random, _DRAWS)
    else:
        delta, drawn = means[0] - means[1], drawn_means(one, random, _DRAWS)
        drawn -= drawn_means(other, random, _DRAWS)
    # A single system cannot say how much systems differ.
    if min(len(one), len(other)) == 1:
        drawn[:] = math.nan
    low, high = np.quantile(drawn, _BAND).tolist()
    return Contrast(delta, low, high, *means, len(one), len(other))


def _compared(sides: Sides, cases: slice) -> tuple[Floats, Floats]:
    """Return the scores of one topic's known systems, or pairs of them, (n,) each."""
    one, other = sides.one[:, cases], sides.other[:, cases]
    if sides.paired:
        unknown = np.isnan(one) | np.isnan(other)
        one, other = (np.where(unknown, np.nan, side) for side in (one, other))
    one, other = _means(one), _means(other)
    return one[~np.isnan(one)], other[~np.isnan(other)]
