"""Many tests at once: p-values adjusted for how many there are.

A p-value that is missing (NaN) stays so and does not count as a test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def holm(p: Floats) -> Floats:
    """Bound the chance that any true hypothesis is rejected: step-down [1]_.

    References
    ----------
    .. [1] Holm, "A simple sequentially rejective multiple test procedure",
       Scandinavian Journal of Statistics 6(2), 1979.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, np.nan, 0.03])).round(4).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    known, order = _ordered(p)
    factors = np.arange(len(order), 0, -1.0)
    steps = np.maximum.accumulate(p[known][order] * factors)
    return _placed(p, known, order, np.minimum(steps, 1.0))


def benjamini_hochberg(p: Floats) -> Floats:
    """Bound the expected share of false rejections: step-up [1]_.

    References
    ----------
    .. [1] Benjamini and Hochberg, "Controlling the false discovery rate", Journal of
       the Royal Statistical Society B 57(1), 1995.

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan, 0.03])).round(4).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    known, order = _ordered(p)
    factors = len(order) / np.arange(1.0, len(order) + 1)
    steps = np.minimum.accumulate((p[known][order] * factors)[::-1])[::-1]
    return _placed(p, known, order, np.minimum(steps, 1.0))


def _ordered(p: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    known = np.flatnonzero(~np.isnan(p))
    return known, np.argsort(p[known], kind="stable")


def _placed(
    p: Floats, known: NDArray[np.int64], order: NDArray[np.int64], values: Floats
) -> Floats:
    placed = np.full(p.shape, np.nan)
    placed[known[order]] = values
    return placed
