"""What is wanted of score tables, and how to read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mohs.errors import UnknownNameError
from mohs.scores.observations import check_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mohs.scores.conditions import Condition
    from mohs.scores.layouts import Orient
    from mohs.trec.formulations import Rule


@dataclass(frozen=True, slots=True)
class Request:
    """The options of `read_scores`, resolved."""

    conditions: tuple[Condition, ...]
    renames: Mapping[str, str]
    measure: str | None
    orient: Orient | None
    formulation: Rule | None
    canonical: Callable[[str], str]
    is_measure: Callable[[str], bool]
    max_bytes: int

    def renamed(self, names: Sequence[str], source: str) -> tuple[str, ...]:
        """Return the names of columns after renaming."""
        for old in self.renames.values():
            if old not in names:
                raise UnknownNameError(f"column in {source}", old, names)
        new = {old: new for new, old in self.renames.items()}
        named = tuple(new.get(name, name) for name in names)
        check_distinct(named, source)
        return named
