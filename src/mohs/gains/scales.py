"""Scales: from the scores of a topic's documents to relevances on one scale.

A gain looks at one grade at a time; a scale needs to see all scores of a topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs.errors import UnknownNameError
from mohs.gains.bands import Bands
from mohs.gains.control import Fitting
from mohs.gains.grades import GAINS, Exponential, gain_of
from mohs.gains.phi import Curves
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mohs.gains.grades import Gain, Negative

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


class Relevances(Protocol):
    """Turns the scores of lists into relevances."""

    def __call__(self, scores: Floats, lists: Counts, /) -> Floats:
        """Return the relevance of each score (N,) within its list (N,)."""
        ...


@dataclass(frozen=True, slots=True)
class Scale:
    """A way from scores to relevances, of which ``highest`` is the highest."""

    relevances: Relevances
    highest: int

    def __call__(self, scores: Floats, lists: Counts, /) -> Floats:
        """Return the relevance of each score (N,) within its list (N,)."""
        return self.relevances(scores, lists)


SCALES: Registry[Scale] = Registry("scale")


def scale(name: str, highest: int) -> Callable[[Relevances], Relevances]:
    """Register the decorated function as a scale."""

    def register(relevances: Relevances) -> Relevances:
        SCALES.add(name)(Scale(relevances, highest))
        return relevances

    return register


@scale("phi", highest=1)
def phi(scores: Floats, lists: Counts, /) -> Floats:
    """φ, fitted to each list as the paper says.

    Examples
    --------
    >>> phi(np.array([0.0, 5.0, 9.0, 9.0]), np.array([0, 0, 0, 7])).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    if not len(scores):
        return scores
    present, owners = np.unique(lists, return_inverse=True)
    return Curves.over(scores, owners, len(present), Fitting())(scores, owners)


@scale("adhoc", highest=3)
def adhoc(scores: Floats, lists: Counts, /) -> Floats:
    """Levels 3, 2, 1 and 0 by rank: up to 10, 25, 50, and below.

    Examples
    --------
    >>> adhoc(np.array([0.0, 5.0]), np.array([0, 0])).tolist()
    [3.0, 3.0]
    """
    return Bands()(scores, lists)


@dataclass(frozen=True, slots=True)
class Scaled:
    """Two to the relevance on a scale, minus one.

    Whoever calls it has put the scores of every topic on the ``scale`` before.
    """

    scale: Scale

    def __call__(self, grades: Floats, /) -> Floats:
        """Return the gain of each relevance, same shape."""
        return Exponential()(grades)


def any_gain_of(name: str, negative: Negative = "zero") -> Gain:
    """Make a gain function, or one of relevances on a scale, by name.

    Examples
    --------
    >>> any_gain_of("linear")
    Linear(signed=False)
    >>> any_gain_of("adhoc").scale.highest
    3
    """
    if name in SCALES.names():
        return Scaled(SCALES[name])
    if name not in GAINS.names():
        raise UnknownNameError("gain function", name, (*GAINS.names(), *SCALES.names()))
    return gain_of(name, negative)
