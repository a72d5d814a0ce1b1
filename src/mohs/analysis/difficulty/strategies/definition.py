"""What a strategy is: a formula, its direction, and the classes it makes.

A strategy is one function over `Evidence` with its registration above it; its name, its
columns and the laws in the tests follow from that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from mohs.analysis.difficulty.opinion import Opinion
from mohs.analysis.difficulty.strategies.class_rules import ClassRule, no_classes
from mohs.analysis.difficulty.strategies.evidence import Evidence, evidence_of
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Problem

    Floats = NDArray[np.float64]

ALL = "all"
DEPTH = 100  # how much of a list is looked at, where scores or documents are

Needs = Literal["values", "scores", "documents"]


class Formula(Protocol):
    """Says how hard or easy topics are."""

    def __call__(self, evidence: Evidence, /) -> Floats:
        """Return the value of each topic (T,), NaN where nothing can be said."""
        ...


class Remarks(Protocol):
    """Says what to know of a strategy's values."""

    def __call__(self, evidence: Evidence, /) -> Sequence[str]:
        """Return sentences for the user."""
        ...


def _nothing(evidence: Evidence) -> Sequence[str]:
    del evidence
    return ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to say how hard topics are.

    ``high_is_easy`` gives the direction of the values. ``needs`` is the part of the
    evidence that is looked at: values of the measure, scores, or documents. ``about``
    says in words what is computed, where ``{measure}`` and ``{depth}`` stand for those
    of the evidence.
    """

    name: str
    formula: Formula
    high_is_easy: bool
    needs: Needs
    about: str
    classes: ClassRule = field(default=no_classes)
    remarks: Remarks = field(default=_nothing)

    def __call__(self, evidence: Evidence) -> Opinion:
        """Return the values and classes of the topics."""
        values = self.formula(evidence)
        ease = values if self.high_is_easy else -values
        return Opinion(
            name=self.name,
            values=values,
            classes=self.classes(ease, evidence.topics),
            high_is_easy=self.high_is_easy,
            label=self.about.format(measure=evidence.measure, depth=evidence.depth),
            notes=tuple(f"{self.name}: {each}" for each in self.remarks(evidence)),
        )


STRATEGIES: Registry[Strategy] = Registry("strategy")


def strategy(  # noqa: PLR0913 (the fields of a strategy)
    name: str,
    *,
    easy: Literal["high", "low"],
    needs: Needs,
    about: str,
    classes: ClassRule = no_classes,
    remarks: Remarks = _nothing,
) -> Callable[[Formula], Formula]:
    """Register the decorated formula; see `Strategy`."""

    def register(formula: Formula) -> Formula:
        entry = Strategy(name, formula, easy == "high", needs, about, classes, remarks)
        STRATEGIES.add(name)(entry)
        return formula

    return register


def chosen(names: Sequence[str] | str) -> tuple[Strategy, ...]:
    """Look up strategies by name; ``all`` stands for every one.

    Raises
    ------
    UnknownNameError
        If there is no strategy of a name.
    """
    asked = [names] if isinstance(names, str) else names
    every = STRATEGIES.names()
    spelled = [each for name in asked for each in (every if name == ALL else (name,))]
    return tuple(STRATEGIES[name] for name in dict.fromkeys(spelled))


def depth_of(names: Sequence[str] | str) -> int:
    """Return how much of every list strategies look at: what a reader has to keep."""
    return max((0 if s.needs == "values" else DEPTH for s in chosen(names)), default=0)


def opinions(
    problem: Problem, names: Sequence[str] | str = ALL, *, measure: str = "AP"
) -> tuple[Opinion, ...]:
    """Ask strategies about the topics of a problem.

    Parameters
    ----------
    problem
        Its rankings should hold the first `depth_of` documents of every list; of lists
        that hold fewer, those are looked at.
    names
        Strategies, or ``all``.
    measure
        What takes the place of AP.
    """
    evidence = evidence_of(problem, depth=depth_of(names), measure=measure)
    return consult(chosen(names), evidence)


def consult(strategies: Sequence[Strategy], evidence: Evidence) -> tuple[Opinion, ...]:
    """Ask strategies about the topics of some evidence."""
    return tuple(each(evidence) for each in strategies)
