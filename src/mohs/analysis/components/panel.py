"""Panels: the scores of one measure, systems by cases, and what systems are made of.

A case is a topic, or a topic in one corpus or formulation, under which every system was
observed once. A column that is a function of the system describes it; a column that is
not tells cases apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.tables import Factor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from mohs.scores import Scores

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

# Columns of a table of scores that are no part of a system, whatever they hold.
OTHERS = frozenset({"corpus", "collection", "formulation", "team"})


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Scores of S systems in K cases of T topics.

    ``values`` (S, K) are NaN where nothing was observed; ``topics`` name the topics,
    and ``topic`` (K,) says which each case is of. ``traits`` (S,) describe the systems,
    by column, and ``contexts`` name the columns that tell cases of a topic apart.
    """

    values: Floats
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    traits: Mapping[str, Factor]
    contexts: tuple[str, ...]

    @classmethod
    def of(cls, scores: Scores) -> Panel:
        """Lay out the observations of one measure.

        Raises
        ------
        InputError
            If a system was observed twice in one case, or nothing has a value.
        """
        known = ~np.isnan(scores.values)
        if not known.any():
            raise InputError("no observation has a value")
        system, topic, *others = (
            each.take(known).arranged() for each in scores.factors.values()
        )
        named = dict(zip([*scores.factors][2:], others, strict=True))
        traits = {
            name: Factor(each.levels, _first(system.codes, each.codes))
            for name, each in named.items()
            if _describes(system, each)
        }
        contexts = {name: each for name, each in named.items() if name not in traits}
        case = combined([topic, *contexts.values()])
        cells = system.codes * (case.max() + 1) + case
        if len(np.unique(cells)) < len(cells):
            raise InputError(_twice(system, topic, cells))
        values = np.full((len(system.levels), int(case.max()) + 1), np.nan)
        values.flat[cells] = scores.values[known]
        return cls(
            values,
            topic.levels,
            _first(case, topic.codes),
            traits,
            tuple(contexts),
        )

    @property
    def components(self) -> tuple[str, ...]:
        """The columns that say what a system is made of, and vary."""
        return tuple(
            name
            for name, each in self.traits.items()
            if name not in OTHERS and len(each.levels) > 1
        )

    def keys(self, component: str) -> Codes:
        """Return numbers of systems (S,), the same where they differ in it alone."""
        others = [each for name, each in self.traits.items() if name != component]
        return combined(others) if others else np.zeros(len(self.values), np.int64)


def combined(factors: Iterable[Factor]) -> Codes:
    """Return numbers of the combinations of levels, in the order of the levels.

    Examples
    --------
    >>> one, two = Factor.of(["a", "b", "a"]), Factor.of(["x", "x", "y"])
    >>> combined([one, two]).tolist()
    [0, 2, 1]
    """
    first, *others = factors
    codes: Codes = np.unique(first.codes, return_inverse=True)[1]
    for each in others:
        codes = codes * len(each.levels) + each.codes
        codes = np.unique(codes, return_inverse=True)[1]
    return codes.astype(np.int64)


def _describes(system: Factor, other: Factor) -> bool:
    """Return whether every system has one level of another factor."""
    return bool((_first(system.codes, other.codes)[system.codes] == other.codes).all())


def _first(groups: NDArray[np.integer], codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a code of every group, the only one if it has only one."""
    found = np.zeros(int(groups.max()) + 1, np.int32)
    found[groups] = codes
    return found


def _twice(system: Factor, topic: Factor, cells: Codes) -> str:
    order = np.argsort(cells, kind="stable")
    row = order[1:][np.diff(cells[order]) == 0][0]
    where = f"system {system.levels[system.codes[row]]}, topic"
    return (
        f"{where} {topic.levels[topic.codes[row]]}: observed twice under the same"
        " levels of every column; remove the duplicates"
    )
