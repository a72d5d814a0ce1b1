"""What φ changes: nDCG by levels that someone chose, and nDCG by φ, list by list [1]_.

A ranking is over-estimated if nDCG by ad-hoc levels is above that by φ: it fails on
items that are worth more than their level tells. It is under-estimated if it fails on
items that only their level makes valuable.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.relevance.items import read_items
from mohs.analysis.relevance.reading import read_lists, read_scores
from mohs.errors import FormatError
from mohs.files import MAX_BYTES
from mohs.gains.bands import Bands, ranks
from mohs.gains.control import Fitting
from mohs.gains.orders import places, shares
from mohs.gains.phi import Curves, remarks
from mohs.tables import Factor, Result, Table
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.relevance.items import Items
    from mohs.analysis.relevance.reading import Missing

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

CUTOFFS = (5, 10, 15, 20)
# What rounding may make of no difference.
_TIE = 1e-12
_LEVELS = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result):
    """NDCG of L rankings at K cut-offs, by ad-hoc levels and by φ.

    ``levels`` and ``phi`` (L, K) are the two, NaN where nothing is relevant; ``best``
    (L,) is the rank of the item with the highest score. ``notes`` are sentences about
    the scores.

    The tables are ``comparison``, one row for a ranking and a cut-off; ``cutoffs``, one
    for a cut-off; and ``levels``, one for a cut-off and a tenth of the scale of nDCG.
    """

    lists: tuple[str, ...]
    cutoffs: tuple[int, ...]
    levels: Floats
    phi: Floats
    best: Counts
    items: Items
    notes: tuple[str, ...] = ()

    @property
    def differences(self) -> Floats:
        """By how much levels say more than φ: (L, K)."""
        return self.levels - self.phi

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, that of the rankings first."""
        return {
            "comparison": self._by_list(),
            "cutoffs": Table(_rows([*map(self._at, range(len(self.cutoffs)))])),
            "levels": Table(_rows([*self._by_level()])),
        }

    def _by_list(self) -> Table:
        size, count = self.levels.shape
        codes = np.repeat(np.arange(size, dtype=np.int32), count)
        differences = self.differences.reshape(-1)
        return Table(
            {
                "list": Factor(self.lists, codes),
                "k": np.tile(self.cutoffs, size),
                "ndcg": self.levels.reshape(-1),
                "ndcg_phi": self.phi.reshape(-1),
                "difference": differences,
                "estimate": Factor(("under", "equal", "over"), verdicts(differences)),
                "best_rank": np.repeat(self.best, count),
            }
        )

    def _at(self, column: int) -> dict[str, Any]:
        return {
            "k": self.cutoffs[column],
            **_summary(self.levels[:, column], self.phi[:, column], self.best),
        }

    def _by_level(self) -> list[dict[str, Any]]:
        rows = []
        for column, k in enumerate(self.cutoffs):
            levels, phi = self.levels[:, column], self.phi[:, column]
            tenths = np.minimum(np.floor(np.nan_to_num(levels) * _LEVELS), _LEVELS - 1)
            for tenth in range(_LEVELS):
                mine = (tenths == tenth) & ~np.isnan(levels)
                ends = {"from": tenth / _LEVELS, "to": (tenth + 1) / _LEVELS}
                found = _summary(levels[mine], phi[mine], self.best[mine])
                rows.append({"k": k, **ends, **found})
        return rows


def verdicts(differences: Floats) -> NDArray[np.int32]:
    """Return 0 where levels under-estimate, 1 where they agree, 2 over, -1 unknown."""
    found = 1 + (differences > _TIE).astype(np.int32) - (differences < -_TIE)
    return np.where(np.isnan(differences), -1, found).astype(np.int32)


def _summary(levels: Floats, phi: Floats, best: Counts) -> dict[str, Any]:
    known = ~np.isnan(levels - phi)
    levels, phi, best = levels[known], phi[known], best[known]
    differences = levels - phi
    signs = verdicts(differences)
    return {
        "lists": len(levels),
        "ndcg": _mean(levels),
        "ndcg_phi": _mean(phi),
        "difference": _mean(differences),
        "absolute": _mean(np.abs(differences)),
        "over": int((signs == 2).sum()),
        "under": int((signs == 0).sum()),
        "best_rank_over": _mean(best[signs == 2]),
        "best_rank_under": _mean(best[signs == 0]),
    }


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else np.nan


