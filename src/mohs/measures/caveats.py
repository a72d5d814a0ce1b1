"""What a reader of the means should know about the input they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import FormatError
from mohs.gains.grades import Linear
from mohs.measures.calculation import heeds, sees_scores
from mohs.measures.catalogue import MEASURES
from mohs.measures.cells import running
from mohs.tables import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.gains.grades import Gain
    from mohs.measures.spelling import Measure
    from mohs.rankings import Judgments, Rankings

    Floats = NDArray[np.float64]

TOP = 10  # the depth at which unjudged documents are counted
NOTABLE = 0.005  # the change of a mean by the order of ties that is worth a word
# How topics in several wordings are called by mohs grid and others.
_SPLIT = "(?P<topic>.+)_(?P<formulation>.+)"
_SHOWN = 3
_MARK = "a byte-order mark is skipped"


@dataclass(frozen=True, slots=True, eq=False)
class Caveats:
    """What was missing, tied or unjudged, for S systems and M measures.

    ``missing`` (S,) counts judged topics that a system did not retrieve; ``strangers``
    (S,) are its topics without judgments; ``tied`` and ``unjudged`` (S,) are shares of
    its documents (the latter among the first ten); ``turned`` (M, S) is by how much a
    mean changes when ties are broken the other way round; ``dropped`` (S,) counts
    copies of documents that did not count; ``marked`` are files that start with a
    byte-order mark.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    missing: NDArray[np.int64]
    strangers: tuple[tuple[str, ...], ...]
    tied: Floats
    unjudged: Floats
    turned: Floats
    dropped: NDArray[np.int64]
    marked: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield a sentence for each thing worth knowing."""
        yield from self._topics()
        if self.marked:
            yield f"{_MARK} in {len(self.marked)} runs: {shown(self.marked)}"
        if self.dropped.any():
            place = int(self.dropped.argmax())
            yield (
                f"{self.dropped.sum()} copies of documents do not count, "
                f"most in {self.systems[place]} ({self.dropped[place]})"
            )
        if self.tied.any():
            yield self._ties()
        if self.unjudged.any():
            yield (
                f"unjudged documents in the top {TOP}: {self.unjudged.mean():.1%} on "
                f"average, {_most(self.systems, self.unjudged)}"
            )

    def _topics(self) -> Iterator[str]:
        lacking = int((self.missing > 0).sum())
        if lacking:
            place = int(self.missing.argmax())
            yield (
                f"{lacking} of {len(self.systems)} runs lack judged topics, "
                f"most {self.systems[place]} ({self.missing[place]})"
            )
        strangers = {topic for topics in self.strangers for topic in topics}
        if strangers:
            yield (
                f"{len(strangers)} topics without judgments are left out: "
                f"{shown(strangers)}"
            )

    def _ties(self) -> str:
        text = (
            f"documents with tied scores: {self.tied.mean():.1%} on average, "
            f"{_most(self.systems, self.tied)}"
        )
        if not (self.turned > NOTABLE).any():
            return text
        measure, system = np.unravel_index(int(self.turned.argmax()), self.turned.shape)
        return (
            f"{text}; their order changes a mean by up to "
            f"{self.turned[measure, system]:.4f} "
            f"({self.measures[measure]} of {self.systems[system]})"
        )


def examine(rankings: Rankings, measures: Sequence[str], turned: Floats) -> Caveats:
    """Note what the rankings lack; ``turned`` (M, S) was found by evaluating twice."""
    retrieved = rankings.retrieved.sum(axis=1)
    firsts = np.minimum(rankings.retrieved, TOP).sum(axis=1)
    judged = np.minimum(rankings.judged_top, rankings.retrieved).sum(axis=1)
    named = zip(rankings.labels, rankings.accounts, strict=True)
    return Caveats(
        systems=rankings.systems,
        measures=tuple(measures),
        missing=(rankings.retrieved == 0).sum(axis=1),
        strangers=tuple(tuple(each.strangers) for each in rankings.accounts),
        tied=_shares(rankings.tied.sum(axis=1), retrieved),
        unjudged=_shares(firsts - judged, firsts),
        turned=turned,
        dropped=np.array([each.dropped for each in rankings.accounts], np.int64),
        marked=tuple(label for label, each in named if each.marked),
    )


def combine(parts: Sequence[Caveats]) -> Caveats:
    """Put the caveats of several batches of runs together."""
    return Caveats(
        systems=tuple(name for part in parts for name in part.systems),
        measures=parts[0].measures,
        missing=np.concatenate([part.missing for part in parts]),
        strangers=tuple(topics for part in parts for topics in part.strangers),
        tied=np.concatenate([part.tied for part in parts]),
        unjudged=np.concatenate([part.unjudged for part in parts]),
        turned=np.concatenate([part.turned for part in parts], axis=1),
        dropped=np.concatenate([part.dropped for part in parts]),
        marked=tuple(label for part in parts for label in part.marked),
    )


def caveats_of(measures: Sequence[Measure], gain: Gain) -> Iterator[str]:
    """Yield a sentence for measures without a gain, and for means that need care."""
    bare = [str(each) for each in measures if not heeds(each, gain)]
    if bare and not isinstance(gain, Linear):
        yield f"the gain asked for changes nothing in {shown(bare)}"
    for measure in measures:
        known = measure.name in MEASURES.names()
        if known and (caveat := MEASURES[measure.name].caveat):
            yield f"{measure}: {caveat}"


def takers_of_grades(measures: Sequence[Measure], gain: Gain) -> list[str] | None:
    """List the measures that take judgments for grades; None if none sees scores."""
    graders = [str(each) for each in measures if not sees_scores(each, gain)]
    return None if len(graders) == len(measures) else graders


def judgment_lines(
    judgments: Judgments,
    level: float,
    *,
    signed: bool = False,
    graders: Sequence[str] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each thing worth knowing about the judgments.

    ``signed`` says that a grade below zero keeps its sign as a gain. Where judgments
    are scores, ``graders`` are the measures that take them for grades all the same.
    """
    account = judgments.account
    if account and account.marked:
        yield f"{_MARK} in the judgments"
    if account and account.dropped:
        yield f"{account.dropped} copies of judgments do not count"
    if graders is None:
        yield from _grade_lines(judgments, level, signed=signed)
    elif graders:
        for line in _grade_lines(judgments, level, signed=signed):
            yield f"to {shown(graders)}, {line}"


