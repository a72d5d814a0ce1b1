"""Gienapp et al. [1]_: which topics are hard, by the systems that beat a random order.

The paper looks at 40 topics of TREC Web 2012 with 26 systems, whose runs TREC gives to
its participants alone. Everything here is computed for whatever runs and graded
judgments are at hand, and the remarks of the paper are held to them.

References
----------
.. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
   cumulated gain", CIKM 2020.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mohs.analysis.difficulty import difficulty, stability
from mohs.charts import chart
from mohs.papers.definition import PAPERS, Comparison, Exhibit, Reproduction
from mohs.papers.g20.opinions import (
    chance_band,
    ranks_of,
    steadiness_of,
    taus_of,
    taus_table,
)
from mohs.papers.g20.remarks import FIGURE, RULES, SYSTEMS, remarks_on
from mohs.reporting.wording import between
from mohs.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mohs.analysis.difficulty import Difficulty, Part
    from mohs.papers.data import Data

DEPTH = 20
TOPICS = 40
CLASSED = 10  # systems, below which a topic has no class
_REPEATS = 50
_QUANTITIES = {
    "number of systems": SYSTEMS,
    "number of topics": TOPICS,
    "cut-off k": DEPTH,
}


@dataclass(frozen=True, slots=True)
class Collection:
    """Runs and judgments that may be at hand, by their names in the data."""

    name: str
    qrels: str
    runs: str
    duplicates: Literal["error", "first"] = "error"


COLLECTIONS = (
    Collection("your collection", "g20/qrels.txt", "g20/runs"),
    Collection("TREC Web 2012", "web2012/qrels.txt.gz", "web2012/runs"),
    Collection(
        "CLEF eHealth 2018",
        "ehealth2018/qrels.txt.gz",
        "ehealth2018/runs",
        duplicates="first",
    ),
    Collection("TREC-8", "trec8/qrels.txt.gz", "trec8/runs"),
)


@PAPERS.add("g20")
def g20(data: Data, *, seed: int) -> Reproduction:
    """Compute difficulty, strategies and stability for the runs at hand."""
    found = _rated(data, seed)
    (name, first), *others = found.items()
    part = first.parts[0]
    comparisons = (*_setting(part, name), *remarks_on(part, name))
    exhibits = [
        each for called, rated in found.items() for each in _show(rated, called)
    ]
    return Reproduction(
        paper="g20",
        title="Topic difficulty by systems that beat a random order",
        citation=(
            "Gienapp et al., “Estimating topic difficulty using normalized discounted"
            " cumulated gain”, CIKM 2020"
        ),
        summary=_summary(part, name, comparisons, [called for called, _ in others]),
        comparisons=comparisons,
        exhibits=tuple(exhibits),
        notes=_notes(found),
    )


def _rated(data: Data, seed: int) -> dict[str, Difficulty]:
    """Rate the topics of the first collection at hand, and of one with classes."""
    found: dict[str, Difficulty] = {}
    for collection in COLLECTIONS:
        runs = data.find(collection.runs)
        qrels = data.find(collection.qrels) if runs else None
        if qrels is None or runs is None:
            continue
        rated = difficulty(
            qrels,
            runs,
            depth=DEPTH,
            strategies="all",
            duplicates=collection.duplicates,
            seed=seed,
        )
        if not found or _systems(rated.parts[0]) >= CLASSED:
            found[collection.name] = rated
        if _systems(rated.parts[0]) >= CLASSED:
            break
    if not found:
        usual = COLLECTIONS[1]
        data.path(usual.runs)
        data.path(usual.qrels)
    return found


def _systems(part: Part) -> int:
    return max((row.systems for row in part.solution.rows), default=0)


def _setting(part: Part, name: str) -> Iterator[Comparison]:
    """Compare what the paper looks at with what is at hand."""
    rated = sum(row.reason is None for row in part.solution.rows)
    reason = f"these are the runs of {name} at hand, not those of the paper"
    at_hand = _systems(part), rated, part.problem.rules.depth
    for (quantity, printed), computed in zip(_QUANTITIES.items(), at_hand, strict=True):
        same = printed == computed
        yield Comparison.of(
            FIGURE, quantity, str(printed), computed, reason="" if same else reason
        )


def _show(rated: Difficulty, name: str) -> Iterator[Exhibit]:
    part = rated.parts[0]
    about = _about(part, name)
    yield _figure(rated, name, about)
    yield _strategies(rated, name, about)
    yield _agreement(part, name, about)
    yield _stability(rated, name, about)


def _figure(rated: Difficulty, name: str, about: str) -> Exhibit:
    own, _ = _halves(rated)
    return Exhibit(
        f"{FIGURE}, {name}",
        f"Difficulty of the topics of {name}",
        f"{about}. Boxes: NDCG_std of the systems, 0 for a random order. Dots: the"
        " share of systems that beat it (1 the easiest), with its 95% interval for"
        " other systems, on the band where chance would put 95% of such shares; chance"
        f" alone is not .5. With fewer than {CLASSED} systems there are no classes.",
        own,
        chart(rated, title=f"Difficulty of the topics of {name}"),
    )


def _strategies(rated: Difficulty, name: str, about: str) -> Exhibit:
    opposed = len(rated.tables()["opposed"])
    _, others = _halves(rated)
    return Exhibit(
        f"Strategies, {name}",
        f"Ranks and classes of topics by difficulty and eight strategies on {name}",
        f"{about}. A number is the rank of the topic, 1 the hardest; its colour is the"
        f" class, where a strategy gives one. Hard to one and easy to another are"
        f" {opposed} of the topics. The table has the values that they are ranked by.",
        others,
        chart(ranks_of(rated.parts[0], f"Hard topics by nine opinions, {name}")),
    )


def _halves(rated: Difficulty) -> tuple[Table, Table]:
    """Part the table of topics: difficulty, and what strategies say beside it."""
    columns = rated.tables()["difficulty"].columns
    said = {
        column
        for opinion in rated.parts[0].opinions
        for column in (opinion.name, f"{opinion.name}_class")
    }
    both = {"topic", "difficulty", "class"}
    return (
        Table({name: each for name, each in columns.items() if name not in said}),
        Table({name: each for name, each in columns.items() if name in said | both}),
    )


def _agreement(part: Part, name: str, about: str) -> Exhibit:
    taus = taus_table(part)
    return Exhibit(
        f"Agreement of strategies, {name}",
        f"How alike difficulty and eight strategies order the topics of {name}",
        f"{about}. Kendall's τ_b, turned so that a positive one means the same topics"
        " are hard, with its 95% interval for other topics. Orders that have nothing to"
        f" do with each other give 0 on average, and {between(*chance_band(taus))} in"
        " 95% of cases. Strategies that rank by mean AP agree by construction.",
        taus,
        chart(taus_of(part, taus, f"Agreement of strategies, {name}")),
    )


def _stability(rated: Difficulty, name: str, about: str) -> Exhibit:
    steady = stability(rated, repeats=_REPEATS).tables()["stability"]
    return Exhibit(
        f"Stability, {name}",
        f"How far difficulty and strategies keep their word on {name}",
        f"{about}. Mean τ_b with the original order after systems, topics, labels or"
        f" depth are changed, {_REPEATS} random halves each; 1 is the same order, 0"
        " what chance gives. The table has the bounds of 95% of the changed orders, and"
        " how many topics change class.",
        steady,
        chart(steadiness_of(steady, f"Stability, {name}")),
    )


def _summary(
    part: Part, name: str, comparisons: Sequence[Comparison], others: Sequence[str]
) -> str:
    judged = [each.verdict for each in comparisons[len(_QUANTITIES) :]]
    true, untold = (
        sum(judged.count(each) for each in some)
        for some in (("matches", "holds"), ("not testable",))
    )
    told = f"Computed for {_about(part, name)}."
    if any(each.verdict == "differs" for each in comparisons[: len(_QUANTITIES)]):
        told += (
            " These are not the runs of the paper, so that nothing follows about what"
            " it printed."
        )
    told += (
        f" Of {len(judged)} statements about its figure 1, {true} are true of them,"
        f" {len(judged) - true - untold} are not, and {untold} cannot be tested."
    )
    if others:
        told += (
            f" Classes take {CLASSED} systems, so that {others[0]} stands beside it."
        )
    return told


def _about(part: Part, name: str) -> str:
    topics = len(part.solution.rows)
    return f"{_systems(part)} systems on {topics} topics of {name}, k = {DEPTH}"


def _notes(found: Mapping[str, Difficulty]) -> tuple[str, ...]:
    said = (f"{name}: {note}" for name, each in found.items() for note in each.notes)
    return (_WHERE, RULES, *said)


_WHERE = (
    f"The paper's {SYSTEMS} runs of TREC Web 2012 are for participants of TREC. Whoever"
    " has them puts them into DIR/web2012/runs, the judgments into"
    " DIR/web2012/qrels.txt.gz, and gives --data DIR. Any other collection with graded"
    " judgments goes into DIR/g20/runs and DIR/g20/qrels.txt."
)
