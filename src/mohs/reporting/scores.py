"""From a table of scores to the value of a page."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mohs.analysis.agreement import agree
from mohs.errors import InputError
from mohs.measures.reading import read_scores
from mohs.reporting import (
    details,
    formulated,
    methods,
    scored,
    summary,
    systems,
    variance,
)
from mohs.reporting.asked import Asked, explain
from mohs.reporting.page import Page, Section
from mohs.reporting.wording import counted
from mohs.scores import to_cube

if TYPE_CHECKING:
    from mohs.analysis.agreement import Agreement
    from mohs.analysis.anova import Anova
    from mohs.scores import Cube, Scores
_FEW = 4  # systems, below which a half of them is hardly a set


def report_of_scores(
    source: Any,  # noqa: ANN401
    asked: Asked,
) -> tuple[Page, tuple[str, ...]]:
    """Analyse scores, and lay everything out; return notes, too."""
    held = read_scores(source, measure=asked.measure, **asked.options).of_measure()
    found, compares = _agree(held, asked.seed)
    cube = _cube(held)
    result, why = explain(held, asked)
    sections = [
        _summary(held, found, result),
        scored.topics_of(found, cube),
        systems.section_of(result) if result else systems.without(),
        variance.section_of(result) if result else variance.without(why),
    ]
    if compares:
        sections.append(scored.agreement_of(found))
    if "formulation" in held.factors:
        sections.append(formulated.tried_on(held, asked))
    terms = [*methods.score_terms(), *methods.anova_terms()]
    made = asked.made(_files(source))
    sections.append(methods.section_of(made, terms, command=asked.command))
    page = Page(
        asked.title or "Topic difficulty",
        _about(held, source),
        tuple(sections),
        details.scores_details(cube) if cube else {},
    )
    return page, held.notes


def _summary(held: Scores, found: Agreement, result: Anova | None) -> Section:
    return summary.section_of(
        (
            summary.hard_by_scores(found),
            summary.sure_by_scores(found),
            summary.what_makes_hard(result),
            summary.which_differ(result),
            summary.files_of_scores(held.notes, held.missing, len(held)),
        )
    )


def _agree(held: Scores, seed: int) -> tuple[Agreement, bool]:
    """Compare the usual sets of systems; of too few, only look at the topics."""
    if len(held.systems) >= _FEW:
        with suppress(InputError):  # no topic that every random draw has
            return agree(held, seed=seed), True
    return agree(held, sets="all,best:1", seed=seed), False


def _cube(held: Scores) -> Cube | None:
    try:
        return to_cube(held)
    except InputError:  # several scores of one system on one topic
        return None


def _files(source: Any) -> dict[str, bytes | None]:  # noqa: ANN401
    if isinstance(source, str | os.PathLike) and os.path.isfile(source):  # noqa: PTH113
        return {os.fspath(source): None}
    return {}


def _about(held: Scores, source: Any) -> str:  # noqa: ANN401
    told = (
        f"{counted(len(held.systems), 'system')} on"
        f" {counted(len(held.topics), 'topic')} by {held.measures[0]}"
    )
    if isinstance(source, str | os.PathLike):
        return f"{told}, from {os.path.basename(os.fspath(source))}"  # noqa: PTH119
    return told