def _grade_lines(judgments: Judgments, level: float, *, signed: bool) -> Iterator[str]:
    barren = without_relevant(judgments, level)
    if barren:
        yield (
            f"{len(barren)} of {len(judgments.topics)} judged topics have no relevant "
            f"documents: {shown(barren)}"
        )
    negative = int((judgments.grades < 0).sum())
    if negative:
        worth = "with a gain below 0" if signed else "without gain"
        yield f"{negative} judgments have a grade below 0: not relevant, {worth}"
    fractions = int((judgments.grades != np.floor(judgments.grades)).sum())
    if fractions:
        yield f"{fractions} grades are no whole numbers, which trec_eval would cut off"


def without_relevant(judgments: Judgments, level: float) -> list[str]:
    """List the judged topics that have no relevant document."""
    relevant = running(judgments.grades >= max(level, 0.0))[judgments.offsets]
    return [judgments.topics[i] for i in np.flatnonzero(np.diff(relevant) == 0)]


def describe_overlap(rankings: Rankings) -> list[FormatError]:
    """List the runs of which no topic is judged, and whether zeros are to blame."""
    judged = rankings.judgments.topics
    bare = {topic.lstrip("0") for topic in judged}
    whole = set(judged)
    faults = []
    for account, label in zip(rankings.accounts, rankings.labels, strict=True):
        if account.known or not account.strangers:
            continue
        topics = account.strangers
        remedy = "name the judgments of the collection that was run"
        if bare & {topic.lstrip("0") for topic in topics}:
            remedy = "they would match without leading zeros; write them alike"
        elif any(topic.rpartition("_")[0] in whole for topic in topics):
            remedy = f"split formulations off by --formulation '{_SPLIT}'"
        problem = f"no topic of the run is judged (run: {shown(topics)}; judgments: "
        faults.append(FormatError(label, 0, f"{problem}{shown(judged)})", remedy))
    return faults


def shown(names: Sequence[str] | set[str]) -> str:
    """List a few names, and say how many more there are."""
    ordered = sorted(names, key=natural_key)
    more = len(ordered) - _SHOWN
    return ", ".join(ordered[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _most(systems: Sequence[str], shares: Floats) -> str:
    place = int(shares.argmax())
    return f"most {systems[place]} ({shares[place]:.1%})"


def _shares(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> Floats:
    out = np.zeros(len(parts))
    shares: Floats = np.divide(parts, wholes, out=out, where=wholes > 0)
    return shares
