"""Gains in units of their own spread.

What is standardised are labels, the gains of the documents in one topic's pool, and not
scores of systems: Webber's "standardised nDCG" is another thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np  # noqa: TC002 (for the examples)

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Standardised:
    """How far a gain lies above the pool's mean, in standard deviations [1]_.

    A document drawn at random from the pool is worth 0 in expectation. ``sd`` is the
    population's, and above 0.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020.

    Examples
    --------
    >>> standardised = Standardised.over(np.array([0.0, 0.0, 1.0, 1.0]))
    >>> standardised(np.array([0.0, 0.5, 1.0])).tolist()
    [-1.0, 0.0, 1.0]
    """

    mean: float
    sd: float

    @classmethod
    def over(cls, gains: NDArray[np.float64]) -> Standardised:
        """Measure the gains of a pool, of which two differ."""
        return cls(float(gains.mean()), float(gains.std()))

    def __call__(self, gains: NDArray[np.float64], /) -> NDArray[np.float64]:
        """Return the standardised gains, same shape."""
        return (gains - self.mean) / self.sd
