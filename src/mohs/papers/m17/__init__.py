"""Moniz et al. (2017) [1]_: relevance from scores, and what it changes in nDCG.

The paper's counts of tweets are not public, so that its tables and figures of real data
are computed on other scores, and said to be.

References
----------
.. [1] Moniz, Torgo and Vinagre, "Data-driven relevance judgments for ranking
   evaluation", arXiv:1612.06136, 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.papers.definition import PAPERS, Reproduction
from mohs.papers.m17 import examples, news, synthetic

if TYPE_CHECKING:
    from mohs.papers.data import Data

SUMMARY = """\
The paper makes relevance of scores: φ is 0 up to the median, 1 at the highest score,
and monotone between them, so that nDCG by φ asks how much a mistake costs. Its
synthetic experiment needs no data. Table 1 is computed on items of our own, since the
paper's are not at hand. The experiment with news scores them by tweets that are not
public; its two figures are shown for other news and their shares, with φ as the text
says and as the authors' program does, which takes Tukey's hinges, the last score within
the fence, and positive scores only."""

NOT_PUBLIC = (
    "the authors' repository, github.com/nunompmoniz/RankEval_ECIR2017, holds the"
    " rankings of Google News (RankTable_Economy.csv and three more), but not News.csv,"
    " the file with the tweets of each news item; it would have to be asked for"
)


@PAPERS.add("m17")
def m17(data: Data, *, seed: int) -> Reproduction:
    """Compute Table 1 and Figures 1 to 4, the real data replaced by news at hand."""
    parts = (
        examples.table_1(),
        examples.figure_1(seed),
        synthetic.figure_2(seed),
        news.figures_3_and_4(data, seed),
    )
    return Reproduction(
        paper="m17",
        title="Data-driven relevance judgments for ranking evaluation",
        citation="Nuno Moniz, Luís Torgo and João Vinagre, arXiv:1612.06136, 2017",
        summary=" ".join(SUMMARY.split()),
        comparisons=tuple(each for part in parts for each in part.comparisons),
        exhibits=tuple(each for part in parts for each in part.exhibits),
        notes=(*(note for part in parts for note in part.notes), NOT_PUBLIC),
    )
