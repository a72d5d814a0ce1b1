"""One collection, or one sub-corpus of it, inspected file by file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mohs.analysis.inspection.findings import Finding
from mohs.analysis.inspection.judgments import look_at_judgments
from mohs.analysis.inspection.runs import look_at_depths, look_at_run
from mohs.analysis.inspection.text import look_at_strangers, look_at_text
from mohs.measures.caveats import describe_overlap, examine, without_relevant
from mohs.measures.evaluation import score
from mohs.rankings import batches, describe_judgments, judge
from mohs.rankings.reading import system_of
from mohs.trec.faults import describe_faults
from mohs.trec.inputs import Input, describe_clashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mohs._core import Account
    from mohs.measures.evaluation import Request
    from mohs.rankings import Judgments, Rankings
    from mohs.rankings.reading import SystemFrom

# Stands for judgments that are not there.
NOTHING = Input("", "", b"")


@dataclass(frozen=True, slots=True)
class Task:
    """What to inspect; without judgments, ``judged`` is `NOTHING`."""

    request: Request
    judged: Input
    runs: Sequence[Input]
    corpus: str | None
    workers: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """What was found in a part of a collection, in how many runs and judged topics."""

    findings: tuple[Finding, ...]
    runs: int
    topics: int


def inspect_part(task: Task) -> Part:
    """Read judgments and runs and note everything about them.

    Without judgments, or with faulty ones, only the faults of the runs are found.
    """
    judgments = judge(task.judged, task.request.reading)
    findings, sound = _look_at_judgments(task, judgments)
    read: list[tuple[int, Account]] = []
    depths: dict[str, int] = {}
    for rankings in _ranked(task, judgments):
        read += zip(map(int, rankings.systems), rankings.accounts, strict=True)
        good, found = _look_at_files(rankings, sound=sound)
        findings += found
        if good:
            findings += _look_at_rows(task, rankings, good)
        for row in good:
            depths[rankings.labels[row]] = int(rankings.retrieved[row].max())
    findings += _within(task.corpus, look_at_depths(depths))
    kept = [(task.runs[place], account) for place, account in read]
    findings += _look_at_names(kept, task.request.reading.system_from)
    left = [run for i, run in enumerate(task.runs) if i not in dict(read)]
    findings += map(skipped, left)
    return Part(tuple(findings), len(read), len(judgments.topics))


def skipped(run: Input) -> Finding:
    """Say that judgments lie among the runs."""
    problem = "holds judgments and no run, so it is skipped"
    return Finding(run.label, 0, "warning", problem, "keep it out of the runs' folder")


def _ranked(task: Task, judgments: Judgments) -> Iterator[Rankings]:
    """Rank all runs; their systems are called by their places among them."""
    # Runs of one name would be refused before anything else is found.
    numbered = [replace(run, name=str(i)) for i, run in enumerate(task.runs)]
    reading = replace(task.request.reading, system_from="file")
    floor = task.request.floor
    return batches(judgments, numbered, reading, floor=floor, workers=task.workers)


def _look_at_judgments(task: Task, judgments: Judgments) -> tuple[list[Finding], bool]:
    """Note what is wrong with judgments; also say whether runs can be scored."""
    if task.judged is NOTHING or judgments.account is None:
        return [], False
    faults = describe_judgments(judgments)
    findings = [Finding.of(fault) for fault in faults]
    findings += look_at_text(judgments.account, judgments.label)
    if not faults:
        level, whole = task.request.level, task.corpus is None
        seen = look_at_judgments(judgments, level, whole=whole)
        findings += _within(task.corpus, seen)
    return findings, not faults


def _look_at_files(
    rankings: Rankings, *, sound: bool
) -> tuple[list[int], list[Finding]]:
    """Note what is wrong with files of runs; also say which rows can be scored."""
    lost = {each.path: each for each in describe_overlap(rankings)} if sound else {}
    good: list[int] = []
    findings: list[Finding] = []
    for row, (label, account) in enumerate(
        zip(rankings.labels, rankings.accounts, strict=True)
    ):
        faults = describe_faults(account, label, "run")
        if not faults and label in lost:
            faults = [lost[label]]
        findings += map(Finding.of, faults)
        findings += look_at_text(account, label)
        if sound and not faults:
            good.append(row)
            findings += look_at_strangers(account, label)
    return good, findings


def _look_at_rows(
    task: Task, rankings: Rankings, rows: Sequence[int]
) -> Iterator[Finding]:
    """Note what would mislead a reader of the scores."""
    request, judgments = task.request, rankings.judgments
    _, turned = score(request, rankings, task.judged, task.runs)
    caveats = examine(rankings, [str(each) for each in request.measures], turned)
    barren = without_relevant(judgments, request.level) if task.corpus else []
    for row in rows:
        yield from _within(task.corpus, look_at_run(rankings, row, caveats, barren))


def _look_at_names(
    runs: Sequence[tuple[Input, Account]], source: SystemFrom
) -> Iterator[Finding]:
    """Note runs whose system has no name of its own."""
    named = [system_of(run, account, source) for run, account in runs]
    labels = [run.label for run, _ in runs]
    clashes = describe_clashes(labels, [name for name, _ in named])
    for fault in (*(fault for _, fault in named if fault), *clashes):
        yield Finding.of(fault)


def _within(corpus: str | None, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Say of which sub-corpus findings speak, if of any."""
    for each in findings:
        yield replace(each, problem=f"{corpus}: {each.problem}") if corpus else each
