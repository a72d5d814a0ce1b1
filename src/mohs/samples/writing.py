"""The files of a generated collection, written topic by topic."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.model import draw_system, draw_topic, judge, rank

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from mohs.samples.model import Ranking, System, Topic
    from mohs.samples.spec import SampleSpec

QRELS = "qrels.txt"
RUNS = "runs"
TOPICS = "topics.tsv"
TRUTH = "truth.csv"
SYSTEMS = "systems.csv"


@dataclass(frozen=True, slots=True)
class Planted:
    """What one topic was given: its difficulty, and how it was judged."""

    id: str
    title: str
    difficulty: float
    judged: int
    relevant: int


def write_collection(
    spec: SampleSpec, folder: Path
) -> tuple[tuple[Planted, ...], tuple[System, ...]]:
    """Draw a collection and write all of its files into an empty folder.

    Only one topic is in memory at a time and only one file is open, so neither the
    number of topics nor that of systems is bounded by the machine.
    """
    systems = tuple(draw_system(spec, number) for number in range(spec.systems))
    (folder / RUNS).mkdir()
    for system in systems:
        # A system that misses topics still has a file.
        (folder / RUNS / f"{system.id}.run").touch()
    topics = tuple(
        _write_topic(spec, draw_topic(spec, number), systems, folder)
        for number in range(spec.topics)
    )
    titles = (f"{topic.id}\t{topic.title}\n" for topic in topics)
    _append(folder / TOPICS, titles)
    difficulties = ((topic.id, topic.difficulty) for topic in topics)
    _write_csv(folder / TRUTH, ("topic", "difficulty"), difficulties)
    qualities = ((system.id, system.quality) for system in systems)
    _write_csv(folder / SYSTEMS, ("system", "quality"), qualities)
    return topics, systems


def _write_topic(
    spec: SampleSpec, topic: Topic, systems: tuple[System, ...], folder: Path
) -> Planted:
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
    )


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
    path: Path, header: tuple[str, str], rows: Iterable[tuple[str, float]]
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
