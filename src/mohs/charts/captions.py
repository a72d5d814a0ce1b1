"""What every chart of an analysis of variance says of it."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from mohs.tables.cells import printable

if TYPE_CHECKING:
    from mohs.analysis.anova import Anova

TYPES = {1: "I", 2: "II", 3: "III"}
# Of 11 pixels high; what does not fit in so many lines of a formula is cut.
_WIDE, _LINES = 105, 3


def about(result: Anova) -> list[str]:
    """Say what was explained, by what, and from how much."""
    formula = wrap(
        printable(str(result.formula)),
        _WIDE,
        max_lines=_LINES,
        placeholder=" …",
        break_on_hyphens=False,
    )
    facts = (
        printable(result.measure),
        f"{len(result.parts.design):,} observations",
        f"sums of squares of type {TYPES[result.type]}",
    )
    return [*formula, "; ".join(facts)]
