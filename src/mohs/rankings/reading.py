"""From inputs to arrays: the Rust core reads, ranks and matches; faults get words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mohs import _core
from mohs.errors import FormatError, InputError
from mohs.files import MAX_BYTES
from mohs.parallel import one_ahead
from mohs.rankings.arrays import Documents, Judgments, Rankings, Top
from mohs.registry import check_choice
from mohs.trec.faults import describe_faults
from mohs.trec.formulations import read_rule
from mohs.trec.inputs import (
    Input,
    check_names,
    find_inputs,
    find_judgments,
    find_runs,
)
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mohs.trec.formulations import Rule

Duplicates = Literal["error", "first", "last"]
Ties = Literal["docid", "docid-asc", "rank"]
Precision = Literal["double", "single"]
SystemFrom = Literal["file", "tag"]

CHOICES: Mapping[str, Any] = {
    "duplicates": Duplicates,
    "ties": Ties,
    "precision": Precision,
    "system_from": SystemFrom,
}

BATCH = 32  # runs; enough to keep the threads busy


@dataclass(frozen=True, slots=True)
class Reading:
    """How judgments and runs are read.

    ``ties`` orders documents of one score: by id descending as trec_eval does, by id
    ascending, or by the rank column. ``corpus`` restricts runs and judgments to some
    documents: those in whose id a pattern is found, those listed, or one of some
    random shards (how many, which one, seed). ``formulation`` splits a query's id into
    topic and formulation. ``max_bytes`` is what an archive may unpack to.
    """

    duplicates: Duplicates = "error"
    ties: Ties = "docid"
    precision: Precision = "double"
    system_from: SystemFrom = "file"
    corpus: _core.Rule | None = None
    formulation: Rule | None = None
    max_bytes: int = MAX_BYTES

    @classmethod
    def asked(
        cls,
        *,
        formulation: str | None,
        max_bytes: int | None,
        **given: Any,  # noqa: ANN401 (the other fields)
    ) -> Reading:
        """Make a reading from options as users give them.

        Raises
        ------
        UnknownNameError
            If an option has no such value.
        InputError
            If the formulation is no rule, or the limit no number of bytes.
        """
        for option, value in given.items():
            check_choice(option, value, CHOICES[option])
        rule = None if formulation is None else read_rule(formulation)
        limit = MAX_BYTES if max_bytes is None else whole(max_bytes, "max_bytes")
        return cls(formulation=rule, max_bytes=limit, **given)


def read_qrels(qrels: Any, *, reading: Reading | None = None) -> Judgments:  # noqa: ANN401
    """Read judgments.

    Parameters
    ----------
    qrels
        A path, ``-``, an ir_datasets id, a dict of grades by document by topic, a
        frame, or an iterable of records.
    reading
        How; only the duplicates, the corpus and the limit of bytes matter.

    Raises
    ------
    FormatError
        With every line that cannot be used.

    Examples
    --------
    >>> judgments = read_qrels({"q1": {"d1": 1, "d2": 0}})
    >>> judgments.topics, judgments.grades.tolist(), list(judgments.documents)
    (('q1',), [1.0, 0.0], ['d1', 'd2'])
    """
    return _sound(find_judgments(qrels), reading or Reading())


def _sound(found: Input, reading: Reading) -> Judgments:
    judgments = judge(found, reading)
    if faults := describe_judgments(judgments):
        raise FormatError.gather(faults)
    return judgments


def judge(found: Input, reading: Reading) -> Judgments:
    """Read judgments, faults and all: they are in the account."""
    index, account = _core.read_judgments(
        found.source,
        duplicates=reading.duplicates,
        max_bytes=reading.max_bytes,
        corpus=reading.corpus,
    )
    grades = index.grades
    return Judgments(
        topics=tuple(index.topics),
        offsets=index.offsets,
        documents=Documents(index, len(grades)),
        grades=grades,
        label=found.label,
        index=index,
        account=account,
    )


def read_runs(
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    *,
    reading: Reading | None = None,
    workers: int | None = None,
) -> Rankings:
    """Read runs, rank them and match them to judgments.

    Parameters
    ----------
    qrels
        `Judgments`, or what `read_qrels` takes.
    runs
        Paths, folders, patterns, dicts, frames, or a list of these.
    reading
        How they are read.
    workers
        How many threads read; all processors unless given. The result is the same.

    Raises
    ------
    InputError
        If an input is missing or two runs have one name.
    FormatError
        With every line that cannot be used.

    Examples
    --------
    >>> rankings = read_runs({"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.7}})
    >>> rankings.systems, rankings.ranks.tolist(), rankings.retrieved.tolist()
    (('run',), [2], [[2]])
    """
    reading = reading or Reading()
    if isinstance(qrels, Judgments):
        judgments, found = qrels, find_runs(runs)[0]
    else:
        judged, found, _ = find_inputs(qrels, runs)
        judgments = _sound(judged, reading)
    rankings = rank(judgments, found, reading, workers=workers)
    check_runs(rankings)
    return rankings


def batches(
    judgments: Judgments,
    runs: Sequence[Input],
    reading: Reading,
    *,
    floor: float | None = None,
    workers: int | None = None,
) -> Iterator[Rankings]:
    """Rank runs some at a time, so that memory does not grow with their number.

    Files that a folder or a pattern brought along but that hold judgments are left
    out. The parameters are those of `rank`.

    Raises
    ------
    InputError
        If no run is left then.
    """
    # Which topics there are is known only when all formulations were seen.
    size = max(len(runs), 1) if reading.formulation else BATCH
    stop = _core.Stop()
    given: dict[str, Any] = {"floor": floor, "workers": workers, "stop": stop}

    def batch(some: Sequence[Input]) -> Rankings:
        return rank_chosen(judgments, some, reading, **given)

    parts = [runs[first : first + size] for first in range(0, len(runs), size)]
    empty = bool(runs)
    for rankings in one_ahead([partial(batch, part) for part in parts], stop.set):
        if rankings.systems:
            empty = False
            yield rankings
    if empty:
        raise InputError("no runs among these files, only judgments; name the runs")


def rank_chosen(
    judgments: Judgments,
    runs: Sequence[Input],
    reading: Reading,
    **given: Any,  # noqa: ANN401 (the other parameters of rank)
) -> Rankings:
    """Rank runs without files that came along in a folder but hold judgments.

    The parameters are those of `rank`.
    """
    rankings = rank(judgments, runs, reading, **given)
    kept = [
        run
        for run, account in zip(runs, rankings.accounts, strict=True)
        if run.chosen or not _holds_judgments(account)
    ]
    if len(kept) == len(runs):
        return rankings
    return rank(judgments, kept, reading, **given)


def _holds_judgments(account: _core.Account) -> bool:
    return account.records == 0 and account.faults[:1] == [(1, "fields", "4")]


def check_runs(rankings: Rankings) -> None:
    """Refuse runs with faults.

    Raises
    ------
    FormatError
        With every line of every run that cannot be used.
    """
    if faults := describe_runs(rankings):
        raise FormatError.gather(faults)


def describe_runs(rankings: Rankings) -> list[FormatError]:
    """List what is wrong with the runs, line by line."""
    named = zip(rankings.accounts, rankings.labels, strict=True)
    return [
        fault
        for account, label in named
        for fault in describe_faults(account, label, "run")
    ]


def describe_judgments(judgments: Judgments) -> list[FormatError]:
    """List what is wrong with the judgments, line by line."""
    if judgments.account is None:
        return []
    return describe_faults(judgments.account, judgments.label, "judgments")


def rank(  # noqa: PLR0913 (a request of its own, one level down)
    judgments: Judgments,
    runs: Sequence[Input],
    reading: Reading,
    *,
    floor: float | None = None,
    top: int = 0,
    workers: int | None = None,
    stop: _core.Stop | None = None,
) -> Rankings:
    """Rank runs, faults and all: they are in the accounts.

    Parameters
    ----------
    judgments
        Judgments as read from an input.
    runs
        The inputs.
    reading
        How they are read.
    floor
        Judged documents of this grade or below are left out of the entries.
    top
        How many documents from the top of each ranking are kept by score and name.
    workers
        How many threads read.
    stop
        Ends the reading from another thread.
    """
    if judgments.index is None:
        raise InputError("these judgments were made by hand; read them with read_qrels")
    lender, kept = _lending(judgments.topics, reading.formulation)
    arrays, accounts = _core.read_runs(
        judgments.index,
        [run.ranked() if reading.ties == "rank" else run.source for run in runs],
        ties=reading.ties,
        single=reading.precision == "single",
        duplicates=reading.duplicates,
        floor=-np.inf if floor is None else floor,
        top=top,
        threads=threads_of(workers),
        max_bytes=reading.max_bytes,
        corpus=reading.corpus,
        lender=lender,
        kept=kept,
        stop=stop,
    )
    names = _systems(runs, accounts, reading.system_from)
    shape = len(runs), len(arrays["topics"])
    return Rankings(
        systems=tuple(names),
        topics=tuple(arrays["topics"]),
        groups=arrays["groups"],
        judgments=judgments,
        offsets=arrays["offsets"],
        ranks=arrays["ranks"],
        judged=arrays["judged"],
        mirrored=arrays["mirrored"],
        retrieved=arrays["retrieved"].reshape(shape),
        tied=arrays["tied"].reshape(shape),
        judged_top=arrays["judged_top"].reshape(shape),
        top=_top(arrays) if top else None,
        accounts=tuple(accounts),
        labels=tuple(run.label for run in runs),
    )


def threads_of(workers: int | None) -> int:
    """Return how many threads read, as many as there are processors unless given."""
    return (os.cpu_count() or 1) if workers is None else whole(workers, "workers")


def _lending(
    topics: Sequence[str], rule: Rule | None
) -> tuple[Callable[[str], str | None] | None, list[bool] | None]:
    """Say who lends judgments to queries without their own, and who is a query."""
    if rule is None:
        return None, None

    def lender(query: str) -> str | None:
        parts = rule(query)
        return parts[0] if parts else None

    return lender, [rule(topic) is not None for topic in topics]


def _systems(
    runs: Sequence[Input], accounts: Sequence[_core.Account], source: SystemFrom
) -> list[str]:
    names, faults = [], []
    for run, account in zip(runs, accounts, strict=True):
        name, fault = system_of(run, account, source)
        names.append(name)
        faults += [fault] if fault else []
    if faults:
        raise FormatError.gather(faults)
    check_names([run.label for run in runs], names)
    return names


def system_of(
    run: Input, account: _core.Account, source: SystemFrom
) -> tuple[str, FormatError | None]:
    """Return what a run's system is called, and why its tag cannot tell."""
    if run.name and source == "file":
        return run.name, None
    name = next(iter(account.tags), run.label)
    if len(account.tags) < 2:
        return name, None
    problem = f"several run tags: {', '.join(account.tags)}"
    return name, FormatError(run.label, 0, problem, "split the run by its tags")


def _top(arrays: dict[str, Any]) -> Top:
    return Top(
        offsets=arrays["top_offsets"],
        scores=arrays["top_scores"],
        documents=arrays["top_documents"],
        unjudged=tuple(arrays["unjudged"]),
        groups=arrays["unjudged_groups"],
    )
