"""What Zampieri et al. [1]_ printed, and what follows from it by arithmetic.

References
----------
.. [1] F. Zampieri, K. Roitero, J. S. Culpepper, O. Kurland and S. Mizzaro, "On topic
   difficulty in IR evaluation: the effect of systems, corpora, and system components",
   SIGIR 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.papers.definition import Comparison
from mohs.papers.printed import Effects, rank_of_interaction
from mohs.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mohs.papers.printed import Span

SETS = ("all", "best:30", "worst:30", "random:30")
# Tau between two collections by sets of systems, in the order of SETS.
TAUS: Mapping[tuple[str, str, str], tuple[str, str, str, str]] = {
    ("R04", "C17", "official"): (".48", ".51", ".43", ".46"),
    ("R04", "C17", "unofficial"): (".38", ".36", ".40", ".37"),
    ("R04", "TREC6", "official"): (".84", ".76", ".76", ".75"),
    ("R04", "TREC6", "unofficial"): (".95", ".87", ".92", ".94"),
}

# Topics with scores in each of the three corpora, which the paper does not name, and
# the systems that the residual's degrees of freedom fit.
TOPICS = (249, 150, 50)
SYSTEMS = 158
CELLS = sum(TOPICS)
SCORES = SYSTEMS * CELLS
INTERACTION = "corpus:topic"
NOMINAL = (TOPICS[0] - 1) * (len(TOPICS) - 1)
RANK = rank_of_interaction(CELLS, TOPICS[0], len(TOPICS))

TABLE_4 = Effects(
    "Table 4",
    {
        "corpus": 0.0003,
        "system": 0.0103,
        "topic": 0.6603,
        INTERACTION: 0.2423,
        "corpus:system": 0.0009,
    },
    0.0055373,
    (4609.79, 4610.48),
)
TABLE_5 = Effects(
    "Table 5",
    {
        "corpus": 0.0050,
        "topic": 0.8157,
        "system": 0.0166,
        "ir_model": 0.0008,
        "qe": 0.0006,
        "stemmer": 0.0001,
        "corpus:system": 0.0011,
        "corpus:qe": 6.045e-05,
    },
    0.0069671,
    (3097.34, 3097.57),
    exact=frozenset({"corpus:qe"}),
)
# Degrees of freedom as level counts give them, where levels are known.
FREEDOM: Mapping[str, int] = {
    "corpus": len(TOPICS) - 1,
    "system": SYSTEMS - 1,
    "topic": TOPICS[0] - 1,
    INTERACTION: NOMINAL,
    "corpus:system": (SYSTEMS - 1) * (len(TOPICS) - 1),
}
_RESIDUAL = SCORES - 1 - sum(FREEDOM.values()) + NOMINAL - RANK


def implied(table: Effects) -> Table:
    """Lay out what the rows of a table imply.

    ``explained`` is SS - df MSE, which needs no degrees of freedom; SS and F are there
    where these are known, F with the rank of corpus:topic.
    """
    names = tuple(table.effects)
    explained = np.array([table.squares(name, 0) for name in names])
    nominal = np.array([float(FREEDOM.get(name, np.nan)) for name in names])
    df = np.where([name == INTERACTION for name in names], RANK, nominal)
    ss = explained + nominal[:, None] * table.mse
    return Table(
        {
            "term": names,
            "omega2": np.array([*table.effects.values()]),
            "explained_low": explained[:, 0],
            "explained_high": explained[:, 1],
            "df_nominal": nominal,
            "df": df,
            "ss_low": ss[:, 0],
            "ss_high": ss[:, 1],
            "f_low": ss[:, 0] / df / table.mse,
            "f_high": ss[:, 1] / df / table.mse,
        }
    )


def counts() -> Table:
    """Lay out how many scores each table accounts for, digits cut off or rounded."""
    rows = [
        (table, truncated, table.accounted(truncated=truncated))
        for table in (TABLE_4, TABLE_5)
        for truncated in (True, False)
    ]
    spans = np.array([span for *_, span in rows])
    fits = {
        "fits_design": SCORES,
        "fits_nominal": SCORES + NOMINAL - RANK,
        "fits_full_topics": SYSTEMS * TOPICS[0] * len(TOPICS),
    }
    return Table(
        {
            "table": tuple(table.name for table, *_ in rows),
            "digits": tuple("cut off" if cut else "rounded" for _, cut, _ in rows),
            "total_low": np.array([table.totals[0] for table, *_ in rows]),
            "total_high": np.array([table.totals[1] for table, *_ in rows]),
            "scores_low": np.ceil(spans[:, 0]),
            "scores_high": np.floor(spans[:, 1]),
            **{
                name: np.array([_within(count, span) for *_, span in rows])
                for name, count in fits.items()
            },
        }
    )


def _within(count: float, span: Span) -> bool:
    return span[0] <= count <= span[1]


def remarks() -> tuple[Comparison, ...]:
    """Judge what the two tables take for granted, by themselves."""
    fourth, fifth = (t.accounted(truncated=True) for t in (TABLE_4, TABLE_5))
    rounded = TABLE_4.accounted(truncated=False)
    extra = SCORES + NOMINAL - RANK
    spent = 1 + sum(FREEDOM.values())
    residual = fourth[0] - spent, fourth[1] - spent
    topic = [t.squares("topic", 0) for t in (TABLE_4, TABLE_5)]
    return (
        Comparison.remark(
            "Table 4",
            "effects are cut off after four decimals, not rounded",
            _within(extra, fourth) and not _within(extra, rounded),
            reason=f"its rows account for {_span(fourth)} scores if digits were cut off"
            f" and for {_span(rounded)} if they were rounded; the design with the"
            f" printed {NOMINAL} degrees of freedom has {extra:,}",
        ),
        Comparison.remark(
            "Table 4",
            f"the {NOMINAL} degrees of freedom of corpus:topic are those of the design",
            _within(SCORES, fourth),
            computed=float(RANK),
            reason=f"with {'/'.join(map(str, TOPICS))} topics it has {CELLS} cells and"
            f" rank {RANK}; {NOMINAL} is nominal, (249 - 1)(3 - 1). {SYSTEMS} systems"
            f" and {CELLS} cells are {SCORES:,} scores, and the rows account for"
            f" {_span(fourth)}: with {NOMINAL} for {RANK} it is {extra:,}, which fits",
        ),
        Comparison.remark(
            "Table 4",
            f"the residual has the degrees of freedom of {SYSTEMS} systems on {CELLS}"
            " pairs of topic and corpus",
            _within(_RESIDUAL, residual),
            computed=float(_RESIDUAL),
            reason=f"its rows and MSE imply {_span(residual)}; {SYSTEMS} systems on"
            f" {CELLS} pairs have {_RESIDUAL:,}",
        ),
        Comparison.remark(
            "Table 4",
            "all 249 topics have scores in all three corpora",
            _within(SYSTEMS * TOPICS[0] * len(TOPICS), fourth),
            computed=float(SYSTEMS * TOPICS[0] * len(TOPICS)),
            reason=f"that would be so many scores, and the rows account for"
            f" {_span(fourth)}",
        ),
        Comparison.remark(
            "Table 5",
            "it is about the same number of scores as Table 4",
            _within(SCORES, fifth),
            computed=float(SCORES),
            reason=f"its rows account for {_span(fifth)}",
        ),
        Comparison.remark(
            "Table 5",
            "its effects can be compared with those of Table 4",
            TABLE_4.totals[0] <= TABLE_5.totals[1],
            computed=TABLE_5.totals[1] / TABLE_4.totals[0],
            reason="the total is the sum of each table's own rows: 4609.79 to 4610.48"
            " in Table 4, 3097.34 to 3097.57 in Table 5, of the same scores. So neither"
            " column holds shares of variance: .8157 of topic in Table 5 is"
            f" {topic[1][0]:,.0f} of squares, .6603 in Table 4 is {topic[0][0]:,.0f}",
        ),
        Comparison.remark(
            "Table 5",
            "its terms are those of the equation of model 2",
            holds=False,
            reason="the equation has corpus:topic, which is not printed, and not"
            " corpus:qe, which is; and after system, ir_model, stemmer and qe are"
            " functions of it with 0 degrees of freedom. Both readings are computed"
            " here",
        ),
    )


def _span(ends: Span) -> str:
    low, high = ends
    return f"{np.ceil(low):,.0f} to {np.floor(high):,.0f}"
