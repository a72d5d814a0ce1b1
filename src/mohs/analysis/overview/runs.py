"""A collection of judgments and runs, and its sub-corpora, in numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from mohs.analysis.overview.summary import ALL, Collection
from mohs.errors import FormatError, InputError
from mohs.measures.caveats import without_relevant
from mohs.rankings import batches, describe_judgments, describe_runs, judge
from mohs.trec.inputs import check_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mohs._core import Rule
    from mohs.rankings import Judgments, Reading
    from mohs.trec.inputs import Input


def count_runs(  # noqa: PLR0913 (a request of its own, one level down)
    judged: Input,
    runs: Sequence[Input],
    reading: Reading,
    corpora: Mapping[str, Rule],
    *,
    level: float,
    workers: int | None,
) -> Iterator[Collection]:
    """Yield the collection, and then each of its sub-corpora.

    Raises
    ------
    FormatError
        With every line that cannot be used.
    """
    if ALL in corpora:
        raise InputError(f"--corpus {ALL}: this is what the whole is called")
    for name, rule in ({ALL: None} | dict(corpora)).items():
        part = replace(reading, corpus=rule)
        judgments = judge(judged, part)
        systems, answered = _answered(judgments, runs, part, workers)
        kept = set(judgments.topics)
        if rule is not None:
            kept -= set(without_relevant(judgments, level))
        topics = kept & answered.keys()
        yield Collection(
            name,
            systems=systems,
            topics=frozenset(topics),
            common=sum(answered[topic] for topic in topics),
            judged=len(judgments.grades),
            relevant=int((judgments.grades >= max(level, 0.0)).sum()),
        )


def _answered(
    judgments: Judgments,
    runs: Sequence[Input],
    reading: Reading,
    workers: int | None,
) -> tuple[int, dict[str, bool]]:
    """Count the systems, and say of every topic whether all of them have it."""
    faults = describe_judgments(judgments)
    labels: list[str] = []
    names: list[str] = []
    answered: dict[str, bool] = {}
    # No entries are needed to count what was retrieved.
    for rankings in batches(judgments, runs, reading, floor=math.inf, workers=workers):
        faults += describe_runs(rankings)
        labels += rankings.labels
        names += rankings.systems
        least = rankings.retrieved.min(axis=0, initial=1).tolist()
        for group, whole in zip(rankings.groups, map(bool, least), strict=True):
            topic = judgments.topics[group]
            # Of several formulations of a topic, all count.
            answered[topic] = answered.get(topic, True) and whole
    if faults:
        raise FormatError.gather(faults)
    check_names(labels, names)
    return len(names), answered
