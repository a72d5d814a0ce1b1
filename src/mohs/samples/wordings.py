"""Several wordings of a topic, some good, some bad.

A topic has three parts (thing, aspect and place), and each part three phrases. Those
who write about the topic prefer some phrases to others: their shares of the mentions
of a part follow a Dirichlet distribution. A wording chooses a phrase for every part or
leaves the part out; its quality is the share of plain mentions that it matches. The
first wording is the title.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from mohs.samples.names import topic_parts
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mohs.samples.spec import SampleSpec

# Of the Dirichlet distribution of a part's phrases, the title's first.
PREFERENCES = (3.0, 1.8, 1.0)
LEFT_OUT = len(PREFERENCES)
# Titles say everything; other wordings rather often leave something out.
ODDS = (0.4, 0.3, 0.18, 0.12)
CHOICES = tuple(
    choice
    for choice in product(range(LEFT_OUT + 1), repeat=3)
    if any(choice) and choice.count(LEFT_OUT) < len(choice)
)


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to ask for a topic.

    ``quality`` is the share of the topic's mentions in plain words that it matches.
    """

    topic: str
    formulation: str
    query: str
    quality: float


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What may be said of a topic: 3 parts of 3 phrases, and the (3, 3) shares."""

    phrases: tuple[tuple[str, ...], ...]
    shares: NDArray[np.float64]


def draw_parts(spec: SampleSpec, topic: str, number: int) -> Parts:
    """Draw how often each phrase of a topic is used by those who know it."""
    start = int(stream(spec.seed, "sample", "titles").integers(2**31))
    phrases = topic_parts(number, start)
    draws = stream(spec.seed, "sample", "phrases", topic)
    return Parts(phrases, draws.dirichlet(PREFERENCES, size=len(phrases)))


def draw_wordings(spec: SampleSpec, topic: str, parts: Parts) -> tuple[Wording, ...]:
    """Draw the wordings of a topic; more of them leave the first in place."""
    odds = [ODDS[a] * ODDS[b] * ODDS[c] for a, b, c in CHOICES]
    draws = stream(spec.seed, "sample", "wordings", topic)
    # The smallest of exponential times are a sample without replacement.
    times = draws.standard_exponential(len(odds)) / odds
    chosen = [(0, 0, 0), *(CHOICES[place] for place in times.argsort(kind="stable"))]
    return tuple(
        _word(topic, str(position), parts, choice)
        for position, choice in enumerate(chosen[: spec.formulations], start=1)
    )


def _word(
    topic: str, formulation: str, parts: Parts, choice: tuple[int, ...]
) -> Wording:
    said = [(part, phrase) for part, phrase in enumerate(choice) if phrase != LEFT_OUT]
    shares = [float(parts.shares[place]) for place in said]
    return Wording(
        topic=topic,
        formulation=formulation,
        query=" ".join(parts.phrases[part][phrase] for part, phrase in said),
        quality=round(sum(shares) / len(choice), 4),
    )
