"""How everything on the page was computed, and how to compute it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.question import RANDOM
from mohs.reporting.page import Column, Grid, Section
from mohs.reporting.wording import NOTHING
from mohs.tables import Integers, Table
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.difficulty import Part
    from mohs.analysis.difficulty.question import Question
    from mohs.files import Provenance


def section_of(
    made: Provenance,
    terms: Sequence[tuple[str, str]],
    *,
    command: str = "",
) -> Section:
    """Lay out definitions, versions, the request and its inputs."""
    request = [
        (name, _spelled(value))
        for name, value in sorted(made.request.items())
        if value not in (None, (), [], "", {})
    ]
    about = [
        ("Program", f"Mohs {made.version}"),
        ("Seed", NOTHING if made.seed is None else str(made.seed)),
    ]
    if command:
        about.insert(0, ("Command", printable(command)))
    options = "; ".join(f"{name} = {value}" for name, value in request)
    about.append(("Options", printable(options) or "all as they are by default"))
    return Section(
        "methods",
        "Methods",
        terms=(*terms, *about),
        grids=(_inputs(made),) if made.inputs else (),
    )


def _spelled(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)


def _inputs(made: Provenance) -> Grid:
    rows = made.as_dict()["inputs"]
    sizes = [row["size"] for row in rows]
    hashes = [row["sha256"] for row in rows]
    source = Table(
        {
            "file": tuple(row["name"] for row in rows),
            "bytes": Integers(
                np.array([size or 0 for size in sizes], np.int64),
                np.array([size is not None for size in sizes], np.bool_),
            ),
            "sha256": tuple(hashes),
        }
    )
    columns = (
        Column("file", tuple(printable(row["name"]) for row in rows)),
        Column(
            "bytes",
            tuple(NOTHING if size is None else f"{size:,}" for size in sizes),
            kind="number",
        ),
        Column(
            "SHA-256",
            tuple(NOTHING if each is None else each for each in hashes),
            kind="code",
        ),
    )
    return Grid(
        "inputs", "Files that were read", columns, source, sorts=False, folded=True
    )


def difficulty_terms(part: Part) -> list[tuple[str, str]]:
    """Define what is said of topics."""
    rules, question = part.solution.problem.rules, part.solution.question
    pool = (
        f"the union of the first {rules.depth} documents of all runs"
        if rules.pool == "runs"
        else "all judged documents of the topic"
    )
    k = rules.scored
    beaten = (
        f"whose DCG of the first {k} documents exceeds its expectation when the"
        " documents of the pool are put in random order"
        if question.baseline == RANDOM
        else f"that beat {printable(str(question.baseline))} by nDCG_std@{k}"
    )
    return [
        (
            "Difficulty",
            (
                f"The share of systems {beaten}: 1 the easiest topic, 0 the hardest."
                f" Pool: {pool} (Gienapp et al., CIKM 2020). Classes are quarters of"
                " the scale, from 10 systems on."
            ),
        ),
        (
            f"nDCG_std@{k}",
            (
                "(DCG - E) / (ideal DCG - E), with E the expectation under random"
                " order: 0 what chance gives, 1 the best order. The margin is (DCG -"
                " E) in standard deviations of the random order, in the mean over"
                " systems."
            ),
        ),
        *_sure(question),
    ]


def _sure(question: Question) -> list[tuple[str, str]]:
    return [
        (
            "95% interval of a difficulty",
            "Percentile bootstrap over "
            + ("teams" if question.teams else "systems")
            + ", the pool held fixed."
            if question.interval == "bootstrap"
            else "Wilson, which takes systems for independent: a lower bound.",
        ),
        (
            "Chance",
            (
                f"Gains are shuffled over the documents of the pool"
                f" {question.permutations:,} times, one shuffle for all systems, so"
                " that what systems share stays shared: mean and central 95% of the"
                " shares, and p, two-sided, as (b + 1) / (N + 1)."
            ),
        ),
        (
            "Known traits",
            (
                "Kendall's τ_b of difficulty with each trait, percentile bootstrap over"
                " topics, and 10,000 permutations for p; the closest is named, and"
                " judged at 5% divided by the number of traits."
            ),
        ),
    ]


def score_terms() -> list[tuple[str, str]]:
    """Define what is said of scores."""
    return [
        (
            "Topics by scores",
            (
                "Mean over systems of the measure; intervals are percentile"
                " bootstraps over systems."
            ),
        ),
        (
            "Agreement",
            (
                "Kendall's τ_b of the topics' means; percentile bootstrap over topics,"
                " permutations for p."
            ),
        ),
    ]


def anova_terms() -> list[tuple[str, str]]:
    """Define what is said of variation."""
    return [
        (
            "Partial ω²",
            (
                "df (F - 1) / (df (F - 1) + N): what a term explains of what the others"
                " leave, unbiased, so that chance gives 0 in the mean (and may give"
                " less). Small from 0.01, medium from 0.06, large from 0.14."
            ),
        ),
        (
            "Groups",
            (
                "Tukey's studentised range over all pairs of systems, error of the"
                " model; a letter joins systems not told apart at 5%."
            ),
        ),
    ]
