"""What is asked about every topic, once its pool is formed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from mohs.errors import InputError, UnknownNameError
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RANDOM = "random"
PERMUTATIONS = 10**8  # hours of work, for a p-value of eight digits


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a system has to beat: the random re-ranker, a system, or a NDCG_std.

    The NDCG_std of the random re-ranker is 0, so it is the default of ``value``.
    """

    system: int | None = None
    value: float = 0.0

    @classmethod
    def named(cls, name: str | float, systems: Sequence[str]) -> Baseline:
        """Read a baseline; a system of that name comes before a number.

        Examples
        --------
        >>> Baseline.named("0.5", ["bm25"]), Baseline.named("1", ["bm25", "1"])
        (Baseline(system=None, value=0.5), Baseline(system=1, value=0.0))
        """
        if name == RANDOM:
            return cls()
        if name in systems:
            return cls(system=systems.index(str(name)))
        try:
            value = float(name)
        except ValueError:
            known = [RANDOM, *systems]
            raise UnknownNameError("baseline or system", str(name), known) from None
        if not math.isfinite(value):
            raise InputError(f"--baseline {name}: expected a finite number")
        return cls(value=value)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about the topics of a problem.

    ``teams`` says which systems belong together: they are drawn together by the
    bootstrap. Without ``permutations`` nothing is said about chance.
    """

    baseline: str | float = RANDOM
    interval: Literal["bootstrap", "wilson"] = "bootstrap"
    permutations: int = 10_000
    seed: int = 0
    teams: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        whole(self.permutations, "permutations", least=0)
        if not 0 <= self.permutations <= PERMUTATIONS:
            raise InputError(
                f"--permutations must be between 0 and {PERMUTATIONS}, "
                f"found {self.permutations}"
            )
