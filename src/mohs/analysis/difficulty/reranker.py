"""The random re-ranker: what a shuffled pool is worth.

Whoever orders the pool of a topic by chance obtains some DCG, too. Its mean and
variance are known exactly, and so is the chance to lie above the mean, as long as the
gains and ranks are few; beyond that it is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mohs.gains.standard import Standardised
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TOLERANCE = 1e-12

_ENUMERATED = 1 << 20  # sequences of gains down to the cut-off that are listed in full
_AT_ONCE = 1 << 20  # gains that are shuffled in one go


class Chance(NamedTuple):
    """Probabilities that a random ranking lies above its mean, and just on it."""

    above: float
    equal: float
    exact: bool


@dataclass(frozen=True, slots=True, eq=False)
class RandomReranker:
    """Orders a pool by chance, every order as likely as any other [1]_.

    ``gains`` (m,) are those of the pool's documents, ``weights`` (k',) what each rank
    down to the cut-off is worth, k' ≤ m.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020, section 3.

    Examples
    --------
    >>> from mohs.gains.discounts import DISCOUNTS, weights
    >>> gains = np.array([0.0, 0, 1, 2, 3, 1, 0])
    >>> reranker = RandomReranker(gains, weights(DISCOUNTS["log2"], 4))
    >>> round(reranker.ndcg, 6), round(reranker.standardised().variance, 6)
    (0.493325, 1.045509)
    >>> reranker.chance().exact
    True
    """

    gains: Floats
    weights: Floats

    def __post_init__(self) -> None:
        if len(self.weights) > len(self.gains):
            raise ValueError("a pool of m documents has no ranks beyond m")

    @property
    def mean(self) -> float:
        """Expected DCG: the mean gain, times all weights."""
        return float(self.gains.mean() * self.weights.sum())

    @property
    def variance(self) -> float:
        """Variance of DCG under a uniform permutation of the pool.

        (1/(m-1)) Σ (W_r - W̄)² Σ (g_d - μ)², where W_r is 0 below the cut-off.
        """
        size = len(self.gains)
        if size < 2:
            return 0.0
        padded = np.zeros(size)
        padded[: len(self.weights)] = self.weights
        return float(size * padded.var() * self.gains.var() * size / (size - 1))

    @property
    def ideal(self) -> float:
        """DCG of the best order."""
        best = np.sort(self.gains)[::-1][: len(self.weights)]
        return float((best * self.weights).sum())

    @property
    def lead(self) -> float:
        """How far the best order lies above the mean; exactly 0 where none can.

        That is so when all gains are equal, or when all of the pool is ranked and every
        rank counts the same.
        """
        gains, weights = self.gains, self.weights
        all_alike = len(weights) == len(gains) and bool((weights == weights[0]).all())
        if all_alike or gains.max() == gains.min():
            return 0.0
        best = np.sort(gains - gains.mean())[::-1][: len(weights)]
        return float((best * weights).sum())

    @property
    def ndcg(self) -> float:
        """Expected nDCG (RNDCG), NaN where the best order has no gain."""
        return self.mean / self.ideal if self.ideal > 0 else np.nan

    @property
    def tolerance(self) -> float:
        """Differences of DCG that are no more than rounding."""
        spread = float(self.gains.max() - self.gains.min())
        return TOLERANCE * spread * float(self.weights.sum())

    def standardised(self) -> RandomReranker:
        """Return the same for gains in units of their spread; two must differ."""
        return RandomReranker(Standardised.over(self.gains)(self.gains), self.weights)

    def draw(self, count: int, *, seed: int = 0, topic: str = "") -> Floats:
        """Draw the DCG of random rankings: (count,).

        The same seed and topic give the same draws.
        """
        random = stream(seed, "random re-ranker", topic)
        centred = self.gains - self.gains.mean()
        drawn = []
        for size in _portions(count, len(centred)):
            orders = random.permuted(np.tile(centred, (size, 1)), axis=1)
            drawn.append(orders[:, : len(self.weights)] @ self.weights)
        return self.mean + np.concatenate(drawn)

    def chance(self, *, draws: int = 100_000, seed: int = 0, topic: str = "") -> Chance:
        """Return the probability of a random ranking to lie above its mean (p0).

        Exact where the gains and ranks are few enough to list all cases; otherwise the
        share of so many draws.
        """
        levels, counts = np.unique(self.gains, return_counts=True)
        if len(levels) ** float(len(self.weights)) <= _ENUMERATED:
            leads, chances = self._enumerated(levels - self.gains.mean(), counts)
            exact = True
        else:
            leads = self.draw(draws, seed=seed, topic=topic) - self.mean
            chances = np.full(draws, 1.0 / draws)
            exact = False
        above = chances[leads > self.tolerance].sum()
        equal = chances[np.abs(leads) <= self.tolerance].sum()
        return Chance(float(above), float(equal), exact)

    def _enumerated(
        self, levels: Floats, counts: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """List what all sequences of gains add up to, and how likely each is."""
        sums, chances = np.zeros(1), np.ones(1)
        left = counts[None, :]
        for turn, weight in enumerate(self.weights):
            rows, drawn = np.nonzero(left)
            chances = chances[rows] * left[rows, drawn] / (len(self.gains) - turn)
            sums = sums[rows] + weight * levels[drawn]
            left = left[rows] - (np.arange(len(levels)) == drawn[:, None])
        return sums, chances


def _portions(count: int, size: int) -> list[int]:
    most = max(1, _AT_ONCE // size)
    return [min(most, count - first) for first in range(0, count, most)]
