"""What a strategy may look at: how well the systems did, and what they returned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.gains.grades import Exponential
from mohs.gains.scales import Scaled
from mohs.measures.bridge import is_foreign
from mohs.measures.calculation import calculate
from mohs.measures.catalogue import MEASURES
from mohs.measures.spelling import parse, pinned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.difficulty.pool import Problem
    from mohs.measures.spelling import Measure
    from mohs.rankings import Top

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

NOTHING = -1  # the code of no document


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """S systems on T topics.

    ``values`` (S, T) are those of ``measure``. ``scores`` (S, T, k) are what a system
    gave its first documents, NaN after the last; ``documents`` (S, T, k) are codes of
    these, `NOTHING` after the last, and equal codes within a topic are one document.
    ``corpus_scores`` (S, T), rarely known, are what each system gives the whole corpus
    as if it were a document.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    measure: str
    values: Floats
    scores: Floats
    documents: Codes
    corpus_scores: Floats | None = None

    @property
    def depth(self) -> int:
        """The most documents of a list that are known."""
        return int(self.scores.shape[-1])

    def of_systems(self, kept: Sequence[int]) -> Evidence:
        """Return what is known of some systems, by index."""
        rows = np.asarray(kept, np.intp)
        known = self.corpus_scores
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows.tolist()),
            values=self.values[rows],
            scores=self.scores[rows],
            documents=self.documents[rows],
            corpus_scores=None if known is None else known[rows],
        )

    def of_topics(self, kept: Sequence[int]) -> Evidence:
        """Return what is known of some topics, by index."""
        columns = np.asarray(kept, np.intp)
        known = self.corpus_scores
        return replace(
            self,
            topics=tuple(self.topics[column] for column in columns.tolist()),
            values=self.values[:, columns],
            scores=self.scores[:, columns],
            documents=self.documents[:, columns],
            corpus_scores=None if known is None else known[:, columns],
        )


def evidence_of(problem: Problem, *, depth: int, measure: str = "AP") -> Evidence:
    """Collect the evidence from a problem, in its order of systems and topics.

    Parameters
    ----------
    problem
        Its rankings should hold the top ``depth`` of every list; of lists that hold
        fewer, those are taken.
    depth
        How many scores and documents of a list are wanted.
    measure
        What tells how well a system did.
    """
    rankings = problem.rankings
    cells = (problem.rows[:, None] * len(rankings.topics) + problem.columns).ravel()
    scores, documents = _first(rankings.top, cells, depth)
    shape = len(problem.systems), len(problem.topics), scores.shape[-1]
    return Evidence(
        systems=problem.systems,
        topics=problem.topics,
        measure=measure,
        values=values_of(problem, measure),
        scores=scores.reshape(shape),
        documents=_numbered(documents.reshape(shape)),
    )


def values_of(problem: Problem, measure: str) -> Floats:
    """Score the systems of a problem on its topics: (S, T).

    Raises
    ------
    InputError
        If the name stands for several measures, or for one outside the catalogue, or
        for one that wants scores where relevances have taken their place.
    """
    one, rankings, gain = single(measure), problem.rankings, problem.rules.gain
    if isinstance(gain, Scaled):
        if MEASURES[one.name].scored:
            raise InputError(
                f"{measure}: makes relevances of scores, which the gain asked for has "
                f"done already; name another measure, such as nDCG"
            )
        one, gain = pinned(one, gain=gain), Exponential()
    scored = calculate([one], rankings, gain=gain)[0]
    values: Floats = scored[np.ix_(problem.rows, problem.columns)]
    return values


def single(measure: str) -> Measure:
    """Read the name of one measure of the catalogue.

    Raises
    ------
    InputError
        If it stands for several, or for one that only ir_measures computes.
    """
    measures = parse(measure)
    if len(measures) > 1 or is_foreign(measures[0]):
        raise InputError(f"{measure}: expected one measure that Mohs itself computes")
    return measures[0]


def _first(top: Top | None, cells: Codes, depth: int) -> tuple[Floats, Codes]:
    """Return the first scores and documents of some cells: (cells, depth) each."""
    if top is None:
        return np.empty((len(cells), 0)), np.empty((len(cells), 0), np.int64)
    lengths = top.offsets[cells + 1] - top.offsets[cells]
    ranks = np.arange(min(depth, lengths.max(initial=0)))
    within = ranks < lengths[:, None]
    entries = (top.offsets[cells][:, None] + ranks)[within]
    scores = np.full(within.shape, np.nan)
    documents = np.full(within.shape, NOTHING, np.int64)
    scores[within] = top.scores[entries]
    documents[within] = top.documents[entries]
    return scores, documents


def _numbered(documents: Codes) -> Codes:
    """Give the documents of each topic numbers from 0, for any codes (S, T, k)."""
    numbers = np.empty_like(documents)
    for topic in range(documents.shape[1]):
        codes = documents[:, topic]
        known, places = np.unique(codes, return_inverse=True)
        gap = int(len(known) > 0 and known[0] == NOTHING)
        numbers[:, topic] = places.reshape(codes.shape) - gap
    return numbers
