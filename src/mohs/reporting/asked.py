"""What a report was asked for, and what its parts are asked for in turn."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mohs._core import __version__
from mohs.analysis.anova import anova
from mohs.analysis.anova.comparisons import compare
from mohs.analysis.anova.formula import parse_formula
from mohs.errors import InputError
from mohs.files import Provenance, describe

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mohs.analysis.anova import Anova
    from mohs.scores import Scores

    Path = str | os.PathLike[str]

# What changes no result.
_UNTOLD = {"workers", "max_bytes"}
_PATHS = {"topics", "truth", "teams"}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One request; ``options`` are those that are handed on to the parts."""

    measure: str | None = None
    formula: str | None = None
    topics: Path | Mapping[str, str] | None = None
    strategies: Sequence[str] | str = ()
    truth: Path | Mapping[str, float] | None = None
    title: str | None = None
    theme: str = "blue-orange"
    command: str = ""
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def made(self, files: Mapping[str, bytes | None]) -> Provenance:
        """Record the request, and the files that it was answered from."""
        request = {
            name: getattr(self, name)
            for name in ("measure", "formula", "topics", "strategies", "truth")
        }
        request |= self.options
        told = {
            name: _named(name, value)
            for name, value in request.items()
            if name not in _UNTOLD and value is not None
        }
        sources = tuple(describe(name, content) for name, content in files.items())
        return Provenance(__version__, "report", told, sources, self.seed)


def _named(name: str, value: object) -> object:
    if isinstance(value, Mapping):
        return "given in memory"
    if name in _PATHS and isinstance(value, str | os.PathLike):
        # Folders say where it lay on one machine, and differ on the next.
        return os.path.basename(os.fspath(value))  # noqa: PTH119 (any text is a path)
    return value


def explain(scores: Scores, asked: Asked) -> tuple[Anova | None, str]:
    """Analyse the variance of scores; if that is impossible, say why.

    A model that the user wrote has to be possible.
    """
    formula = asked.formula or _usual(scores)
    factors = {name for term in parse_formula(formula).terms for name in term}
    try:
        result = _with_population(scores, formula, factors, asked.seed)
        if "system" in factors:
            # The letters need no randomised test, which takes longer than all else.
            found = compare(result.parts, "system", asked.seed, shuffles=0)
            result = replace(result, comparisons=found)
    except InputError as error:
        if asked.formula:
            raise
        return None, str(error)
    return result, ""


def _with_population(
    scores: Scores, formula: str, factors: Collection[str], seed: int
) -> Anova:
    """Take topics for a sample of a population, unless the design is too much."""
    if "topic" in factors and len(factors) > 1:
        with suppress(InputError):
            return anova(scores, formula, random="topic", seed=seed)
    return anova(scores, formula, seed=seed)


def _usual(scores: Scores) -> str:
    """Model topics and systems, and what else tells observations apart."""
    terms = ["topic", "system"]
    if _varies(scores, "formulation"):
        terms += ["topic:formulation", "topic:system"]
    if _varies(scores, "corpus"):
        terms += ["corpus", "topic:corpus", "system:corpus", "topic:system"]
    return f"~ {' + '.join(dict.fromkeys(terms))}"


def _varies(scores: Scores, name: str) -> bool:
    return name in scores.factors and len(scores.factors[name].levels) > 1
