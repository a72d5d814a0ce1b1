"""Ferro and Silvello [1]_: what stop lists, lexical units and models contribute.

The authors published the scores of 560 systems, every combination of 5 stop lists, 7
generators of lexical units and 16 models, on four collections. Their analyses, as their
published program [2]_ has them, are computed here: systems as a single factor; each
component against the rest of the pipeline; and all three components with their
interactions. Topics are a factor of each, without interactions, so that every effect
is tested against what is left.

References
----------
.. [1] Ferro and Silvello, "A general linear mixed models approach to study system
   component effects", SIGIR 2016.
.. [2] github.com/gridofpoints/trec-sigir2016
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova import anova
from mohs.analysis.anova.effects import SIZES
from mohs.charts import chart
from mohs.errors import InputError
from mohs.papers.definition import PAPERS, Comparison, Exhibit, Reproduction
from mohs.papers.ferro2016.figures import (
    STOPPING,
    groups,
    interactions,
    main_effects,
    sampled,
    with_stop_lists,
)
from mohs.papers.ferro2016.models import (
    THREE,
    Fit,
    cells_of,
    complete,
    fit_all,
    single_factor,
    three_factors,
    two_factors,
)
from mohs.reporting.wording import between, number
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from mohs.papers.data import Data
    from mohs.tables import Table

DATA = "grid-of-points/sigir2016.parquet"
COLLECTIONS = {"T05": "TREC-5", "T06": "TREC-6", "T07": "TREC-7", "T08": "TREC-8"}
MEASURES = {
    "ap": "AP",
    "p10": "P@10",
    "rbp": "RBP",
    "ndcg": "nDCG@20",
    "err": "ERR@20",
}
_STEMMERS = ("nostem", "wkporter", "porter", "krovetz", "lovins")
_GRAMS = ("4grams", "5grams")
ALL = "stemmers and n-grams"
UNITS: Mapping[str, Sequence[str]] = {
    ALL: (*_STEMMERS, *_GRAMS),
    "stemmers": _STEMMERS,
    "n-grams": ("nostem", *_GRAMS),
}
# What the readme of the published scores counts.
DESIGN = {"stoplist": 5, "lug": 7, "model": 16, "collection": 4, "measure": 5}
_WORDS = {
    "stoplist": "stop lists",
    "lug": "generators of lexical units",
    "model": "models",
    "collection": "collections",
    "measure": "measures",
}
CLOSELY = "TREC-8"
SHOWN = "AP"
_CHANCE = "0 is what chance gives, and below 0 is less than that"


@PAPERS.add("ferro2016")
def ferro2016(data: Data, *, seed: int) -> Reproduction:
    """Analyse the grid of points by components."""
    scores = read(data)
    fits = fit_all(scores, COLLECTIONS, MEASURES.values(), UNITS)
    exhibits = (*_summaries(fits), *_pictures(scores, seed))
    comparisons = (*_design(scores), *_claim(fits), *_unread())
    return Reproduction(
        paper="ferro2016",
        title="System component effects on a grid of points",
        citation=(
            "Ferro and Silvello, “A general linear mixed models approach to study"
            " system component effects”, SIGIR 2016"
        ),
        summary=_summary(fits, exhibits),
        comparisons=comparisons,
        exhibits=exhibits,
        notes=_NOTES,
    )


_NOTES = (
    (
        "Data: the grid of points of github.com/gridofpoints/trec-sigir2016"
        " (Apache-2.0), converted to one table: five measures of 560 systems without"
        " query expansion on titles and descriptions of 50 topics of each of four"
        " collections."
    ),
    (
        "Exhibits bear the names of the analyses in the published program, not numbers:"
        " neither the numbers of the paper's tables nor the figures in them could be"
        " checked against a copy of it, and none is given as published."
    ),
    (
        "stoplist is the stop list; lug, the generator of lexical units, is a stemmer"
        " or n-grams; model is the retrieval model. Stemmers and n-grams each include"
        " nostem, words as they are."
    ),
    "Sizes of effects, as elsewhere: from .01 small, from .06 medium, from .14 large.",
    "The design is complete: sums of squares and degrees of freedom are exact.",
)


def read(data: Data) -> pl.DataFrame:
    """Read the grid of points.

    Raises
    ------
    InputError
        If the file is missing, or lacks columns or collections.
    """
    import polars as pl

    path = data.path(DATA)
    try:
        scores = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path}: is no table in Parquet ({error})") from error
    needed = {*DESIGN, "topic", "system", "value"}
    if lacking := sorted(needed - set(scores.columns)):
        raise InputError(
            f"{path}: has no column {', '.join(lacking)}; expected the grid of points"
            " of SIGIR 2016 as a long table"
        )
    wanted = pl.col("collection").is_in(COLLECTIONS) & pl.col("measure").is_in(MEASURES)
    if scores.filter(wanted).is_empty():
        raise InputError(
            f"{path}: has no scores of {', '.join(COLLECTIONS)} by"
            f" {', '.join(MEASURES)}; expected the grid of points of SIGIR 2016"
        )
    return scores.filter(wanted).with_columns(pl.col("measure").replace(MEASURES))


def _design(scores: pl.DataFrame) -> Iterator[Comparison]:
    for name, count in DESIGN.items():
        yield Comparison.of(
            "readme of the published scores",
            f"number of {_WORDS[name]}",
            str(count),
            scores[name].n_unique(),
        )
    for name, needed in COLLECTIONS.items():
        found = scores.filter(collection=name)["system"].n_unique()
        yield Comparison.remark(
            "readme of the published scores",
            f"{needed}: every combination of components is a system",
            found == 5 * 7 * 16,
            reason=f"{found} systems",
        )


def _claim(fits: Sequence[Fit]) -> Iterator[Comparison]:
    """Judge the first sentence of the abstract, on every collection."""
    for name in COLLECTIONS.values():
        gaps = {
            fit.measure: fit.effect("topic") - fit.effect("system")
            for fit in fits
            if (fit.collection, fit.units) == (name, ALL)
        }
        if gaps:
            closest = min(gaps, key=gaps.__getitem__)
            yield Comparison.remark(
                "abstract",
                f"topics vary scores more than systems do: {name}, every measure",
                gaps[closest] > 0,
                reason=(
                    "partial ω² of topics less that of systems is at least"
                    f" {number(gaps[closest])} ({closest})"
                ),
            )


def _unread() -> Iterator[Comparison]:
    """List what was printed and cannot be put beside what was computed."""
    for quantity in (
        "effects of systems (single factor)",
        "effects of components and their interactions (three factors)",
    ):
        yield Comparison.remark(
            "tables of results",
            quantity,
            None,
            reason=(
                "the printed figures could not be checked against a copy of the paper;"
                " whoever has one finds the computed ones below"
            ),
        )


def _summary(fits: Sequence[Fit], exhibits: Sequence[Exhibit]) -> str:
    chosen = [fit for fit in fits if fit.units == ALL]
    topics, systems = (
        between(min(effects), max(effects))
        for effects in (
            [fit.effect(term) for fit in chosen] for term in ("topic", "system")
        )
    )
    leading = [_leader(fit) for fit in chosen if fit.measure == SHOWN]
    told = (
        "Topics explain most of the variation of the scores, whatever the collection"
        f" and the measure: partial ω² is {topics} for topics, {systems} for systems."
    )
    if leading:
        told += f" The largest effect on {SHOWN} but that of topics is"
        told += f" {', '.join(leading)}."
    left = [each.table for each in exhibits if each.number == "Without nostop"]
    if left and left[0] is not None:
        told += _left(left[0])
    return (
        f"{told} All this speaks of the 50 topics of each collection; whether it holds"
        " for others, the exhibit with topics as a sample tells."
    )


def _left(table: Table) -> str:
    """Say what is left of stop lists among systems that have one."""
    rows = [str(row).endswith(STOPPING) for row in python_values(table["systems"])]
    kept = np.array([table[term] for term in ("stoplist", "stoplist:model")])[:, rows]
    (lists, mixed) = (between(each.min(), each.max(), 3) for each in kept)
    told = (
        f" Among systems that have a stop list, partial ω² is {lists} for the list and"
        f" {mixed} for its interaction with the model"
    )
    if kept.max() < SIZES["small"]:
        told += ": what matters is that words are stopped, not by which list"
    return f"{told}."


def _leader(fit: Fit) -> str:
    rows = {term: effect for term, effect in fit.effects() if term != "topic"}
    term = max(rows, key=rows.__getitem__)
    return f"{term} on {fit.collection} ({number(rows[term], 3)})"


def _summaries(fits: Sequence[Fit]) -> Iterator[Exhibit]:
    yield Exhibit(
        "Single factor",
        "Effects of systems, as one factor",
        "Partial ω² of systems beside topics, for all lexical units and for those of"
        f" one kind; {_CHANCE}. {_significance(fits, {'system'})}",
        single_factor(fits),
        chart(cells_of(single_factor(fits), "collection", "Effects of systems")),
    )
    for name in COLLECTIONS.values():
        held = [fit for fit in fits if fit.collection == name]
        if held:
            table = three_factors(held)
            yield Exhibit(
                f"Three factors, {name}",
                f"Effects of components and their interactions on {name}",
                f"Partial ω² beside topics; {_CHANCE}."
                f" {_significance(held, {term for term, _ in held[0].effects()})}",
                table,
                chart(cells_of(table, "term", f"Effects of components on {name}")),
            )
    yield Exhibit(
        "Two factors",
        "Each component, and the rest of the pipeline",
        "Partial ω² of a component, of the pipelines made of the two others, and of"
        f" their interaction; {_CHANCE}. In a complete design these follow from the"
        " three factors: sums of squares and degrees of freedom add up.",
        two_factors(fits),
    )
    yield Exhibit(
        "All tables",
        "All analyses of variance",
        "Every line of the analyses with one and with three factors, for each"
        " collection, measure and kind of lexical units; F is against the residual, so"
        " p speaks of these topics alone.",
        complete(fits),
    )


def _significance(fits: Sequence[Fit], terms: set[str]) -> str:
    """Name what is not significant at 5%."""
    found = [
        f"{term} ({fit.collection}, {fit.measure}, {fit.units})"
        for fit in fits
        for term, p in fit.chances()
        if term in terms and p > 0.05
    ]
    if not found:
        return "All are significant at 5%."
    if len(found) > 6:
        names = sorted({each.partition(" (")[0] for each in found})
        return (
            f"Not significant at 5% in {len(found)} cases, all of"
            f" {', '.join(names)}; the table of all analyses has their p."
        )
    return f"Not significant at 5%: {'; '.join(found)}."


def _pictures(scores: pl.DataFrame, seed: int) -> Iterator[Exhibit]:
    """Draw AP on every collection, and look closely at one."""
    found = {
        name: scores.filter(collection=short, measure=SHOWN).drop("collection")
        for short, name in COLLECTIONS.items()
    }
    held = {name: each for name, each in found.items() if not each.is_empty()}
    closely = CLOSELY if CLOSELY in held else next(iter(held), None)
    for name, each in held.items():
        result = anova(each, THREE, seed=seed)
        yield from main_effects(result, name)
        if name == closely:
            yield from interactions(result, name)
            yield from groups(each, name, seed)
            yield sampled(each, result, name)
    if held:
        yield with_stop_lists(held, seed)
