"""Models of Culpepper et al. on data with formulations that can be had by everyone.

Two kinds: a generated collection searched by a small grid of systems, which has the
paper's design in every respect but its size; and the grid of points of Ferro et al.,
whose three query fields stand in the formulations' place. Fields are treatments crossed
with topics, the same three for each, and no sample of wordings nested in it, so the
crossed model stands beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.anova import anova
from mohs.papers.printed import terms
from mohs.scores import Scores
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table, stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mohs.analysis.anova import Anova

WITHIN, ACROSS = "c21-within", "c21-across"
CROSSED = "~ topic*formulation + system + topic:system"
GRID = {
    "stemmers": "none,porter",
    "models": "BM25,DPH,DirichletLM,PL2",
    "expansions": "none,Bo1,KL",
}
RANDOM = ("topic", "formulation")
_PARTS = ("stoplist", "lug", "model")


def by_corpus(scores: Scores, seed: int, model: str = WITHIN) -> Mapping[str, Anova]:
    """Explain the scores of each corpus by itself, by a ready model or a formula."""
    asked: dict[str, Any] = {"formula" if model.startswith("~") else "model": model}
    return {
        name: anova(scores, where={"corpus": name}, seed=seed, **asked)
        for name in scores.factors["corpus"].levels
    }


def across(scores: Scores, seed: int, *, random: bool = False) -> Anova:
    """Explain the scores of all corpora, topics and formulations fixed or random."""
    return anova(scores, model=ACROSS, random=RANDOM if random else (), seed=seed)


def printed(found: Mapping[str, Anova]) -> Table:
    """Lay out the terms of several analyses below one another."""
    return stack([_labelled(name, each) for name, each in found.items()])


def _labelled(name: str, found: Anova) -> Table:
    table = terms(found)
    first = {"corpus": Factor.constant(name, len(table))}
    return Table(first | dict(table.columns))


def figure(found: Anova, term: str, name: str = "omega2_partial") -> float:
    """Return a figure of a term, by default its partial omega squared."""
    table = found.tables()["anova"]
    cells = (dict(zip(table.names, row, strict=True)) for row in table.rows())
    return float(next(each[name] for each in cells if each["term"] == term))


def read_fields(path: Path) -> Scores:
    """Read AP of the grid of points, its query fields as formulations.

    A system is what it is made of but for the field.
    """
    import polars as pl

    frame = (
        pl.scan_parquet(path)
        .filter(pl.col("measure") == "ap")
        .select("collection", "topic", "query", *_PARTS, "value")
        .collect()
        .with_columns(system=pl.concat_str(_PARTS, separator="_"))
    )
    columns = {"system": "system", "topic": "topic"}
    columns |= {"corpus": "collection", "formulation": "query"}
    return Scores(
        {name: _factor(frame[column]) for name, column in columns.items()},
        Factor.constant("AP", len(frame)),
        frame["value"].to_numpy(),
    )


def drawn(scores: Scores, systems: int, seed: int) -> Scores:
    """Return the scores of so many systems, drawn at random."""
    draws = stream(seed, "c21", "systems of the grid")
    chosen = draws.permutation(len(scores.systems))[:systems]
    return scores.take(np.isin(scores.factors["system"].codes, chosen))


def _factor(texts: Iterable[str]) -> Factor:
    return Factor.of(texts).arranged()
