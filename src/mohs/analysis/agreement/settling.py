"""How many systems it takes until the order of topics settles.

Systems join one by one, in random orders. After each, topics are ordered by their mean
over the systems so far, and that order is compared with the one over all systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.statistics.correlation import tau_b, ties_joined
from mohs.statistics.steps import stepped
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.agreement.matrices import Matrix

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

_BAND = (0.025, 0.5, 0.975)
_SIZES = 200


@dataclass(frozen=True, slots=True, eq=False)
class Settling:
    """τ_b with the order over all systems, for K numbers of systems.

    ``sizes`` (K,) are those numbers; ``mean``, ``low``, ``median`` and ``high`` (K,)
    describe random choices, low and high at 2.5% and 97.5%.
    """

    name: str
    measure: str
    threshold: float
    sizes: Counts
    mean: Floats
    low: Floats
    median: Floats
    high: Floats

    @property
    def settled(self) -> int:
        """The smallest number from which on the band stays at the threshold or above.

        That of all systems always is.
        """
        below = np.flatnonzero(~(self.low[:-1] >= self.threshold))
        return int(self.sizes[below[-1] + 1 if len(below) else 0])

    def table(self) -> Table:
        """Return one row for each number of systems."""
        return Table(
            {
                "scores": Factor.constant(self.name, len(self.sizes)),
                "measure": Factor.constant(self.measure, len(self.sizes)),
                "systems": self.sizes,
                "mean": self.mean,
                "low": self.low,
                "median": self.median,
                "high": self.high,
            }
        )


def settle(matrix: Matrix, threshold: float, *, repeats: int, seed: int) -> Settling:
    """Compare the order of topics by ever more systems with that by all of them."""
    values = stepped(matrix.values)
    known = ~np.isnan(values)
    values[~known] = 0
    sizes = sizes_of(values.shape[1])
    totals, present = values.sum(axis=1), known.sum(axis=1)
    some = present > 0
    target = ties_joined(totals[some] / present[some])
    taus = np.empty((repeats, len(sizes)))
    for number in range(repeats):
        draws = stream(seed, "agree", "settling", number)
        order = draws.permutation(values.shape[1])
        sums, counts = (
            np.cumsum(each[some][:, order], axis=1)[:, sizes - 1]
            for each in (values, known)
        )
        means = np.divide(
            sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0
        )
        taus[number] = tau_b(target, ties_joined(np.ascontiguousarray(means.T)))
    low, mean, median, high = np.full((4, len(sizes)), np.nan)
    found = ~np.isnan(taus).all(axis=0)
    low[found], median[found], high[found] = np.nanquantile(
        taus[:, found], _BAND, axis=0
    )
    mean[found] = np.nanmean(taus[:, found], axis=0)
    name = matrix.name or "all"
    return Settling(name, matrix.measure, threshold, sizes, mean, low, median, high)


def sizes_of(systems: int) -> Counts:
    """Return the numbers to look at: all, or of many the smaller ones more closely.

    Examples
    --------
    >>> sizes_of(4).tolist(), len(sizes_of(4000))
    ([1, 2, 3, 4], 147)
    """
    if systems <= _SIZES:
        return np.arange(1, systems + 1)
    return np.unique(np.rint(np.geomspace(1, systems, _SIZES)).astype(np.int64))
