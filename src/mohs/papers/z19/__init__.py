"""Zampieri, Roitero, Culpepper, Kurland and Mizzaro: systems, corpora, components [1]_.

The paper compares official runs of Robust 2004, CORE 2017 and earlier tracks with a
grid of systems of its own. What of it is public is TREC-8 and the grid of points, on
which all of it is computed; its printed tables are recomputed from their own figures.

References
----------
.. [1] F. Zampieri, K. Roitero, J. S. Culpepper, O. Kurland and S. Mizzaro, "On topic
   difficulty in IR evaluation: the effect of systems, corpora, and system components",
   SIGIR 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.measures.evaluation import evaluate
from mohs.papers.definition import PAPERS, Exhibit, Reproduction
from mohs.papers.generated import searched
from mohs.papers.z19 import agreement, collections, components, own, printed, variance

if TYPE_CHECKING:
    from mohs.papers.data import Data
    from mohs.papers.definition import Comparison
    from mohs.scores import Scores

QRELS, RUNS = "trec8/qrels.txt.gz", "trec8/runs"
CORPORA = ("FT=^FT", "FR94=^FR94", "FBIS=^FBIS", "LA=^LA")
_TOPICS = 50
_GRID = {
    "stemmers": "none,porter",
    "models": "BM25,DPH,DirichletLM,InL2,LGD,PL2",
    "expansions": "none,Bo1",
}
_NAMES = {"ir_model": "model", "qe": "expansion"}
_ORDER = (*(f"Table {n}" for n in (1, 2, 3)), *(f"Figure {n}" for n in range(1, 6)))
_ORDER += ("Table 4", "Table 5")
_NUMBERS = (
    "Tables 4 and 5 and Figures 4 and 5 have the paper's numbers; Tables 1 to 3 (what"
    " is compared), Figures 1 and 2 (systems and collections) and Figure 3"
    " (sub-corpora) go by the order of its argument: check a number before you cite it"
)
_READ = (collections.MATRIX, collections.POINTS, QRELS, RUNS, *collections.OWN)


@PAPERS.add("z19")
def z19(data: Data, *, seed: int) -> Reproduction:
    """Return the tables and figures of the paper, on TREC-8 and whatever there is."""
    trec8, mine = collections.trec8(data), collections.own(data)
    generated = searched(seed, topics=_TOPICS, formulations=1, **_GRID).rename(_NAMES)
    found, taus = own.exhibits(mine, seed) if mine else ([], {})
    parts, judged = _sub_corpora(data, seed)
    exhibits = [
        *collections.listed([each for each in (trec8, mine) if each]),
        *(_of_trec8(trec8, seed) if trec8 else ()),
        *parts,
        *components.expansion(generated, "the generated collection", seed),
        *variance.of_print(seed),
        *variance.of_grid(generated, seed),
        *found,
    ]
    missing = [name for name in _READ if data.find(name) is None]
    return Reproduction(
        paper="z19",
        title="On topic difficulty in IR evaluation: the effect of systems, corpora,"
        " and system components",
        citation="F. Zampieri, K. Roitero, J. S. Culpepper, O. Kurland and S. Mizzaro,"
        " SIGIR 2019",
        summary=_summary(exhibits),
        comparisons=(*agreement.printed_taus(taus), *judged, *printed.remarks()),
        exhibits=tuple(sorted(exhibits, key=_place)),
        notes=(*map(data.missing, missing), _made_of(generated), _NUMBERS),
    )


def _of_trec8(kinds: collections.Kinds, seed: int) -> list[Exhibit]:
    name, points = collections.TREC8, kinds[agreement.GRID]
    together = agreement.joined(kinds)
    first = agreement.against_grid(together, name, seed)
    return [
        collections.made_of(points),
        first,
        agreement.beside(first, name),
        *(agreement.within(together, kind, name, seed) for kind in kinds),
        *components.stemmers(points, name, seed),
    ]


def _place(exhibit: Exhibit) -> int:
    return _ORDER.index(exhibit.number)


def _sub_corpora(data: Data, seed: int) -> tuple[list[Exhibit], list[Comparison]]:
    """Return Figure 3 and Table 4 on runs, if there are any."""
    qrels, runs = data.find(QRELS), data.find(RUNS)
    if qrels is None or runs is None:
        return [], agreement.claims({}, 0)
    scores = evaluate(qrels, runs, measures="AP", corpus=CORPORA).scores
    figure, judged = agreement.sub_corpora(scores, seed)
    where = "the sub-corpora of TREC-8, official systems"
    return [figure, variance.of_parts(scores, where, seed)], judged


def _made_of(scores: Scores) -> str:
    counts = {name: len(each.levels) for name, each in scores.factors.items()}
    return (
        f"the generated collection: {counts['topic']} topics that have relevant"
        f" documents in all {counts['corpus']} corpora, {counts['system']} systems; AP;"
        " made anew from the seed. It stands in where no public grid has query"
        " expansion or several corpora with the same topics"
    )


def _summary(exhibits: list[Exhibit]) -> str:
    tables = [each.table for each in exhibits if each.title == agreement.BESIDE]
    rows = [row for table in tables if table is not None for row in table.rows()]
    found = ", ".join(f"{chosen} {tau:.2f}" for chosen, tau, *_ in rows)
    told = (
        "On TREC-8, official systems and the grid of points agree on which topics are"
        f" hard by a τ of {found} (sets of systems), and stemmers are judged on that"
        " grid. "
        if rows
        else ""
    )
    return (
        f"{told}The τ that the paper prints are"
        " between collections whose runs are not public, and stand beside. Summed over"
        " their rows, Table 4 and Table 5 account for the same scores"
        f" ({printed.SYSTEMS} systems, {printed.CELLS} pairs of topic and corpus) but"
        " use two totals, so their ω² cannot be compared; the"
        f" {printed.NOMINAL} degrees of freedom of corpus:topic are nominal where the"
        f" rank is {printed.RANK}. Query expansion and several corpora with the same"
        " topics are those of a generated collection."
    )
