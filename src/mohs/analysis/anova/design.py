"""Designs: values of one measure under the levels of a model's factors.

Nesting is read off the data: a factor each of whose levels occurs under one level of
another is a function of that other (a system has one stemmer; a formulation whose ids
are unique has one topic). So a term stands for more factors than it names, and levels
that repeat across parents and levels that are unique to one mean the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.formula import Term
    from mohs.scores import Scores

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """N values and the levels they were observed under.

    ``values`` (N,) have no gaps; ``codes`` (N,) of every factor index its ``levels``,
    all of which occur; ``left_out`` counts the observations without a value.
    """

    values: Floats
    levels: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, Codes]
    left_out: int = 0

    @classmethod
    def of(cls, scores: Scores, factors: Sequence[str]) -> Design:
        """Take the values of one measure, and the factors that a model names.

        Raises
        ------
        UnknownNameError
            If the scores have no such column.
        InputError
            If a column has one level only, or nothing varies.
        """
        for name in factors:
            if name not in scores.factors:
                raise UnknownNameError("column", name, scores.factors)
        known = ~np.isnan(scores.values)
        left_out = len(scores) - int(known.sum())
        chosen = {name: scores.factors[name] for name in factors}
        if left_out:
            chosen = {
                name: each.take(known).arranged() for name, each in chosen.items()
            }
        values = scores.values[known] if left_out else scores.values
        _check(values, {name: each.levels for name, each in chosen.items()})
        return cls(
            values,
            MappingProxyType({name: each.levels for name, each in chosen.items()}),
            MappingProxyType(
                {name: each.codes.astype(np.int64) for name, each in chosen.items()}
            ),
            left_out,
        )

    def __len__(self) -> int:
        return len(self.values)

    def size(self, name: str) -> int:
        """Return the number of levels of a factor."""
        return len(self.levels[name])

    def with_values(self, values: Floats) -> Design:
        """Return the same observations with other values."""
        return Design(values, self.levels, self.codes, self.left_out)

    def cells(self, factors: Iterable[str]) -> Codes:
        """Return the number of each observation's (N,) combination of levels."""
        names = list(factors)
        codes = np.zeros(len(self), dtype=np.int64)
        size = 1
        for name in names:
            codes = codes * self.size(name) + self.codes[name]
            size *= self.size(name)
            if size > _LARGEST_KEY // max(map(len, self.levels.values())):
                codes, size = compact(codes, size)
        return compact(codes, size)[0]


_LARGEST_KEY = 1 << 62
_LOOKUP = 8  # entries of a table for each observation, up to which looking up is faster


def compact(codes: Codes, size: int) -> tuple[Codes, int]:
    """Renumber codes below a size so that each occurs; return them and their number.

    Examples
    --------
    >>> numbers, count = compact(np.array([7, 3, 7]), 8)
    >>> numbers.tolist(), count
    ([1, 0, 1], 2)
    """
    if size <= _LOOKUP * len(codes) + 1024:
        used = np.bincount(codes, minlength=size) > 0
        numbers = np.cumsum(used) - 1
        return numbers[codes], int(used.sum())
    distinct, places = np.unique(codes, return_inverse=True)
    return places.astype(np.int64), len(distinct)


def sum_of_squares(values: Floats, weights: Floats | float = 1.0) -> float:
    """Return the weighted sum of squares of values of any shape.

    Not by BLAS, which adds up in an order that depends on how many threads it has.

    Examples
    --------
    >>> sum_of_squares(np.array([1.0, 2.0]), np.array([1.0, 3.0]))
    13.0
    """
    return float((weights * np.square(values)).sum())


def _check(values: Floats, levels: Mapping[str, Sequence[str]]) -> None:
    if not len(values):
        raise InputError("no observation has a value")
    constant = [name for name, each in levels.items() if len(each) == 1]
    if constant:
        listed = ", ".join(f"{name} ({levels[name][0]})" for name in constant)
        raise InputError(
            f"only one level of: {listed}; leave it out of the formula, or choose more"
            " observations"
        )
    if values.min() == values.max():
        raise InputError(
            f"all {len(values):,} values are {values[0]:g}, so there is nothing to"
            " explain"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Nesting:
    """Which factors are functions of which.

    ``parents`` map every factor to those that it determines.
    """

    parents: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, design: Design) -> Nesting:
        """Find the functions among the factors of a design."""
        return cls({name: _parents(design, name) for name in design.levels})

    @classmethod
    def crossed(cls, design: Design) -> Nesting:
        """Return the nesting of a design known to have none."""
        return cls(dict.fromkeys(design.levels, frozenset()))

    def closure(self, term: Iterable[str]) -> frozenset[str]:
        """Return a term's factors and all that are functions of them."""
        named = frozenset(term)
        return named.union(*(self.parents[name] for name in named))

    def free(self, term: Iterable[str]) -> frozenset[str]:
        """Return the fewest factors whose combinations are those of the term."""
        whole = self.closure(term)
        kept: list[str] = []
        for name in sorted(whole, key=lambda each: (len(self.parents[each]), each)):
            kept = [other for other in kept if other not in self.parents[name]]
            if not any(name in self.parents[other] for other in kept):
                kept.append(name)
        return frozenset(kept)


def _parents(design: Design, name: str) -> frozenset[str]:
    return frozenset(
        other
        for other in design.levels
        if other != name and _determines(design, name, other)
    )


def _determines(design: Design, name: str, other: str) -> bool:
    """Return whether every level of a factor occurs under one level of another."""
    if design.size(name) < design.size(other):
        return False
    first = np.zeros(design.size(name), dtype=np.int64)
    first[design.codes[name]] = design.codes[other]
    return bool((first[design.codes[name]] == design.codes[other]).all())


def describe(design: Design, terms: Sequence[Term], nesting: Nesting) -> Iterator[str]:
    """Say in words what a design lacks: combinations of levels, and connections."""
    largest = {nesting.free(nesting.closure(term)) for term in terms}
    for factors in sorted(largest, key=lambda each: (-len(each), sorted(each))):
        if any(factors < other for other in largest):
            continue
        names = [name for name in design.levels if name in factors]
        total = prod(design.size(name) for name in names)
        missing = total - int(design.cells(names).max()) - 1
        if missing:
            listed = " and ".join(names)
            yield f"{missing:,} of {total:,} combinations of {listed} have no value"
    yield from _describe_parts(design, terms, nesting)


def _describe_parts(
    design: Design, terms: Sequence[Term], nesting: Nesting
) -> Iterator[str]:
    alone = [term[0] for term in terms if len(term) == 1]
    for one, other in combinations(alone, 2):
        if other in nesting.parents[one] or one in nesting.parents[other]:
            continue
        parts = connected(design.codes[one], design.codes[other])
        if parts > 1:
            yield (
                f"{one} and {other} fall into {parts:,} parts that no observation"
                " connects, and differences between parts cannot be told apart"
            )


def connected(one: Codes, other: Codes) -> int:
    """Return the number of parts that observations (N,) under two factors fall into.

    Examples
    --------
    >>> connected(np.array([0, 0, 1]), np.array([0, 1, 2]))
    2
    """
    from scipy import sparse

    first = int(one.max()) + 1
    size = first + int(other.max()) + 1
    edges = sparse.coo_array((np.ones(len(one)), (one, other + first)), (size, size))
    return int(sparse.csgraph.connected_components(edges, directed=False)[0])
