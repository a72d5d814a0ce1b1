"""Scores of batches and corpora laid out as tables, in natural order of their names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.calculation import average
from mohs.scores.observations import Scores
from mohs.tables import Factor, Table, natural_key
from mohs.trec.formulations import split_queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.measures.spelling import Measure
    from mohs.tables import Column
    from mohs.trec.formulations import Rule

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The scores of one corpus: ``values`` (M, S, Q), ``retrieved`` (S, Q)."""

    corpus: str | None
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    retrieved: NDArray[np.int32]


def join(parts: Sequence[Part]) -> Part:
    """Put batches together, systems and topics in natural order."""
    systems = [name for part in parts for name in part.systems]
    topics = parts[0].topics
    rows = sorted(range(len(systems)), key=lambda i: natural_key(systems[i]))
    columns = sorted(range(len(topics)), key=lambda i: natural_key(topics[i]))
    values = np.concatenate([part.values for part in parts], axis=1)
    retrieved = np.concatenate([part.retrieved for part in parts])
    return Part(
        corpus=parts[0].corpus,
        systems=tuple(systems[row] for row in rows),
        topics=tuple(topics[column] for column in columns),
        values=values[:, rows][:, :, columns],
        retrieved=retrieved[rows][:, columns],
    )


def leave_out(part: Part, topics: Sequence[str]) -> Part:
    """Leave some topics out."""
    left = set(topics)
    kept = [i for i, topic in enumerate(part.topics) if topic not in left]
    return replace(
        part,
        topics=tuple(part.topics[i] for i in kept),
        values=part.values[:, :, kept],
        retrieved=part.retrieved[:, kept],
    )


def observations(
    parts: Sequence[Part], measures: Sequence[str], rule: Rule | None
) -> Scores:
    """Lay the values out as observations: by corpus, system, topic, then measure."""
    factors: dict[str, list[Factor]] = {"system": [], "topic": []}
    for part in parts:
        shape = len(part.systems), len(part.topics), len(measures)
        systems, topics, _ = np.indices(shape, dtype=np.int32).reshape(3, -1)
        factors["system"].append(Factor(part.systems, systems))
        for name, factor in _topic_factors(part.topics, rule).items():
            factors.setdefault(name, []).append(factor.take(topics))
        if part.corpus:
            constant = Factor.constant(part.corpus, len(systems))
            factors.setdefault("corpus", []).append(constant)
    values = [part.values.transpose(1, 2, 0).reshape(-1) for part in parts]
    size = sum(map(len, values))
    codes = np.tile(np.arange(len(measures), dtype=np.int32), size // len(measures))
    joined = {name: _concatenated(each) for name, each in factors.items()}
    return Scores(joined, Factor(tuple(measures), codes), np.concatenate(values))


def _topic_factors(topics: Sequence[str], rule: Rule | None) -> dict[str, Factor]:
    if rule is None:
        return {"topic": Factor.of(topics)}
    pairs = split_queries(topics, rule)
    return {
        "topic": Factor.of(topic for topic, _ in pairs),
        "formulation": Factor.of(formulation for _, formulation in pairs),
    }


def _concatenated(factors: Sequence[Factor]) -> Factor:
    if len(factors) == 1:
        return factors[0]
    return Factor.of(text for factor in factors for text in factor.texts())


def means(
    parts: Sequence[Part],
    measures: Sequence[Measure],
    labels: Sequence[str],
    *,
    complete: bool,
) -> Table:
    """Average over topics: one row for a corpus, a system and a measure."""
    systems = [name for part in parts for name in part.systems for _ in labels]
    corpora = [part.corpus for part in parts for _ in part.systems for _ in labels]
    topics, values = [], []
    for part in parts:
        counted = ~np.isnan(part.values) & (complete | (part.retrieved > 0))
        topics.append(counted.sum(axis=2).T.reshape(-1))
        averages = [
            average(measure, value, part.retrieved, complete=complete)
            for measure, value in zip(measures, part.values, strict=True)
        ]
        values.append(np.transpose(averages).reshape(-1))
    columns: dict[str, Column] = {"system": Factor.of(systems)}
    if corpora[0]:
        columns["corpus"] = Factor.of(corpora)
    columns["measure"] = Factor.of(list(labels) * (len(systems) // len(labels)))
    columns["topics"] = np.concatenate(topics).astype(np.int64)
    columns["value"] = np.concatenate(values)
    return Table(columns)
