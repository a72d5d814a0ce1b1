"""The statistical model behind a generated collection; see the package's text.

Every draw has its own stream: what belongs to a topic is keyed by the topic, what a
system does with it by both. Options are applied to draws that are made in any case, so
changing one option leaves all else in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.names import document_ids, system_id, topic_id, topic_title
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.samples.spec import SampleSpec

SIGNAL = 1.9  # separation of the best grade for the middle system and topic
BY_DIFFICULTY = (
    1.8  # how far the separation moves from the hardest topic to the easiest
)
BY_QUALITY = 0.9  # the same from the worst system to the best
BY_BOTH = 0.2  # standard deviation of the interaction of system and topic
SHAPE = 4.0  # of the gamma distribution of relevant documents over topics
GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """One drawn topic and its C candidates, the documents that match it.

    Candidates stand in falling order of their ids, so that a stable sort by score
    breaks ties as trec_eval does.

    ``difficulty`` lies between 0, the hardest, and 1, the easiest. ``numbers`` (C,)
    are positions in the corpus, ``documents`` (C,) ids, ``grades`` (C,) what a judge
    would say, ``noise`` (C,) the error common to all systems and ``fate`` (C,) a
    uniform number: documents below the unjudged share escape the judges.
    """

    id: str
    title: str
    difficulty: float
    numbers: NDArray[np.int64]
    documents: tuple[str, ...]
    grades: NDArray[np.int64]
    noise: NDArray[np.float64]
    fate: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One system; its ``quality`` lies between 0, the worst, and 1, the best.

    ``origin`` and ``unit`` place its scores on a scale of its own.
    """

    id: str
    quality: float
    origin: float
    unit: float


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What a system retrieved for a topic, best first.

    ``order`` (K,) are positions among the candidates, ``scores`` (K,) fall.
    """

    order: NDArray[np.intp]
    scores: NDArray[np.float64]


def spread(seed: int, kind: str, number: int) -> float:
    """Place one of any number of points evenly between 0 and 1.

    Steps of the golden ratio, modulo one, fill the unit interval evenly at every
    length [1]_, so the first points stay where they are when more follow. The seed
    chooses the first.

    References
    ----------
    .. [1] Knuth, The Art of Computer Programming, volume 3, section 6.4.
    """
    start = float(stream(seed, "sample", kind).random())
    return round((start + number * GOLDEN) % 1.0, 4)


def draw_topic(spec: SampleSpec, number: int) -> Topic:
    """Draw the topic at a position: its documents and what is relevant among them."""
    name = topic_id(number)
    draws = stream(spec.seed, "sample", "topic", name)
    mean = (spec.relevant - 1) * draws.gamma(SHAPE) / SHAPE
    count = min(1 + int(draws.poisson(mean)), (spec.candidates + 1) // 2)
    start = int(stream(spec.seed, "sample", "titles").integers(2**31))
    numbers = _draw_documents(spec, name)
    return Topic(
        id=name,
        title=topic_title(number, start),
        difficulty=spread(spec.seed, "difficulty", number),
        numbers=numbers,
        documents=tuple(document_ids(numbers, spec.corpora)),
        grades=_draw_grades(spec, count, draws),
        noise=draws.standard_normal(spec.candidates),
        fate=draws.random(spec.candidates),
    )


def _draw_documents(spec: SampleSpec, topic: str) -> NDArray[np.int64]:
    draws = stream(spec.seed, "sample", "documents", topic)
    numbers = draws.choice(spec.documents, spec.candidates, replace=False)
    names = document_ids(numbers, spec.corpora)
    return numbers[sorted(range(len(names)), key=names.__getitem__, reverse=True)]


def _draw_grades(
    spec: SampleSpec, count: int, draws: np.random.Generator
) -> NDArray[np.int64]:
    grades = np.zeros(spec.candidates, dtype=np.int64)
    odds = 0.5 ** np.arange(spec.grades)
    steps = np.cumsum(odds / odds.sum())[:-1]
    grades[:count] = 1 + np.searchsorted(steps, draws.random(count), side="right")
    return draws.permutation(grades)


def draw_system(spec: SampleSpec, number: int) -> System:
    """Draw the system at a position."""
    name = system_id(number)
    draws = stream(spec.seed, "sample", "system", name)
    return System(
        id=name,
        quality=spread(spec.seed, "quality", number),
        origin=float(draws.uniform(-8, 20)),
        unit=float(draws.uniform(0.5, 4)),
    )


def rank(spec: SampleSpec, system: System, topic: Topic) -> Ranking:
    """Rank a topic's candidates as a system does, and keep the top."""
    draws = stream(spec.seed, "sample", "ranking", system.id, topic.id)
    missed, stopped, length = draws.random(3)
    separation = SIGNAL * np.exp(
        BY_DIFFICULTY * (topic.difficulty - 0.5)
        + BY_QUALITY * (system.quality - 0.5)
        + BY_BOTH * draws.standard_normal()
    )
    own = draws.standard_normal(spec.candidates)
    belief = (
        separation * np.sqrt(topic.grades / spec.grades)
        + np.sqrt(spec.shared) * topic.noise
        + np.sqrt(1 - spec.shared) * own
    )
    scores = np.round(system.origin + system.unit * belief, 4)
    kept = spec.depth
    if stopped < spec.short:
        kept = 1 + int(length * spec.depth)
    # No run may miss everything: the first topic is always there.
    if missed < spec.missing and topic.id != topic_id(0):
        kept = 0
    order = _best(scores, kept)
    return Ranking(order, scores[order])


def _best(scores: NDArray[np.float64], kept: int) -> NDArray[np.intp]:
    if kept == 0:
        return np.empty(0, dtype=np.intp)
    border = np.partition(scores, -kept)[-kept]
    near = np.flatnonzero(scores >= border)
    return near[np.argsort(-scores[near], kind="stable")[:kept]]


def judge(
    spec: SampleSpec, topic: Topic, pooled: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Choose the candidates that are judged, in order of their ids.

    `pooled` (C,) marks the documents among the top of some run. Whoever wrote the topic
    knew one relevant document; that one is judged always.
    """
    judged = (topic.grades > 0) if spec.pool_depth == 0 else pooled.copy()
    judged &= topic.fate >= spec.unjudged
    judged[np.argmax(topic.grades > 0)] = True
    return np.flatnonzero(judged)[::-1]
