"""Piecewise cubic Hermite interpolation that keeps to the shape of its points.

The slopes are those of Fritsch and Butland [1]_, as in SciPy's ``PchipInterpolator``:
between two points the curve never leaves the box that they span. Here many curves are
laid out in the rows of one array, so that thousands are made and asked at once.

References
----------
.. [1] Fritsch and Butland, "A method for constructing local monotone piecewise cubic
   interpolants", SIAM J. Sci. Stat. Comput. 5(2), 1984.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def slopes(steps: Floats, y: Floats) -> Floats:
    """Return the slopes of L curves at their K points: (L, K).

    Parameters
    ----------
    steps
        How far each point is from the one before, (L, K - 1), above 0, K at least 2.
    y
        Values at the points, (L, K).

    Examples
    --------
    >>> slopes(np.array([[1.0, 2.0]]), np.array([[0.0, 0.0, 1.0]])).round(4)
    array([[0.    , 0.    , 0.8333]])
    """
    rises = np.diff(y) / steps
    if y.shape[1] == 2:
        return np.repeat(rises, 2, axis=1)
    before, after = rises[:, :-1], rises[:, 1:]
    near, far = 2 * steps[:, 1:] + steps[:, :-1], steps[:, 1:] + 2 * steps[:, :-1]
    level = (np.sign(before) != np.sign(after)) | (before == 0)
    means = near / np.where(level, 1.0, before) + far / np.where(level, 1.0, after)
    inner = np.where(level, 0.0, (near + far) / means)
    first = _end(steps[:, 0], steps[:, 1], rises[:, 0], rises[:, 1])
    last = _end(steps[:, -1], steps[:, -2], rises[:, -1], rises[:, -2])
    return np.column_stack((first, inner, last))


def _end(step: Floats, next_step: Floats, rise: Floats, next_rise: Floats) -> Floats:
    """Return the slopes at one end, from three points, held to the shape: (L,)."""
    slope = ((2 * step + next_step) * rise - step * next_rise) / (step + next_step)
    steep = (np.sign(rise) != np.sign(next_rise)) & (np.abs(slope) > 3 * np.abs(rise))
    held = np.where(steep, 3 * rise, slope)
    return np.where(np.sign(slope) == np.sign(rise), held, 0.0)


def between(
    share: Floats, ends: tuple[Floats, Floats], bends: tuple[Floats, Floats]
) -> Floats:
    """Return what curves have at a share of the way from one point to the next.

    ``ends`` are the values at the points, ``bends`` the slopes there times the way.

    Examples
    --------
    >>> zero, one = np.zeros(1), np.ones(1)
    >>> between(np.array([0.5]), (zero, one), (zero, zero))
    array([0.5])
    """
    start, stop = ends
    back = 1.0 - share
    risen = share * share * (3.0 - 2.0 * share)
    bent = share * back * (back * bends[0] - share * bends[1])
    values = start + (stop - start) * risen + bent
    # Rounding must not lead out of the box, or order would be lost.
    return np.clip(values, np.minimum(start, stop), np.maximum(start, stop))
