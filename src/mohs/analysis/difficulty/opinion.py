"""What a strategy says about the topics of a problem, in the shape that results show.

A result takes any number of opinions and adds two columns for each: ``<name>`` and
``<name>_class``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """One strategy's values and classes of the T topics of a problem, in its order.

    ``values`` (T,) are NaN and ``classes`` (T,) None where it has nothing to say.
    ``high_is_easy`` gives the direction of the values, ``label`` names the strategy
    and what it was computed with, and ``notes`` are sentences for the user.
    """

    name: str
    values: NDArray[np.float64]
    classes: tuple[str | None, ...]
    high_is_easy: bool
    label: str = ""
    notes: tuple[str, ...] = ()
