"""Inspection: everything that is wrong with judgments and runs, before they are used.

Nothing stops at the first problem, and nothing is said of the scores of a run that
has faults.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mohs.analysis.inspection.findings import (
    SEVERITIES,
    Finding,
    Inspection,
    Severity,
)
from mohs.analysis.inspection.parts import NOTHING, Task, inspect_part, skipped
from mohs.errors import FormatError
from mohs.files import STANDARD_INPUT
from mohs.gains.grades import Linear
from mohs.measures.evaluation import MEASURES, Request
from mohs.rankings.corpora import read_corpora
from mohs.rankings.reading import Reading
from mohs.trec.inputs import expand_path, find_judgments, find_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mohs.rankings.reading import Duplicates, Precision, SystemFrom, Ties
    from mohs.trec.inputs import Input

__all__ = ["SEVERITIES", "Finding", "Inspection", "Severity", "check"]


def check(  # noqa: PLR0913 (the public face of one request)
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    *,
    level: float = 1,
    ties: Ties = "docid",
    precision: Precision = "double",
    duplicates: Duplicates = "error",
    system_from: SystemFrom = "file",
    corpus: Sequence[str] | str = (),
    formulation: str | None = None,
    seed: int = 0,
    max_bytes: int | None = None,
    workers: int | None = None,
) -> Inspection:
    """Find everything that is wrong with judgments and runs, and what to do about it.

    Parameters
    ----------
    qrels
        Judgments: a path, ``-``, an ir_datasets id, a dict, a frame or records.
    runs
        Runs: paths, folders, patterns, dicts, frames, or a list of these.
    level
        The lowest grade that is relevant.
    ties, precision, duplicates, system_from, corpus, formulation, seed, max_bytes
        How the input will be read, as in `evaluate`; what is not a problem then is
        none here.
    workers
        How many threads read; the result is the same.

    Returns
    -------
    Inspection
        ``.findings``, and as ``.table`` one row for each of them.

    Examples
    --------
    >>> found = check({"q1": {"d1": 1}}, {"q1": {"d1": float("nan")}})
    >>> print(found.summary())
    1 run, 1 topic: 1 error
    >>> print(found.findings[0])
    run 'run':1: error: score is not a number: 'NaN'; drop the line or give it a number
    """
    reading = Reading.asked(
        ties=ties,
        precision=precision,
        duplicates=duplicates,
        system_from=system_from,
        formulation=formulation,
        max_bytes=max_bytes,
    )
    request = Request.asked(
        measures=MEASURES,
        level=level,
        gain=Linear(),
        judged_only=False,
        complete=True,
        reading=reading,
    )
    corpora = read_corpora([corpus] if isinstance(corpus, str) else corpus, seed=seed)
    judged, inputs, findings = _find_inputs(qrels, runs)
    # So that nothing depends on the order in which runs were named.
    inputs.sort(key=lambda each: each.label)
    topics = count = 0
    for name, rule in corpora.items() or [(None, None)]:
        asked = replace(request, reading=replace(reading, corpus=rule))
        part = inspect_part(Task(asked, judged, inputs, name, workers))
        findings += part.findings
        topics, count = part.topics, part.runs
    order = [each.label for each in (judged, *inputs)]
    named = inputs if judged is NOTHING else [judged, *inputs]
    files = {each.label: each.content for each in named if each.is_file}
    return Inspection(_sorted(findings, order), files, count, topics)


def _find_inputs(
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
) -> tuple[Input, list[Input], list[Finding]]:
    """Say which inputs there are, and which of those named are not."""
    findings = []
    judged = NOTHING
    try:
        judged = find_judgments(qrels)
    except FormatError as fault:
        findings.append(Finding.of(fault))
    present, missing = _present(runs)
    findings += map(Finding.of, sorted(missing, key=lambda each: each.path))
    if missing and not present:
        return judged, [], findings
    inputs, passed_over = find_runs(present, qrels=judged)
    return judged, inputs, [*findings, *map(skipped, passed_over)]


def _present(runs: Any) -> tuple[Any, list[FormatError]]:  # noqa: ANN401
    """Take out of a list of paths what is not there."""
    named = [runs] if isinstance(runs, str | os.PathLike) else runs
    if not isinstance(named, Sequence):
        return runs, []
    present, missing = [], []
    for each in named:
        try:
            if isinstance(each, str | os.PathLike) and each != STANDARD_INPUT:
                list(expand_path(os.fspath(each)))
            present.append(each)
        except FormatError as fault:
            missing.append(fault)
    return present, missing


def _sorted(findings: Iterable[Finding], order: Sequence[str]) -> tuple[Finding, ...]:
    """Put the gravest first, in the order of files and lines, whole files last."""
    places = {label: place for place, label in reversed([*enumerate(order)])}

    def key(each: Finding) -> tuple[int, int, bool, int]:
        grave, place = SEVERITIES.index(each.severity), places.get(each.file, -1)
        return grave, place, not each.line, each.line

    return tuple(sorted(dict.fromkeys(findings), key=key))
