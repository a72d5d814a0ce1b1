"""What Gienapp et al. remark on their figure, as rules that any runs can be held to.

The paper says in words what its figure 1 shows [1]_. Every rule here takes the NDCG_std
of all systems on a topic, or the medians of all topics, and says whether the remark is
true of them. Quartiles are those of the figure: type 7, with fences at one and a half
interquartile ranges.

References
----------
.. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
   cumulated gain", CIKM 2020, figure 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.papers.definition import Comparison
from mohs.reporting.wording import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.analysis.difficulty import Part

    Floats = NDArray[np.float64]

FIGURE = "Figure 1"
SYSTEMS = 26
LEAST = 4  # systems, below which there are no quartiles to speak of
_TENTH = 10  # of the topics; fewer than a tenth exceed one of the highest medians
_FENCE = 1.5

RULES = (
    "Rules for the remarks: the upper half of a topic are the values at or above its"
    " median; one of the highest medians is one that fewer than a tenth of the topics"
    " exceed; an outlier is more than 1.5 interquartile ranges below the lower quartile"
    " (type 7)."
)


def upper_half_above(first: Floats, second: Floats) -> bool:
    """Return whether the upper half of one topic's values is above all of another's.

    The upper half are the values at or above the median.

    Parameters
    ----------
    first, second
        NDCG_std of the systems, (n,) and (m,).

    Examples
    --------
    >>> low = np.array([0.1, 0.2, 0.3])
    >>> upper_half_above(np.array([0.0, 0.4, 0.5]), low)
    True
    >>> upper_half_above(np.array([0.0, 0.3, 0.5]), low)
    False
    """
    upper = first[first >= np.median(first)]
    return bool(upper.min() > second.max())


def spread_below_zero(values: Floats) -> bool:
    """Return whether the lower quartile of a topic's values (n,) is below zero.

    Then at least a quarter of the systems does worse than chance.

    Examples
    --------
    >>> spread_below_zero(np.array([-0.4, -0.2, 0.5, 0.6, 0.7, 0.8, 0.9]))
    False
    >>> spread_below_zero(np.array([-0.4, -0.2, -0.1, 0.6, 0.7, 0.8, 0.9]))
    True
    """
    return bool(np.quantile(values, 0.25) < 0)


def among_highest(value: float, medians: Floats) -> bool:
    """Return whether a median is one of the highest: in the top tenth of all (T,).

    Examples
    --------
    >>> medians = np.arange(20.0)
    >>> among_highest(18.0, medians), among_highest(17.0, medians)
    (True, False)
    """
    known = medians[~np.isnan(medians)]
    return bool(_TENTH * (known > value).sum() < len(known))


def low_outliers(values: Floats) -> int:
    """Count the values (n,) that lie below the lower fence.

    Examples
    --------
    >>> low_outliers(np.array([-3.0, 0.5, 0.6, 0.7, 0.8]))
    1
    >>> low_outliers(np.array([0.4, 0.5, 0.6, 0.7, 3.0]))
    0
    """
    low, high = np.quantile(values, [0.25, 0.75])
    return int((values < low - _FENCE * (high - low)).sum())


def remarks_on(part: Part, name: str) -> Iterator[Comparison]:
    """Hold the remarks of the paper to some runs."""
    for topic in ("159", "174"):
        yield _equally_difficult(part, name, topic)
    yield _above(part, name)
    yield _spread(part, name)
    for topic in ("177", "195"):
        yield _outlier(part, name, topic)


def _equally_difficult(part: Part, name: str, topic: str) -> Comparison:
    values, why = _values(part, name, topic, least=1)
    if values is None:
        return Comparison.of(
            FIGURE, f"difficulty of topic {topic}", ".81", None, reason=why
        )
    row = part.solution.rows[part.solution.problem.topics.index(topic)]
    found = Comparison.of(FIGURE, f"difficulty of topic {topic}", ".81", row.difficulty)
    if found.verdict == "matches":
        return found
    return Comparison.of(
        FIGURE,
        f"difficulty of topic {topic}",
        ".81",
        row.difficulty,
        reason=f"{row.wins} of {row.systems} systems at hand; .81 is 21 of {SYSTEMS}",
    )


def _above(part: Part, name: str) -> Comparison:
    remark = "the upper half of topic 159 is above all of topic 174"
    first, why = _values(part, name, "159")
    second, also = _values(part, name, "174")
    if first is None or second is None:
        return Comparison.remark(FIGURE, remark, None, reason=why or also)
    begins = float(first[first >= np.median(first)].min())
    return Comparison.remark(
        FIGURE,
        remark,
        upper_half_above(first, second),
        reason=(
            f"the upper half of 159 begins at {number(begins, 3)}, 174 ends at"
            f" {number(float(second.max()), 3)}"
            f" ({len(first)} and {len(second)} systems)"
        ),
    )


def _spread(part: Part, name: str) -> Comparison:
    remark = "topic 194: lower quartile below 0, and one of the highest medians"
    values, why = _values(part, name, "194")
    if values is None:
        return Comparison.remark(FIGURE, remark, None, reason=why)
    medians = np.array([row.median for row in part.solution.rows])
    median = float(np.median(values))
    quartile = float(np.quantile(values, 0.25))
    higher, known = int((medians > median).sum()), int((~np.isnan(medians)).sum())
    return Comparison.remark(
        FIGURE,
        remark,
        spread_below_zero(values) and among_highest(median, medians),
        reason=(
            f"lower quartile {number(quartile, 3)}; median {number(median, 3)}, which"
            f" {higher} of {known} topics exceed ({len(values)} systems)"
        ),
    )


def _outlier(part: Part, name: str, topic: str) -> Comparison:
    remark = f"topic {topic} has outliers at the lower end"
    values, why = _values(part, name, topic)
    if values is None:
        return Comparison.remark(FIGURE, remark, None, reason=why)
    count = low_outliers(values)
    return Comparison.remark(
        FIGURE,
        remark,
        count > 0,
        reason=f"{count} of {len(values)} systems are below the lower fence",
    )


def _values(
    part: Part, name: str, topic: str, *, least: int = LEAST
) -> tuple[Floats | None, str]:
    """Return NDCG_std of the systems on a topic, or why a remark cannot be tested."""
    solution = part.solution
    if topic not in solution.problem.topics:
        return None, f"there is no topic {topic} in {name}"
    place = solution.problem.topics.index(topic)
    if reason := solution.rows[place].reason:
        return None, f"topic {topic} of {name} has no difficulty: {reason}"
    values = solution.outcomes[place].standardised
    if np.isnan(values).any():
        return None, f"topic {topic} of {name} has no NDCG_std"
    if len(values) < least:
        return None, f"topic {topic} of {name} has {len(values)} systems, under {least}"
    return values, ""
