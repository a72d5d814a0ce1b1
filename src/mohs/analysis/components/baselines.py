"""Baselines: the systems that a component's levels are compared with.

A baseline that is asked for may have several conditions, which hold together: no
stemmer and no expansion. Where none is asked for, every component has its own: the
level that stands for doing without it, or else its first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mohs.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.components.panel import Panel

Asked: TypeAlias = str | Sequence[str] | Mapping[str, str]

# What a component is called that is not there; also "no" and the column's own name.
_WITHOUT = ("none", "no", "off", "without", "nostop", "nostem", "noqe", "")


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """What one component is compared with.

    ``level`` is its own level in the baseline, ``name`` tells the whole baseline, and
    ``systems`` (S,) says which systems are in it.
    """

    component: str
    level: str
    name: str
    systems: NDArray[np.bool_]


def parse_baseline(asked: Asked) -> Mapping[str, str]:
    """Return the level of every column that a baseline names.

    Examples
    --------
    >>> parse_baseline(["stemmer=none", "expansion=none"])
    {'stemmer': 'none', 'expansion': 'none'}
    """
    if isinstance(asked, Mapping):
        return asked
    levels: dict[str, str] = {}
    for text in [asked] if isinstance(asked, str) else asked:
        name, sign, level = text.partition("=")
        if not (name and sign):
            raise InputError(f"--baseline {text}: expected COLUMN=LEVEL")
        if levels.setdefault(name, level) != level:
            raise InputError(
                f"--baseline: {name} cannot be both {levels[name]} and {level}"
            )
    return levels


def asked_baselines(panel: Panel, levels: Mapping[str, str]) -> list[Baseline]:
    """Return the baseline of each component that is named, which is one for all.

    Raises
    ------
    UnknownNameError
        If there is no such component or level.
    InputError
        If no system has all of the levels.
    """
    chosen = np.ones(len(panel.values), np.bool_)
    for name, level in levels.items():
        _check(panel, name, level)
        chosen &= _at(panel, name, level)
    told = [f"{name}={level}" for name, level in levels.items()]
    if not chosen.any():
        raise InputError(f"--baseline: no system has {' and '.join(told)}")
    return [
        Baseline(name, level, ", ".join(told) if len(told) > 1 else level, chosen)
        for name, level in levels.items()
    ]


def default_baselines(panel: Panel) -> tuple[list[Baseline], str]:
    """Return a baseline for every component, and a sentence on how they were chosen."""
    found, unsure = [], []
    for name in panel.components:
        levels = panel.traits[name].levels
        words = {*_WITHOUT, f"no{name.casefold()}"}
        without = next((each for each in levels if each.casefold() in words), None)
        level = levels[0] if without is None else without
        unsure += [name] if without is None else []
        found.append(Baseline(name, level, level, _at(panel, name, level)))
    told = ", ".join(f"{each.component}={each.level}" for each in found)
    note = f"the baseline of each component is {told}"
    if unsure:
        note += f" (the first level of {' and '.join(unsure)}, which has none for none)"
    return found, f"{note}; choose another with --baseline COLUMN=LEVEL"


def _at(panel: Panel, name: str, level: str) -> NDArray[np.bool_]:
    trait = panel.traits[name]
    found: NDArray[np.bool_] = trait.codes == trait.levels.index(level)
    return found


def _check(panel: Panel, name: str, level: str) -> None:
    if name in panel.contexts:
        raise InputError(
            f"--baseline {name}={level}: {name} varies within a system, so it is no"
            " component of it"
        )
    if name not in panel.components:
        raise UnknownNameError("component", name, panel.components)
    levels = panel.traits[name].levels
    if level not in levels:
        raise UnknownNameError(f"level of {name}", level, levels)
