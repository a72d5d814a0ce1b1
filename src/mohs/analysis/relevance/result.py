"""The result of `mohs relevance`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.tables import Factor, Result, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.analysis.relevance.items import Items
    from mohs.gains.phi import Phi

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Relevance(Result):
    """φ of every item, and the functions that it comes from.

    ``scores`` (N,) are those in ``column`` of the ``items``, NaN where missing, and
    ``phi`` (N,) their relevances. ``lists`` names the list of every item, and
    ``functions`` are by list, or one for all under an empty name. ``notes`` are
    sentences about the scores.

    The tables are ``relevance``, the items with a column ``phi``, and ``points``, the
    control points of every function.
    """

    items: Items
    column: str
    scores: Floats
    phi: Floats
    lists: Factor
    functions: Mapping[str, Phi]
    notes: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the items first."""
        return {
            "relevance": Table({**self.items.table.columns, "phi": self.phi}),
            "points": self._points(),
        }

    def _points(self) -> Table:
        rows = [
            (name, y, phi)
            for name, each in self.functions.items()
            for y, phi in each.points
        ]
        names, scores, phi = zip(*rows, strict=True)
        columns = {"list": Factor.of(names)} if self.functions.keys() != {""} else {}
        return Table({**columns, "score": np.array(scores), "phi": np.array(phi)})