def _rows(rows: list[dict[str, Any]]) -> dict[str, NDArray[Any]]:
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def compare(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    *,
    predicted: str = "predicted",
    actual: str = "actual",
    by: str = "list",
    cutoffs: Sequence[int] = CUTOFFS,
    bands: Sequence[int] = Bands().bounds,
    fitting: Fitting | None = None,
    pooled: bool = False,
    missing: Missing = "error",
    missing_value: float | None = None,
    max_bytes: int | None = None,
) -> Comparison:
    """Compare nDCG by ad-hoc levels with nDCG by φ, over many rankings of items.

    Parameters
    ----------
    source
        Items, as for `mohs.relevance`; each list holds all items that could be ranked.
    predicted
        The column by which a list is ranked, the highest first; tied items stay in the
        order of the table.
    actual
        The column of true scores, from which levels and φ of each list are made.
    by
        The column that says which list an item belongs to.
    cutoffs
        How many places of a ranking count.
    bands
        The last rank, by true score, of each ad-hoc level, the highest level first.
    fitting
        How φ is made; as the paper says unless given.
    pooled
        Make one φ of the scores of all lists. Levels are by rank in each list.
    missing
        What to do about items without a true score: ``drop`` them from their rankings,
        leave them in and take level and φ for ``zero``, or the default, an ``error``.
    missing_value
        A true score that means there is none, such as -1.
    max_bytes
        What a compressed file may unpack to.

    Examples
    --------
    >>> items = {
    ...     "list": ["a"] * 4,
    ...     "item": ["w", "x", "y", "z"],
    ...     "predicted": [4, 3, 2, 1],
    ...     "actual": [3, 100, 2, 1],
    ... }
    >>> compare(items, cutoffs=[2], bands=[2]).table["ndcg", "ndcg_phi"].rows()
    [(1.0, 0.6309640803793589)]
    """
    items = read_items(source, max_bytes=max_bytes or MAX_BYTES)
    fitting = fitting or Fitting()
    scores = read_scores(
        items,
        actual,
        missing=missing,
        missing_value=missing_value,
        transform=fitting.transform,
    )
    named = read_lists(items, by)
    known = ~np.isnan(scores)
    scored = np.isin(np.arange(len(named.levels)), named.codes[known])
    kept = scored[named.codes] & (known | (missing == "zero"))
    ranking = _predicted(items, predicted, kept)
    names = tuple(compress(named.levels, scored))
    lists = (np.cumsum(scored) - 1)[named.codes[kept]]
    # Of equal depths, the first counts.
    depths = tuple(dict.fromkeys(whole(k, "cutoffs") for k in cutoffs))
    levels, phi, best, remarked = compared(
        scores[kept],
        ranking,
        lists,
        len(names),
        depths,
        Bands(tuple(bands)),
        fitting,
        pooled=pooled,
    )
    notes = (*_gaps(known, scored, missing), *remarked, *(_void(phi) if pooled else ()))
    return Comparison(names, depths, levels, phi, best, items, notes)


def _predicted(items: Items, name: str, kept: NDArray[np.bool_]) -> Floats:
    """Return the scores that rank the items which count, of which none may be missing.

    Raises
    ------
    FormatError
        With every row of these that has none.
    """
    ranking = items.numbers(name)
    wrong = np.flatnonzero(kept & ~np.isfinite(ranking)).tolist()
    if wrong:
        told = f"{name} is missing or infinite; write a number, or remove the row"
        raise FormatError.gather(items.faults([(row, told) for row in wrong]))
    return ranking[kept]


def _void(phi: Floats) -> Iterator[str]:
    """Say which lists lie below all that a φ of all lists rises from."""
    if void := int(np.isnan(phi).all(axis=1).sum()):
        told = "φ is 0 everywhere, so nDCG by φ has no value"
        yield f"in {void} of {len(phi)} lists, {told}"


def _gaps(
    known: NDArray[np.bool_], scored: NDArray[np.bool_], missing: Missing
) -> Iterator[str]:
    if gaps := int((~known).sum()):
        zero = "they stay in their rankings, with a level and a φ of 0"
        told = zero if missing == "zero" else "they are taken out of their rankings"
        yield f"{gaps} of {len(known)} items have no score; {told}"
    if bare := int((~scored).sum()):
        yield f"{bare} of {len(scored)} lists have no scores, so they are left out"


def compared(  # noqa: PLR0913, PLR0917 (arrays, and what to make of them)
    scores: Floats,
    ranking: Floats,
    lists: Counts,
    count: int,
    cutoffs: Sequence[int],
    bands: Bands,
    fitting: Fitting | None = None,
    *,
    pooled: bool = False,
) -> tuple[Floats, Floats, Counts, tuple[str, ...]]:
    """Return nDCG by levels and by φ (L, K), ranks of the best items (L,), and notes.

    ``scores`` are true and ``ranking`` predicted scores of items (N,), ``lists`` (N,)
    the lists they belong to, of ``count``, each with a score or more. An item whose
    true score is NaN has a level and a φ of 0. If φ is ``pooled``, all lists share one.
    """
    known = ~np.isnan(scores)
    true, mine = scores[known], lists[known]
    owners, functions = (mine * 0, 1) if pooled else (mine, count)
    curves = Curves.over(true, owners, functions, fitting or Fitting())
    phi, levels = np.zeros((2, len(scores)))
    phi[known] = curves(true, owners)
    levels[known] = bands(true, mine)
    ranked = places(ranking, lists, count)
    by_levels, by_phi = (
        shares(np.exp2(each) - 1.0, ranked, lists, count, cutoffs)
        for each in (levels, phi)
    )
    first = ranks(true, mine) == 1
    best = np.full(count, len(scores))
    np.minimum.at(best, mine[first], ranked[known][first] + 1)
    return by_levels, by_phi, best, tuple(remarks(curves, phi[known], owners))
