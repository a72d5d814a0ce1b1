"""Table 1 and Figure 1: what φ makes of a few scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.relevance import compare, relevance
from mohs.analysis.relevance.synthetic import DISTRIBUTIONS
from mohs.charts import chart
from mohs.gains.bands import Bands
from mohs.papers.definition import Comparison, Exhibit
from mohs.papers.m17.part import SPOKEN, VARIANTS, Part
from mohs.statistics.streams import stream
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.gains.control import Fitting, Variant

    Floats = NDArray[np.float64]

# Two days of our own, five items each, in the order that was predicted: both times, the
# two best items are swapped. On day 2 they are further apart.
DAYS = {"day 1": (90, 100, 40, 30, 20), "day 2": (90, 400, 40, 30, 20)}
PRINTED = {"day 1": ".969593", "day 2": ".935632"}
_PURPOSE = ("papers", "m17", "figure 1")
_FIVE_ITEMS = "the five items of each day, with their tweets, are not at hand"


def table_1() -> Part:
    """Compute nDCG by φ of two days of five items, which are our own."""
    by_variant = {name: _days(fitting) for name, fitting in VARIANTS.items()}
    found = by_variant["paper"]
    printed = [
        Comparison.of("Table 1", f"nDCG by φ on {day}", text, None, reason=_FIVE_ITEMS)
        for day, text in PRINTED.items()
    ]
    lost = found["day 1"] - found["day 2"]
    remark = Comparison.remark(
        "Table 1",
        "the same swap of two items costs more where their scores are further apart",
        lost > 0,
        computed=lost,
        reason="on two days of our own: nDCG by φ on day 1 minus that on day 2",
    )
    text = (
        "The same computation on five items a day of our own, in the order that was"
        " predicted, with the two best items swapped on both days: the ideal order is"
        " that of the scores, and φ comes from the scores of the day. The figures are"
        " exact; nDCG of the first five would be the same on both days by any levels"
        " that are given by rank."
    )
    exhibit = Exhibit("Table 1", "What one swap costs", text, _table(by_variant))
    return Part((*printed, remark), (exhibit,))


def _days(fitting: Fitting) -> dict[str, float]:
    """Return nDCG by φ of the five items of each day."""
    columns: dict[str, Any] = {
        "list": [day for day, scores in DAYS.items() for _ in scores],
        "actual": [score for scores in DAYS.values() for score in scores],
        "predicted": [
            -place for scores in DAYS.values() for place in range(len(scores))
        ],
    }
    found = compare(columns, cutoffs=[5], bands=[1, 2, 3], fitting=fitting)
    return dict(zip(found.lists, found.phi[:, 0].tolist(), strict=True))


def _table(by_variant: dict[Variant, dict[str, float]]) -> Table:
    phi = {
        name: np.concatenate(
            [relevance(scores, variant=name).phi for scores in DAYS.values()]
        )
        for name in VARIANTS
    }
    days = [day for day, scores in DAYS.items() for _ in scores]
    return Table(
        {
            "day": Factor.of(days),
            "rank": np.array(
                [r + 1 for each in DAYS.values() for r in range(len(each))]
            ),
            "score": np.array([score for each in DAYS.values() for score in each]),
            **{f"phi_{name}": values for name, values in phi.items()},
            **{
                f"ndcg_phi_{name}": np.array([found[day] for day in days])
                for name, found in by_variant.items()
            },
        }
    )


def figure_1(seed: int) -> Part:
    """Draw scores beside the levels of their ranks, and φ of such scores."""
    from mohs.charts.ranked import ranked

    lists = {
        name: -np.sort(-DISTRIBUTIONS[name](stream(seed, *_PURPOSE, name), 1)[0])
        for name in ("balanced", "imbalanced")
    }
    even, bounds = lists["balanced"], Bands().bounds
    told = ", ".join(map(str, bounds))
    text = (
        "100 scores drawn evenly from 1 to 1,000, as in the authors' program, by rank:"
        f" levels end at the rules ({told}), wherever the scores fall off; the box"
        " holds the middle half of the scores. Another seed gives others of the kind."
    )
    columns: dict[str, Any] = {
        "scores": [name for name, each in lists.items() for _ in each],
        "score": np.concatenate([*lists.values()]),
    }
    found = {
        name: relevance(columns, column="score", by="scores", variant=name)
        for name in VARIANTS
    }
    table = _ranked(even, {name: each.phi[: len(even)] for name, each in found.items()})
    title = "Scores, and levels by rank"
    first = Exhibit("Figure 1", title, text, table, ranked(even, bounds))
    others = [
        Exhibit(
            "Figure 1",
            f"φ of such scores, {SPOKEN[name]}",
            (
                "φ of the same scores (balanced), and of 90 low and 10 high ones"
                " (imbalanced): 0 up to the median and 1 at the highest score. Dots are"
                " its control points; where scores lie beyond the fence, there are"
                " four. φ is exact for these scores."
            ),
            chart=chart(each),
        )
        for name, each in found.items()
    ]
    return Part((), (first, *others))


def _ranked(scores: Floats, phi: dict[Variant, Floats]) -> Table:
    return Table(
        {
            "rank": np.arange(1, len(scores) + 1),
            "score": scores,
            "level": Bands()(scores).astype(np.int64),
            **{f"phi_{name}": values for name, values in phi.items()},
        }
    )
