"""Figures 1 to 3: which topics systems, collections and sub-corpora find hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.agreement import agree
from mohs.charts import chart
from mohs.papers.definition import Comparison, Exhibit
from mohs.papers.z19.printed import SETS, TAUS
from mohs.scores import Scores
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.analysis.agreement import Agreement

OFFICIAL, GRID = "official", "unofficial"
KIND, COLLECTION = "kind", "collection"
BESIDE = "The printed τ beside those on TREC-8"
_REPEAT = 100
_SIZE = 30
_CLOSEST = "FBIS-FT"
_PAPERS_MOST = 0.3  # tau of the other pairs of sub-corpora, as the paper has it
_INTERVAL = "Intervals are 95%, bootstrap over topics; τ_b is 0 by chance."

_WHY = {
    OFFICIAL: "official runs are TREC's, for those who have signed its agreement",
    GRID: "the authors' grid of systems is not published",
}

Taus = dict[tuple[str, str, str, str], float]


def joined(kinds: Mapping[str, Scores]) -> Scores:
    """Put official systems and those of a grid together, told apart by ``kind``.

    All must have the same measure; components are left out.
    """
    parts = list(kinds.values())
    names = ("system", "topic", COLLECTION)
    factors = {
        name: Factor.of(text for part in parts for text in part.factors[name].texts())
        for name in names
    }
    factors[KIND] = Factor.of(name for name, part in kinds.items() for _ in part.values)
    values = np.concatenate([part.values for part in parts])
    return Scores(factors, Factor.constant("AP", len(values)), values)


def sets_for(parts: Sequence[Scores]) -> str:
    """Return the sets that are compared: of 30 systems, or half where there are few."""
    size = min(_SIZE, max(min(len(part.systems) for part in parts) // 2, 1))
    return ",".join(each.replace(str(_SIZE), str(size)) for each in SETS)


def against_grid(scores: Scores, collection: str, seed: int) -> Exhibit:
    """Compare official systems with those of a grid, set by set, in one collection."""
    some = scores.where({COLLECTION: collection})
    parts = [some.where({KIND: kind}) for kind in (OFFICIAL, GRID)]
    found = agree(some, by=KIND, sets=sets_for(parts), repeat=_REPEAT, seed=seed)
    counts = " and ".join(
        f"{len(part.systems)} {kind}"
        for kind, part in zip((OFFICIAL, GRID), parts, strict=True)
    )
    return Exhibit(
        "Figure 1",
        f"Official systems against the grid, {collection}",
        f"Average AP of {len(some.topics)} topics over {counts} systems, by sets."
        f" {_INTERVAL} Best and worst are chosen by the scores that are compared.",
        found.tables()["agree"],
        chart(found, show="scatter", title=f"Official against grid, {collection}"),
    )


def within(scores: Scores, kind: str, collection: str, seed: int) -> Exhibit:
    """Compare sets of systems of one kind, in one collection."""
    some = scores.where({COLLECTION: collection, KIND: kind})
    found = agree(some, sets=sets_for([some]), repeat=_REPEAT, seed=seed)
    return Exhibit(
        "Figure 2",
        f"Sets of {kind} systems, {collection}",
        f"Average AP of {len(some.topics)} topics over sets of {len(some.systems)}"
        f" {kind} systems. {_INTERVAL} Sets share systems, so part of the agreement is"
        " of scores with themselves.",
        found.tables()["agree"],
        chart(found, title=f"Sets of {kind} systems, {collection}"),
    )


def between(scores: Scores, seed: int) -> tuple[list[Exhibit], Taus]:
    """Compare collections that share topics, by kinds and sets of systems."""
    exhibits, taus = [], Taus()
    for kind in (OFFICIAL, GRID):
        some = scores.where({KIND: kind})
        names = some.factors[COLLECTION].levels
        if len(names) == 1 or not share(some):
            continue
        parts = [some.where({COLLECTION: name}) for name in names]
        sets = sets_for(parts)
        found = agree(some, by=COLLECTION, sets=sets, repeat=_REPEAT, seed=seed)
        taus |= _taus(found, kind)
        exhibits.append(
            Exhibit(
                "Figure 2",
                f"Collections against each other, {kind} systems",
                f"Average AP of the topics that two collections share. {_INTERVAL}",
                found.tables()["agree"],
                chart(found, title=f"Collections, {kind} systems"),
            )
        )
    return exhibits, taus


def share(scores: Scores) -> bool:
    """Return whether any topic is in more than one collection."""
    topic, collection = scores.factors["topic"], scores.factors[COLLECTION]
    pairs = {*zip(topic.codes.tolist(), collection.codes.tolist(), strict=True)}
    return len(pairs) > len(topic.levels)


def _taus(found: Agreement, kind: str) -> Taus:
    taus = Taus()
    for pair in found.pairs:
        ends = pair.left.matrix.level, pair.right.matrix.level
        for left, right in (ends, ends[::-1]):
            taus[left, right, kind, pair.left.chosen.text] = pair.tau_b
    return taus


def printed_taus(taus: Taus) -> list[Comparison]:
    """Compare the printed τ with those found, by collection, kind and set."""
    return [
        _tau(left, right, kind, chosen, text, taus)
        for (left, right, kind), texts in TAUS.items()
        for chosen, text in zip(SETS, texts, strict=True)
    ]


def _tau(  # noqa: PLR0913, PLR0917 (what a printed number is of)
    left: str, right: str, kind: str, chosen: str, text: str, taus: Taus
) -> Comparison:
    found = taus.get((left, right, kind, chosen))
    reason = "other runs, or another draw of systems"
    if found is None:
        reason = f"needs {kind} systems on both {left} and {right}; {_WHY[kind]}"
    place = "Figures 1 and 2"
    quantity = f"τ {left}-{right}, {kind} systems, {chosen}"
    return Comparison.of(place, quantity, text, found, reason=reason)


def beside(found: Exhibit, collection: str) -> Exhibit:
    """Lay the printed τ out beside those of official systems against the grid."""
    if found.table is None:
        raise ValueError(f"{found.title} has no table")
    table = Table(
        {
            "set": SETS,
            f"official against grid, {collection}": found.table["tau_b"],
            **{
                f"{left}-{right}, {kind}": np.array([float(text) for text in texts])
                for (left, right, kind), texts in TAUS.items()
            },
        }
    )
    return Exhibit(
        "Figure 1",
        BESIDE,
        "τ of average AP by sets of systems. The printed ones compare two collections"
        " as the same kind of systems sees them: R04 and C17 have topics in common but"
        " no documents, R04 and TREC6 nearly the same documents. Those on"
        f" {collection} compare two kinds of systems on one collection. Neither"
        " repeats the other.",
        table,
    )


def sub_corpora(scores: Scores, seed: int) -> tuple[Exhibit, list[Comparison]]:
    """Compare sub-corpora, and judge what the paper says of them."""
    found = agree(scores, by="corpus", seed=seed)
    exhibit = Exhibit(
        "Figure 3",
        "Sub-corpora of TREC-8 against each other, official systems",
        f"Average AP over {len(scores.systems)} official runs, judgments and runs"
        " restricted to each sub-corpus and ranks counted anew; only topics with"
        f" relevant documents in both. {_INTERVAL}",
        found.tables()["agree"],
        chart(found, title="Sub-corpora of TREC-8"),
    )
    taus = {
        "-".join(sorted((pair.left.name, pair.right.name))): pair.tau_b
        for pair in found.pairs
    }
    return exhibit, claims(taus, len(scores.systems))


def claims(taus: Mapping[str, float], runs: int) -> list[Comparison]:
    """Judge what the paper says of sub-corpora, by τ of pairs if there are any."""
    told = ", ".join(f"{name} {tau:.2f}" for name, tau in taus.items())
    reason = (
        f"{told}; of {runs} official runs of TREC-8 within each sub-corpus, which are"
        " not the paper's runs"
    )
    if not taus:
        reason = "needs official runs and judgments of TREC-8"
    own = taus.get(_CLOSEST)
    highest = max((t for name, t in taus.items() if name != _CLOSEST), default=None)
    return [
        Comparison.remark(
            "Figure 3",
            "of all pairs of sub-corpora, FT and FBIS agree most",
            None if own is None or highest is None else own > highest,
            computed=own,
            reason=reason,
        ),
        Comparison.remark(
            "Figure 3",
            "all other pairs of sub-corpora have a τ of .3 at most",
            None if highest is None else highest <= _PAPERS_MOST,
            computed=highest,
            reason=reason,
        ),
    ]
