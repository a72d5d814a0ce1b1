"""How alike two orders of the same things are.

Every function takes the values of two sides along the last axis, (..., n), and gives
one coefficient for each pair of rows, (...), so that thousands of orders are compared
in one call. Positions belong together: whoever has two lists with labels matches them
first. Nothing is dropped here either: where a row holds a NaN its coefficient is NaN,
and :func:`shared` leaves such pairs out. A coefficient that does not exist (fewer than
two pairs, all values of a side equal) is NaN too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

# Rows of up to this many values for each row are compared pair by pair, all rows at
# once; single long rows are sorted.
_SHORT = 64
_BYTE = 255
_ROUNDING = 1e-12  # of the largest value, below which a difference means nothing


def tau_b(left: Floats, right: Floats) -> Floats:
    """Kendall's rank correlation, corrected for ties on either side [1]_.

    Parameters
    ----------
    left, right
        Values (..., n); leading axes are broadcast.

    References
    ----------
    .. [1] Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945.
       Counted in O(n log n) after Knight, JASA 61(314), 1966.

    Examples
    --------
    >>> tau_b(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])).round(4)
    np.float64(0.6667)
    >>> tau_b(np.array([1.0, 2.0, 3.0]), np.array([[3.0, 2.0, 1.0], [0.0, 1.0, 1.0]]))
    array([-1.        ,  0.81649658])
    """
    left, right, known = _matched(left, right)
    pairs, tied_left, tied_right, balance = _count(left, right)
    free = np.sqrt((pairs - tied_left) * np.float64(pairs - tied_right))
    return _ratio(balance, free, known)


def tau_a(left: Floats, right: Floats) -> Floats:
    """Kendall's rank correlation over all pairs, where a tied pair counts 0 [1]_.

    Parameters
    ----------
    left, right
        Values (..., n); leading axes are broadcast.

    References
    ----------
    .. [1] Kendall, "A new measure of rank correlation", Biometrika 30(1/2), 1938.

    Examples
    --------
    >>> tau_a(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0])).round(4)
    np.float64(0.6667)
    """
    left, right, known = _matched(left, right)
    pairs, _, _, balance = _count(left, right)
    return _ratio(balance, pairs, known)


def tau_ap(left: Floats, right: Floats) -> Floats:
    """Rank correlation in which the top of the left side counts most [1]_.

    Walks the left side from its highest value down and takes at each place the share
    of what came before that stands before on the right too; their mean is mapped to
    -1 to 1. It is not symmetric. With a tie on either side there is no single order to
    walk, and the coefficient is NaN (see :func:`has_ties`).

    Parameters
    ----------
    left, right
        Values (..., n), the highest first; leading axes are broadcast.

    References
    ----------
    .. [1] Yilmaz, Aslam and Robertson, "A new rank correlation coefficient for
       information retrieval", SIGIR 2008.

    Examples
    --------
    >>> left, right = np.array([4.0, 3.0, 2.0, 1.0]), np.array([3.0, 4.0, 2.0, 1.0])
    >>> tau_ap(left, right).round(4), tau_ap(-left, -right).round(4)
    (np.float64(0.3333), np.float64(0.7778))
    """
    left, right, known = _matched(left, right)
    size = left.shape[-1]
    known &= ~(has_ties(left) | has_ties(right))
    walk = np.argsort(-left, axis=-1)
    before = larger_before(np.take_along_axis(right, walk, -1))[..., 1:]
    shares: Floats = before / np.arange(1, size)
    return _ratio(2 * shares.sum(axis=-1) - (size - 1), size - 1, known)


def spearman(left: Floats, right: Floats) -> Floats:
    """Correlation of ranks, where tied values share their mean rank [1]_.

    Parameters
    ----------
    left, right
        Values (..., n); leading axes are broadcast.

    References
    ----------
    .. [1] Spearman, "The proof and measurement of association between two things",
       American Journal of Psychology 15(1), 1904.

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    np.float64(0.5)
    """
    left, right, known = _matched(left, right)
    return np.where(known, pearson(mean_ranks(left), mean_ranks(right)), np.nan)[()]


def pearson(left: Floats, right: Floats) -> Floats:
    """Linear correlation.

    Parameters
    ----------
    left, right
        Values (..., n); leading axes are broadcast. An infinite value makes the
        coefficient NaN.

    Examples
    --------
    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    np.float64(1.0)
    """
    left, right, known = _matched(left, right)
    known &= np.isfinite(left).all(axis=-1) & np.isfinite(right).all(axis=-1)
    # Rows without a coefficient are computed as zeros, not to warn of infinities.
    one, other = (_centred(np.where(known[..., None], v, 0)) for v in (left, right))
    lengths = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    return _ratio((one * other).sum(axis=-1), lengths, known)


def mean_ranks(values: Floats) -> Floats:
    """Rank values from 1, the lowest, where tied values share their mean rank.

    Parameters
    ----------
    values
        (..., n) without NaN.

    Examples
    --------
    >>> mean_ranks(np.array([0.5, 0.1, 0.5, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, -1)
    firsts = _starts(ascending)
    lasts = values.shape[-1] - 1 - _starts(ascending[..., ::-1])[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (firsts + lasts) / 2 + 1, -1)
    return ranks


def ties_joined(values: Floats) -> Floats:
    """Make values equal that differ by rounding alone, so that they count as tied.

    Means over systems that are equal on paper differ in their last digits with the
    order of additions. Neighbours within 10⁻¹² of the largest value of their row
    (..., n) all become the lowest of them; NaN stays NaN.

    Examples
    --------
    >>> sums = np.array([0.1 + 0.2, 0.3, 0.5])
    >>> sums[0] == sums[1], np.equal(*ties_joined(sums)[:2])
    (np.False_, np.True_)
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, -1)
    largest = np.abs(np.where(np.isnan(values), 0.0, values)).max(-1, initial=0.0)
    apart = ~(np.diff(ascending, axis=-1) <= _ROUNDING * largest[..., None])
    firsts = np.zeros(values.shape, np.int64)
    firsts[..., 1:] = np.where(apart, np.arange(1, values.shape[-1]), 0)
    firsts = np.maximum.accumulate(firsts, axis=-1)
    joined = np.empty(values.shape)
    lowest = np.take_along_axis(ascending, firsts, -1)
    np.put_along_axis(joined, order, lowest, -1)
    return joined


def has_ties(values: Floats) -> NDArray[np.bool_]:
    """Return for each row (..., n) whether two of its values are equal.

    Examples
    --------
    >>> has_ties(np.array([[1.0, 2.0, 1.0], [1.0, 2.0, 3.0]])).tolist()
    [True, False]
    """
    ascending = np.sort(values, axis=-1)
    tied: NDArray[np.bool_] = (ascending[..., 1:] == ascending[..., :-1]).any(axis=-1)
    return tied


def shared(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return the pairs of which both sides are known, from two vectors (n,).

    Examples
    --------
    >>> shared(np.array([1.0, np.nan, 3.0]), np.array([0.5, 0.6, 0.7]))
    (array([1., 3.]), array([0.5, 0.7]))
    """
    known = ~(np.isnan(left) | np.isnan(right))
    return left[known], right[known]


def larger_before(values: Floats) -> Counts:
    """Count for every value (..., n) the larger ones before it in its row: (..., n).

    Examples
    --------
    >>> larger_before(np.array([3.0, 1.0, 2.0, 2.0])).tolist()
    [0, 1, 1, 1]
    """
    *lead, size = values.shape
    rows = values.reshape(math.prod(lead), size)
    few = size <= _SHORT * len(rows)
    return (_by_pairs if few else _by_merging)(rows).reshape(values.shape)


def _by_pairs(rows: Floats) -> Counts:
    """Compare every value with all before it, in all rows (R, n) at once."""
    columns = np.ascontiguousarray(rows.T)
    counts = np.zeros(columns.shape, np.int64)
    for place, column in enumerate(columns):
        # A sum of so many bytes fits a byte, and bytes are summed many at a time.
        for first in range(0, place, _BYTE):
            larger = columns[first : min(first + _BYTE, place)] > column
            counts[place] += larger.sum(axis=0, dtype=np.uint8)
    return counts.T


def _by_merging(rows: Floats) -> Counts:
    """Merge ever longer sorted blocks of the rows (R, n), counting what is passed."""
    size = rows.shape[-1]
    padded = 1 << (size - 1).bit_length()
    values = np.full((len(rows), padded), np.inf)
    values[:, :size] = rows
    origin = np.broadcast_to(np.arange(padded), values.shape)
    counts = np.zeros(values.shape, np.int64)
    half = 1
    while half < padded:
        shape = len(rows), -1, 2 * half
        values, origin = values.reshape(shape), origin.reshape(shape)
        order = np.argsort(values, axis=-1, kind="stable")
        values, origin = (np.take_along_axis(v, order, -1) for v in (values, origin))
        # What stood in the right half has passed the left values still behind it.
        late = order >= half
        passed = half - np.cumsum(~late, axis=-1)
        merged = np.take_along_axis(counts.reshape(shape), order, -1)
        counts = merged + np.where(late, passed, 0)
        half *= 2
    unsorted = np.empty((len(rows), padded), np.int64)
    flat = unsorted.shape
    np.put_along_axis(unsorted, origin.reshape(flat), counts.reshape(flat), -1)
    return unsorted[:, :size]


def _count(left: Floats, right: Floats) -> tuple[int, Counts, Counts, Counts]:
    """Count pairs: all, tied left, tied right, and concordant less discordant."""
    size = left.shape[-1]
    pairs = size * (size - 1) // 2
    if has_ties(left).any():
        order = np.lexsort((right, left))
        left, right = (np.take_along_axis(v, order, -1) for v in (left, right))
        tied_left = _tied(left)
        tied_both = _tied(left, right)
    else:
        order = np.argsort(left, axis=-1)
        right = np.take_along_axis(right, order, -1)
        tied_left = tied_both = np.zeros(left.shape[:-1], np.int64)
    tied_right = _tied(np.sort(right, axis=-1))
    discordant = larger_before(right).sum(axis=-1)
    balance = pairs - tied_left - tied_right + tied_both - 2 * discordant
    return pairs, tied_left, tied_right, balance


def _tied(*ascending: Floats) -> Counts:
    """Count for each sorted row the pairs of equal values: (...,)."""
    before: Counts = np.arange(ascending[0].shape[-1]) - _starts(*ascending)
    tied: Counts = before.sum(axis=-1)
    return tied


def _starts(*ascending: Floats) -> Counts:
    """Return for every place of sorted rows (..., n) where its run of equals begins."""
    places = np.broadcast_to(np.arange(ascending[0].shape[-1]), ascending[0].shape)
    new = np.zeros(places.shape, np.bool_)
    for values in ascending:
        new[..., 1:] |= values[..., 1:] != values[..., :-1]
    starts: Counts = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    return starts


def _matched(left: Floats, right: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Give both sides one shape, and say which rows hold no NaN."""
    one, other = np.broadcast_arrays(
        np.asarray(left, np.float64), np.asarray(right, np.float64)
    )
    known = ~(np.isnan(one).any(axis=-1) | np.isnan(other).any(axis=-1))
    return one, other, known


def _ratio(over: Any, under: Any, known: NDArray[np.bool_]) -> Floats:  # noqa: ANN401
    """Divide, where there is something to divide by, and stay within -1 and 1."""
    over, under = np.asarray(over, np.float64), np.asarray(under, np.float64)
    out = np.full(np.broadcast_shapes(over.shape, under.shape), np.nan)
    np.divide(over, under, out=out, where=known & (under > 0))
    clipped: Floats = np.clip(out, -1, 1)[()]
    return clipped


def _centred(values: Floats) -> Floats:
    """Move rows to mean 0 and their farthest value to 1; constant rows become zeros."""
    size = max(values.shape[-1], 1)
    centred = values - values.sum(axis=-1, keepdims=True) / size
    # Rounding would leave a constant row some noise to correlate.
    constant = (values == values[..., :1]).all(axis=-1, keepdims=True)
    centred = np.where(constant, 0.0, centred)
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    scaled: Floats = np.divide(centred, largest, out=centred, where=largest > 0)
    return scaled
