"""The words of trec_eval 9.0.4: its order of measures, its names, its layout.

Sums are taken in its order too, one topic after the other, so that the last printed
digit is the same. Two things differ on purpose. Where trec_eval divides zero by zero
(``-J`` leaves a topic without documents), it prints ``-nan`` and we print 0; and
several ``-m`` of one family are all printed, while trec_eval takes the first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mohs.errors import InputError
from mohs.measures.calculation import calculate
from mohs.measures.catalogue import MEASURES
from mohs.measures.cells import running
from mohs.measures.restriction import at_depth
from mohs.measures.spelling import ALL_TREC, Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.gains.grades import Gain
    from mohs.rankings import Rankings

    Floats = NDArray[np.float64]

_LEAST = 1e-5
_LEAST_LOG = math.log(_LEAST)


class _Line(NamedTuple):
    """A measure as trec_eval prints it; ``place`` sorts the lines of a topic."""

    place: tuple[int, float]
    name: str
    measure: Measure


def trec_eval_name(measure: Measure) -> str | None:
    """Return what trec_eval prints for a measure, None when it lacks it.

    Examples
    --------
    >>> from mohs.measures.spelling import parse
    >>> [trec_eval_name(m) for m in (*parse("nDCG@5"), *parse("AP"), *parse("ERR@5"))]
    ['ndcg_cut_5', 'map', None]
    """
    line = _line(measure, 0)
    return line.name if line.place[0] < len(ALL_TREC) else None


def trec_eval_text(  # noqa: PLR0913 (its options are trec_eval's)
    measures: Sequence[Measure],
    rankings: Rankings,
    *,
    system: int = 0,
    runid: str | None = None,
    level: float = 1,
    gain: Gain | None = None,
    depth: int | None = None,
    judged: bool = False,
    each: bool = False,
    complete: bool = True,
) -> str:
    """Write the evaluation of one system as trec_eval prints it.

    Parameters
    ----------
    measures
        In any order; those unknown to trec_eval come last, in their own spelling.
    rankings
        Unrestricted rankings, on the topics of the judgments.
    system
        Which system of the rankings.
    runid
        The tag in the run's last line, if there is to be a ``runid`` line: trec_eval
        has one without ``-m`` and in its sets ``official``, ``set`` and ``all_trec``.
    level, gain, depth, judged
        ``-l``, the gain of nDCG, ``-M`` and ``-J``.
    each
        Whether each topic gets its lines, before those of all topics (``-q``).
    complete
        Whether topics that were not retrieved count as 0 (``-c``).

    Examples
    --------
    >>> from mohs.measures.example import listed
    >>> from mohs.measures.spelling import parse
    >>> text = trec_eval_text(parse("map"), listed([0, 1], []).rankings)
    >>> text.expandtabs().splitlines()
    ['map                     all     0.2500']
    """
    run = _one_system(rankings, system)
    lines = _lines(measures)
    seen = at_depth(run, depth) if depth is not None else run
    wanted = [line.measure for line in lines]
    values = calculate(wanted, seen, level=level, gain=gain, judged=judged)[:, 0]
    # Whether a topic was retrieved is asked of the run as it was, as trec_eval does.
    order = sorted(range(len(run.topics)), key=run.topics.__getitem__)
    present = [topic for topic in order if run.retrieved[0, topic]]
    printed = [
        _printed(line, run.topics[topic], value[topic])
        for topic in (present if each else [])
        for line, value in zip(lines, values, strict=True)
        if not (_of_all_topics(line.measure) or np.isnan(value[topic]))
    ]
    if runid is not None:
        printed.append(_row("runid", "all", runid))
    counted = order if complete else present
    summaries = [
        _summary(line.measure, value[present], int((~np.isnan(value[counted])).sum()))
        for line, value in zip(lines, values, strict=True)
    ]
    if complete and Measure("NumRel") in wanted:
        summaries[wanted.index(Measure("NumRel"))] = _above_zero(run)
    printed += [
        _printed(line, "all", summary)
        for line, summary in zip(lines, summaries, strict=True)
    ]
    return "".join(printed)


def _lines(measures: Sequence[Measure]) -> list[_Line]:
    """Bring measures, each once, into the order of trec_eval."""
    once = enumerate(dict.fromkeys(measures))
    lines = (_line(measure, place) for place, measure in once)
    return sorted(lines, key=lambda line: line.place)


def _one_system(rankings: Rankings, system: int) -> Rankings:
    topics = len(rankings.topics)
    offsets = rankings.offsets[system * topics : (system + 1) * topics + 1]
    mine, one = slice(offsets[0], offsets[-1]), slice(system, system + 1)
    return replace(
        rankings,
        systems=rankings.systems[one],
        offsets=offsets - offsets[0],
        ranks=rankings.ranks[mine],
        judged=rankings.judged[mine],
        mirrored=rankings.mirrored[mine],
        retrieved=rankings.retrieved[one],
        tied=rankings.tied[one],
        judged_top=rankings.judged_top[one],
        top=None,
        accounts=rankings.accounts[one],
        labels=rankings.labels[one],
    )


def _line(measure: Measure, place: int) -> _Line:
    if measure.name not in MEASURES.names():
        raise InputError(f"{measure} cannot be printed as trec_eval prints measures")
    definition = MEASURES[measure.name]
    cutoff = {} if measure.cutoff is None else {"cutoff": measure.cutoff}
    given = dict(measure.parameters) | cutoff
    for alias in definition.aliases:
        further = given.items() - set(alias.preset)
        if not alias.trec_eval or len(given) - len(further) != len(alias.preset):
            continue
        if not further:
            return _Line((ALL_TREC.index(alias.name), 0), alias.name, measure)
        if {name for name, _ in further} == {alias.argument}:
            value = given[alias.argument]
            (printed,) = (
                parameter.printed.format(value)
                for parameter in definition.takes()
                if parameter.name == alias.argument
            )
            name = f"{alias.name}_{printed}"
            return _Line((ALL_TREC.index(alias.name), float(value)), name, measure)
    return _Line((len(ALL_TREC), place), str(measure), measure)


def _of_all_topics(measure: Measure) -> bool:
    """Tell whether trec_eval prints a measure in its summary only."""
    return MEASURES[measure.name].averaged == "geometric" or measure.name == "NumQ"


def _summary(measure: Measure, values: Floats, topics: int) -> float:
    """Combine the values of the topics retrieved, in the order of the output.

    What is NaN is none of the ``topics``.
    """
    values = values[~np.isnan(values)]
    averaged = MEASURES[measure.name].averaged
    if measure.name == "NumQ":
        return topics
    if averaged == "geometric":
        logs = np.log(np.maximum(values, _LEAST))
        missing = (topics - len(values)) * _LEAST_LOG
        return math.exp((_total(logs) + missing) / topics) if topics else 0.0
    total = _total(values)
    return total if averaged == "sum" or not topics else total / topics


def _total(values: Floats) -> float:
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def _above_zero(rankings: Rankings) -> int:
    """Count relevant judgments as ``trec_eval -c`` does: by no level, all above 0."""
    judgments = rankings.judgments
    counts = np.diff(running(judgments.grades > 0)[judgments.offsets])
    return int(counts[rankings.groups].sum())


def _printed(line: _Line, topic: str, value: float) -> str:
    whole = MEASURES[line.measure.name].averaged == "sum"
    return _row(line.name, topic, f"{int(value)}" if whole else f"{value:6.4f}")


def _row(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}\n"
