"""Figure 2: rankings with one mistake, whose scores differ in their tails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.relevance.synthetic import CUTOFF, experiment
from mohs.charts import chart
from mohs.papers.definition import Comparison, Exhibit
from mohs.papers.m17.part import SPOKEN, Part
from mohs.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.relevance.synthetic import Experiment

    Floats = NDArray[np.float64]

SAMPLES = 20_000
# Medians of other 20,000 samples, to hold these against. The paper draws boxes, and
# prints no median.
REFERENCE = {
    ("swap", "balanced"): 0.99829,
    ("swap", "imbalanced"): 0.99147,
    ("swap", "program"): 0.99730,
    ("inversion", "balanced"): 0.90706,
    ("inversion", "imbalanced"): 0.68680,
    ("inversion", "program"): 0.89229,
}
_MISTAKES = {"swap": "ranks 10 and 11 swapped", "inversion": "first ten ranks inverted"}
_MOST = 0.5
_BOXES = "the paper draws boxes and prints no figures"
_MEDIANS = Comparison.remark(
    "Figure 2",
    f"medians of nDCG@{CUTOFF} by φ",
    None,
    reason=f"{_BOXES}; ours, with their errors, are in the table of Figure 2",
)


def figure_2(seed: int, *, samples: int = SAMPLES) -> Part:
    """Repeat the experiment, and say how sure its medians are."""
    found = experiment(samples=samples, seed=seed)
    medians = {key: float(np.median(values)) for key, values in found.phi.items()}
    errors = {key: median_error(values) for key, values in found.phi.items()}
    comparisons = (*_constants(found), *_estimates(found), _MEDIANS)
    text = (
        f"nDCG@{CUTOFF} of {samples:,} samples of 100 scores in each case, by levels"
        f" and by φ, {SPOKEN['paper']}, of rankings with one mistake; without it, both"
        " would be 1. Scores are drawn evenly (balanced), 90 low and 10 high as in the"
        " text (imbalanced), or 80 low and 20 high as in the authors' program"
        " (program). The error of a median is its standard error, from the order"
        " statistics around it; the reference is the median of 20,000 other"
        " samples, and apart is how many standard errors lie between the two (beyond 2"
        " in one case of 20 by chance)."
    )
    exhibit = Exhibit(
        "Figure 2",
        "Rankings with one mistake",
        text,
        _table(found, medians, errors),
        chart(found),
    )
    return Part(comparisons, (exhibit,))


def median_error(values: Floats) -> float:
    """Return the standard error of a median from its order statistics.

    The ranks one binomial standard deviation below and above the middle enclose the
    median with 68%; half of what lies between them is one standard error.

    Examples
    --------
    >>> round(median_error(np.arange(10_001.0)), 1)
    50.0
    """
    spread = np.sqrt(len(values)) / 2
    middle, ordered = (len(values) - 1) / 2, np.sort(values)
    low, high = np.interp(
        [middle - spread, middle + spread], np.arange(len(values)), ordered
    )
    return float(high - low) / 2


def apart(median: float, error: float, key: tuple[str, str]) -> float:
    """Return how many standard errors lie between a median and its reference.

    The reference is of as many samples, so that its error is taken to be the same.
    """
    return (median - REFERENCE[key]) / (math.sqrt(2) * error)


def _constants(found: Experiment) -> list[Comparison]:
    """Say that levels by rank cannot see the scores."""
    told = []
    for scenario, mistake in _MISTAKES.items():
        values = np.concatenate(
            [each for key, each in found.levels.items() if key[0] == scenario]
        )
        told.append(
            Comparison.remark(
                "Figure 2",
                f"nDCG@{CUTOFF} by levels is the same whatever the scores: {mistake}",
                bool(np.ptp(values) == 0),
                computed=float(values[0]),
                digits=7,
                reason=f"the same in all {len(values):,} samples; {_BOXES}",
            )
        )
    return told


def _estimates(found: Experiment) -> list[Comparison]:
    """Say how often levels tell less than φ of one mistake, and more of the other."""
    told = []
    for scenario, word, sign in (("swap", "under", -1), ("inversion", "over", 1)):
        shares = [
            float(np.mean(sign * (found.levels[key] - found.phi[key]) > 0))
            for key in found.phi
            if key[0] == scenario
        ]
        told.append(
            Comparison.remark(
                "Figure 2",
                f"nDCG@{CUTOFF} by levels {word}-estimates: {_MISTAKES[scenario]}",
                min(shares) > _MOST,
                computed=min(shares),
                reason="share of samples in which it does, for the distribution of"
                " scores with the fewest",
            )
        )
    return told


def _table(
    found: Experiment,
    medians: dict[tuple[str, str], float],
    errors: dict[tuple[str, str], float],
) -> Table:
    columns = dict(found.tables()["experiment"].columns)
    keys = [*medians]
    columns["median_error"] = np.array([errors[key] for key in keys])
    columns["reference"] = np.array([REFERENCE[key] for key in keys])
    columns["apart"] = np.array([apart(medians[k], errors[k], k) for k in keys])
    return Table(columns)
