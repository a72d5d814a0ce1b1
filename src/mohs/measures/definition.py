"""What a measure is: a formula, its parameters, and what may be said of it.

A measure is one function over `Cells`, registered once with `measure`. Its docstring
cites the paper and shows an example; everything else (spelling, averaging, bounds,
trec_eval's name, which documents may be left out) is declared beside it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Formula = Callable[..., NDArray[np.float64]]
    Averaged = Literal["mean", "geometric", "sum"]

Value = int | float | str | bool
Follows = Literal["", "level", "gain", "highest"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LARGEST_RANK = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a measure lets its user choose.

    ``read`` turns text into a value or raises ValueError, and ``accepts`` is the
    phrase shown then. Without a value, ``default`` is taken, or what the evaluation
    was asked for where ``follows`` says so: its relevance level, its gain function, or
    the highest relevance that its gain function can meet, if that is known.
    ``printed`` is how trec_eval writes it, ``example`` a value to suggest.
    """

    name: str
    read: Callable[[str], Value]
    accepts: str
    default: Value | None = None
    required: bool = False
    follows: Follows = ""
    printed: str = "{}"
    example: str = ""


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a measure.

    ``preset`` are parameters that the name implies, ``argument`` the parameter that
    trec_eval's ``name.value`` sets, ``family`` the values meant by the bare name.
    """

    name: str
    preset: tuple[tuple[str, Value], ...] = ()
    argument: str = ""
    family: tuple[float, ...] = ()
    trec_eval: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """Everything known of a measure.

    ``formula`` takes cells and the parameters as keywords and returns (C,) values.
    ``averaged`` is how topics become one number, ``bounds`` hold for each value.
    ``judged`` says that judged documents without relevance matter, so that none may
    be left out; ``graded`` that fractions of a grade count, which trec_eval cuts off;
    ``scored`` that judgments hold scores, of which one below zero is as good as others.
    ``nullable`` says that a topic may have no value, NaN, and means leave it out then.
    ``explicit`` names the measure this one becomes once its ``rel`` is spelled out.
    ``caveat`` is what to know of its means over topics.
    """

    name: str
    formula: Formula
    parameters: tuple[Parameter, ...]
    cutoff: Parameter | None
    aliases: tuple[Alias, ...]
    averaged: Averaged
    bounds: tuple[float, float]
    judged: bool
    graded: bool
    scored: bool
    nullable: bool
    explicit: str
    caveat: str

    def takes(self) -> tuple[Parameter, ...]:
        """List the parameters, the cut-off last."""
        return (*self.parameters, *([self.cutoff] if self.cutoff else []))


MEASURES: Registry[Definition] = Registry("measure")


def measure(  # noqa: PLR0913 (one keyword for each thing a measure declares)
    name: str,
    *parameters: Parameter,
    cutoff: Parameter | None = None,
    aliases: tuple[Alias, ...] = (),
    averaged: Averaged = "mean",
    bounds: tuple[float, float] = (0.0, 1.0),
    judged: bool = False,
    graded: bool = False,
    scored: bool = False,
    nullable: bool = False,
    explicit: str = "",
    caveat: str = "",
) -> Callable[[Formula], Formula]:
    """Register the decorated formula as a measure."""

    def register(formula: Formula) -> Formula:
        definition = Definition(
            name=name,
            formula=formula,
            parameters=parameters,
            cutoff=cutoff,
            aliases=aliases,
            averaged=averaged,
            bounds=bounds,
            judged=judged,
            graded=graded,
            scored=scored,
            nullable=nullable,
            explicit=explicit,
            caveat=caveat,
        )
        MEASURES.add(name)(definition)
        return formula

    return register


def trec(
    name: str,
    argument: str = "",
    family: tuple[float, ...] = (),
    **preset: Value,
) -> Alias:
    """Name a measure as trec_eval does."""
    return Alias(name, tuple(preset.items()), argument, family, trec_eval=True)


def real(text: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Read a finite decimal number between two bounds, both included."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    value = float(text)
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(text)
    return value


def _rank(text: str) -> int:
    value = real(text, 1, _LARGEST_RANK)
    if value != int(value):
        raise ValueError(text)
    return int(value)


def _grade(text: str) -> int | float:
    value = real(text, 0)
    return int(value) if value.is_integer() else value


def _flag(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


def _positive(text: str) -> int | float:
    value = _grade(text)
    if not 0 < value <= 1000:  # beyond it 2 ** grade is no finite number
        raise ValueError(text)
    return value


def _persistence(text: str) -> float:
    value = real(text, 0, 1)
    if value in {0, 1}:
        raise ValueError(text)
    return value


def choice(name: str, *options: str, follows: Follows = "") -> Parameter:
    """Make a parameter of a few words, the first being the default."""

    def read(text: str) -> str:
        return {option: option for option in options}[text.strip("'\"")]

    listed = " or ".join(repr(option) for option in options)
    return Parameter(name, read, listed, options[0], follows=follows)


RANK = Parameter("cutoff", _rank, f"a whole number from 1 to {_LARGEST_RANK}")
NEEDS_RANK = replace(RANK, required=True, example="10")
RECALL = Parameter(
    "cutoff",
    lambda text: real(text, 0, 1),
    "a recall from 0 to 1",
    required=True,
    printed="{:.2f}",
    example="0.1",
)
REL = Parameter("rel", _grade, "a grade, 0 or more", 1, follows="level")
OPTIONAL_REL = Parameter("rel", _grade, "a grade, 0 or more")
JUDGED_ONLY = Parameter("judged_only", _flag, "True or False", default=False)
RELATIVE = Parameter("relative", _flag, "True or False", default=False)
BETA = Parameter(
    "beta", lambda text: real(text, 0), "a number, 0 or more", 1.0, printed="{:g}"
)
BLEND = Parameter(
    "beta", lambda text: real(text, 0, 1e6), "a number from 0 to 1000000", 1.0
)
PERSISTENCE = Parameter("p", _persistence, "a number above 0 and below 1", 0.8)
HIGHEST = Parameter("max", _positive, "a grade above 0", default=4, follows="highest")

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
