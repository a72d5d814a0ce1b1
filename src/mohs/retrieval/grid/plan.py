"""The order of the work: what can be shared is made once.

One tokenisation for each collection and tokeniser, one index for each analysis of it,
and one task for each model on an index: the expansions of a model share its first
search. A system in one collection is a cell, and all its queries are answered at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mohs.retrieval.grid.spec import Analysis, System
    from mohs.retrieval.spelling import Component


@dataclass(frozen=True, slots=True)
class Task:
    """Systems of one model on one index of a collection."""

    corpus: str
    analysis: Analysis
    model: Component
    systems: tuple[System, ...]


def plan(corpora: Sequence[str], systems: Sequence[System]) -> tuple[Task, ...]:
    """Lay out the tasks, those of one tokenisation and of one index one after another.

    Examples
    --------
    >>> from mohs.retrieval.grid.spec import NONE, TOKENISER, Components
    >>> from mohs.retrieval.spelling import parse_list
    >>> systems = Components(
    ...     [TOKENISER], [NONE], parse_list("s,none"), parse_list("BM25,PL2"),
    ...     parse_list("none,Bo1"),
    ... ).systems()
    >>> for task in plan(["news"], systems):
    ...     print(task.analysis.stemmer, task.model, len(task.systems))
    s BM25 2
    s PL2 2
    none BM25 2
    none PL2 2
    """
    first: dict[object, int] = {}
    for number, system in enumerate(systems):
        read = system.analysis
        for shared in (read.tokeniser, read, (read, system.model)):
            first.setdefault(shared, number)

    def place(system: System) -> tuple[int, ...]:
        read = system.analysis
        return first[read.tokeniser], first[read], first[read, system.model]

    ordered = sorted(systems, key=place)
    return tuple(
        Task(corpus, together[0].analysis, together[0].model, together)
        for corpus in corpora
        for _, group in groupby(ordered, key=place)
        for together in [tuple(group)]
    )
