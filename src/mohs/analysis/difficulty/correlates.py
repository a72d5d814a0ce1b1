"""What goes with difficulty: how alike it orders the topics as other things do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.comparison import ease_of
from mohs.statistics.association import bootstrap_tau, permutation_p
from mohs.statistics.correlation import shared, tau_b
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.result import Part

    Floats = NDArray[np.float64]

# Figures of a topic that were known before any system was run, or follow from the pool.
_COUNTED = ("relevant", "prevalence", "pool", "judged")
LEAST = 3  # topics, without which an order says nothing


def correlates(part: Part) -> Table:
    """Compare difficulty with what else is known of the topics; see `related`.

    These are the number of documents that are ``relevant``, their ``prevalence`` in
    the pool, the sizes of the ``pool`` and of what was ``judged``, and the ``words`` of
    the query where there is one.
    """
    rows = part.solution.rows
    others = {
        name: np.array([float(getattr(row, name)) for row in rows]) for name in _COUNTED
    }
    if part.texts is not None:
        words = [np.nan if text is None else len(text.split()) for text in part.texts]
        others["words"] = np.array(words, np.float64)
    return related(part, others)


def related(part: Part, others: Mapping[str, Floats]) -> Table:
    """Compare the order of topics by difficulty with their order by other values.

    Parameters
    ----------
    part
        With T topics.
    others
        Values of these topics by name, (T,) each, NaN where there is none.

    Returns
    -------
    Table
        ``with, topics, tau_b, low, high, p``: Kendall's coefficient over the topics
        that both know, its 95% interval for topics drawn anew, and how often an
        unrelated order would be as close or closer. Above 0, what has more is easier.
    """
    seed = part.solution.question.seed
    ease = part.solution.difficulty
    return _laid_out(
        {name: _compared(ease, each, seed, name) for name, each in others.items()}
    )


def recovered(part: Part, known: Floats) -> Table:
    """Say how well the order of topics by a known difficulty was recovered.

    Parameters
    ----------
    part
        With T topics.
    known
        What the topics were made with, (T,), 1 for the easiest, NaN where unknown.

    Returns
    -------
    Table
        As of `related`, with a row for the difficulty and for every strategy.
    """
    seed = part.solution.question.seed
    return _laid_out(
        {
            each.name: _compared(ease_of(each), known, seed, f"known {each.name}")
            for each in part.said()
        }
    )


def _laid_out(found: Mapping[str, tuple[int, float, float, float, float]]) -> Table:
    figures = np.array([each[1:] for each in found.values()]).reshape(len(found), 4).T
    names = "tau_b", "low", "high", "p"
    return Table(
        {
            "with": Factor.of(found),
            "topics": np.array([each[0] for each in found.values()], np.int64),
            **dict(zip(names, figures, strict=True)),
        }
    )


def _compared(
    ease: Floats, values: Floats, seed: int, name: str
) -> tuple[int, float, float, float, float]:
    left, right = shared(ease, values)
    tau = float(tau_b(left, right)) if len(left) >= LEAST else np.nan
    if np.isnan(tau):
        return len(left), np.nan, np.nan, np.nan, np.nan
    low, high = bootstrap_tau(left, right, stream(seed, "correlates", "tau", name))
    p = permutation_p(left, right, stream(seed, "correlates", "p", name))
    return len(left), tau, low, high, p
