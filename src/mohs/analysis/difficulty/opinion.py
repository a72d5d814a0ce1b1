"""What a strategy says about the topics of a problem, in the shape that results show.

A result takes any number of opinions and adds two columns for each: ``<name>`` and
``<name>_class``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    def over(self, topics: Sequence[str], known: Sequence[str]) -> Opinion:
        """Return the opinion on more ``topics`` than those ``known`` to it.

        Examples
        --------
        >>> opinion = Opinion("x", np.array([0.5]), ("easy",), high_is_easy=True)
        >>> opinion.over(["1", "2"], ["2"]).classes
        (None, 'easy')
        """
        values = dict(zip(known, self.values.tolist(), strict=True))
        classes = dict(zip(known, self.classes, strict=True))
        return replace(
            self,
            values=np.array([values.get(topic, np.nan) for topic in topics]),
            classes=tuple(classes.get(topic) for topic in topics),
        )
