"""What a generated collection should look like."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from mohs.errors import InputError
from mohs.samples.names import SOURCES, VOLUME

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of any size: it fits what counts documents.
_MOST = 1_000_000_000

# Every choice of a phrase, or none, for the three parts of a topic.
MOST_WORDINGS = 63


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
    depth: int = _option(100, 1, 1_000_000, "documents a run retrieves for a topic")
    documents: int = _option(2000, 1, None, "documents in the corpus")
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
    formulations: int = _option(4, 1, MOST_WORDINGS, "wordings of each topic")
    corpora: int = _option(
        3, 1, len(SOURCES), "newspapers that the documents come from"
    )
    words: int = _option(
        80, 0, 100_000, "words of a document, on average; 0: write no documents"
    )
    seed: int = field(default=0, metadata={"help": "which collection of this kind"})

    def __post_init__(self) -> None:
        problems = [*self._out_of_bounds()]
        if not problems and self.depth > self.documents:
            problems.append(
                f"depth {self.depth} is above the {self.documents} documents; "
                "lower depth or add documents"
            )
        if problems:
            raise InputError("; ".join(problems))

    def _out_of_bounds(self) -> list[str]:
        given = {item.name: getattr(self, item.name) for item in fields(self)}
        return [
            f"{item.name} must be {expected}, got {given[item.name]}"
            for item in fields(self)
            if (expected := _expected(item, given[item.name]))
        ]

    def corpus_of(self, documents: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which newspaper each document comes from, counted from 0."""
        return documents // VOLUME % self.corpora

    @property
    def candidates(self) -> int:
        """Documents that match a topic at all; the others are never retrieved."""
        return min(self.documents, max(1000, 3 * self.depth))


def _expected(item: Field[Any], value: object) -> str | None:
    """Say what a field must be, if a value is something else."""
    kind = Integral if item.type == "int" else Real
    if not isinstance(value, kind) or isinstance(value, bool):
        return "a whole number" if kind is Integral else "a number"
    if "least" not in item.metadata:
        return None
    least, most = item.metadata["least"], item.metadata["most"]
    if least <= value <= (_MOST if most is None else most):
        return None
    if most is not None:
        return f"between {least} and {most:,}"
    return f"at most {_MOST:,}" if value > least else f"at least {least}"
