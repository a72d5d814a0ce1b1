"""The result of `mohs formulations`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs import _core
from mohs.analysis.formulations.experiment import cells_of
from mohs.analysis.formulations.wording import CLASSES, Wording
from mohs.tables import Factor, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.formulations.experiment import Orders, Reached, Rule
    from mohs.analysis.formulations.nulls import Null
    from mohs.analysis.formulations.panel import Panel
    from mohs.tables import Column

_CASES = ("worst", "median", "best")

_RARE = 0.05


@dataclass(frozen=True, slots=True)
class Sampled:
    """What so many formulations of each topic reach, and what chance makes of them."""

    formulations: int
    permutations: int
    mean_best: float
    null: Null


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formulations(Result):
    """How freely the choice of formulations orders the topics, beside chance.

    ``reached`` is what was observed under random ``orders`` (P, T) of the panel's
    topics; ``nulls`` are the same with labels exchanged, the joint one first;
    ``by_size`` is both for fewer formulations. ``notes`` say what was worked on.

    The tables are ``formulations``, one row for each null; ``wording``, what the topics
    owe to their formulations, ``wording_by_pair`` and ``differences``;
    ``by_formulations``; ``distribution`` of the best tau; and ``orders``, the picks for
    the permutations that come out worst, in the middle and best.
    """

    measure: str
    rule: Rule
    panel: Panel
    orders: Orders
    reached: Reached
    nulls: tuple[Null, ...]
    by_size: tuple[Sampled, ...]
    notes: tuple[str, ...] = ()

    @property
    def constrained(self) -> bool:
        """Whether the observed mean is below the 5th percentile of the joint null.

        Of few replicates that percentile says nothing, so its p has to agree.
        """
        null, observed = self.nulls[0], self.reached.mean_best
        return observed < null.band[0] and null.p(observed) <= _RARE

    @property
    def reading(self) -> str:
        """One sentence that says what this shows, and what it does not."""
        null = self.nulls[0]
        figures = (
            f"mean best τ is {self.reached.mean_best:.3f}, and {null.mean:.3f} if"
            f" topics did not matter (5th percentile {null.band[0]:.3f})"
        )
        if self.constrained:
            return (
                f"{figures}, so topics do constrain the order that formulations can put"
                " them in; whether difficulty depends on the corpus remains open, since"
                " each pair of system and corpus is looked at by itself"
            )
        return (
            f"{figures}, so this is no evidence that topics constrain the order, and a"
            " high τ none that they do not: so many formulations order topics as well"
            " by chance"
        )

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the experiment first."""
        return {
            "formulations": self._experiment(),
            "wording": self._wording(),
            "wording_by_pair": self._by_pair(),
            "differences": self._differences(),
            "by_formulations": self._by_size(),
            "distribution": self._distribution(),
            "orders": self._orders(),
        }

    def _experiment(self) -> Table:
        count = len(self.nulls)
        pair = np.nan if self.rule == "bound" else self.reached.mean_pair
        lows, highs = zip(*(null.band for null in self.nulls), strict=True)
        chances = [
            null.p(self.reached.mean_best) if null.name == "joint" else np.nan
            for null in self.nulls
        ]
        return Table(
            {
                "rule": Factor.constant(self.rule, count),
                "permutations": np.full(count, len(self.reached)),
                "pairs": np.full(count, len(self.panel.pairs)),
                "topics": np.full(count, len(self.panel.topics)),
                "formulations": np.full(count, self.panel.sizes.max()),
                "mean_best": np.full(count, self.reached.mean_best),
                "sd_best": np.full(count, self.reached.sd_best),
                "mean_pair": np.full(count, pair),
                "null": Factor.of([null.name for null in self.nulls]),
                "null_mean_best": np.array([null.mean for null in self.nulls]),
                "null_low": np.array(lows),
                "null_high": np.array(highs),
                "p": np.array(chances),
            }
        )

    @property
    def overall(self) -> Wording:
        """What the topics owe to their formulations, in the mean over pairs."""
        return Wording.of(self.means, self.panel.starts)

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean over pairs of each cell (C,), NaN where no pair knows it."""
        known = ~np.isnan(self.panel.values)
        sums = np.where(known, self.panel.values, 0.0).sum(axis=0)
        counts = known.sum(axis=0)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def _wording(self) -> Table:
        return Table({"topic": self.panel.topics, **_columns(self.overall)})

    def _by_pair(self) -> Table:
        panel, size = self.panel, len(self.panel.topics)
        return stack(
            [
                Table(
                    {
                        "pair": Factor.constant(name, size),
                        "topic": Factor(panel.topics, np.arange(size, dtype=np.int32)),
                        **_columns(Wording.of(values, panel.starts)),
                    }
                )
                for name, values in zip(panel.pairs, panel.values, strict=True)
            ]
        )

    def _differences(self) -> Table:
        """Compare topics with formulations: over all pairs, then in each."""
        found = [
            self.overall,
            *(Wording.of(values, self.panel.starts) for values in self.panel.values),
        ]
        return Table(
            {
                "pair": (None, *self.panel.pairs),
                "topics": np.full(len(found), len(self.panel.topics)),
                "between": np.array([each.between for each in found]),
                "within": np.array([each.within for each in found]),
                "smaller": np.array([each.smaller for each in found]),
                "depends": np.array([int(each.depends.sum()) for each in found]),
            }
        )

    def _by_size(self) -> Table:
        lows, highs = zip(*(each.null.band for each in self.by_size), strict=True)
        return Table(
            {
                "formulations": np.array([each.formulations for each in self.by_size]),
                "permutations": np.array([each.permutations for each in self.by_size]),
                "mean_best": np.array([each.mean_best for each in self.by_size]),
                "null_mean_best": np.array([each.null.mean for each in self.by_size]),
                "null_low": np.array(lows),
                "null_high": np.array(highs),
            }
        )

    def _distribution(self) -> Table:
        observed = {"observed": self.reached.best}
        nulls = {
            null.name: np.concatenate([each.best for each in null.replicates])
            for null in self.nulls
        }
        return stack([*self._counted(observed | nulls)])

    def _counted(self, found: Mapping[str, NDArray[np.int64]]) -> Iterator[Table]:
        for name, best in found.items():
            sums, counts = np.unique(best, return_counts=True)
            yield Table(
                {
                    "source": Factor.constant(name, len(sums)),
                    "tau": sums / self.reached.most,
                    "permutations": counts.astype(np.int64),
                    "share": counts / len(best),
                }
            )

    def _orders(self) -> Table:
        """Lay out the picks for the permutations at the ends and in the middle."""
        order = np.argsort(self.reached.best, kind="stable")
        chosen = order[[0, (len(order) - 1) // 2, -1]].tolist()
        return stack([self._order(*each) for each in zip(_CASES, chosen, strict=True)])

    def _order(self, case: str, number: int) -> Table:
        panel, pair = self.panel, int(self.reached.pair[number])
        starts, ranks, scores, targets = cells_of(panel, self.rule)
        row = slice(pair, pair + 1)
        cells = starts, ranks[row], scores[row], targets[row]
        topics = self.orders[number]
        picked, reached = _core.picks(cells, topics, self.rule)
        size = len(topics)
        return Table(
            {
                "case": Factor.constant(case, size),
                "permutation": np.full(size, number + 1),
                "pair": Factor.constant(panel.pairs[pair], size),
                "tau": np.full(size, reached / self.reached.most),
                "place": np.arange(1, size + 1),
                "topic": Factor.of([panel.topics[each] for each in topics.tolist()]),
                "formulation": Factor.of([panel.formulations[each] for each in picked]),
                "value": panel.values[pair, picked],
            }
        )


def _columns(wording: Wording) -> dict[str, Column]:
    mean, worst, best = map(_named, wording.classes)
    return {
        "formulations": wording.count,
        "mean": wording.mean,
        "best": wording.best,
        "worst": wording.worst,
        "spread": wording.spread,
        "sd": wording.sd,
        "class": mean,
        "class_worst": worst,
        "class_best": best,
    }


def _named(classes: Sequence[int]) -> Factor:
    return Factor(CLASSES, np.asarray(classes, np.int32))
