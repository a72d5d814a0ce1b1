"""Numbers that a component lets its user choose, each within its bounds."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mohs.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Bounds(NamedTuple):
    """What a number must keep to; the ends belong to it unless it is ``open``."""

    low: float = 0.0
    high: float = math.inf
    open: bool = False
    whole: bool = False

    def hold(self, value: float) -> bool:
        """Say whether a number may be taken."""
        inside = self.low <= value <= self.high and math.isfinite(value)
        at_end = self.open and value in {self.low, self.high}
        return inside and not at_end and (not self.whole or float(value).is_integer())

    def __str__(self) -> str:
        number = "a whole number" if self.whole else "a number"
        if self.high < math.inf:
            between = "between {} and {}" if self.open else "from {} to {}"
            return f"{number} {between.format(f'{self.low:g}', f'{self.high:g}')}"
        return (
            f"{number} above {self.low:g}"
            if self.open
            else (f"{number}, {self.low:g} or more")
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number, what it is without a choice, and what it may be."""

    name: str
    default: float
    bounds: Bounds


def declared(
    bounds: Mapping[str, Bounds], *functions: Callable[..., object]
) -> tuple[Parameter, ...]:
    """List the parameters of functions: their keywords, in the order of the alphabet.

    A keyword that is a word of Python's ends with an underscore, which is left out.

    Examples
    --------
    >>> def smooth(values, *, lambda_=0.5): ...
    >>> declared({"lambda": Bounds(high=1.0)}, smooth)[0].name
    'lambda'
    """
    defaults = {
        name.rstrip("_"): parameter.default
        for function in functions
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    return tuple(
        Parameter(name, defaults[name], bounds[name]) for name in sorted(defaults)
    )


def settle(
    owner: str, parameters: tuple[Parameter, ...], values: Mapping[str, float]
) -> dict[str, float]:
    """Return a value for every parameter.

    Raises
    ------
    UnknownNameError
        If a value belongs to no parameter.
    InputError
        If a value is out of bounds.

    Examples
    --------
    >>> settle("PL2", (Parameter("c", 1.0, Bounds(open=True)),), {"c": 0.0})
    Traceback (most recent call last):
    mohs.errors.InputError: PL2(c=0): expected a number above 0
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in values.items():
        if name not in known:
            raise UnknownNameError(f"parameter of {owner}", name, known)
        if not known[name].bounds.hold(value):
            expected = known[name].bounds
            raise InputError(f"{owner}({name}={value:g}): expected {expected}")
    return {name: parameter.default for name, parameter in known.items()} | dict(values)


def keywords(
    function: Callable[..., object], values: Mapping[str, float]
) -> dict[str, float]:
    """Pick those values that a function takes as keywords."""
    return {name: values[name.rstrip("_")] for name in _keywords(function)}


@cache
def _keywords(function: Callable[..., object]) -> tuple[str, ...]:
    named = inspect.signature(function).parameters.values()
    return tuple(each.name for each in named if each.kind is each.KEYWORD_ONLY)
