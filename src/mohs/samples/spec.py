"""What a generated collection should look like."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from mohs.errors import InputError


def _option(default: float, least: float, most: float | None, about: str) -> Any:  # noqa: ANN401 -- what dataclasses.field returns
    metadata = {"least": least, "most": most, "help": about}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSpec:
    """Sizes and shares of a generated collection.

    The same values always give the same files. Each field carries its bounds and its
    help text, from which the command line makes its options.
    """

    systems: int = _option(12, 1, None, "systems, one run each")
    topics: int = _option(25, 1, None, "topics")
    depth: int = _option(100, 1, None, "documents a run retrieves for a topic")
    documents: int = _option(20_000, 1, None, "documents in the corpus")
    relevant: float = _option(20, 1, None, "relevant documents of a topic, on average")
    grades: int = _option(3, 1, 20, "highest grade; 1 is binary")
    pool_depth: int = _option(
        30,
        0,
        None,
        "judge this many top documents of each run; 0: all relevant ones alone",
    )
    shared: float = _option(
        0.5, 0, 1, "share of the noise common to all systems: how alike they rank"
    )
    unjudged: float = _option(0, 0, 1, "share of the pool left unjudged")
    missing: float = _option(0, 0, 1, "share of topics a run misses")
    short: float = _option(0, 0, 1, "share of topics for which a run stops early")
    seed: int = field(default=0, metadata={"help": "which collection of this kind"})

    def __post_init__(self) -> None:
        problems = [*self._out_of_bounds()]
        if self.depth > self.documents:
            problems.append(
                f"depth {self.depth} is above the {self.documents} documents; "
                "lower depth or add documents"
            )
        if problems:
            raise InputError("; ".join(problems))

    def _out_of_bounds(self) -> list[str]:
        bounds = {
            item.name: (item.metadata["least"], item.metadata["most"])
            for item in fields(self)
            if "least" in item.metadata
        }
        return [
            f"{name} must be {_range(least, most)}, got {value}"
            for name, (least, most) in bounds.items()
            if not least <= (value := getattr(self, name))
            or (most is not None and value > most)
        ]

    @property
    def candidates(self) -> int:
        """Documents that match a topic at all; the others are never retrieved."""
        return min(self.documents, max(1000, 3 * self.depth))


def _range(least: float, most: float | None) -> str:
    return f"at least {least}" if most is None else f"between {least} and {most}"
