"""Overview: what collections consist of, from judgments and runs or from scores."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from mohs.analysis.overview.against import compare
from mohs.analysis.overview.kinds import kind_of
from mohs.analysis.overview.runs import count_runs
from mohs.analysis.overview.scores import count_scores, parts_of
from mohs.analysis.overview.summary import Collection, Overview
from mohs.errors import FormatError, InputError
from mohs.files import MAX_BYTES, STANDARD_INPUT, unpack
from mohs.measures.calculation import check_level
from mohs.measures.reading import read_scores
from mohs.rankings import Reading
from mohs.rankings.corpora import read_corpora
from mohs.scores.naming import names_of
from mohs.trec.inputs import collected, expand_path, find_inputs
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mohs.rankings.reading import Duplicates, Precision, SystemFrom, Ties
    from mohs.scores import Renames, Scores, Where
    from mohs.scores.layouts import Orient

__all__ = ["Collection", "Overview", "overview"]


def overview(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    runs: Any = None,  # noqa: ANN401
    *,
    level: float = 1,
    ties: Ties = "docid",
    precision: Precision = "double",
    duplicates: Duplicates = "error",
    system_from: SystemFrom = "file",
    corpus: Sequence[str] | str = (),
    formulation: str | None = None,
    seed: int = 0,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    max_bytes: int | None = None,
    baseline: str | None = None,
    tie: float | None = None,
    workers: int | None = None,
) -> Overview:
    """Count what collections consist of, and the topics that they share.

    Parameters
    ----------
    source
        Judgments; or a table of scores, or a list of such tables.
    runs
        Runs, if the source holds judgments; else more tables of scores.
    level
        The lowest grade that is relevant.
    ties, precision, duplicates, system_from, corpus, seed
        How judgments and runs are read, as in `evaluate`. Every sub-corpus is counted
        beside the whole; its topics are those with relevant documents in it.
    formulation
        How to split the ids of queries, as in `evaluate`.
    where, rename, measure, orient
        What of the scores counts and how they are read, as in `read_scores`.
    max_bytes
        What a compressed file may unpack to.
    baseline
        A system of the scores, with which to compare all others topic by topic.
    tie
        The largest difference from it that counts as none, 1e-12 unless given.
    workers
        How many threads read; the result is the same.

    Returns
    -------
    Overview
        ``.table`` has a row for the collection and for each of its sub-corpora, or for
        each table of scores and each level of its column ``corpus`` or ``collection``;
        ``topics_in_common`` counts the topics that all systems of the row have. Of the
        further tables, ``shared`` counts the topics that two rows have in common,
        ``composition`` the documents of sub-corpora, and ``against`` the topics on
        which systems win, tie and lose against the baseline.

    Examples
    --------
    >>> overview({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}, {"q1": {"d1": 0.5}})
    collection  systems  topics  judged  relevant  topics_in_common
    all               1       2       3         2                 1
    """
    check_level(level)
    limit = MAX_BYTES if max_bytes is None else whole(max_bytes, "max_bytes")
    if tie is not None and baseline is None:
        raise InputError("--tie is about --baseline, which was not given")
    rules = [corpus] if isinstance(corpus, str) else corpus
    if _are_scores(source, runs, limit):
        _refuse("--corpus", rules, "judgments and runs")
        read = partial(
            read_scores,
            where=where,
            rename=rename,
            measure=measure,
            orient=orient,
            formulation=formulation,
            max_bytes=limit,
        )
        return _of_scores([*_listed(source), *_listed(runs)], read, baseline, tie)
    for option, given in (("--where", where), ("--rename", rename)):
        _refuse(option, given, "scores")
    _refuse("--measure", measure, "scores")
    _refuse("--baseline", baseline, "scores")
    reading = Reading.asked(
        ties=ties,
        precision=precision,
        duplicates=duplicates,
        system_from=system_from,
        formulation=formulation,
        max_bytes=max_bytes,
    )
    judged, inputs, _ = find_inputs(source, runs)
    corpora = read_corpora(rules, seed=seed)
    counts = count_runs(judged, inputs, reading, corpora, level=level, workers=workers)
    files = {each.label: each.content for each in (judged, *inputs) if each.is_file}
    return Overview(tuple(counts), files)


def _are_scores(source: Any, runs: Any, max_bytes: int) -> bool:  # noqa: ANN401
    """Tell scores from judgments by what a file holds, or by what comes with it."""
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    if not os.path.isfile(path):  # noqa: PTH113 (any text is a path to ask for)
        return not runs or os.path.isdir(path)  # noqa: PTH112
    kind = kind_of(unpack(path, path, max_bytes=max_bytes))
    if kind == "run":
        raise FormatError(path, 1, "this is a run", "name the judgments first")
    if kind == "judgments" and not runs:
        raise FormatError(path, 1, "these are judgments", "name runs behind them")
    return kind == "other"


def _of_scores(
    tables: Sequence[Any],
    read: Callable[[Any], Scores],
    baseline: str | None,
    tie: float | None,
) -> Overview:
    found = collected(read, tables)
    named = dict(zip(names_of(tables), found, strict=True))
    against = () if baseline is None else compare(parts_of(named), baseline, tie)
    notes = dict.fromkeys(note for scores in found for note in scores.notes)
    paths = [each for each in tables if isinstance(each, str | os.PathLike)]
    files = (each for path in paths for each in _files(os.fspath(path)))
    counts = count_scores(named)
    return Overview(tuple(counts), dict.fromkeys(files), tuple(notes), tuple(against))


def _files(path: str) -> list[str]:
    # Standard input was read, and cannot be read again.
    found = [] if path == STANDARD_INPUT else expand_path(path)
    return [each.path for each in found if each.path is not None]


def _listed(source: Any) -> list[Any]:  # noqa: ANN401
    """Return several sources one by one; records make up one source."""
    if source is None:
        return []
    several = isinstance(source, list | tuple)
    if several and not any(hasattr(each, "_fields") for each in source):
        return list(source)
    return [source]


def _refuse(option: str, given: object, kind: str) -> None:
    if given:
        raise InputError(f"{option} is about {kind}, which were not given")
