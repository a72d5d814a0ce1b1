"""Rankings small enough to check on paper."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Sequence


def listed(*topics: Sequence[float | None], missed: Sequence[float] = ()) -> Cells:
    """Lay out one system's rankings from the grades of its documents.

    Parameters
    ----------
    *topics
        For each topic the grades from the first rank on; None is an unjudged document.
    missed
        Grades of further documents that the system does not retrieve, on every topic.

    Examples
    --------
    >>> cells = listed([1, None, 2], missed=[1])
    >>> cells.relevant(1).ranks.tolist(), cells.relevant(1).totals.tolist()
    ([1, 3], [3])
    """
    # Formulas import this module for their examples, and need not load the reader.
    from mohs.rankings import Judgments, Rankings

    seen = [[(r, g) for r, g in enumerate(t, 1) if g is not None] for t in topics]
    grades = [g for topic in seen for g in [*(g for _, g in topic), *missed]]
    # The judgments of a topic begin with those retrieved, in rank order.
    firsts = list(accumulate((len(t) + len(missed) for t in seen), initial=0))
    judged = [
        first + at
        for first, t in zip(firsts, seen, strict=False)
        for at in range(len(t))
    ]
    ranks = np.array([rank for topic in seen for rank, _ in topic], np.int32)
    depths = np.array([[len(topic) for topic in topics]], np.int32)
    names = tuple(str(number) for number in range(1, len(topics) + 1))
    return Cells(
        Rankings(
            systems=("run",),
            topics=names,
            groups=np.arange(len(topics)),
            judgments=Judgments(
                topics=names,
                offsets=np.array(firsts),
                documents=tuple(f"d{number}" for number in range(len(grades))),
                grades=np.array(grades, np.float64),
            ),
            offsets=np.array(list(accumulate(map(len, seen), initial=0))),
            ranks=ranks,
            judged=np.array(judged, np.int32),
            mirrored=ranks,
            retrieved=depths,
            tied=np.zeros_like(depths),
            judged_top=np.array([[sum(r <= 10 for r, _ in t) for t in seen]], np.int32),
        )
    )
