"""Every measure Mohs computes itself.

Importing a module of formulas registers its measures; a new family joins here.
"""

from __future__ import annotations

from mohs.measures import (
    counts,
    graded,
    incomplete,
    ranked,
    scored,
    sets,
    standardised,
)
from mohs.measures.definition import MEASURES

FAMILIES = (counts, ranked, incomplete, graded, standardised, scored, sets)

__all__ = ["FAMILIES", "MEASURES"]
