"""Box statistics of many groups, so that a chart carries boxes and not every value.

Quartiles are those of type 7 (the default of NumPy and R). Whiskers reach to the last
value within 1.5 interquartile ranges of the box, as in Tukey's schematic plot [1]_;
what lies beyond is kept one by one.

References
----------
.. [1] Tukey, *Exploratory Data Analysis*, Addison-Wesley 1977, section 2D.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FENCE = 1.5
_FAR = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """What is drawn of one group: whiskers, box, and outliers.

    ``outliers`` (o,) are the places in the group of the values beyond the whiskers.
    """

    low: float
    q1: float
    median: float
    q3: float
    high: float
    outliers: NDArray[np.intp]

    @classmethod
    def of(cls, values: Floats) -> Box | None:
        """Summarise values (n,), NaN left out; None if nothing is left.

        Examples
        --------
        >>> box = Box.of(np.array([1.0, 2.0, 3.0, 4.0, 9.0]))
        >>> box.low, box.q1, box.median, box.q3, box.high, box.outliers.tolist()
        (1.0, 2.0, 3.0, 4.0, 4.0, [4])
        """
        known = values[~np.isnan(values)]
        if not len(known):
            return None
        q1, median, q3 = np.quantile(known, (0.25, 0.5, 0.75)).tolist()
        reach = _FENCE * (q3 - q1)
        within = known[(known >= q1 - reach) & (known <= q3 + reach)]
        # A quartile is interpolated, so all values within the fence may lie beyond it.
        low = min(within.min(initial=q1), q1)
        high = max(within.max(initial=q3), q3)
        # A comparison with NaN is false.
        outliers = np.flatnonzero((values < low) | (values > high))
        return cls(float(low), q1, median, q3, float(high), outliers)


@dataclass(frozen=True, slots=True)
class Window:
    """The part of an axis that is shown."""

    low: float
    high: float

    @classmethod
    def over(cls, boxes: Sequence[Box], values: Floats) -> Window:
        """Show zero and every box, and values as far as they leave the boxes legible.

        A box that lies far from all others, and a value further off than the boxes are
        wide together, stay outside: they would leave the others a few pixels.

        Examples
        --------
        >>> values = np.array([-49.0, -0.2, 0.0, 0.3, 0.5, 0.6])
        >>> window = Window.over([Box.of(values)], values)
        >>> round(window.low, 2), round(window.high, 2)
        (-0.22, 0.62)
        """
        low = min(0.0, _near([box.low for box in boxes]))
        high = max(0.0, -_near([-box.high for box in boxes]))
        span = (high - low) or 1.0
        known = values[~np.isnan(values)]
        inside = known[(known >= low - span) & (known <= high + span)]
        low, high = (
            min(low, inside.min(initial=low)),
            max(high, inside.max(initial=high)),
        )
        margin = 0.02 * ((high - low) or 1.0)
        return cls(float(low - margin), float(high + margin))

    def side(self, value: float) -> int:
        """Return -1 for a value below the window, 1 above it, 0 within."""
        return int(value > self.high) - int(value < self.low)

    def clamp(self, value: float) -> float:
        """Return the nearest value within the window."""
        return min(max(value, self.low), self.high)


def _near(ends: Sequence[float]) -> float:
    """Return the lowest of some ends that is not far below all of them."""
    if not ends:
        return 0.0
    q1, q3 = np.quantile(ends, (0.25, 0.75))
    return min(end for end in ends if end >= q1 - _FAR * (q3 - q1))
