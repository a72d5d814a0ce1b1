"""What printed tables of variance imply, by arithmetic alone.

A table that prints effects, mean squares and degrees of freedom says more than it
shows: how many scores it is about, whether digits were rounded or cut off, which F
another error term would give, and how large the variance components are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mohs.analysis.anova import Anova

Span = tuple[float, float]


# Columns of an analysis of variance that stand beside one another on a page.
_SHOWN = (
    *("term", "ss", "df", "f", "p", "omega2", "omega2_partial"),
    *("omega2_partial_low", "omega2_partial_high", "size"),
)
_DRAWN = (
    *("term", "df", "f", "p", "error_term"),
    *("f_random", "df_error_random", "p_random"),
)


def terms(found: Anova) -> Table:
    """Lay out the terms of a model, with their tests for the population if any."""
    table = found.tables()["anova"]
    names = _DRAWN if found.populations else _SHOWN
    return Table({name: table[name] for name in names})


@dataclass(frozen=True, slots=True)
class Effects:
    """A printed table of omega squared (not partial): effects of terms, and its MSE.

    ``totals`` bound the total sum of squares that was used, ``digits`` are those after
    the point; ``exact`` names terms with so many more digits that nothing was lost.
    """

    name: str
    effects: Mapping[str, float]
    mse: float
    totals: Span
    digits: int = 4
    exact: frozenset[str] = frozenset()

    def sums(self, *, truncated: bool) -> Span:
        """Return the bounds of the sum of all effects, before digits were lost."""
        unit = 10.0**-self.digits
        lost = len(self.effects) - len(self.exact)
        below = 0.0 if truncated else 0.5
        total = sum(self.effects.values())
        return total - below * lost * unit, total + (1 - below) * lost * unit

    def accounted(self, *, truncated: bool) -> Span:
        """Return the bounds of all degrees of freedom that it accounts for, plus 1.

        From omega squared of term k, (SS_k - df_k MSE) / (SS_total + MSE), summed over
        the terms, and SS_total = sum of SS_k + df_residual MSE. This is the number of
        scores if degrees of freedom are those that the design has.

        Examples
        --------
        >>> table = Effects("Table", {"topic": 0.5}, 1.0, (100.0, 100.0))
        >>> low, high = table.accounted(truncated=True)
        >>> round(low, 2), round(high, 2)
        (50.49, 50.5)
        """
        low, high = self.sums(truncated=truncated)
        ends = [
            (total - share * (total + self.mse)) / self.mse + 1
            for total in self.totals
            for share in (low, high)
        ]
        return min(ends), max(ends)

    def squares(self, term: str, df: int) -> Span:
        """Return the bounds of a term's sum of squares, if digits were cut off."""
        effect = self.effects[term]
        lost = 0.0 if term in self.exact else 10.0**-self.digits
        low, high = self.totals
        return (
            effect * (low + self.mse) + df * self.mse,
            (effect + lost) * (high + self.mse) + df * self.mse,
        )


def rank_of_interaction(cells: int, topics: int, corpora: int) -> int:
    """Return the degrees of freedom of topic:corpus where not all cells have scores.

    All corpora share topics, directly or through others.

    Examples
    --------
    >>> rank_of_interaction(249 + 150 + 50, 249, 3)
    198
    >>> rank_of_interaction(3 * 249, 249, 3)
    496
    """
    return cells - topics - corpora + 1


def implied_f(partial: float, df: int, count: int) -> float:
    """Return the F that a partial omega squared implies.

    Examples
    --------
    >>> round(implied_f(0.7682, 24, 162_000), 0)
    22371.0
    """
    return 1 + count * partial / (df * (1 - partial))


def variances(
    ms: Mapping[str, float], multiplicity: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Solve for the components of variance that mean squares are expected to hold.

    ``multiplicity`` says for every mean square how often it holds each component; where
    the solution is negative, it stays so.

    Examples
    --------
    >>> variances(
    ...     {"topic": 7.0, "error": 1.0},
    ...     {"topic": {"topic": 3, "error": 1}, "error": {"error": 1}},
    ... )
    {'topic': 2.0, 'error': 1.0}
    """
    names = list(ms)
    matrix = [[multiplicity[row].get(name, 0.0) for name in names] for row in names]
    found = np.linalg.solve(np.array(matrix), np.array([ms[name] for name in names]))
    return dict(zip(names, found.tolist(), strict=True))
