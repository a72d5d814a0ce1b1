"""Five sentences, written from the data: what a reader who stops here should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.question import RANDOM
from mohs.reporting.columns import values
from mohs.reporting.page import Point, Section
from mohs.reporting.scored import described
from mohs.reporting.systems import least_difference, pairs_apart
from mohs.reporting.topics import hardest_first
from mohs.reporting.variance import bounds_of
from mohs.reporting.wording import (
    between,
    counted,
    is_or_are,
    is_p,
    listed,
    number,
    sentence,
    some,
)
from mohs.statistics.multiplicity import benjamini_hochberg
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.analysis.agreement import Agreement
    from mohs.analysis.anova import Anova
    from mohs.analysis.difficulty import Part
    from mohs.analysis.difficulty.rows import Row
    from mohs.analysis.inspection import Inspection
    from mohs.tables import Table

HARD, SURE, WHY, SYSTEMS, FILES = (
    "Which topics are hard?",
    "How sure is that?",
    "What makes them hard?",
    "Which systems differ?",
    "What is wrong with the files?",
)
_LEVEL = 0.05
_FEATURES = {
    "relevant": "the number of relevant documents",
    "prevalence": "the share of the pool that is relevant",
    "pool": "the size of the pool",
    "judged": "the number of judged documents",
    "words": "the length of the query",
}


def section_of(sentences: Sequence[str]) -> Section:
    """Put the sentences under the questions that they answer."""
    questions = (HARD, SURE, WHY, SYSTEMS, FILES)
    points = tuple(Point(*pair) for pair in zip(questions, sentences, strict=True))
    return Section("summary", "Summary", points=points)


def hard_topics(part: Part) -> str:
    """Say which topics are hard."""
    rows = [part.solution.rows[at] for at in hardest_first(part.solution.rows)]
    rated = [row for row in rows if not row.reason]
    if not rated:
        return "No topic has a difficulty: nothing in their pools tells systems apart."
    hard = [row for row in rated if row.class_ == "hard"]
    baseline = part.solution.question.baseline
    beaten = "a random re-ranker" if baseline == RANDOM else printable(str(baseline))
    worst = listed([_described(row) for row in rated[:3]])
    if any(row.class_ for row in rated):
        told = (
            f"{len(hard)} of {counted(len(rated), _noun(part))} {is_or_are(len(hard))}"
            f" hard, as at most a quarter of the systems beat {beaten} there"
        )
        if not hard:
            told = (
                f"None of {counted(len(rated), _noun(part))} is hard: more than a"
                f" quarter of the systems beat {beaten} on each"
            )
        return f"{told}; hardest {is_or_are(min(3, len(rated)))} {worst}."
    return (
        f"Of {counted(len(rated), _noun(part))}, hardest"
        f" {is_or_are(min(3, len(rated)))} {worst}; there are too few systems for"
        " classes."
    )


def _noun(part: Part) -> str:
    return "formulation" if "formulation" in part.keys else "topic"


def _described(row: Row) -> str:
    bounds = between(row.low, row.high)
    return f"{printable(row.topic)} ({number(row.difficulty)}, 95% {bounds})"


def how_sure(part: Part) -> str:
    """Say how many topics chance cannot explain, and how wide intervals are."""
    rows = [row for row in part.solution.rows if not row.reason]
    if not rows:
        return "There is nothing to be sure of."
    width = float(np.median([row.high - row.low for row in rows]))
    told = (
        f"for another choice of systems, the 95% interval of a difficulty is"
        f" {number(width)} wide (median over topics)"
    )
    p = np.array([row.p for row in rows])
    if np.isnan(p).all():
        return f"{told[0].upper()}{told[1:]}; what chance would give was not asked."
    adjusted = benjamini_hochberg(p)
    apart = int((adjusted <= _LEVEL).sum())
    low, high = (
        float(np.median([getattr(row, name) for row in rows]))
        for name in ("chance_low", "chance_high")
    )
    return (
        f"On {apart or 'none'} of {counted(len(rows), _noun(part))} the share of"
        " winning systems is more, or less, than shuffled grades explain (false"
        f" discovery rate 5%); by chance it would lie within {between(low, high)}"
        f" (median over topics), and {told}."
    )


def what_makes_hard(result: Anova | None, goes_with: Table | None = None) -> str:
    """Say how much is the topics' doing, and what goes with difficulty."""
    told = []
    if result is not None:
        told.append(_explained(result))
    if goes_with is not None and (found := _closest(goes_with)):
        told.append(found)
    if not told:
        return "With one system or one topic, this cannot be told."
    return sentence("; ".join(told))


def _explained(result: Anova) -> str:
    terms = values(result.tables()["anova"], "term")
    sizes, lows, highs = bounds_of(result)
    kept = {name: at for at, name in enumerate(terms) if name in _SAID}
    parts = [
        f"{_SAID[name]} {number(sizes[at])} (95% {between(lows[at], highs[at])})"
        for name, at in kept.items()
    ]
    return (
        f"Of the variation in {printable(result.measure)} that other terms leave,"
        f" {listed(parts)} (partial ω², 0 by chance)"
    )


