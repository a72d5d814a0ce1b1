"""The public face: everything that can be asked about topics, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from mohs.analysis.difficulty.collection import (
    input_notes,
    read_problem,
    result_notes,
)
from mohs.analysis.difficulty.pool import Rules
from mohs.analysis.difficulty.question import RANDOM, Question
from mohs.analysis.difficulty.result import Difficulty, Part
from mohs.analysis.difficulty.solution import solve
from mohs.analysis.difficulty.strategies import depth_of
from mohs.gains.discounts import DISCOUNTS
from mohs.gains.scales import any_gain_of
from mohs.rankings import Reading
from mohs.rankings.corpora import read_corpora
from mohs.trec.inputs import find_inputs
from mohs.trec.pairs import read_pairs
from mohs.trec.topics import Topic, read_topics

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from mohs.rankings.reading import Duplicates, Precision, SystemFrom, Ties

    Path = str | os.PathLike[str]


def difficulty(  # noqa: PLR0913 (the public face of one request)
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    *,
    depth: int = 20,
    cutoff: int | None = None,
    pool: Literal["runs", "judged"] = "runs",
    unjudged: Literal["nonrelevant", "neutral", "condense"] = "nonrelevant",
    pad: bool = True,
    gain: str = "linear",
    negative: Literal["zero", "keep"] = "zero",
    discount: str = "log2",
    baseline: str | float = RANDOM,
    teams: Path | Mapping[str, str] | None = None,
    interval: Literal["bootstrap", "wilson"] = "bootstrap",
    permutations: int = 10_000,
    strategies: Sequence[str] | str = (),
    topics: Path | Mapping[str, str] | None = None,
    ties: Ties = "docid",
    precision: Precision = "double",
    duplicates: Duplicates = "error",
    system_from: SystemFrom = "file",
    corpus: Sequence[str] | str = (),
    formulation: str | None = None,
    seed: int = 0,
    max_bytes: int | None = None,
    workers: int | None = None,
) -> Difficulty:
    """Say how hard each topic is: the share of systems that beat a random re-ranker.

    1 is the easiest topic, which all systems order better than chance would, and 0 the
    hardest [1]_.

    Parameters
    ----------
    qrels
        Judgments: a path, ``-``, an ir_datasets id, a dict, a frame or records.
    runs
        Runs: paths, folders, patterns, dicts, frames, or a list of these.
    depth
        How much of each ranking goes into the pool that is re-ranked.
    cutoff
        How much of each ranking is scored; as much as goes into the pool, unless given.
    pool
        The union of the ``runs``' tops, or all ``judged`` documents of the topic.
    unjudged
        What an unjudged document is: ``nonrelevant``, ``neutral`` (in no mean and no
        ideal), or dropped before the cut (``condense``).
    pad
        Whether a ranking that ends early is filled up with documents of gain 0.
    gain
        What a grade is worth: ``linear``, ``exponential`` or ``binary``; of judgments
        that hold scores, ``phi`` or ``adhoc`` levels by rank.
    negative
        Whether a grade below zero is worth ``zero``, or may ``keep`` its sign.
    discount
        What a rank takes away: ``log2``, ``ln``, ``zipf`` or ``none``.
    baseline
        What to beat instead: the name of a system, or a NDCG_std.
    teams
        The team of each system, as a file or a dict: the bootstrap draws teams then.
    interval
        ``bootstrap`` over systems, or ``wilson``, a lower bound on the uncertainty.
    permutations
        How often the gains of a pool are shuffled to see what chance does, up to 10**8.
    strategies
        Older strategies to put beside it: names, or ``all``.
    topics
        What was asked, as a topic file or a dict, to be shown beside the figures.
    ties, precision, duplicates, system_from, corpus, formulation
        How judgments and runs are read, as in `evaluate`.
    seed
        Of all draws.
    max_bytes
        What a compressed file may unpack to.
    workers
        How many threads work; the result is the same.

    Returns
    -------
    Difficulty
        ``.table`` has one row for a topic.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020.

    Examples
    --------
    >>> qrels = {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 0, "b": 1, "c": 0}}
    >>> run = {"a": 3.0, "b": 2.0, "c": 1.0}
    >>> result = difficulty(qrels, {"one": {"1": run, "2": run}})
    >>> result.parts[0].solution.difficulty.tolist()
    [1.0, 0.0]
    """
    reading = Reading.asked(
        duplicates=duplicates,
        ties=ties,
        precision=precision,
        system_from=system_from,
        formulation=formulation,
        max_bytes=max_bytes,
    )
    rules = Rules(
        depth=depth,
        cutoff=cutoff,
        pool=pool,
        unjudged=unjudged,
        pad=pad,
        gain=any_gain_of(gain, negative),
        discount=DISCOUNTS[discount],
    )
    question = Question(
        baseline=baseline,
        interval=interval,
        permutations=permutations,
        seed=seed,
        teams=_teams(teams, reading),
    )
    queries = _topics(topics, reading)
    corpora = read_corpora([corpus] if isinstance(corpus, str) else corpus, seed=seed)
    top = depth_of(strategies)
    judged, inputs, skipped = find_inputs(qrels, runs)
    notes = [f"{each.label}: holds the judgments; skipped" for each in skipped]
    parts = []
    for name, rule in corpora.items() or [(None, None)]:
        asked = replace(reading, corpus=rule)
        problem = read_problem(judged, inputs, asked, rules, top=top, workers=workers)
        solution = solve(problem, question, workers=workers)
        part = Part.of(solution, corpus=name, rule=reading.formulation, asked=queries)
        parts.append(part.with_strategies(strategies))
        lines = [*result_notes(solution), *input_notes(problem, inputs)]
        lines += [note for opinion in parts[-1].opinions for note in opinion.notes]
        notes += [f"{name}: {line}" if name else line for line in lines]
    files = {each.label: each.content for each in (judged, *inputs) if each.is_file}
    others = [str(each) for each in (teams, topics) if each and not _is_dict(each)]
    return Difficulty(tuple(parts), tuple(notes), files | dict.fromkeys(others))


def _is_dict(given: object) -> bool:
    return isinstance(given, Mapping)


def _teams(
    teams: Path | Mapping[str, str] | None, reading: Reading
) -> Mapping[str, str]:
    if teams is None or isinstance(teams, Mapping):
        return teams or {}
    return read_pairs(teams, ("system", "team"), max_bytes=reading.max_bytes)


def _topics(
    topics: Path | Mapping[str, str] | None, reading: Reading
) -> Sequence[Topic] | None:
    if topics is None:
        return None
    if isinstance(topics, Mapping):
        return [Topic(topic, None, text) for topic, text in topics.items()]
    return read_topics(topics, max_bytes=reading.max_bytes)
