"""Counts of topics and documents; their summary is a sum, not a mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.definition import OPTIONAL_REL, REL, measure, trec
from mohs.measures.example import listed  # noqa: F401 (for the examples)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.measures.cells import Cells

    Floats = NDArray[np.float64]

_ANY = (0.0, np.inf)


@measure("NumQ", averaged="sum", bounds=(1.0, 1.0), aliases=(trec("num_q"),))
def topics_counted(cells: Cells) -> Floats:
    """One for each topic, retrieved or not.

    Examples
    --------
    >>> topics_counted(listed([1], []))
    array([1., 1.])
    """
    return np.ones(len(cells.retrieved))


@measure(
    "NumRet", OPTIONAL_REL, averaged="sum", bounds=_ANY, aliases=(trec("num_ret"),)
)
def retrieved_counted(cells: Cells, *, rel: float | None) -> Floats:
    """Documents retrieved; with ``rel``, only those relevant.

    Examples
    --------
    >>> cells = listed([1, None, 0, 2])
    >>> retrieved_counted(cells, rel=None), retrieved_counted(cells, rel=2)
    (array([4.]), array([1.]))
    """
    if rel is not None:
        return cells.relevant(rel).hits(None)
    return cells.retrieved.astype(np.float64)


@measure(
    "NumRelRet",
    REL,
    averaged="sum",
    bounds=_ANY,
    aliases=(trec("num_rel_ret"),),
    explicit="NumRet",
)
def relevant_retrieved_counted(cells: Cells, *, rel: float) -> Floats:
    """Relevant documents retrieved, at the level of the evaluation.

    Examples
    --------
    >>> relevant_retrieved_counted(listed([1, None, 0, 2]), rel=1)
    array([2.])
    """
    return cells.relevant(rel).hits(None)


@measure("NumRel", REL, averaged="sum", bounds=_ANY, aliases=(trec("num_rel"),))
def relevant_counted(cells: Cells, *, rel: float) -> Floats:
    """Relevant documents in the judgments, also where nothing was retrieved.

    Examples
    --------
    >>> relevant_counted(listed([1], [], missed=[1]), rel=1)
    array([2., 1.])
    """
    return cells.relevant(rel).totals.astype(np.float64)


@measure(
    "num_nonrel_judged_ret",
    REL,
    averaged="sum",
    bounds=_ANY,
    judged=True,
    aliases=(trec("num_nonrel_judged_ret"),),
)
def nonrelevant_retrieved_counted(cells: Cells, *, rel: float) -> Floats:
    """Documents retrieved that were judged and found not relevant.

    Examples
    --------
    >>> nonrelevant_retrieved_counted(listed([1, None, 0, -1]), rel=1)
    array([1.])
    """
    judged = cells.rankings.judged
    grades = cells.rankings.judgments.grades
    nonrelevant = (grades >= 0) & (grades < rel)
    return cells.judged(nonrelevant[judged]).astype(np.float64)
