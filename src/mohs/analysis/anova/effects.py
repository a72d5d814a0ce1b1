"""Sizes of effects: how much of the variation a term explains, and what to call it.

References
----------
.. [1] Olejnik and Algina, "Generalized eta and omega squared statistics", Psychological
   Methods 8(4), 2003.
.. [2] Culpepper, Faggioli, Ferro and Kurland, "Topic difficulty: collection and query
   formulation effects", ACM TOIS 40(1), 2021, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

# From which partial omega squared on an effect is called so.
SIZES = {"negligible": -np.inf, "small": 0.01, "medium": 0.06, "large": 0.14}


def partial_omega_squared(f: ArrayLike, df: ArrayLike, count: float) -> Floats:
    """Estimate what a term explains of what the others leave, by its F over MSE.

    ``count`` is the number of observations; a negative estimate stays negative.

    Examples
    --------
    >>> float(partial_omega_squared(6956.96, 48, 162_000).round(4))
    0.6733
    """
    over = np.asarray(df, np.float64) * (np.asarray(f, np.float64) - 1)
    with np.errstate(invalid="ignore"):
        # An infinite F has explained everything.
        return np.where(np.isinf(over), 1.0, over / (over + count))[()]


def omega_squared(ss: ArrayLike, df: ArrayLike, mse: float, total: float) -> Floats:
    """Estimate what a term explains of the whole variation, ``total``.

    Examples
    --------
    >>> float(omega_squared(3.0, 2, 0.5, 10.0).round(4))
    0.1905
    """
    explained = np.asarray(ss, np.float64) - np.asarray(df, np.float64) * mse
    share: Floats = explained / (total + mse)
    return share


def size_of(effect: float) -> str | None:
    """Name a partial omega squared; None if there is none.

    Examples
    --------
    >>> size_of(0.06), size_of(-0.2)
    ('medium', 'negligible')
    """
    if np.isnan(effect):
        return None
    return [name for name, least in SIZES.items() if effect >= least][-1]
