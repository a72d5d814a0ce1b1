"""What a ranking model is: a weight for each posting, and what a query makes of it.

A model is one function over `Postings`, registered once with `model`. The score of a
document is the sum over the terms it shares with the query of what the model makes of
the term's weight in the query, times the weight of the posting.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]
    Formula = Callable[..., Floats]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a model lets its user choose, within ``low`` and ``high``."""

    name: str
    default: float
    low: float
    high: float
    open: bool

    def check(self, value: float) -> float:
        """Return the value, or refuse one that is out of bounds."""
        inside = (
            self.low < value < self.high
            if self.open
            else self.low <= value <= self.high
        )
        if not (inside and np.isfinite(value)):
            raise InputError(f"{self.name}={value:g}: expected {self.accepts}")
        return value

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        if np.isfinite(self.high):
            between = "between" if self.open else "from"
            to = "and" if self.open else "to"
            return f"a number {between} {self.low:g} {to} {self.high:g}"
        return "a number above 0" if self.open else "a number, 0 or more"


# A letter means the same in every model, so its bounds stand here once.
_BOUNDS = {
    "b": (0.0, 1.0, False),
    "c": (0.0, np.inf, True),
    "delta": (0.0, np.inf, False),
    "k1": (0.0, np.inf, False),
    "k3": (0.0, np.inf, False),
    "lambda": (0.0, 1.0, True),
    "mu": (0.0, np.inf, True),
}


def identity(weights: Floats) -> Floats:
    """Let a term count as often as the query says it."""
    return weights


@dataclass(frozen=True, slots=True)
class Model:
    """Everything known of a ranking model.

    ``formula`` takes postings and the parameters as keywords and returns (postings,)
    weights. ``saturation`` takes the weights of a query's terms, the largest being 1,
    and those of the parameters that it names.

    Examples
    --------
    >>> from mohs.retrieval.models import MODELS
    >>> from mohs.retrieval.postings import Postings, Statistics
    >>> one = np.ones(1)
    >>> postings = Postings(3 * one, 8 * one, 2 * one, 4 * one, Statistics(9, 90, 7, 9))
    >>> MODELS["PL2"].weigh(postings, {"c": 2.0}).round(4)
    array([2.3249])
    >>> MODELS["PL2"].weigh(postings, {"c": 0.0})
    Traceback (most recent call last):
    mohs.errors.InputError: PL2: c=0: expected a number above 0
    """

    name: str
    source: str
    formula: Formula
    saturation: Formula
    parameters: tuple[Parameter, ...]

    def settle(self, values: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return a value for every parameter.

        Raises
        ------
        UnknownNameError
            If a value belongs to no parameter.
        InputError
            If a value is out of bounds.
        """
        values = values or {}
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in values:
            if name not in known:
                raise UnknownNameError(f"parameter of {self.name}", name, known)
        try:
            return {
                name: parameter.check(float(values.get(name, parameter.default)))
                for name, parameter in known.items()
            }
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None

    def weigh(
        self, postings: Postings, values: Mapping[str, float] | None = None
    ) -> Floats:
        """Weigh each posting for a query that weighs its term 1, (postings,).

        Where the formula has no finite value, the weight is 0.
        """
        with np.errstate(all="ignore"):
            weights = _call(self.formula, postings, self.settle(values))
        return np.where(np.isfinite(weights), weights, 0.0)

    def query(
        self, weights: Floats, values: Mapping[str, float] | None = None
    ) -> Floats:
        """Return by what to multiply weights of postings, for terms of a query (n,)."""
        return _call(self.saturation, weights, self.settle(values))


MODELS: Registry[Model] = Registry("model")


def model(
    name: str, source: str, query: Formula = identity
) -> Callable[[Formula], Formula]:
    """Register the decorated formula as a ranking model."""

    def register(formula: Formula) -> Formula:
        defaults = _defaults(query) | _defaults(formula)
        parameters = tuple(
            Parameter(letter, defaults[letter], *_BOUNDS[letter])
            for letter in sorted(defaults)
        )
        MODELS.add(name)(Model(name, source, formula, query, parameters))
        return formula

    return register


def _defaults(function: Formula) -> dict[str, float]:
    return {
        name.rstrip("_"): parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def _call(function: Formula, argument: object, values: Mapping[str, float]) -> Floats:
    named = inspect.signature(function).parameters
    wanted = {name: values[name.rstrip("_")] for name in list(named)[1:]}
    return function(argument, **wanted)
