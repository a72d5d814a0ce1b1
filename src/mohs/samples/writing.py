"""The files of a generated collection, written topic by topic."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.model import draw_system, draw_topic, judge, rank
from mohs.samples.texts import draw_mentions, write_texts
from mohs.samples.wordings import draw_parts, draw_wordings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from mohs.samples.model import Ranking, System, Topic
    from mohs.samples.spec import SampleSpec
    from mohs.samples.texts import Mentions
    from mohs.samples.wordings import Wording

QRELS = "qrels.txt"
RUNS = "runs"
TOPICS = "topics.tsv"
TRUTH = "truth.csv"
SYSTEMS = "systems.csv"
WORDINGS = "wordings.csv"
DOCUMENTS = "documents.jsonl"


@dataclass(frozen=True, slots=True)
class Planted:
    """What one topic was given: difficulty and wordings, and how it was judged.

    ``mentions`` is what documents say on it; None where there are no documents.
    """

    id: str
    title: str
    difficulty: float
    judged: int
    relevant: int
    wordings: tuple[Wording, ...]
    mentions: Mentions | None


def write_collection(
    spec: SampleSpec, folder: Path
) -> tuple[tuple[Planted, ...], tuple[System, ...]]:
    """Draw a collection and write all of its files into an empty folder.

    Only one topic's candidates are in memory at a time, only one volume of documents
    and only one file is open. Of each topic there remains what documents say on it, a
    few kilobytes, until they are written.
    """
    systems = tuple(draw_system(spec, number) for number in range(spec.systems))
    (folder / RUNS).mkdir()
    for system in systems:
        # A system that misses topics still has a file.
        (folder / RUNS / f"{system.id}.run").touch()
    topics = tuple(
        _write_topic(spec, number, systems, folder) for number in range(spec.topics)
    )
    if spec.words:
        mentions = [topic.mentions for topic in topics if topic.mentions is not None]
        _append(folder / DOCUMENTS, write_texts(spec, mentions))
    _write_wordings([each for topic in topics for each in topic.wordings], folder)
    difficulties = ((topic.id, topic.difficulty) for topic in topics)
    _write_csv(folder / TRUTH, ("topic", "difficulty"), difficulties)
    qualities = ((system.id, system.quality) for system in systems)
    _write_csv(folder / SYSTEMS, ("system", "quality"), qualities)
    return topics, systems


def _write_topic(
    spec: SampleSpec, number: int, systems: tuple[System, ...], folder: Path
) -> Planted:
    topic = draw_topic(spec, number)
    parts = draw_parts(spec, topic.id, number)
    pooled = np.zeros(spec.candidates, dtype=np.bool_)
    for system in systems:
        ranking = rank(spec, system, topic)
        pooled[ranking.order[: spec.pool_depth]] = True
        lines = _run_lines(topic, system, ranking)
        _append(folder / RUNS / f"{system.id}.run", lines)
    judged = judge(spec, topic, pooled)
    _append(folder / QRELS, _qrels_lines(topic, judged))
    return Planted(
        id=topic.id,
        title=topic.title,
        difficulty=topic.difficulty,
        judged=len(judged),
        relevant=int((topic.grades[judged] > 0).sum()),
        wordings=draw_wordings(spec, topic.id, parts),
        mentions=draw_mentions(spec, topic, parts) if spec.words else None,
    )


def _write_wordings(wordings: Sequence[Wording], folder: Path) -> None:
    header = "topic\tformulation\tquery\n"
    queries = (f"{each.topic}\t{each.formulation}\t{each.query}\n" for each in wordings)
    _append(folder / TOPICS, chain((header,), queries))
    qualities = ((each.topic, each.formulation, each.quality) for each in wordings)
    _write_csv(folder / WORDINGS, ("topic", "formulation", "quality"), qualities)


def _run_lines(topic: Topic, system: System, ranking: Ranking) -> list[str]:
    head, tail = f"{topic.id} Q0 ", f" {system.id}\n"
    best_first = zip(ranking.order.tolist(), ranking.scores.tolist(), strict=True)
    return [
        f"{head}{topic.documents[place]} {position} {score:.4f}{tail}"
        for position, (place, score) in enumerate(best_first, start=1)
    ]


def _qrels_lines(topic: Topic, judged: NDArray[np.intp]) -> list[str]:
    pairs = zip(judged.tolist(), topic.grades[judged].tolist(), strict=True)
    return [
        f"{topic.id} 0 {topic.documents[place]} {grade}\n" for place, grade in pairs
    ]


def _append(path: Path, lines: Iterable[str]) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def _write_csv(
    path: Path, header: tuple[str, ...], rows: Iterable[tuple[str | float, ...]]
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
