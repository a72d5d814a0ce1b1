"""From judgments and runs to the value of a page."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.agreement import agree
from mohs.analysis.difficulty import difficulty
from mohs.analysis.difficulty.correlates import correlates
from mohs.analysis.difficulty.standings import standings
from mohs.analysis.difficulty.uses import scores_of
from mohs.analysis.inspection import check
from mohs.analysis.overview import overview
from mohs.errors import FormatError, InputError
from mohs.files import STANDARD_INPUT
from mohs.measures.evaluation import evaluate
from mohs.reporting import (
    corpora,
    details,
    findings,
    formulated,
    known,
    methods,
    strategies,
    summary,
    systems,
    topics,
    variance,
)
from mohs.reporting.asked import Asked, explain
from mohs.reporting.page import Page, Section
from mohs.reporting.wording import counted
from mohs.scores import Scores
from mohs.trec.pairs import read_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mohs.analysis.anova import Anova
    from mohs.analysis.difficulty import Difficulty, Part
    from mohs.analysis.inspection import Inspection

# What decides how judgments and runs are read, in every part of the page.
_READING = (
    "ties",
    "precision",
    "duplicates",
    "system_from",
    "corpus",
    "formulation",
    "max_bytes",
    "workers",
)
_MEASURE = "AP"


def report_of_runs(
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    asked: Asked,
) -> tuple[Page, tuple[str, ...]]:
    """Analyse judgments and runs, and lay everything out; return notes, too."""
    _check_twice(qrels, runs)
    read = {name: asked.options[name] for name in _READING if name in asked.options}
    rated = _rate(qrels, runs, asked)
    part = rated.parts[0]
    planted = _known(asked, part)
    scores, by_corpus = _score(qrels, runs, part, asked, read)
    result, why = explain(scores if by_corpus is None else by_corpus, asked)
    inspected = check(qrels, runs, seed=asked.seed, **read)
    sections: list[Section | None] = [
        findings.section_of(inspected),
        _summary(part, result, inspected),
        topics.section_of(part, rated.notes),
        known.section_of(part, planted) if planted is not None else None,
        _systems(part, result),
        strategies.section_of(rated),
        variance.section_of(result) if result else variance.without(why),
    ]
    if by_corpus is not None:
        sections.append(
            _corpora(qrels, runs, part=part, scores=by_corpus, asked=asked, read=read)
        )
    if "formulation" in part.keys:
        sections.append(formulated.tried_on(scores, asked))
    sections.append(_methods(part, rated, asked))
    page = Page(
        asked.title or "Topic difficulty",
        _about(part, qrels),
        tuple(each for each in sections if each),
        details.details_of(part),
    )
    return page, rated.notes


def _summary(part: Part, result: Anova | None, inspected: Inspection) -> Section:
    return summary.section_of(
        (
            summary.hard_topics(part),
            summary.how_sure(part),
            summary.what_makes_hard(result, correlates(part)),
            summary.which_differ(result),
            summary.files_of(inspected),
        )
    )


def _methods(part: Part, rated: Difficulty, asked: Asked) -> Section:
    return methods.section_of(
        asked.made(rated.files or {}),
        [*methods.difficulty_terms(part), *methods.anova_terms()],
        command=asked.command,
    )


def _check_twice(qrels: Any, runs: Any) -> None:  # noqa: ANN401
    named = [qrels, *(runs if isinstance(runs, list | tuple) else [runs])]
    if any(isinstance(each, str) and each == STANDARD_INPUT for each in named):
        raise InputError(
            "standard input (-) can be read only once, and a report reads its input"
            " several times; write it to a file first"
        )


def _rate(qrels: Any, runs: Any, asked: Asked) -> Difficulty:  # noqa: ANN401
    options = {name: each for name, each in asked.options.items() if name != "corpus"}
    return difficulty(
        qrels,
        runs,
        topics=asked.topics,
        strategies=asked.strategies,
        seed=asked.seed,
        **options,
    )


def _known(asked: Asked, part: Part) -> np.ndarray | None:
    """Return the known difficulty of the topics (T,), NaN where there is none."""
    if asked.truth is None:
        return None
    given = asked.truth
    if not isinstance(given, Mapping):
        given = dict(_numbers(given, read_pairs(given, ("topic", "difficulty"))))
    ids = part.keys["topic"].texts()
    return np.array([given.get(topic or "", np.nan) for topic in ids], np.float64)


def _numbers(
    path: str | os.PathLike[str], pairs: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    for topic, text in pairs.items():
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            problem = f"the difficulty of topic {topic} is no number: {text!r}"
            raise FormatError(str(path), 0, problem, "write topic and number")
        yield topic, value


def _score(
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    part: Part,
    asked: Asked,
    read: Mapping[str, Any],
) -> tuple[Scores, Scores | None]:
    """Score the systems on the whole, and in every sub-corpus if there are any."""
    measure = asked.measure or _MEASURE
    scores = scores_of(part.solution.problem, measure)
    codes = scores.factors["topic"].codes
    split = {name: key.take(codes) for name, key in part.keys.items()}
    whole = Scores({**scores.factors, **split}, scores.measure, scores.values)
    if not read.get("corpus"):
        return whole, None
    found = evaluate(qrels, runs, measures=[measure], seed=asked.seed, **read)
    return whole, found.scores


def _systems(part: Part, result: Anova | None) -> Section:
    if result is None:
        return systems.without()
    rows = [row.chance for row in part.solution.rows if not row.reason]
    chance = float(np.mean(rows)) if rows else np.nan
    return systems.section_of(result, standings(part), chance)


def _corpora(  # noqa: PLR0913 (one request, split in two)
    qrels: Any,  # noqa: ANN401
    runs: Any,  # noqa: ANN401
    *,
    part: Part,
    scores: Scores,
    asked: Asked,
    read: Mapping[str, Any],
) -> Section:
    options = {**asked.options, "seed": asked.seed}
    rated = difficulty(qrels, runs, **options)
    counts = overview(qrels, runs, seed=asked.seed, **read)
    try:
        agreed = agree(scores, by="corpus", seed=asked.seed)
    except InputError:  # one sub-corpus, or none with topics in common
        agreed = None
    return corpora.section_of(part, rated, counts, agreed, theme=asked.theme)


def _about(part: Part, qrels: Any) -> str:  # noqa: ANN401
    problem = part.solution.problem
    told = (
        f"{counted(len(problem.systems), 'system')} on"
        f" {counted(len(problem.topics), 'topic')}"
    )
    if isinstance(qrels, str | os.PathLike):
        return f"{told}, judged in {os.path.basename(os.fspath(qrels))}"  # noqa: PTH119
    return told
