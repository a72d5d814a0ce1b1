"""What a grid comes to: scores of all its cells, or the runs that it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.measures.layout import Part, means
from mohs.scores.observations import Scores
from mohs.tables import Factor, Result, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.files import Source
    from mohs.measures.evaluation import Request
    from mohs.retrieval.grid.spec import System
    from mohs.tables import Column
    from mohs.trec.topics import Topic


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grid(Result):
    """Scores of systems made of components, on topics, in collections.

    ``parts`` hold the values of each collection, for ``systems`` and for the ``topics``
    that are judged there; without a ``request`` nothing was scored, and the table lists
    the runs. ``notes`` are sentences about the input, ``files`` what was read,
    with its content if that is known.
    """

    request: Request | None
    systems: tuple[System, ...]
    topics: tuple[tuple[Topic, ...], ...]
    parts: tuple[Part, ...]
    notes: tuple[str, ...]
    files: Mapping[str, Source | None]

    @property
    def scores(self) -> Scores:
        """Every system, topic and measure, with the components of the systems."""
        labels = self.request.labels if self.request else ()
        columns: dict[str, list[Factor]] = {}
        for part, topics in zip(self.parts, self.topics, strict=True):
            shape = len(self.systems), len(topics), len(labels)
            system, topic, _ = np.indices(shape, dtype=np.int32).reshape(3, -1)
            for name, factor in _components(self.systems, part.corpus).items():
                columns.setdefault(name, []).append(factor.take(system))
            for name, factor in _topics(topics).items():
                columns.setdefault(name, []).append(factor.take(topic))
        values = [part.values.transpose(1, 2, 0).reshape(-1) for part in self.parts]
        size = sum(map(len, values)) // max(len(labels), 1)
        measure = Factor(labels, np.tile(np.arange(len(labels), dtype=np.int32), size))
        joined = {name: _joined(factors) for name, factors in columns.items()}
        return Scores(joined, measure, np.concatenate(values))

    def tables(self) -> Mapping[str, Table]:
        """Return the scores and their means; or the runs, where nothing was scored."""
        if self.request is None:
            return {"runs": self._runs()}
        return {**self.scores.tables(), "means": self.means}

    @property
    def means(self) -> Table:
        """Every system and measure, averaged over the queries.

        Raises
        ------
        InputError
            If nothing was scored.
        """
        request = self.request
        if request is None:
            raise InputError("nothing was scored; give judgments to score by")
        averaged = means(self.parts, request.measures, request.labels, complete=True)
        own = averaged.columns
        rows = np.repeat(
            np.tile(np.arange(len(self.systems)), len(self.parts)), len(request.labels)
        )
        components = _components(self.systems, None)
        columns: dict[str, Column] = {"system": own["system"]}
        columns |= {name: factor.take(rows) for name, factor in components.items()}
        return Table(columns | dict(own))

    def _runs(self) -> Table:
        named: dict[str, list[Factor]] = {}
        for part in self.parts:
            for name, factor in _components(self.systems, part.corpus).items():
                named.setdefault(name, []).append(factor)
        columns: dict[str, Column] = {n: _joined(each) for n, each in named.items()}
        retrieved = [part.retrieved for part in self.parts]
        columns["queries"] = np.concatenate([(r > 0).sum(axis=1) for r in retrieved])
        columns["retrieved"] = np.concatenate([r.sum(axis=1) for r in retrieved])
        return Table(columns)


def _components(systems: Sequence[System], corpus: str | None) -> dict[str, Factor]:
    """Name systems and their components, one row each."""
    names = dict.fromkeys(name for system in systems for name in system.components)
    columns = {"system": Factor.of(system.name for system in systems)}
    if corpus is not None:
        columns["corpus"] = Factor.constant(corpus, len(systems))
    for name in names:
        values = (system.components.get(name) for system in systems)
        columns[name] = Factor.of(
            None if value is None else str(value) for value in values
        )
    return columns


def _topics(topics: Sequence[Topic]) -> dict[str, Factor]:
    columns = {"topic": Factor.of(topic.topic for topic in topics)}
    if any(topic.formulation is not None for topic in topics):
        columns["formulation"] = Factor.of(topic.formulation for topic in topics)
    return columns


def _joined(factors: Sequence[Factor]) -> Factor:
    if len(factors) == 1:
        return factors[0]
    return Factor.of(text for factor in factors for text in factor.texts())
