"""Discounted gain of many rankings at once, against the best order of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.gains.discounts import DISCOUNTS, weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


def descending(scores: Floats, lists: Counts, sizes: Counts) -> Counts:
    """Return the order (N,) that puts lists together, and the highest score first.

    Of tied scores, the one that comes first stands first. ``sizes`` (L,) are those of
    the lists.
    """
    width = sizes.max(initial=0)
    if (sizes == width).all() and (np.diff(lists) >= 0).all():
        rows = np.argsort(-scores.reshape(-1, max(width, 1)), axis=1, kind="stable")
        starts = np.arange(len(rows))[:, np.newaxis] * width
        order: Counts = (rows + starts).reshape(-1)
        return order
    return np.lexsort((-scores, lists))


def places(scores: Floats, lists: Counts, count: int) -> Counts:
    """Return the place of each score (N,) in its list (N,), the highest at 0.

    Of tied scores, the one that comes first stands first.

    Examples
    --------
    >>> places(np.array([5.0, 9.0, 5.0, 1.0]), np.array([0, 0, 0, 1]), 2).tolist()
    [1, 0, 2, 0]
    """
    sizes = np.bincount(lists, minlength=count)
    found = np.empty(len(scores), np.int64)
    counted = np.arange(len(scores)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    found[descending(scores, lists, sizes)] = counted
    return found


def shares(
    gains: Floats,
    ranked: Counts,
    lists: Counts,
    count: int,
    cutoffs: Sequence[int],
) -> Floats:
    """Return the nDCG of L rankings at K cut-offs: (L, K), NaN if nothing has a gain.

    Parameters
    ----------
    gains
        What each item is worth, (N,).
    ranked
        Its place in the ranking, from 0, (N,).
    lists
        The ranking it belongs to, (N,), of ``count``.
    cutoffs
        How many places count.

    Examples
    --------
    >>> gains, ranked = np.array([0.0, 1.0, 3.0]), np.array([0, 1, 2])
    >>> shares(gains, ranked, np.zeros(3, np.int64), 1, [1, 3]).round(4)
    array([[0.    , 0.5869]])
    """
    ideal = places(gains, lists, count)
    depth = min(max(cutoffs), int(ranked.max(initial=0)) + 1)
    ends = np.minimum(cutoffs, depth) - 1
    parts, wholes = (
        _running(gains, each, lists, count, depth)[:, ends] for each in (ranked, ideal)
    )
    out = np.full(wholes.shape, np.nan)
    found: Floats = np.divide(parts, wholes, out=out, where=wholes > 0)
    # Equal gains in another order must not lead beyond 1 by rounding.
    return np.minimum(found, 1.0)


def _running(
    gains: Floats, at: Counts, lists: Counts, count: int, depth: int
) -> Floats:
    """Sum discounted gains down to every place: (L, depth)."""
    table = np.zeros((count, depth))
    seen = at < depth
    table[lists[seen], at[seen]] = gains[seen]
    return np.cumsum(table * weights(DISCOUNTS["log2"], depth), axis=1)
