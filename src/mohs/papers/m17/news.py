"""Figures 3 and 4: rankings of news, by levels and by φ.

The paper ranks news as Google did and scores them by tweets, which are not public.
Here, news are ranked by how often they had been shared six hours after they appeared,
and scored by how often they were after two days.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.relevance import compare
from mohs.analysis.relevance.comparison import verdicts
from mohs.analysis.relevance.items import read_items
from mohs.charts import chart
from mohs.papers.conversions import PLATFORMS
from mohs.papers.definition import Comparison, Exhibit
from mohs.papers.m17.part import SPOKEN, VARIANTS, Part
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table
from mohs.tables.columns import python_values

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from mohs.analysis.relevance import Comparison as Compared
    from mohs.gains.control import Variant
    from mohs.papers.data import Data

    Floats = NDArray[np.float64]

NEWS = "items/news_popularity.csv"
SIZE, CUTOFF = 100, 10
_EARLY, _LATE = "TS18", "TS144"
_SHUFFLES, _RESAMPLES = 20, 2000
_OFTEN = 0.05
_UNDER, _OVER = 0, 2  # as verdicts say it
_FIGURES = ("Figure 3", "Figure 4")
_SHARED = (
    "news of different platforms are mostly the same news, so that rankings by"
    " different platforms are not independent; those of one platform share no news"
)


def figures_3_and_4(data: Data, seed: int) -> Part:
    """Compare rankings of news by levels and by φ, if there are any news."""
    path = data.find(NEWS)
    if path is None:
        return _untold(data.missing(NEWS))
    lists = _lists(path)
    found = {name: compare(lists, fitting=each) for name, each in VARIANTS.items()}
    table = Table(_rows(lists, found, seed))
    many = len(found["paper"].lists)
    text = (
        f"{many} rankings of {SIZE} news that appeared one after the other, by how"
        " often they had been shared after six hours; true scores are how often they"
        " were after two days. Below the diagonal, levels say more than φ. The paper's"
        f" figure is of tweets, with a cut-off of {CUTOFF}."
    )
    told = (
        f" The table has means at {CUTOFF} by platform, with 95% intervals of their"
        " difference over rankings, and what random rankings of the same news give."
    )
    comparisons = _remarks(found, many)
    third = [
        Exhibit(
            _FIGURES[0],
            f"nDCG by levels and by φ, φ {SPOKEN[name]}",
            text + told * (name == "paper"),
            table if name == "paper" else None,
            chart(each, show="rankings", seed=seed),
        )
        for name, each in found.items()
    ]
    fourth = [
        Exhibit(
            _FIGURES[1],
            f"By how much levels say more than φ, φ {SPOKEN[name]}",
            (
                f"The differences of the same {many} rankings, by tenths of nDCG by"
                " levels and by how many news count: 0 where φ changes nothing. The"
                " paper's figure is of tweets."
            ),
            _filled(each.tables()["levels"]),
            chart(each, show="differences"),
        )
        for name, each in found.items()
    ]
    return Part(comparisons, (*third, *fourth), (_SHARED,))


def _filled(levels: Table) -> Table:
    """Leave out tenths without rankings."""
    return levels.take(np.array(python_values(levels["lists"])) > 0)


def _untold(missing: str) -> Part:
    """List the figures that cannot be shown, with what to do about it."""
    remarks = [
        Comparison.remark(
            figure, "what φ changes for rankings of news", None, reason=missing
        )
        for figure in _FIGURES
    ]
    return Part(tuple(remarks), (), (missing,))


def _lists(path: Path) -> dict[str, Any]:
    """Return lists of news, with early and late counts, -1 where there are none."""
    items = read_items(path)
    order = np.argsort(items.numbers("IDLink"), kind="stable")
    names: list[str] = []
    early, late = [], []
    for platform in PLATFORMS:
        first = items.numbers(f"{platform}_{_EARLY}")[order]
        last = items.numbers(f"{platform}_{_LATE}")[order]
        known = np.flatnonzero((first >= 0) & (last >= 0))
        known = known[: len(known) - len(known) % SIZE]
        names += [f"{platform} {place // SIZE + 1}" for place in range(len(known))]
        early.append(first[known])
        late.append(last[known])
    return {
        "list": names,
        "predicted": np.concatenate(early),
        "actual": np.concatenate(late),
    }


def _rows(
    lists: dict[str, Any], found: dict[Variant, Compared], seed: int
) -> dict[str, Any]:
    """Return for every platform and variant means, intervals and what chance gives."""
    owners = np.array([name.split()[0] for name in found["paper"].lists])
    at = found["paper"].cutoffs.index(CUTOFF)
    rows = []
    for variant, each in found.items():
        by_chance = _shuffled(lists, variant, seed)
        for platform in PLATFORMS:
            mine = owners == platform
            differences = each.differences[mine, at]
            low, high = _interval(differences, seed, variant, platform)
            rows.append(
                {
                    "platform": platform,
                    "variant": variant,
                    "rankings": int(mine.sum()),
                    "ndcg": np.nanmean(each.levels[mine, at]),
                    "ndcg_phi": np.nanmean(each.phi[mine, at]),
                    "difference": np.nanmean(differences),
                    "low": low,
                    "high": high,
                    "over": int((verdicts(differences) == _OVER).sum()),
                    "under": int((verdicts(differences) == _UNDER).sum()),
                    "chance_ndcg": np.nanmean(by_chance[0][:, mine]),
                    "chance_ndcg_phi": np.nanmean(by_chance[1][:, mine]),
                }
            )
    text = {"platform", "variant"}
    return {
        name: (Factor.of if name in text else np.array)([row[name] for row in rows])
        for name in rows[0]
    }


def _shuffled(
    lists: dict[str, Any], variant: Variant, seed: int
) -> tuple[Floats, Floats]:
    """Return nDCG by levels and by φ of random rankings: (shuffles, lists) each."""
    random = stream(seed, "papers", "m17", "chance")
    drawn = [
        compare(
            {**lists, "predicted": random.random(len(lists["actual"]))},
            cutoffs=[CUTOFF],
            fitting=VARIANTS[variant],
        )
        for _ in range(_SHUFFLES)
    ]
    return (
        np.stack([each.levels[:, 0] for each in drawn]),
        np.stack([each.phi[:, 0] for each in drawn]),
    )


def _interval(values: Floats, seed: int, *purpose: str) -> tuple[float, float]:
    """Return the 95% interval of a mean over rankings, drawn anew."""
    known = values[~np.isnan(values)]
    random = stream(seed, "papers", "m17", "interval", *purpose)
    drawn = known[random.integers(0, len(known), (_RESAMPLES, len(known)))]
    low, high = np.quantile(drawn.mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def _remarks(found: dict[Variant, Compared], many: int) -> tuple[Comparison, ...]:
    """Judge what the abstract says, that levels often say too much or too little."""
    told = []
    for name, each in found.items():
        found_at = verdicts(each.differences[:, each.cutoffs.index(CUTOFF)])
        for word, sign in (("over", _OVER), ("under", _UNDER)):
            share = float(np.mean(found_at == sign))
            told.append(
                Comparison.remark(
                    _FIGURES[0],
                    f"nDCG@{CUTOFF} by levels often {word}-estimates, φ {SPOKEN[name]}",
                    share >= _OFTEN,
                    computed=share,
                    reason=f"of {many} rankings of news, by shares instead of tweets;"
                    f" from {_OFTEN:.0%} on, this is called often",
                )
            )
    told.append(
        Comparison.remark(
            _FIGURES[1],
            "the differences at each cut-off, with tweets",
            None,
            reason="the paper's counts of tweets are not public; the figure shows those"
            " of other news",
        )
    )
    return tuple(told)
