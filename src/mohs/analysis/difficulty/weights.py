"""Means in which hard topics count for more, and the order of systems that follows.

In the mean of a measure every topic counts the same. Weighted by one minus difficulty,
a topic on which every system beats chance counts nothing, and one on which none does
counts fully. Other weights are formulas of the columns that a difficulty has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.difficulty.formula import read_formula
from mohs.errors import InputError
from mohs.scores.cubes import to_cube
from mohs.statistics.correlation import tau_b
from mohs.statistics.streams import stream
from mohs.tables import Factor, Integers, Result, Table, natural_key
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.scores.observations import Scores
    from mohs.tables import Column

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

BAND = (0.025, 0.975)
_DIGITS = 12  # beyond these, means differ by the order of additions alone


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeightedMeans(Result):
    """Plain and weighted means of S systems over the T topics that have a weight.

    ``weights`` (T,), ``plain`` and ``weighted`` (S,); ``low`` and ``high`` (S,) bound
    95% of the weighted means when topics are drawn with replacement. ``tau`` is τ_b of
    the two orders of systems, ``tau_band`` its 95% in the same draws. ``keys`` name the
    topics where it takes more than one column.
    """

    measure: str
    formula: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    weights: Floats
    plain: Floats
    weighted: Floats
    low: Floats
    high: Floats
    tau: float
    tau_band: tuple[float, float]
    notes: tuple[str, ...]
    keys: Mapping[str, Factor] | None = None

    def tables(self) -> Mapping[str, Table]:
        """Return the means, the change of the systems' order, and the weights."""
        ranks, weighted_ranks = ranks_of(self.plain), ranks_of(self.weighted)
        count = len(self.systems)
        means = Table(
            {
                "system": self.systems,
                "measure": Factor.constant(self.measure, count),
                "topics": np.full(count, len(self.topics), np.int64),
                "mean": self.plain,
                "weighted": self.weighted,
                "low": self.low,
                "high": self.high,
                "rank": ranks,
                "rank_weighted": weighted_ranks,
                "change": ranks - weighted_ranks,
            }
        )
        return {
            "weighted": means.take(np.argsort(weighted_ranks, kind="stable")),
            "weighted_order": self._order(ranks - weighted_ranks),
            "weights": Table(
                {**(self.keys or {"topic": self.topics}), "weight": self.weights}
            ),
        }

    def _order(self, change: Counts) -> Table:
        return Table(
            {
                "measure": (self.measure,),
                "weights": (self.formula,),
                "systems": np.array([len(self.systems)]),
                "topics": np.array([len(self.topics)]),
                "tau_b": np.array([self.tau]),
                "low": np.array([self.tau_band[0]]),
                "high": np.array([self.tau_band[1]]),
                "moved": np.array([int((change != 0).sum())]),
                "largest": np.array([int(np.abs(change).max(initial=0))]),
            }
        )


def weighted_means(  # noqa: PLR0913 (one request)
    difficulty: Result | Table,
    scores: Scores,
    *,
    measure: str | None = None,
    weights: str = "1 - difficulty",
    samples: int = 1000,
    seed: int = 0,
) -> WeightedMeans:
    """Average a measure over topics, each with a weight that follows from difficulty.

    Parameters
    ----------
    difficulty
        What `mohs.difficulty` returns, or a table with a column ``topic``.
    scores
        Values of the measure, for every system on every topic.
    measure
        Which one, if the scores are of several.
    weights
        A formula of the columns of the first: ``+ - * / **``, brackets, numbers, and
        ``abs exp log max min sqrt``.
    samples
        How many times topics are drawn with replacement for the intervals.
    seed
        Of these draws.

    Raises
    ------
    InputError
        If a weight is negative, all are zero, or scores are missing.

    Examples
    --------
    >>> from mohs.scores.cubes import Cube, from_cube
    >>> axes = {"system": ("a", "b"), "topic": ("1", "2")}
    >>> scores = from_cube(Cube(axes, "AP", np.array([[0.25, 1.0], [0.5, 0.5]])))
    >>> table = Table({"topic": ("1", "2"), "difficulty": np.array([0.0, 0.75])})
    >>> result = weighted_means(table, scores)
    >>> result.plain.tolist(), result.weighted.tolist(), result.tau
    ([0.625, 0.5], [0.4, 0.5], -1.0)
    """
    cube = to_cube(scores.of_measure(measure)).require_complete()
    systems, topics = cube.axes["system"], cube.axes["topic"]
    table = difficulty if isinstance(difficulty, Table) else _main(difficulty)
    of_topic = _weights(table, weights)
    kept = sorted(
        (topic for topic in topics if np.isfinite(of_topic.get(topic, np.nan))),
        key=natural_key,
    )
    factors = np.array([of_topic[topic] for topic in kept])
    _check(factors, weights)
    values = cube.values[:, [topics.index(topic) for topic in kept]]
    plain, weighted = averages(values, np.ones(len(kept))), averages(values, factors)
    bands = _bands(values, factors, samples, stream(seed, "weights", "bootstrap"))
    return WeightedMeans(
        measure=cube.measure,
        formula=weights,
        systems=systems,
        topics=tuple(kept),
        weights=factors,
        plain=plain,
        weighted=weighted,
        tau=float(_tau(plain, weighted)),
        notes=tuple(_notes(of_topic, topics, kept)),
        **bands,
    )


