"""The models of Tables 4 and 5: on sub-corpora, on a generated grid, and simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova import anova
from mohs.analysis.anova.effects import omega_squared
from mohs.charts import chart
from mohs.papers.definition import Exhibit
from mohs.papers.printed import terms
from mohs.papers.z19 import printed
from mohs.scores import Scores
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from mohs.analysis.anova import Anova

FIRST, SECOND = "z19-1", "z19-2"
AS_PRINTED = (
    "~ system + topic + ir_model + stemmer + qe + corpus + corpus:system + corpus:qe"
)
INSTEAD = (
    "~ topic + ir_model + stemmer + qe + corpus + corpus:ir_model + corpus:stemmer"
    " + corpus:qe + corpus:topic"
)
_SYSTEMS = 20
# Standard deviations, about those of average precision.
_TOPIC, _SYSTEM, _CELL, _NOISE = 0.2, 0.05, 0.1, 0.075
_CHANCE = "By chance F is 1 and ω² is 0."


def simulated(seed: int) -> Scores:
    """Draw scores of 20 systems on 249, 150 and 50 of the topics in three corpora."""
    draws = stream(seed, "z19", "design")
    topics, corpora = printed.TOPICS[0], len(printed.TOPICS)
    in_corpus = np.arange(topics)[:, None] < np.array(printed.TOPICS)
    topic, corpus = np.nonzero(in_corpus)
    cells = (
        _TOPIC * draws.standard_normal(topics)[topic]
        + _CELL * draws.standard_normal((topics, corpora))[topic, corpus]
    )
    values = (
        cells
        + _SYSTEM * draws.standard_normal(_SYSTEMS)[:, None]
        + _NOISE * draws.standard_normal((_SYSTEMS, len(cells)))
    )
    system = np.repeat(np.arange(_SYSTEMS, dtype=np.int32), len(cells))
    levels = {"system": _SYSTEMS, "topic": topics, "corpus": corpora}
    codes = {"topic": np.tile(topic, _SYSTEMS), "corpus": np.tile(corpus, _SYSTEMS)}
    return Scores(
        {
            name: Factor(
                tuple(map(str, range(count))),
                np.asarray(codes.get(name, system), np.int32),
            )
            for name, count in levels.items()
        },
        Factor.constant("score", values.size),
        values.ravel(),
    )


def by_rank(found: Anova) -> Table:
    """Lay out what true and nominal degrees of freedom make of the same squares.

    The residual has its true ones on both sides, as in the printed table.
    """
    parts = found.parts
    table, design = found.tables()["anova"], found.tables()["design"]
    nominal = np.asarray(design["df_nominal"], np.int64)
    first = table.take(np.arange(len(parts.terms)))
    return Table(
        {
            **{name: first[name] for name in ("term", "ss", "df", "f", "omega2")},
            "df_nominal": nominal,
            "f_nominal": parts.ss / nominal / parts.mse,
            "omega2_nominal": omega_squared(
                parts.ss, nominal, parts.mse, parts.total_ss
            ),
        }
    )


def of_print(seed: int) -> list[Exhibit]:
    """Return what the printed tables imply, and a design of their shape."""
    found = anova(simulated(seed), model=FIRST, intervals="none")
    text = (
        "Bounds of what the rows imply, from ω² cut off after four decimals, the MSE,"
        " and the total that is the sum of the table's own rows: SS - df MSE, and SS"
        " and F where degrees of freedom are known. F is 1 by chance."
    )
    return [
        Exhibit(
            "Table 4",
            "As printed, and what it implies",
            text,
            printed.implied(printed.TABLE_4),
        ),
        Exhibit(
            "Table 5",
            "As printed, and what it implies",
            text,
            printed.implied(printed.TABLE_5),
        ),
        Exhibit(
            "Table 4",
            "How many scores the printed rows account for",
            "Summed over all rows, ω² gives the number of scores that a table accounts"
            f" for. A design of {printed.SYSTEMS} systems and"
            f" {'/'.join(map(str, printed.TOPICS))} topics has {printed.SCORES:,}; with"
            f" {printed.NOMINAL} degrees of freedom for corpus:topic instead of"
            f" {printed.RANK} it would seem {printed.NOMINAL - printed.RANK} more.",
            printed.counts(),
        ),
        Exhibit(
            "Table 4",
            "Degrees of freedom by rank, on a simulated design of that shape",
            f"{_SYSTEMS} systems on {'/'.join(map(str, printed.TOPICS))} topics in"
            f" three corpora, {len(found.parts.design):,} scores drawn from the seed."
            f" The product of level counts gives corpus:topic {printed.NOMINAL} degrees"
            f" of freedom where the observed cells allow {printed.RANK}, so its F comes"
            f" out {printed.NOMINAL / printed.RANK:.1f} times too small, and its ω² is"
            " corrected for more chance than there was.",
            by_rank(found),
        ),
    ]


def of_parts(scores: Scores, where: str, seed: int) -> Exhibit:
    """Return model 1 on corpora that share some topics."""
    found = anova(scores, model=FIRST, seed=seed)
    return Exhibit(
        "Table 4",
        f"Model 1 on {where}",
        f"{_shape(scores)}, AP, topics as far as a corpus has scores of them:"
        f" degrees of freedom are ranks over the observed cells. {_CHANCE}",
        terms(found),
        chart(found, title=f"Model 1, {where}"),
    )


def second(scores: Scores, where: str, seed: int) -> Exhibit:
    """Return model 2, as its equation has it."""
    found = anova(scores, model=SECOND, seed=seed)
    return Exhibit(
        "Table 5",
        f"Model 2 as the equation has it, {where}",
        f"{_shape(scores)}, AP. Components are functions of the system, so they have no"
        f" degrees of freedom left after it. {_CHANCE}",
        terms(found),
    )


def of_grid(scores: Scores, seed: int) -> list[Exhibit]:
    """Return both models on a grid with components and several corpora."""
    first = anova(scores, model=FIRST, seed=seed)
    as_printed = anova(scores, AS_PRINTED, seed=seed)
    instead = anova(scores, INSTEAD, seed=seed)
    shape = _shape(scores)
    drawn = f"Intervals are 95%, bootstrap over topics. {_CHANCE}"
    return [
        Exhibit(
            "Table 4",
            "Model 1 on the generated collection",
            f"{shape}, AP. {drawn}",
            terms(first),
            chart(first, title="Model 1, generated collection"),
        ),
        second(scores, "generated collection", seed),
        Exhibit(
            "Table 5",
            "Model 2 with the terms that are printed, generated collection",
            f"With corpus:qe and without corpus:topic, whose effect goes to the"
            f" residual, so every F is smaller than above. {drawn}",
            terms(as_printed),
        ),
        Exhibit(
            "Table 5",
            "Components instead of systems, generated collection",
            f"A model in which components can be told apart: without system. {drawn}",
            terms(instead),
            chart(instead, title="Components instead of systems"),
        ),
    ]


def _shape(scores: Scores) -> str:
    counts = {name: len(each.levels) for name, each in scores.factors.items()}
    return (
        f"{counts['system']} systems, {counts['topic']} topics, {counts['corpus']}"
        " corpora"
    )
