"""Ad-hoc relevance: levels by rank, as people assign them who have only scores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.gains.orders import descending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bands:
    """Levels of relevance by the rank of the score within its list.

    With the default bounds, the ten highest scores have level 3, those to rank 25 level
    2, those to rank 50 level 1 and the rest 0. Scores that are tied at the edge of a
    band share the better one.

    Examples
    --------
    >>> Bands((1, 3))(np.array([5.0, 9.0, 5.0, 5.0, 1.0])).tolist()
    [1.0, 2.0, 1.0, 1.0, 0.0]
    """

    bounds: tuple[int, ...] = (10, 25, 50)

    def __post_init__(self) -> None:
        rising = all(one < other for one, other in pairwise((0, *self.bounds)))
        if not (self.bounds and rising):
            listed = ", ".join(map(str, self.bounds))
            raise InputError(
                f"bands: ranks must increase from 1 upwards, found {listed or 'none'}"
            )

    def __call__(self, scores: Floats, lists: Counts | None = None, /) -> Floats:
        """Return the level of each score (N,) within its list (N,)."""
        if lists is None:
            lists = np.zeros(len(scores), np.int64)
        beaten = len(self.bounds) - np.searchsorted(self.bounds, ranks(scores, lists))
        return beaten.astype(np.float64)


def ranks(scores: Floats, lists: Counts) -> Counts:
    """Return the rank of each score (N,) in its list (N,), the highest first.

    Tied scores have the best rank of all of them.

    Examples
    --------
    >>> ranks(np.array([5.0, 9.0, 5.0, 1.0]), np.zeros(4, np.int64)).tolist()
    [2, 1, 2, 4]
    """
    sizes = np.bincount(lists)
    order = descending(scores, lists, sizes)
    values, owners = scores[order], lists[order]
    fresh = np.ones(len(scores), np.bool_)
    fresh[1:] = (values[1:] != values[:-1]) | (owners[1:] != owners[:-1])
    counted = np.arange(len(scores))
    tied = np.maximum.accumulate(np.where(fresh, counted, 0))
    found = np.empty(len(scores), np.int64)
    found[order] = tied - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    return found
