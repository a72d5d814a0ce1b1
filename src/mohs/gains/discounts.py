"""Discounts: what a rank takes away from a gain.

A user who reads from the top sees later documents less often, so the gain of the
document at rank r is divided by λ(r). Every discount here is positive and never
decreases; the tests in ``tests/laws`` hold each registered one to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Discount(Protocol):
    """Turns ranks, which start at 1, into divisors of gains, element by element."""

    def __call__(self, ranks: Floats, /) -> Floats:
        """Return λ of each rank, same shape."""
        ...


DISCOUNTS: Registry[Discount] = Registry("discount")


@DISCOUNTS.add("log2")
def binary_logarithm(ranks: Floats, /) -> Floats:
    """λ(r) = log2(r + 1), which leaves the first rank alone [1]_; what trec_eval does.

    References
    ----------
    .. [1] Burges et al., "Learning to rank using gradient descent", ICML 2005.

    Examples
    --------
    >>> binary_logarithm(np.array([1.0, 3.0, 7.0])).tolist()
    [1.0, 2.0, 3.0]
    """
    discounts: Floats = np.log2(ranks + 1.0)
    return discounts


@DISCOUNTS.add("ln")
def natural_logarithm(ranks: Floats, /) -> Floats:
    """λ(r) = ln(r + 1): in a quotient of two DCG the same as ``log2``.

    Examples
    --------
    >>> natural_logarithm(np.array([1.0, 3.0])).round(4).tolist()
    [0.6931, 1.3863]
    """
    discounts: Floats = np.log1p(ranks)
    return discounts


@DISCOUNTS.add("zipf")
def zipf(ranks: Floats, /) -> Floats:
    """λ(r) = r, the steepest [1]_.

    References
    ----------
    .. [1] Kanoulas and Aslam, "Empirical justification of the gain and discount
       function for nDCG", CIKM 2009.

    Examples
    --------
    >>> zipf(np.array([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return ranks.astype(np.float64)


@DISCOUNTS.add("none")
def no_discount(ranks: Floats, /) -> Floats:
    """λ(r) = 1: down to the cut-off every rank counts the same.

    Examples
    --------
    >>> no_discount(np.array([1.0, 2.0])).tolist()
    [1.0, 1.0]
    """
    return np.ones_like(ranks, dtype=np.float64)


def weights(discount: Discount, depth: int) -> Floats:
    """Return 1/λ of the first ranks: (depth,).

    Examples
    --------
    >>> weights(DISCOUNTS["log2"], 3).round(4).tolist()
    [1.0, 0.6309, 0.5]
    """
    return 1.0 / discount(np.arange(1.0, depth + 1.0))
