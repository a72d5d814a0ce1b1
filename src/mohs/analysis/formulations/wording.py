"""Wording: how much a topic's scores depend on how its query is put."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# From hard to easy, cut at the quartiles of the topics' means.
CLASSES = ("hard", "moderately hard", "moderately easy", "easy")
_CUTS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """The scores of T topics over their formulations, each array (T,).

    ``count`` formulations have a score; ``mean``, ``best``, ``worst`` and ``sd`` are of
    these (``sd`` is NaN of a single one). ``classes`` (3, T) number the classes of
    mean, worst and best among the topics.
    """

    count: NDArray[np.int64]
    mean: Floats
    best: Floats
    worst: Floats
    sd: Floats
    classes: NDArray[np.int64]

    @classmethod
    def of(cls, values: Floats, starts: tuple[int, ...]) -> Wording:
        """Look at one score for every cell (C,), NaN where there is none."""
        parts = [
            part[~np.isnan(part)] for part in np.split(np.asarray(values), starts[1:-1])
        ]
        mean, best, worst = (
            np.array([statistic(part) for part in parts])
            for statistic in (np.mean, np.max, np.min)
        )
        sd = [part.std(ddof=1) if len(part) > 1 else np.nan for part in parts]
        cuts = np.quantile(mean, _CUTS)
        # A score on a cut goes to the harder class.
        classes = np.searchsorted(cuts, np.stack([mean, worst, best]), side="left")
        count = np.array([len(part) for part in parts], np.int64)
        return cls(count, mean, best, worst, np.array(sd), classes.astype(np.int64))

    @property
    def spread(self) -> Floats:
        """How far the best formulation is from the worst."""
        return self.best - self.worst

    @property
    def depends(self) -> NDArray[np.bool_]:
        """Whether the class of the worst formulation is another than of the best."""
        moved: NDArray[np.bool_] = self.classes[1] != self.classes[2]
        return moved

    @property
    def smaller(self) -> float:
        """The share of pairs of topics that differ less than their formulations do.

        Their means differ by less than the mean of their spreads.
        """
        one, other = np.triu_indices(len(self.mean), 1)
        between = np.abs(self.mean[one] - self.mean[other])
        within = (self.spread[one] + self.spread[other]) / 2
        return float((between < within).mean())

    @property
    def between(self) -> float:
        """The standard deviation of the topics' means."""
        return float(self.mean.std(ddof=1))

    @property
    def within(self) -> float:
        """The standard deviation of formulations around their topic's mean."""
        squares = np.nansum((self.count - 1) * np.square(self.sd))
        freedom = int((self.count - 1).sum())
        return float(np.sqrt(squares / freedom)) if freedom else np.nan
