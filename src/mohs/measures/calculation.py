"""From rankings to the value of every measure for every system and topic."""

from __future__ import annotations

import math
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import InputError
from mohs.gains.grades import Linear
from mohs.gains.scales import Scaled
from mohs.measures.catalogue import MEASURES
from mohs.measures.cells import Cells
from mohs.measures.restriction import judged_only
from mohs.measures.scored import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.gains.grades import Gain
    from mohs.measures.spelling import Measure
    from mohs.rankings import Rankings

    Floats = NDArray[np.float64]

_LEAST_GEOMETRIC = 1e-5  # trec_eval's floor, or one failed topic would decide alone


def calculate(
    measures: Sequence[Measure],
    rankings: Rankings,
    *,
    level: float = 1,
    gain: Gain | None = None,
    judged: bool = False,
) -> Floats:
    """Compute measures of every system on every topic: (M, S, Q).

    A topic for which a system retrieved nothing has 0, except that its relevant
    documents (``NumRel``) and the topic itself (``NumQ``) still count.

    Parameters
    ----------
    measures
        M measures of the catalogue.
    rankings
        S systems and Q topics. Entries graded at or below `floor` may be missing.
    level
        The lowest grade that is relevant, for measures that do not spell out ``rel``.
    gain
        What a grade is worth in nDCG, DCG and whatever else `heeds` it; the grade
        itself unless given.
    judged
        Whether unjudged documents are dropped for every measure (``-J``).

    Examples
    --------
    >>> from mohs.measures.example import listed
    >>> from mohs.measures.spelling import parse
    >>> rankings = listed([1, 0], [0, 2]).rankings
    >>> calculate([*parse("AP"), *parse("P@2")], rankings).tolist()
    [[[1.0, 0.5]], [[0.5, 0.5]]]
    """
    check_level(level)
    scaled_rankings = on_scale(rankings, gain)
    cells: dict[tuple[bool, bool, bool], Cells] = {}
    values = np.zeros((len(measures), *rankings.retrieved.shape))
    for row, measure in enumerate(measures):
        given = _resolved(measure, level, gain)
        only = bool(given.pop("judged_only", False)) or judged
        definition = MEASURES[measure.name]
        # What makes a scale of its own, as nDCG_phi does, wants scores as they are.
        graded = definition.graded and not definition.scored
        seen = scaled_rankings if graded else rankings
        scored = definition.scored or isinstance(gain, Scaled)
        key = only, only and scored, seen is scaled_rankings
        if key not in cells:
            chosen = judged_only(seen, scored=scored) if only else seen
            cells[key] = Cells(chosen, gain or Linear())
        found = definition.formula(cells[key], **given)
        values[row] = found.reshape(values.shape[1:])
    return values


def heeds(measure: Measure, gain: Gain) -> bool:
    """Tell whether a gain function changes what a measure says.

    Examples
    --------
    >>> from mohs.gains.grades import Exponential
    >>> from mohs.measures.spelling import parse
    >>> [heeds(each, Exponential()) for name in ("nDCG", "AP") for each in parse(name)]
    [True, False]
    """
    if measure.name not in MEASURES.names():
        return False
    definition = MEASURES[measure.name]
    if isinstance(gain, Scaled):
        return definition.graded and not definition.scored
    spelled = dict(measure.parameters)
    return any(
        parameter.follows == "gain" and parameter.name not in spelled
        for parameter in definition.parameters
    )


def sees_scores(measure: Measure, gain: Gain) -> bool:
    """Tell whether a measure takes judgments for scores instead of grades."""
    scored = measure.name in MEASURES.names() and MEASURES[measure.name].scored
    return scored or (isinstance(gain, Scaled) and heeds(measure, gain))


def on_scale(rankings: Rankings, gain: Gain | None) -> Rankings:
    """Put the scores of every topic on the scale of the gain, if it has one."""
    if not isinstance(gain, Scaled):
        return rankings
    grades = scaled(rankings.judgments, gain.scale)
    return replace(rankings, judgments=replace(rankings.judgments, grades=grades))


