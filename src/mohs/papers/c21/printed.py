"""What Culpepper et al. [1]_ printed, recomputed from their own figures.

References
----------
.. [1] J. S. Culpepper, G. Faggioli, N. Ferro and O. Kurland, "Topic difficulty:
   collection and query formulation effects", ACM TOIS 40(1), 2021; its tables as in
   "Do hard topics exist? A statistical analysis", IIR 2021.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mohs.analysis.anova.effects import partial_omega_squared, size_of
from mohs.papers.definition import Comparison
from mohs.papers.printed import implied_f
from mohs.statistics.tails import f_tail
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

TOPICS, FORMULATIONS, SYSTEMS, CORPORA = 25, 15, 144, 3
PAIRS = SYSTEMS * CORPORA
SCORES = TOPICS * FORMULATIONS * PAIRS
WITHIN = SCORES // CORPORA
MSE = 287.99 / 100_100

TOPIC, NESTED, SYSTEM, CORPUS = "topic", "formulation(topic)", "system", "corpus"
_ROUNDED = 0.005  # half of the last digit of a printed F
_LARGE = 0.14  # from which on partial omega squared is called large
_RARE = 0.05


class Row(NamedTuple):
    """A row of Table 2: F, degrees of freedom, and partial omega squared as printed."""

    f: float
    df: int
    partial: str


TABLE_2: Mapping[str, Row] = {
    TOPIC: Row(22370.77, 24, ".7682"),
    NESTED: Row(799.25, 350, ".6330"),
    SYSTEM: Row(213.41, 143, ".1579"),
    CORPUS: Row(5742.72, 2, ".0662"),
    "system:topic": Row(21.88, 3432, ".3067"),
    "system:formulation(topic)": Row(1.67, 50_050, ".1713"),
    "system:corpus": Row(34.72, 286, ".0562"),
    "topic:corpus": Row(6956.96, 48, ".6733"),
    "formulation(topic):corpus": Row(261.72, 700, ".5298"),
    "topic:system:corpus": Row(10.86, 6864, ".2946"),
}

NAMES = ("Robust 2004", "CORE 2017", "CORE 2018")
# Partial omega squared in each corpus, and the degrees of freedom.
TABLE_1: Mapping[str, tuple[tuple[float, float, float], int]] = {
    TOPIC: ((0.7639, 0.8215, 0.7834), 24),
    NESTED: ((0.6941, 0.6833, 0.6038), 350),
    SYSTEM: ((0.1080, 0.2193, 0.1445), 143),
    "topic:system": ((0.3385, 0.3510, 0.4386), 3432),
}
TIMES = 1.5  # what the text says of formulation(topic) and topic:system
REACHED = 0.85  # mean best tau of its experiment

# What each term of Table 2 is tested against where topics and formulations were drawn
# from populations and systems and corpora were not.
ERROR_TERMS = {
    SYSTEM: "system:topic",
    CORPUS: "topic:corpus",
    "system:corpus": "topic:system:corpus",
}


def recomputed() -> tuple[Comparison, ...]:
    """Compare every effect of Table 2 with what its F and df give."""
    return tuple(_effect(term, row) for term, row in TABLE_2.items())


def _effect(term: str, row: Row) -> Comparison:
    found = float(partial_omega_squared(row.f, row.df, SCORES))
    ends = partial_omega_squared([row.f - _ROUNDED, row.f + _ROUNDED], row.df, SCORES)
    reach = float(np.ptp(ends)) / 2
    plain = Comparison.of("Table 2", f"partial ω² of {term}", row.partial, found)
    if plain.verdict == "matches":
        return plain
    reason = f"F is printed as {row.f}, and its rounding alone moves ω² by {reach:.4f}"
    return Comparison.of(
        plain.place, plain.quantity, row.partial, found, reason=reason, within=reach
    )


def table_2() -> Table:
    """Lay out Table 2 as printed and as recomputed, and F with random topics."""
    rows = TABLE_2.values()
    df = np.array([row.df for row in rows])
    f = np.array([row.f for row in rows])
    partial = partial_omega_squared(f, df, SCORES)
    random = {term: random_test(term) for term in ERROR_TERMS}
    tests = np.array([random.get(term, (np.nan,) * 3) for term in TABLE_2])
    return Table(
        {
            "term": tuple(TABLE_2),
            "df": df,
            "f": f,
            "ms": f * MSE,
            "omega2_partial": partial,
            "printed": np.array([float(row.partial) for row in rows]),
            "size": Factor.of(map(size_of, partial.tolist())),
            "error_term": Factor.of(ERROR_TERMS.get(term) for term in TABLE_2),
            "f_random": tests[:, 0],
            "df_error_random": tests[:, 1],
            "p_random": tests[:, 2],
        }
    )


def random_test(term: str) -> tuple[float, float, float]:
    """Test a term against what it interacts with: F, the lower df, and p.

    Examples
    --------
    >>> f, df, p = random_test("corpus")
    >>> round(f, 3), df, round(p, 2)
    (0.825, 48.0, 0.44)
    """
    row, error = TABLE_2[term], TABLE_2[ERROR_TERMS[term]]
    f = row.f / error.f
    return f, float(error.df), float(f_tail(f, float(row.df), float(error.df))[0])


def table_1() -> Table:
    """Lay out Table 1, the F that each effect implies, and what the text compares."""
    terms = [term for term in TABLE_1 for _ in NAMES]
    effects = [value for values, _ in TABLE_1.values() for value in values]
    df = [df for _, df in TABLE_1.values() for _ in NAMES]
    return Table(
        {
            "corpus": Factor.of(NAMES * len(TABLE_1)),
            "term": Factor.of(terms),
            "df": np.array(df),
            "printed": np.array(effects),
            "size": Factor.of(map(size_of, effects)),
            "implied_f": np.array(
                [implied_f(w, k, WITHIN) for w, k in zip(effects, df, strict=True)]
            ),
        }
    )


def claims() -> tuple[Comparison, ...]:
    """Judge what the text says about Table 1, by Table 1."""
    (topic, _), (nested, _), _, (crossed, _) = TABLE_1.values()
    times = [a / b for a, b in zip(nested, crossed, strict=True)]
    to_topic = [a / b for a, b in zip(nested, topic, strict=True)]
    found = [
        Comparison.remark(
            "Table 1",
            f"{name}: the effect of formulations is nearly 1.5 times topic*system",
            ratio <= TIMES and round(ratio, 1) >= TIMES - 0.1,
            computed=ratio,
            reason=f"{a:.4f} / {b:.4f} = {ratio:.2f}",
        )
        for name, ratio, a, b in zip(NAMES, times, nested, crossed, strict=True)
    ]
    listed = ", ".join(f"{each:.2f}" for each in to_topic)
    reason = (
        f"formulation(topic) has {listed} of the partial ω² of topic; both are large in"
        " all three corpora, topic the larger in each. Partial ω² are no shares of one"
        " whole, so a ratio of them is no ratio of what is explained"
    )
    return (
        *found,
        Comparison.remark(
            "Table 1",
            "formulations have an effect comparable to that of topics",
            min(map(min, (topic, nested))) > _LARGE,
            computed=float(np.mean(to_topic)),
            reason=reason,
        ),
    )


def fixed_or_random() -> Comparison:
    """Compare the corpus effect that was printed with that in the population."""
    f, lower, p = random_test(CORPUS)
    reason = (
        f"F = {TABLE_2[CORPUS].f} against the residual speaks of these"
        f" {TOPICS} topics. For the topics they were drawn from, corpus is to be seen"
        f" against topic:corpus: F(2, {lower:.0f}) = {f:.3f}, p = {p:.2f}. Fixed"
        " answers for these topics, random for their population; neither is an error"
    )
    return Comparison.remark(
        "Table 2",
        "read as: the effect of the corpus holds for other topics, too",
        p < _RARE,
        computed=f,
        reason=reason,
    )
