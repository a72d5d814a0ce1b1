"""From judgments and runs to a problem, and what to know about both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.pool import problem_of
from mohs.analysis.difficulty.question import RANDOM
from mohs.analysis.difficulty.ratio import CLASSED
from mohs.errors import FormatError
from mohs.gains.scales import Scaled
from mohs.measures.calculation import on_scale
from mohs.measures.caveats import (
    combine,
    describe_overlap,
    examine,
    judgment_lines,
    shown,
)
from mohs.rankings import describe_judgments, describe_runs, judge, rank_chosen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mohs.analysis.difficulty.pool import Problem, Rules
    from mohs.analysis.difficulty.solution import Solution
    from mohs.rankings import Rankings, Reading
    from mohs.trec.inputs import Input

# Share of judged documents below which runs and judgments hardly belong together.
_STRANGE = 0.5
_TOP = 10  # what Rankings.judged_top looks at


def read_problem(  # noqa: PLR0913 (a request of its own, one level down)
    judged: Input,
    runs: Sequence[Input],
    reading: Reading,
    rules: Rules,
    *,
    top: int = 0,
    workers: int | None = None,
) -> Problem:
    """Read judgments and runs, and form the pools.

    Parameters
    ----------
    judged, runs
        The inputs.
    reading
        How they are read.
    rules
        How pools are formed.
    top
        How much of each ranking is kept, if more than the pool needs.
    workers
        How many threads read; the result is the same.

    Raises
    ------
    FormatError
        With every line of every file that cannot be used, and every run of which no
        topic is judged.
    """
    judgments = judge(judged, reading)
    rankings = rank_chosen(
        judgments, runs, reading, top=max(rules.depth, top), workers=workers
    )
    faults = describe_judgments(judgments) + describe_runs(rankings)
    faults = faults or describe_overlap(rankings)
    if faults:
        raise FormatError.gather(faults)
    return problem_of(on_scale(rankings, rules.gain), rules)


def input_notes(problem: Problem, runs: Sequence[Input]) -> Iterator[str]:
    """Yield a sentence for each thing worth knowing about the input."""
    rankings = problem.rankings
    read = set(rankings.labels)
    for run in runs:
        if run.label not in read:
            yield f"{run.label}: holds judgments, so it is left out of the runs"
    signed = bool(getattr(problem.rules.gain, "signed", False))
    scaled = isinstance(problem.rules.gain, Scaled)
    if scaled:
        yield (
            "grades are relevances made of the scores of each topic's judgments; what "
            "counts relevant documents counts those of 1 or more"
        )
    graders: list[str] | None = [] if scaled else None
    yield from judgment_lines(rankings.judgments, 1, signed=signed, graders=graders)
    turned = np.zeros((0, len(rankings.systems)))
    yield from combine([examine(rankings, (), turned)]).lines()
    yield from _belonging(rankings)


def _belonging(rankings: Rankings) -> Iterator[str]:
    firsts = np.minimum(rankings.retrieved, _TOP).sum(axis=1)
    judged = np.minimum(rankings.judged_top, rankings.retrieved).sum(axis=1)
    share = judged.sum() / max(1, firsts.sum())
    if share < _STRANGE:
        yield (
            f"only {share:.1%} of the first {_TOP} documents are judged: check that "
            "runs and judgments belong together, and see --unjudged"
        )
    unknown = np.flatnonzero((judged == 0) & (firsts > 0)).tolist()
    if unknown:
        names = shown([rankings.systems[row] for row in unknown])
        yield f"no judged document among the first {_TOP} of any topic: {names}"


def result_notes(solution: Solution) -> Iterator[str]:
    """Yield a sentence for each thing worth knowing about the figures."""
    yield headline(solution)
    rows = solution.rows
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        topics = [row.topic for row in rows if row.reason == reason]
        yield f"{_topics(len(topics))} without difficulty, as {reason}: {shown(topics)}"
    rated = [row for row in rows if not row.reason]
    most = max((row.systems for row in rated), default=0)
    fewer = [row.topic for row in rated if row.systems < most]
    if fewer:
        yield (
            f"{_topics(len(fewer))} with fewer than the {most} systems that retrieved "
            f"something for others: {shown(fewer)}"
        )
    small = sum(row.systems < CLASSED for row in rated)
    if small:
        yield (
            f"{_topics(small)} without a class, which takes {CLASSED} systems; "
            "see the margin"
        )
    if solution.question.interval == "wilson":
        yield (
            "wilson intervals take systems for independent: "
            "they are a lower bound on the uncertainty"
        )
    yield from _team_notes(solution)


def headline(solution: Solution) -> str:
    """Say in one sentence what the difficulty is, and of which pool."""
    rules, baseline = solution.problem.rules, solution.question.baseline
    beaten = {RANDOM: "a random re-ranker"}.get(str(baseline), f"{baseline}")
    kinds = {"runs": f"union of the runs' top {rules.depth}", "judged": "all judged"}
    sizes = [len(pool) for pool in solution.problem.pools if len(pool)]
    size = f"{min(sizes)} to {max(sizes)}" if sizes else "no"
    return (
        f"difficulty is the share of systems that beat {beaten}: 1 = easiest, "
        f"0 = hardest; pool: {kinds[rules.pool]}, {size} documents"
    )


def _team_notes(solution: Solution) -> Iterator[str]:
    teams, systems = solution.question.teams, solution.problem.systems
    if not teams:
        return
    strangers = sorted(set(teams) - set(systems))
    if strangers:
        yield f"systems of the teams that are no runs: {shown(strangers)}"
    alone = [system for system in systems if system not in teams]
    if alone:
        yield f"systems without a team, each taken for one of its own: {shown(alone)}"


def _topics(count: int) -> str:
    return f"{count} topic" if count == 1 else f"{count} topics"
