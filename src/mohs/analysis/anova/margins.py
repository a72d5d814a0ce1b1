"""Which terms of a model contain which others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mohs.analysis.anova.design import Nesting
    from mohs.analysis.anova.formula import Term

    Space = frozenset[str]

# Of sums of squares.
Type = Literal[1, 2, 3]


def aliased(terms: Sequence[Term], nesting: Nesting) -> set[int]:
    """Return the places of terms that are functions of a term before them."""
    closures = [nesting.closure(term) for term in terms]
    return {
        place
        for place, closure in enumerate(closures)
        if any(closure <= before for before in closures[:place])
    }


def beside(
    place: int, kept: Sequence[int], closures: Sequence[Space], type_: Type
) -> list[int]:
    """Return the terms that one is adjusted for: those before it, or not above it."""
    if type_ == 1:
        return [other for other in kept if other < place]
    return [
        other
        for other in kept
        if other != place and not closures[place] <= closures[other]
    ]


def largest(closures: Iterable[Space]) -> list[Space]:
    """Return the closures that no other contains."""
    found: list[Space] = []
    for closure in sorted(set(closures), key=lambda each: (-len(each), sorted(each))):
        if not any(closure <= other for other in found):
            found.append(closure)
    return found
