"""All of it for the official systems and the grid that a person has at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.papers.z19 import agreement, variance
from mohs.papers.z19.agreement import COLLECTION, GRID, KIND
from mohs.papers.z19.components import EXPANSION, NONE, STEMMER, unmatched

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mohs.papers.definition import Exhibit
    from mohs.papers.z19.agreement import Taus
    from mohs.scores import Scores


def exhibits(kinds: Mapping[str, Scores], seed: int) -> tuple[list[Exhibit], Taus]:
    """Return figures and tables for every collection, and τ between collections."""
    together = agreement.joined(kinds)
    found, taus = agreement.between(together, seed)
    found += _by_collection(together, seed)
    found += _models(kinds, seed)
    found += _effects(kinds[GRID], seed)
    return found, taus


def _by_collection(together: Scores, seed: int) -> Iterator[Exhibit]:
    for name in together.factors[COLLECTION].levels:
        kinds = together.where({COLLECTION: name}).factors[KIND].levels
        if len(kinds) > 1:
            yield agreement.against_grid(together, name, seed)
        for kind in kinds:
            yield agreement.within(together, kind, name, seed)


def _models(kinds: Mapping[str, Scores], seed: int) -> Iterator[Exhibit]:
    """Fit model 1 where collections share topics, and model 2 where it can be told."""
    for kind, scores in kinds.items():
        if agreement.share(scores):
            corpora = scores.rename({"corpus": COLLECTION})
            yield variance.of_parts(corpora, f"your {kind} systems", seed)
            if kind == GRID and {"ir_model", "stemmer", "qe"} <= {*scores.factors}:
                yield variance.second(corpora, "your grid", seed)


def _effects(grid: Scores, seed: int) -> Iterator[Exhibit]:
    for component in (STEMMER, EXPANSION):
        factor = grid.factors.get(component)
        if factor is None or NONE not in factor.levels or len(factor.levels) == 1:
            continue
        for name in grid.factors[COLLECTION].levels:
            some = grid.where({COLLECTION: name})
            yield unmatched(some, component, name, seed)
