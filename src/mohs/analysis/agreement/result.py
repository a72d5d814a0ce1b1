"""The result of `mohs agree`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.agreement.topics import describe_topics
from mohs.tables import Factor, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mohs.analysis.agreement.matrices import Matrix
    from mohs.analysis.agreement.pairs import Pair
    from mohs.analysis.agreement.settling import Settling
    from mohs.analysis.agreement.sides import Side

_FIGURES = (
    "overlap",
    "tau_b",
    "low",
    "high",
    "p",
    "tau_a",
    "tau_ap_left",
    "tau_ap_right",
    "spearman",
    "pearson",
)
_NAMED = 3


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Result):
    """How far sets of systems, tables or levels agree on which topics are hard.

    ``sides`` are what was compared, ``pairs`` the comparisons; ``described`` are the
    topics of each side; ``settling`` is there if it was asked for; ``notes`` are
    sentences about the comparison.

    The tables are ``agree``, one row for each pair; ``topics``, mean, median and share
    for each topic of each side; and ``settled`` and ``settling``: how many systems it
    takes, and how τ_b grows with their number.
    """

    sides: tuple[Side, ...]
    pairs: tuple[Pair, ...]
    described: Table
    settling: tuple[Settling, ...] = ()
    notes: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the pairs first."""
        tables = {"agree": self._main(), "topics": self.described}
        if self.settling:
            tables["settled"] = self._settled()
            tables["settling"] = stack([each.table() for each in self.settling])
        return tables

    def _main(self) -> Table:
        pairs = self.pairs
        return Table(
            {
                "left": Factor.of(pair.left.name for pair in pairs),
                "right": Factor.of(pair.right.name for pair in pairs),
                "measure": Factor.of(pair.measure for pair in pairs),
                "topics": np.array([len(pair.topics) for pair in pairs], np.int64),
                **{
                    name: np.array([getattr(pair, name) for pair in pairs], np.float64)
                    for name in _FIGURES
                },
            }
        )

    def _settled(self) -> Table:
        return Table(
            {
                "scores": Factor.of(each.name for each in self.settling),
                "measure": Factor.of(each.measure for each in self.settling),
                "threshold": np.array([each.threshold for each in self.settling]),
                "systems": np.array([each.settled for each in self.settling]),
                "of": np.array([int(each.sizes[-1]) for each in self.settling]),
            }
        )


def topics_of(sides: Sequence[Side], *, above: float, seed: int) -> Table:
    """Describe the topics of every side."""
    return stack([describe_topics(side, above=above, seed=seed) for side in sides])


def notes_on(
    matrices: Sequence[Matrix], sides: Sequence[Side], pairs: Sequence[Pair]
) -> Iterator[str]:
    """Say what is to be known of a comparison before its figures are believed."""
    for matrix in matrices:
        if matrix.missing:
            where = f"{matrix.name}: " if matrix.name else ""
            yield f"{where}{matrix.missing}; means are over the others"
    counts = {side.name: len(side.matrix.topics) for side in sides}
    if lost := [
        pair
        for pair in pairs
        if len(pair.topics) < max(counts[pair.left.name], counts[pair.right.name])
    ]:
        drawn = " in every draw" if any(len(pair.x) > 1 for pair in lost) else ""
        yield f"only topics that both sides have{drawn} are compared: {_named(lost)}"
    if entangled := [pair for pair in pairs if pair.entangled]:
        yield (
            "sets share systems, whose scores count on both sides, so that some of the"
            f" agreement is of scores with themselves: {_named(entangled)}"
        )
    if circular := dict.fromkeys(side.chosen.text for side in sides if side.circular):
        yield (
            f"{' and '.join(circular)} were chosen by the scores that they are judged"
            " on; file:PATH takes a choice made elsewhere"
        )
    if tied := [pair for pair in pairs if pair.ties]:
        yield (
            "topics are tied, and with ties there is no tau_ap, which leaves out such"
            f" draws of random sets: {_named(tied)}"
        )


def _named(pairs: Sequence[Pair]) -> str:
    """Name some pairs."""
    named = [f"{pair.left.name} and {pair.right.name}" for pair in pairs[:_NAMED]]
    more = len(pairs) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more else "")
