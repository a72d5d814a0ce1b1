"""What a ranking model is: a weight for each posting, and what a query makes of it.

A model is one function over `Postings`, registered once with `model`. The score of a
document is the sum over the terms it shares with the query of what the model makes of
the term's weight in the query, times the weight of the posting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.registry import Registry
from mohs.retrieval.parameters import Bounds, declared, keywords, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from mohs.retrieval.parameters import Parameter
    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]
    Formula = Callable[..., Floats]


# A letter means the same in every model, so its bounds stand here once.
_BOUNDS = {
    "b": Bounds(high=1.0),
    "c": Bounds(open=True),
    "delta": Bounds(),
    "k1": Bounds(),
    "k3": Bounds(),
    "lambda": Bounds(high=1.0, open=True),
    "mu": Bounds(open=True),
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
    mohs.errors.InputError: PL2(c=0): expected a number above 0
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
        return settle(self.name, self.parameters, values or {})

    def weigh(
        self, postings: Postings, values: Mapping[str, float] | None = None
    ) -> Floats:
        """Weigh each posting for a query that weighs its term 1, (postings,).

        Where the formula has no finite value, the weight is 0.
        """
        return _finite(self.formula, postings, self.settle(values))

    def query(
        self, weights: Floats, values: Mapping[str, float] | None = None
    ) -> Floats:
        """Return by what to multiply weights of postings, for terms of a query (n,)."""
        return _finite(self.saturation, weights, self.settle(values))


def _finite(function: Formula, of: object, values: Mapping[str, float]) -> Floats:
    with np.errstate(all="ignore"):
        weights = function(of, **keywords(function, values))
    return np.where(np.isfinite(weights), weights, 0.0)


MODELS: Registry[Model] = Registry("model")


def model(
    name: str, source: str, query: Formula = identity
) -> Callable[[Formula], Formula]:
    """Register the decorated formula as a ranking model."""

    def register(formula: Formula) -> Formula:
        parameters = declared(_BOUNDS, query, formula)
        MODELS.add(name)(Model(name, source, formula, query, parameters))
        return formula

    return register
