"""Order statistics of many lists of scores at once: quartiles, fences, whiskers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

Quartiles = Literal["type7", "hinges"]
Upper = Literal["fence", "whisker"]

_REACH = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """Scores of L lists, ascending in each.

    List l owns ``values[starts[l]:starts[l] + sizes[l]]``; one NaN stands behind all.
    """

    values: Floats
    starts: Counts
    sizes: Counts

    @classmethod
    def of(cls, scores: Floats, lists: Counts, count: int) -> Ordered:
        """Sort scores (N,) of the lists (N,) that they belong to.

        Examples
        --------
        >>> ordered = Ordered.of(np.array([3.0, 9.0, 1.0]), np.array([0, 1, 0]), 2)
        >>> ordered.values[:3].tolist(), ordered.starts.tolist()
        ([1.0, 3.0, 9.0], [0, 2])
        """
        sizes = np.bincount(lists, minlength=count)
        values = _sorted(scores, lists, sizes)
        return cls(np.append(values, np.nan), np.cumsum(sizes) - sizes, sizes)

    def at(self, places: Counts) -> Floats:
        """Return a score of every list, by its place; NaN if the list is empty."""
        return self.values[np.where(self.sizes > 0, self.starts + places, -1)]

    def between(self, places: Floats) -> Floats:
        """Return scores of every list at places that may lie between two: (L,)."""
        below = np.floor(places).astype(np.int64)
        low, high = self.at(below), self.at(np.ceil(places).astype(np.int64))
        return low + (high - low) * (places - below)

    def up_to(self, limits: Floats) -> Floats:
        """Return the highest score of every list that is not above its limit: (L,)."""
        lists = np.repeat(np.arange(len(self.sizes)), self.sizes)
        within = self.values[:-1] <= limits[lists]
        return self.at(np.bincount(lists, within, len(self.sizes)).astype(np.int64) - 1)


def _sorted(scores: Floats, lists: Counts, sizes: Counts) -> Floats:
    width = sizes[0] if len(sizes) else 0
    if (sizes == width).all() and (
        lists == np.repeat(np.arange(len(sizes)), width)
    ).all():
        return np.sort(scores.reshape(len(sizes), width)).reshape(-1)
    return scores[np.lexsort((scores, lists))]


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What is known of L lists, each (L,).

    ``upper`` is the fence or the whisker, and ``exceeded`` says whether some score lies
    above the fence.
    """

    low: Floats
    median: Floats
    upper: Floats
    high: Floats
    exceeded: NDArray[np.bool_]


def summarise(ordered: Ordered, quartiles: Quartiles, upper: Upper) -> Summary:
    """Summarise lists as a box plot does [1]_.

    References
    ----------
    .. [1] Tukey, *Exploratory Data Analysis*, Addison-Wesley 1977, section 2D; Hyndman
       and Fan, "Sample quantiles in statistical packages", The American Statistician
       50(4), 1996, for type 7.

    Examples
    --------
    >>> scores = np.array([1.0, 2.0, 3.0, 4.0, 9.0])
    >>> ordered = Ordered.of(scores, np.zeros(5, np.int64), 1)
    >>> found = summarise(ordered, "type7", "fence")
    >>> found.median.tolist(), found.upper.tolist(), found.exceeded.tolist()
    ([3.0], [7.0], [True])
    """
    last = ordered.sizes - 1
    # Tukey's depth of a hinge, from the ends; type 7 counts spaces between scores.
    depth = last / 4
    if quartiles == "hinges":
        depth = np.floor((ordered.sizes + 3) / 2) / 2 - 1
    q1, q3 = ordered.between(depth), ordered.between(last - depth)
    with np.errstate(over="ignore"):
        fence = q3 + _REACH * (q3 - q1)
    high = ordered.at(last)
    return Summary(
        low=ordered.at(np.zeros_like(last)),
        median=ordered.between(last / 2),
        upper=ordered.up_to(fence) if upper == "whisker" else fence,
        high=high,
        exceeded=high > fence,
    )
