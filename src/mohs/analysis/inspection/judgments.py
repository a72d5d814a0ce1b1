"""What to know of judgments before anything rests on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.inspection.findings import Finding, plural
from mohs.measures.caveats import shown, without_relevant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mohs.rankings import Judgments


def look_at_judgments(
    judgments: Judgments, level: float, *, whole: bool
) -> Iterator[Finding]:
    """Yield what is noteworthy in judgments without faults.

    ``whole`` is False for those of a sub-corpus, where topics without relevant
    documents are left out.
    """
    file = judgments.label
    if judgments.account and (dropped := judgments.account.dropped):
        problem = f"{plural(dropped, 'judgment')} of a document judged before"
        remedy = "keep one judgment for each document of a topic"
        yield Finding(file, 0, "warning", problem, remedy)
    if barren := without_relevant(judgments, level):
        problem = (
            f"{len(barren)} of {plural(len(judgments.topics), 'topic')} have no "
            f"relevant document and {'score 0' if whole else 'are left out'}: "
            f"{shown(barren)}"
        )
        remedy = "leave them out of the judgments, or say so beside every mean"
        yield Finding(file, 0, "warning" if whole else "note", problem, remedy)
    yield from _look_at_grades(file, judgments.grades)


def _look_at_grades(file: str, grades: NDArray[np.float64]) -> Iterator[Finding]:
    if negative := int((grades < 0).sum()):
        problem = (
            f"{plural(negative, 'grade')} below 0: not relevant, without gain, and "
            "unjudged to Bpref and infAP, as in trec_eval"
        )
        remedy = "write 0 where a document was judged and found not relevant"
        yield Finding(file, 0, "note", problem, remedy)
    if fractions := int((grades != np.floor(grades)).sum()):
        problem = (
            f"{plural(fractions, 'grade')} with a fraction, which nDCG and other "
            "graded measures use and trec_eval cuts off"
        )
        remedy = "write whole grades if values are compared with those of trec_eval"
        yield Finding(file, 0, "warning", problem, remedy)