def average(
    measure: Measure, values: Floats, retrieved: NDArray[np.int32], *, complete: bool
) -> Floats:
    """Summarise a measure over the topics, for each system: (S,).

    The mean for most measures, the sum for counts, and the geometric mean, with
    trec_eval's floor of 0.00001, where the measure says so.

    Parameters
    ----------
    measure
        What the values are; one outside the catalogue is averaged.
    values
        Its values, (S, Q).
    retrieved
        Documents retrieved, (S, Q), as the runs had them before any restriction.
    complete
        Whether topics without retrieved documents count, as in ``trec_eval -c``.
        Without them, a system that retrieved nothing at all has NaN for a mean.
        A topic whose value is NaN never counts.

    Examples
    --------
    >>> from mohs.measures.spelling import Measure
    >>> values, retrieved = np.array([[0.5, 0.0]]), np.array([[3, 0]], np.int32)
    >>> average(Measure("AP"), values, retrieved, complete=True)
    array([0.25])
    >>> average(Measure("AP"), values, retrieved, complete=False)
    array([0.5])
    """
    counted = ~np.isnan(values) & (complete | (retrieved > 0))
    known = measure.name in MEASURES.names()
    way = MEASURES[measure.name].averaged if known else "mean"
    return AVERAGES[way](values, counted)


def floor(measures: Sequence[Measure], level: float = 1) -> float | None:
    """Return the grade at or below which no measure needs an entry; None: all count.

    A reader may leave out rankings' entries of such a grade, never the judgments. To
    drop unjudged documents with `judged_only`, every entry is needed.

    Examples
    --------
    >>> from mohs.measures.spelling import parse
    >>> floor(parse("nDCG@20")), floor(parse("Bpref")), floor(parse("AP")) < 1
    (0.0, None, True)
    """
    check_level(level)
    floors = [_floor(measure, level) for measure in measures]
    if any(value is None for value in floors):
        return None
    return min((value for value in floors if value is not None), default=math.inf)


def _floor(measure: Measure, level: float) -> float | None:
    definition, given = MEASURES[measure.name], _resolved(measure, level)
    if definition.judged or given.get("judged_only"):
        return None
    if definition.graded:
        return 0.0
    rel = given.get("rel")
    return math.inf if rel is None else math.nextafter(rel, -math.inf)


def _resolved(
    measure: Measure, level: float, gain: Gain | None = None
) -> dict[str, Any]:
    """Give every parameter of the formula its value."""
    definition = MEASURES[measure.name]
    # An unspelled gain is None, so that the cells' own gain is taken.
    asked: dict[str, Any] = {"level": level, "gain": None}
    if isinstance(gain, Scaled):
        asked["highest"] = gain.scale.highest
    given = {
        parameter.name: asked.get(parameter.follows, parameter.default)
        for parameter in definition.takes()
    }
    given |= dict(measure.parameters)
    if definition.cutoff:
        given["cutoff"] = measure.cutoff
    return given


def check_level(level: float) -> None:
    """Refuse a relevance level that no grade could be held against.

    Raises
    ------
    InputError
        If it is no number from 0 upwards.
    """
    if not (isinstance(level, Real) and math.isfinite(level) and level >= 0):
        raise InputError(f"the relevance level must be 0 or more, found {level!r}")


def _mean(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    topics = counted.sum(axis=1)
    means = np.full(len(values), np.nan)
    np.divide(_sum(values, counted), topics, out=means, where=topics > 0)
    return means


def _geometric(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    logs: Floats = np.log(np.maximum(values, _LEAST_GEOMETRIC))
    means: Floats = np.exp(_mean(logs, counted))
    return means


def _sum(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    sums: Floats = np.where(counted, values, 0.0).sum(axis=1)
    return sums


AVERAGES: Mapping[str, Callable[[Floats, NDArray[np.bool_]], Floats]] = {
    "mean": _mean,
    "geometric": _geometric,
    "sum": _sum,
}
