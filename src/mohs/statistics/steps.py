"""Values on a fine lattice, whose sums are exact in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_STEP = 2.0**-40


def stepped(values: Floats) -> Floats:
    """Return values as multiples of 2⁻⁴⁰ of the largest, NaN where they are.

    Sums of up to 8192 such numbers are exact, so that no order of means hangs on the
    order of additions.

    Examples
    --------
    >>> 0.1 + 0.2 + 0.3 == 0.3 + 0.2 + 0.1
    False
    >>> a, b, c = stepped(np.array([0.1, 0.2, 0.3]))
    >>> bool(a + b + c == c + b + a)
    True
    """
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0) or 1.0
    return np.rint(values / (largest * _STEP), dtype=np.float64)
