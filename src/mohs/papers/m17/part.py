"""What each part of the paper comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mohs.gains.control import Fitting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mohs.gains.control import Variant
    from mohs.papers.definition import Comparison, Exhibit


@dataclass(frozen=True, slots=True)
class Part:
    """Comparisons, exhibits and notes of some tables or figures."""

    comparisons: tuple[Comparison, ...]
    exhibits: tuple[Exhibit, ...]
    notes: tuple[str, ...] = ()


# Who says how φ is made: the text of the paper, or its authors' program.
VARIANTS: Mapping[Variant, Fitting] = {
    "paper": Fitting.asked(variant="paper"),
    "authors": Fitting.asked(variant="authors"),
}
SPOKEN: Mapping[Variant, str] = {
    "paper": "as the text says",
    "authors": "as the authors' program does",
}
