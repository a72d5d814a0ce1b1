"""What to know of runs before their scores are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.inspection.findings import Finding, plural
from mohs.measures.caveats import NOTABLE, TOP, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from mohs.measures.caveats import Caveats
    from mohs.rankings import Rankings


def look_at_run(
    rankings: Rankings, row: int, caveats: Caveats, left_out: Collection[str]
) -> Iterator[Finding]:
    """Yield what is noteworthy in a run without faults, the row-th of some.

    Topics that are ``left_out`` are not missed.
    """
    file = rankings.labels[row]
    if caveats.dropped[row]:
        problem = f"{plural(caveats.dropped[row], 'duplicate document')} left out"
        remedy = "keep each document once in a topic"
        yield Finding(file, 0, "warning", problem, remedy)
    places = np.flatnonzero(rankings.retrieved[row] == 0)
    missing = {rankings.topics[place] for place in places} - set(left_out)
    if missing:
        problem = (
            f"{len(missing)} of {len(rankings.topics) - len(left_out)} topics are "
            f"missing and score 0: {shown(missing)}"
        )
        remedy = "run the system on them, or average without them (--no-complete)"
        yield Finding(file, 0, "warning", problem, remedy)
    yield from _ties(caveats, row, file)
    yield from _unjudged(caveats, row, file)


def look_at_depths(depths: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the runs that stop much earlier than others.

    ``depths`` are the most documents that each run retrieves for a topic.
    """
    deepest = max(depths.values(), default=0)
    for file, depth in depths.items():
        if 0 < 2 * depth < deepest:
            problem = (
                f"retrieves at most {plural(depth, 'document')} for a topic, "
                f"another run {deepest:,}"
            )
            remedy = "compare runs at a cut-off that all of them reach, as with -M"
            yield Finding(file, 0, "note", problem, remedy)


def _ties(caveats: Caveats, row: int, file: str) -> Iterator[Finding]:
    if not caveats.tied[row]:
        return
    turned = caveats.turned[:, row]
    worst = int(turned.argmax())
    problem = f"{caveats.tied[row]:.1%} of the documents have tied scores"
    if turned[worst] > NOTABLE:
        problem += (
            f", and their order changes a mean by up to {turned[worst]:.4f} "
            f"({caveats.measures[worst]})"
        )
        remedy = "write scores with more digits, so that the run itself decides"
        yield Finding(file, 0, "warning", problem, remedy)
    else:
        problem += f"; their order changes no mean by more than {NOTABLE}"
        remedy = "write scores with more digits if single topics matter"
        yield Finding(file, 0, "note", problem, remedy)


def _unjudged(caveats: Caveats, row: int, file: str) -> Iterator[Finding]:
    share = caveats.unjudged[row]
    if share == 1:
        problem = f"no document in the top {TOP} of any topic is judged"
        remedy = "see whether run and judgments spell the ids of documents alike"
        yield Finding(file, 0, "warning", problem, remedy)
    elif share:
        problem = f"{share:.1%} of the documents in the top {TOP} are unjudged"
        remedy = f"judge them, or look at Judged@{TOP} beside the other measures"
        yield Finding(file, 0, "note", problem, remedy)