_SAID = {
    "topic": "topics explain",
    "system": "systems",
    "topic:corpus": "the sub-corpus a topic is looked at in",
    "topic:formulation": "the wording of queries",
    "topic:system": "how systems suit topics",
}


def _closest(table: Table) -> str:
    """Name what is closest to difficulty, and what bounds that."""
    taus = np.abs(np.asarray(table["tau_b"], np.float64))
    if np.isnan(taus).all():
        return ""
    at = int(np.nanargmax(taus))
    name, _, tau, low, high, p = list(table.rows())[at]
    count = int((~np.isnan(taus)).sum())
    if p > _LEVEL / count:
        return (
            f"none of {count} known traits of the topics goes with difficulty (closest"
            f" {_FEATURES[name]}: τ_b {number(tau)}, 95% {between(low, high)},"
            f" {is_p(p)})"
        )
    way = "easier" if tau > 0 else "harder"
    return (
        f"what goes with difficulty most, though it need not be its cause, is"
        f" {_FEATURES[name]}: the more, the {way} (τ_b {number(tau)}, 95%"
        f" {between(low, high)}; 0 by chance, {is_p(p)})"
    )


def which_differ(result: Anova | None) -> str:
    """Say how many pairs of systems differ, and which the best is not told from."""
    found = result.comparisons if result is not None else None
    if result is None or found is None:
        return "With one system or one topic, this cannot be told."
    best = found.levels[0]
    ties = [
        found.levels[right]
        for left, right, p in zip(found.left, found.right, found.p, strict=True)
        if left == 0 and p >= _LEVEL
    ]
    measure = printable(result.measure)
    beside = f"not told apart from {some(ties)}" if ties else "ahead of all others"
    return (
        f"{pairs_apart(found):,} of {counted(len(found.p), 'pair')} of systems differ"
        f" in mean {measure} (Tukey, 5% for all pairs; it takes"
        f" {number(least_difference(found), 3)}); the highest mean has"
        f" {printable(best)} ({number(float(found.means[0]), 3)}), {beside}."
    )


def files_of(found: Inspection) -> str:
    """Say what `check` found."""
    warnings = [each for each in found.findings if each.severity == "warning"]
    notes = found.count("note")
    if not found.findings:
        return f"Nothing: check found no problem in {found.summary().split(':')[0]}."
    read = found.summary().split(":")[0]
    if not warnings:
        return (
            f"Nothing that could mislead: check of {read} has"
            f" {counted(notes, 'note')} and no warning."
        )
    first = warnings[0]
    where = first.file.replace("\\", "/").rsplit("/", 1)[-1]
    return printable(
        f"Check of {read} has {counted(len(warnings), 'warning')} and"
        f" {counted(notes, 'note')}; first {where}: {first.problem}."
    )


def hard_by_scores(found: Agreement) -> str:
    """Say which topics have the lowest means."""
    table = described(found)
    rows = list(zip(*(values(table, name) for name in _MEANS), strict=True))
    lowest = listed(
        [
            f"{printable(topic)} ({number(mean, 3)}, 95% {between(low, high, 3)})"
            for topic, mean, low, high in rows[:3]
        ]
    )
    measure = printable(values(table, "measure")[0])
    middle = float(np.median([mean for _, mean, _, _ in rows]))
    return (
        f"Of {counted(len(rows), 'topic')}, hardest by mean {measure}"
        f" {is_or_are(min(3, len(rows)))} {lowest}; half of the topics are below"
        f" {number(middle, 3)}."
    )


_MEANS = ("topic", "mean", "mean_low", "mean_high")


def sure_by_scores(found: Agreement) -> str:
    """Say how wide intervals are, and whether the best and the worst agree."""
    table = described(found)
    low, high = (np.asarray(table[name], np.float64) for name in _MEANS[2:])
    told = (
        "For another choice of systems, the 95% interval of a topic's mean is"
        f" {number(float(np.nanmedian(high - low)), 3)} wide (median)"
    )
    for pair in found.pairs:
        names = pair.left.name, pair.right.name
        if names[0].startswith("best") and names[1].startswith("worst"):
            shown = [each.replace(":", " ") for each in names]
            return (
                f"{told}; the {shown[0]} and the {shown[1]} systems agree on the order"
                f" of topics by τ_b {number(pair.tau_b)} (95%"
                f" {between(pair.low, pair.high)}; 0 by chance, {is_p(pair.p)})."
            )
    return f"{told}."


def files_of_scores(notes: Sequence[str], missing: int, total: int) -> str:
    """Say what was noticed while scores were read."""
    told = f"{missing:,} of {total:,} scores are missing" if missing else ""
    said = [each for each in (told, *map(printable, notes)) if each]
    if not said:
        return f"Nothing was noticed: all {total:,} scores have a value."
    return f"{'; '.join(said)}."