def averages(values: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of each row (S,), from (S, T) and (T,)."""
    # Weights that are all equal become 1, and so leave plain means to the last bit.
    scaled = weights / weights.max()
    means: Floats = (values * scaled).sum(axis=-1) / scaled.sum()
    return means


def ranks_of(values: Floats) -> Counts:
    """Return the rank of each value (S,), the highest 1; equal values share the best.

    Examples
    --------
    >>> ranks_of(np.array([0.5, 0.7, 0.5, 0.1])).tolist()
    [2, 1, 2, 4]
    """
    even = np.round(values, _DIGITS)
    ranks: Counts = 1 + (even > even[:, None]).sum(axis=-1)
    return ranks


def _main(result: Result) -> Table:
    return next(iter(result.tables().values()))


def _weights(table: Table, formula: str) -> dict[str, float]:
    columns = {name: _numbers(table[name]) for name in table.names}
    known = {name: each for name, each in columns.items() if each is not None}
    values = read_formula(formula)(known)
    if np.isnan(values).all():
        raise InputError(f"{formula} is a finite number for no topic; use another")
    topics = python_values(table["topic"])
    if twice := sorted({topic for topic in topics if topics.count(topic) > 1}):
        raise InputError(
            f"topic {twice[0]} has several rows; choose one sub-corpus or formulation"
        )
    return dict(zip(topics, values.tolist(), strict=True))


def _numbers(column: Column) -> Floats | None:
    if isinstance(column, Factor | tuple):
        return None
    if isinstance(column, Integers):
        return np.where(column.known, column.values, np.nan)
    return column.astype(np.float64)


def _check(weights: Floats, formula: str) -> None:
    if not len(weights):
        raise InputError(
            "no topic has both a weight and scores; see that both come from the same "
            "collection and that topics are spelled alike"
        )
    if (weights < 0).any():
        raise InputError(f"{formula} is below 0 for some topic; use max(0, {formula})")
    if not weights.any():
        raise InputError(f"{formula} is 0 for every topic, so that nothing counts")


def _bands(
    values: Floats, weights: Floats, samples: int, draws: np.random.Generator
) -> dict[str, Any]:
    """Draw topics with replacement: where 95% of weighted means and of τ_b lie."""
    size = len(weights)
    counts = draws.multinomial(size, np.full(size, 1 / size), samples).astype(float)
    plain = np.einsum("bt,st->bs", counts, values) / size
    totals = (counts * weights).sum(axis=-1)
    # A draw of none but topics of weight 0 has no weighted mean.
    sums = np.einsum("bt,st->bs", counts * weights, values)[totals > 0]
    weighted = sums / totals[totals > 0, None]
    low, high = _band(weighted)
    tau_low, tau_high = _band(_tau(plain[totals > 0], weighted))
    return {
        "low": low,
        "high": high,
        "tau_band": (float(tau_low), float(tau_high)),
    }


def _tau(plain: Floats, weighted: Floats) -> Floats:
    return tau_b(np.round(plain, _DIGITS), np.round(weighted, _DIGITS))


def _band(values: Floats) -> tuple[Floats, Floats]:
    known = values[~np.isnan(values).any(axis=tuple(range(1, values.ndim)))]
    if not len(known):
        missing = np.full(values.shape[1:], np.nan)
        return missing, missing
    low, high = np.quantile(known, BAND, axis=0)
    return low, high


def _notes(
    of_topic: Mapping[str, float], topics: Sequence[str], kept: Sequence[str]
) -> Iterator[str]:
    unscored = len(of_topic.keys() - set(topics))
    unweighted = len(topics) - len(kept)
    if unweighted:
        yield f"{unweighted} of {len(topics)} scored topics have no weight: left out"
    if unscored:
        yield f"{unscored} of {len(of_topic)} topics have no scores: left out"
