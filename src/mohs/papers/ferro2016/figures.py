"""Figures of the components of systems: means, interactions, groups, and two doubts.

The doubts are not those of the paper [1]_: what is left of the effect of stop lists
among systems that have one, and what is left of all effects when topics are a sample.

References
----------
.. [1] Ferro and Silvello, "A general linear mixed models approach to study system
   component effects", SIGIR 2016.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.anova import anova
from mohs.charts import chart
from mohs.charts.cells import Cells
from mohs.papers.definition import Exhibit
from mohs.papers.ferro2016.models import COMPONENTS, THREE, column_of
from mohs.tables import Table, stack
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from mohs.analysis.anova import Anova
    from mohs.tables import Column

RANDOM = "~ topic*stoplist*lug*model - topic:stoplist:lug:model"
_PAIRS = (("stoplist", "lug"), ("stoplist", "model"), ("lug", "model"))
_LEVEL = 0.05
STOPPING = "those with a stop list"


def main_effects(result: Anova, name: str) -> Iterator[Exhibit]:
    """Show how much terms explain, and the means of levels."""
    yield Exhibit(
        f"Effects, {name}",
        f"How much each term explains of AP on {name}",
        "Partial ω² with its 95% interval, bootstrap over topics; 0 by chance. Terms of"
        " topics alone have no such interval.",
        result.tables()["anova"],
        chart(result, title=f"Effects on AP, {name}"),
    )
    yield Exhibit(
        f"Main effects, {name}",
        f"Mean AP of every level of every component on {name}",
        "Means over all topics and all systems that have the component, with 95%"
        " intervals by t with the error of the model. Without any effect, all means of"
        " a component would be the same.",
        stack([result.marginal(each) for each in COMPONENTS]),
        chart(result, show="means", factors=COMPONENTS, title=f"Mean AP, {name}"),
    )


def interactions(result: Anova, name: str) -> Iterator[Exhibit]:
    """Show the means of every two components."""
    for pair in _PAIRS:
        left, right = pair
        yield Exhibit(
            f"Interaction, {name}",
            f"{left} and {right}: mean AP on {name}",
            "Means over all topics, with 95% intervals by t with the error of the"
            " model. Without an interaction, the lines would be parallel.",
            result.marginal(*pair),
            chart(
                result,
                show="interaction",
                factors=pair,
                title=f"{left} and {right}: mean AP, {name}",
            ),
        )


def groups(held: pl.DataFrame, name: str, seed: int) -> Iterator[Exhibit]:
    """Compare all levels of every component."""
    for component in COMPONENTS:
        result = anova(
            held,
            THREE,
            tukey=component,
            intervals="none",
            seed=seed,
        )
        tables = result.tables()
        pairs = tables["tukey"]
        apart = int((np.asarray(pairs["p"]) < _LEVEL).sum())
        randomised = int((np.asarray(pairs["p_randomised"]) < _LEVEL).sum())
        yield Exhibit(
            f"Tukey, {name}",
            f"Which levels of {component} differ in AP on {name}",
            f"Tukey's range at 5%, with the error of the model: {apart} of"
            f" {len(pairs)} pairs differ for these topics. The randomised test, which"
            f" takes topics as blocks of one mean each, tells {randomised} apart; 5% is"
            " the chance that either errs anywhere when no levels differ.",
            pairs,
            chart(result, show="groups", title=f"Groups of {component}, AP, {name}"),
        )


def with_stop_lists(held: Mapping[str, pl.DataFrame], seed: int) -> Exhibit:
    """Ask what is left of the effects among systems that have a stop list."""
    chosen = {
        f"{name}, {which}": each
        for name, scores in held.items()
        for which, each in (
            ("all systems", scores),
            (STOPPING, scores.filter(scores["stoplist"] != "nostop")),
        )
    }
    fits = {
        row: anova(each, THREE, intervals="none", seed=seed).tables()["anova"]
        for row, each in chosen.items()
    }
    effects = {row: column_of(each, "omega2_partial")[1:] for row, each in fits.items()}
    terms = tuple(term for term, _ in next(iter(effects.values())))
    values = np.array([[effect for _, effect in each] for each in effects.values()])
    columns = {term: values[:, place] for place, term in enumerate(terms)}
    cells = Cells(
        rows=tuple(effects),
        columns=terms,
        values=values,
        title="Effects on AP, with and without the systems that stop no words",
        about=("Partial ω²: 0 by chance; from .01 small, .06 medium, .14 large",),
        name="partial ω²",
        form=".3f",
    )
    return Exhibit(
        "Without nostop",
        "Effects on AP among systems that have a stop list",
        "Not in the paper: the same model with and without the systems that stop no"
        " words. Partial ω²; 0 is what chance gives. So far as an effect falls, it is"
        " one of having a stop list, whichever it is, and of the models that need one.",
        Table({"systems": tuple(effects), **columns}),
        chart(cells),
    )


def sampled(held: pl.DataFrame, result: Anova, name: str) -> Exhibit:
    """Take topics for a sample, with their interactions in the model."""
    tables = anova(held, RANDOM, random="topic", intervals="none").tables()
    sample = tables["sphericity"]
    p = dict(column_of(sample, "p_corrected"))
    kept = ", ".join(term for term, value in p.items() if value < _LEVEL)
    fixed = {
        column: dict(column_of(result.tables()["anova"], column))
        for column in ("f", "p")
    }
    terms = [str(term) for term in python_values(sample["term"])]
    columns = {
        column: np.array([each.get(term, np.nan) for term in terms])
        for column, each in fixed.items()
    }
    return Exhibit(
        f"Topics as a sample, {name}",
        "The components, judged for other topics than these",
        "Not in the paper: the published program calls topics random, but its model has"
        " no interaction of topics with components, so that its f and p are those of"
        " fixed topics. Here these interactions are in the model: f_random is against"
        " them and speaks of the population that the topics were drawn from; it is 1 by"
        " chance. Significant there at 5%, with Greenhouse and Geisser's epsilon:"
        f" {kept or 'nothing'}. What small interactions gain is that the residual no"
        " longer holds what topics do to components.",
        Table({"term": sample["term"], **columns, **_after_first(sample)}),
    )


def _after_first(table: Table) -> Mapping[str, Column]:
    return {name: table[name] for name in table.names[1:]}
