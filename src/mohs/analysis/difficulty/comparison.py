"""How far opinions about the same topics agree, and on which topics they do not."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.correlation import shared, tau_b
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.opinion import Opinion
    from mohs.tables import Column

    Floats = NDArray[np.float64]
    Sides = NDArray[np.int64]

# On which side of the middle a class is.
SIDES: Mapping[str | None, int] = {
    "easy": 1,
    "moderately easy": 1,
    "moderately hard": -1,
    "hard": -1,
}


def agreement(opinions: Sequence[Opinion]) -> Table:
    """Compare every two opinions on the topics that both speak of.

    Returns
    -------
    Table
        ``left, right, topics, tau_b, classed, opposed``. Whichever way their values
        run, a positive τ_b means that both take the same topics for hard. ``classed``
        counts the topics to which both give a class, ``opposed`` those that one calls
        hard, or moderately so, and the other easy.

    Examples
    --------
    >>> from mohs.analysis.difficulty.opinion import Opinion
    >>> classes = ("hard", "hard", "easy"), (None, "easy", "easy")
    >>> high = Opinion("high", np.array([0.1, 0.2, 0.4]), classes[0], high_is_easy=True)
    >>> low = Opinion("low", np.array([3.0, 2.0, 1.0]), classes[1], high_is_easy=False)
    >>> agreement([high, low])
    left  right  topics   tau_b  classed  opposed
    high  low         3  1.0000        2        1
    """
    pairs = list(combinations(opinions, 2))
    eases = [shared(ease_of(left), ease_of(right)) for left, right in pairs]
    sides = [(sides_of(left), sides_of(right)) for left, right in pairs]
    return Table(
        {
            "left": Factor.of(left.name for left, _ in pairs),
            "right": Factor.of(right.name for _, right in pairs),
            "topics": np.array([len(left) for left, _ in eases], np.int64),
            "tau_b": np.array([tau_b(left, right) for left, right in eases]),
            "classed": np.array([_classed(*pair) for pair in pairs], np.int64),
            "opposed": np.array([(a * b < 0).sum() for a, b in sides], np.int64),
        }
    )


def opposed(
    keys: Mapping[str, Column],
    opinions: Sequence[Opinion],
    *,
    classed: Collection[str] = (),
) -> Table:
    """List the topics that are hard to some and easy to others.

    Parameters
    ----------
    keys
        The columns that name a topic.
    opinions
        On these topics.
    classed
        Opinions that have a column even if they give none of these topics a class.

    Returns
    -------
    Table
        ``keys``, the class by every opinion that has classes, and how many call the
        topic ``hard`` and ``easy``, moderately or not.
    """
    names = speaking(opinions) | {*classed}
    heard = [each for each in opinions if each.name in names]
    sides = np.array([sides_of(each) for each in heard], np.int64)
    sides = sides.reshape(len(heard), len(next(iter(keys.values()))))
    hard, easy = (sides < 0).sum(axis=0), (sides > 0).sum(axis=0)
    classes = {each.name: Factor.of(each.classes) for each in heard}
    table = Table({**keys, **classes, "hard": hard, "easy": easy})
    return table.take((hard > 0) & (easy > 0))


def speaking(opinions: Sequence[Opinion]) -> set[str]:
    """Return the names of the opinions that give any topic a class."""
    return {each.name for each in opinions if set(each.classes) - {None}}


def ease_of(opinion: Opinion) -> Floats:
    """Return the values turned so that the easiest topic has the highest: (T,)."""
    return opinion.values if opinion.high_is_easy else -opinion.values


def sides_of(opinion: Opinion) -> Sides:
    """Return 1 for topics on the easy side, -1 on the hard side, else 0: (T,)."""
    return np.array([SIDES.get(each, 0) for each in opinion.classes], np.int64)


def _classed(left: Opinion, right: Opinion) -> int:
    pairs = zip(left.classes, right.classes, strict=True)
    return sum(None not in pair for pair in pairs)
