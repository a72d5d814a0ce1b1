"""Evaluation: runs and judgments in, a score for every system, topic and measure out.

Runs are read some at a time, so that memory holds the scores and never all rankings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.gains.scales import Scaled, any_gain_of
from mohs.measures import bridge
from mohs.measures.calculation import average, calculate, check_level, floor
from mohs.measures.caveats import (
    caveats_of,
    combine,
    describe_overlap,
    examine,
    judgment_lines,
    takers_of_grades,
    without_relevant,
)
from mohs.measures.layout import Part, join, leave_out, means, observations
from mohs.measures.restriction import at_depth, mirror
from mohs.measures.spelling import Measure, parse, pinned
from mohs.rankings import (
    Reading,
    batches,
    describe_judgments,
    describe_runs,
    judge,
)
from mohs.rankings.corpora import read_corpora
from mohs.tables import Result, Table
from mohs.trec.formulations import split_queries
from mohs.trec.inputs import check_names, find_inputs
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs._core import Rule
    from mohs.gains.grades import Gain, Negative
    from mohs.rankings import Rankings
    from mohs.rankings.reading import Duplicates, Precision, SystemFrom, Ties
    from mohs.scores.observations import Scores
    from mohs.trec.formulations import Rule as Formulation
    from mohs.trec.inputs import Input

    Floats = NDArray[np.float64]

_SKIPPED = "holds judgments and no run, so it is skipped"

MEASURES = ("AP", "nDCG", "nDCG@20", "P@10", "RR")


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides the scores, in one value."""

    measures: tuple[Measure, ...]
    level: float
    gain: Gain
    depth: int | None
    judged_only: bool
    complete: bool
    reading: Reading

    @classmethod
    def asked(
        cls,
        *,
        measures: Any,  # noqa: ANN401 (names, or what prints as such)
        level: float,
        gain: Gain,
        depth: int | None = None,
        **given: Any,  # noqa: ANN401 (the other fields)
    ) -> Request:
        """Make a request from options as users give them.

        Raises
        ------
        InputError
            If there is no measure, or an option has no such value.
        """
        check_level(level)
        single = isinstance(measures, str) or not isinstance(measures, Iterable)
        names = [measures] if single else measures
        chosen = [each for name in names for each in parse(str(name))]
        if not chosen:
            raise InputError("no measures given; name one, such as AP")
        # Of several spellings that come to the same column, the first counts.
        labels = [pinned(each, level, gain) for each in chosen]
        distinct = dict(zip(reversed(labels), reversed(chosen), strict=True))
        return cls(
            measures=tuple(distinct[label] for label in dict.fromkeys(labels)),
            level=level,
            gain=gain,
            depth=None if depth is None else whole(depth, "depth"),
            **given,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns of the measures are called."""
        return tuple(str(pinned(m, self.level, self.gain)) for m in self.measures)

    @property
    def floor(self) -> float | None:
        """The grade at or below which rankings need no entries."""
        known = [each for each in self.measures if not bridge.is_foreign(each)]
        unsafe = self.judged_only or self.signed or isinstance(self.gain, Scaled)
        return None if unsafe else floor(known, self.level)

    @property
    def signed(self) -> bool:
        """Whether a grade below zero keeps its sign as a gain."""
        return bool(getattr(self.gain, "signed", False))

    def restrict(self, rankings: Rankings) -> Rankings:
        """Cut at the depth, before anything that is not judged is dropped."""
        return rankings if self.depth is None else at_depth(rankings, self.depth)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Evaluation(Result):
    """Scores, their means, and what to know about the input.

    ``parts`` hold the values of each corpus, by the names in ``labels``; ``means`` have
    one row for a system (and corpus) and a measure, with the number of topics averaged
    over. ``formulation`` splits the ids of topics, ``notes`` are sentences about the
    input, and ``files`` the names of the files it came from, with the content of what
    cannot be read twice.
    """

    parts: tuple[Part, ...]
    labels: tuple[str, ...]
    means: Table
    formulation: Formulation | None
    notes: tuple[str, ...]
    files: Mapping[str, bytes | None]

    @property
    def scores(self) -> Scores:
        """Every system, topic and measure; laid out anew with every call."""
        return observations(self.parts, self.labels, self.formulation)

    def tables(self) -> Mapping[str, Table]:
        """Return the scores, and their means."""
        return {**self.scores.tables(), "means": self.means}


def evaluate(  # noqa: PLR0913 (the public face of one request)
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    *,
    measures: Any = MEASURES,  # noqa: ANN401 (names, or what prints as such)
    level: float = 1,
    depth: int | None = None,
    judged_only: bool = False,
    complete: bool = True,
    gain: str = "linear",
    negative: Negative = "zero",
    ties: Ties = "docid",
    precision: Precision = "double",
    duplicates: Duplicates = "error",
    system_from: SystemFrom = "file",
    corpus: Sequence[str] | str = (),
    formulation: str | None = None,
    seed: int = 0,
    max_bytes: int | None = None,
    workers: int | None = None,
) -> Evaluation:
    """Score runs by judgments.

    Parameters
    ----------
    qrels
        Judgments: a path, ``-``, an ir_datasets id, a dict, a frame or records.
    runs
        Runs: paths, folders, patterns, dicts, frames, or a list of these.
    measures
        Names in the spelling of ir_measures or of trec_eval, or what prints as such,
        as measures of ir_measures do.
    level
        The lowest grade that is relevant (``-l``).
    depth
        How many documents of each ranking count (``-M``); all unless given.
    judged_only
        Drop unjudged documents before anything else (``-J``).
    complete
        Whether a judged topic that a run lacks counts as 0 in its means (``-c``).
    gain
        What a grade is worth in nDCG, DCG, Q and gRBP: ``linear``, ``exponential``,
        ``binary``; of judgments that hold scores, ``phi`` or ``adhoc`` levels by rank,
        which ERR heeds too.
    negative
        Whether a grade below zero is worth ``zero`` there, or may ``keep`` its sign.
    ties
        Order of documents of one score: ``docid`` (descending, as trec_eval),
        ``docid-asc``, or ``rank`` (the rank column).
    precision
        Compare scores as ``double``, or ``single`` as trec_eval 9 and pytrec_eval.
    duplicates
        What to do about a document that is there twice in a topic: ``error``, or keep
        the ``first`` (best-ranked) or the ``last`` (read) copy.
    system_from
        Name systems after the ``file``, or after the run ``tag``.
    corpus
        Sub-corpora: ``NAME=REGEX``, ``shards:N``, or a file of documents and corpora.
    formulation
        How to split the id of a query into topic and formulation: a pattern with these
        two groups, or a file.
    seed
        Of the random shards.
    max_bytes
        What a compressed file may unpack to.
    workers
        How many threads read; the result is the same.

    Returns
    -------
    Evaluation
        ``.table`` has one row for a system, a topic and a measure.

    Examples
    --------
    >>> result = evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.7}})
    >>> result.scores.of_measure("RR").values.tolist()
    [0.5]
    """
    reading = Reading.asked(
        duplicates=duplicates,
        ties=ties,
        precision=precision,
        system_from=system_from,
        formulation=formulation,
        max_bytes=max_bytes,
    )
    request = Request.asked(
        measures=measures,
        level=level,
        gain=any_gain_of(gain, negative),
        depth=depth,
        judged_only=judged_only,
        complete=complete,
        reading=reading,
    )
    corpora = read_corpora([corpus] if isinstance(corpus, str) else corpus, seed=seed)
    return run(request, qrels, runs, corpora, workers=workers)


def run(
    request: Request,
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    corpora: Mapping[str, Rule],
    *,
    workers: int | None = None,
) -> Evaluation:
    """Carry out a request."""
    judged, inputs, skipped = find_inputs(qrels, runs)
    notes = [f"{each.label}: {_SKIPPED}" for each in skipped]
    parts = []
    for corpus, rule in corpora.items() or [(None, None)]:
        asked = replace(request, reading=replace(request.reading, corpus=rule))
        part, said = _evaluate_part(asked, judged, inputs, corpus, workers)
        parts.append(part)
        notes += [f"{corpus}: {line}" if corpus else line for line in said]
    if request.reading.formulation is not None:
        for part in parts:
            split_queries(part.topics, request.reading.formulation)
    notes += caveats_of(request.measures, request.gain)
    return Evaluation(
        tuple(parts),
        request.labels,
        means(parts, request.measures, request.labels, complete=request.complete),
        request.reading.formulation,
        tuple(notes),
        {each.label: each.content for each in (judged, *inputs) if each.is_file},
    )


def _evaluate_part(
    request: Request,
    judged: Input,
    inputs: list[Input],
    corpus: str | None,
    workers: int | None,
) -> tuple[Part, list[str]]:
    judgments = judge(judged, request.reading)
    faults = describe_judgments(judgments)
    parts, caveats = [], []
    labels: list[str] = []
    names: list[str] = []
    for rankings in batches(
        judgments, inputs, request.reading, floor=request.floor, workers=workers
    ):
        faults += describe_runs(rankings)
        labels += rankings.labels
        names += rankings.systems
        if not faults:
            check_overlap(rankings)
            part, turned = score(request, rankings, judged, inputs)
            parts.append(replace(part, corpus=corpus))
            spelled = [str(measure) for measure in request.measures]
            caveats.append(examine(rankings, spelled, turned))
    if faults:
        raise FormatError.gather(faults)
    check_names(labels, names)
    part = join(parts)
    said = [f"{label}: {_SKIPPED}" for label in _left(inputs, labels)]
    graders = takers_of_grades(request.measures, request.gain)
    said += judgment_lines(
        judgments, request.level, signed=request.signed, graders=graders
    )
    said += combine(caveats).lines()
    barren = without_relevant(judgments, request.level) if corpus else []
    return leave_out(part, barren), said


def _left(inputs: Sequence[Input], labels: Sequence[str]) -> list[str]:
    read = set(labels)
    return [each.label for each in inputs if each.label not in read]


def score(
    request: Request, rankings: Rankings, judged: Input, inputs: Sequence[Input]
) -> tuple[Part, Floats]:
    """Score a batch; also say by how much turned ties change each mean: (M, S)."""
    seen = request.restrict(rankings)
    values = _calculate(request, seen)
    turned = np.zeros(values.shape[:2])
    other = mirror(rankings)
    if other is not rankings:
        changed = _calculate(request, request.restrict(other))
        retrieved = rankings.retrieved
        for row, measure in enumerate(request.measures):
            pair = (
                average(measure, each[row], retrieved, complete=request.complete)
                for each in (values, changed)
            )
            turned[row] = np.abs(np.subtract(*pair))
    for row, measure in enumerate(request.measures):
        if bridge.is_foreign(measure):
            values[row] = _foreign(request, measure, rankings, judged, inputs)
    part = Part(None, rankings.systems, rankings.topics, values, rankings.retrieved)
    return part, np.nan_to_num(turned)


def _calculate(request: Request, rankings: Rankings) -> Floats:
    """Score with the measures of the catalogue; rows of others stay 0: (M, S, Q)."""
    rows = [i for i, m in enumerate(request.measures) if not bridge.is_foreign(m)]
    values = np.zeros((len(request.measures), *rankings.retrieved.shape))
    values[rows] = calculate(
        [request.measures[row] for row in rows],
        rankings,
        level=request.level,
        gain=request.gain,
        judged=request.judged_only,
    )
    return values


def _foreign(
    request: Request,
    measure: Measure,
    rankings: Rankings,
    judged: Input,
    inputs: Sequence[Input],
) -> Floats:
    """Let ir_measures score a batch, file by file: (S, Q)."""
    reading = request.reading
    plain = reading == Reading(
        precision=reading.precision,
        system_from=reading.system_from,
        max_bytes=reading.max_bytes,
    )
    runs = {each.label: each.path for each in inputs}
    paths = [runs[label] for label in rankings.labels]
    restricted = request.depth is not None or request.judged_only
    if judged.path is None or None in paths or restricted or not plain:
        raise InputError(
            f"{measure} is computed by ir_measures, which needs files and knows none "
            "of the options that change what is read"
        )
    rows = [
        bridge.calculate([measure], judged.path, path, rankings.topics)[0]
        for path in paths
        if path is not None
    ]
    return np.where(rankings.retrieved > 0, np.array(rows), 0.0)


def notes_on(
    rankings: Rankings, measures: Sequence[Measure], *, level: float, gain: Gain
) -> Iterator[str]:
    """Yield what to know about judgments, runs and measures; ties are not turned."""
    signed = bool(getattr(gain, "signed", False))
    graders = takers_of_grades(measures, gain)
    yield from judgment_lines(rankings.judgments, level, signed=signed, graders=graders)
    turned = np.zeros((len(measures), len(rankings.systems)))
    yield from examine(rankings, [str(each) for each in measures], turned).lines()
    yield from caveats_of(measures, gain)


def check_overlap(rankings: Rankings) -> None:
    """Refuse runs of which no topic is judged.

    Raises
    ------
    InputError
        With every such run, and whether leading zeros are to blame.
    """
    if faults := describe_overlap(rankings):
        raise FormatError.gather(faults)
