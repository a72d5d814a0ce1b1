"""The result of `mohs difficulty`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.comparison import agreement, opposed, speaking
from mohs.analysis.difficulty.opinion import Opinion
from mohs.analysis.difficulty.rows import Row
from mohs.analysis.difficulty.strategies import opinions
from mohs.statistics.multiplicity import benjamini_hochberg, holm
from mohs.tables import Factor, Integers, Result, Table, stack
from mohs.trec.formulations import split_queries
from mohs.trec.topics import find_texts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mohs.analysis.difficulty.drilldown import DrillDown
    from mohs.analysis.difficulty.pool import Problem
    from mohs.analysis.difficulty.solution import Solution
    from mohs.tables import Column
    from mohs.trec.formulations import Rule
    from mohs.trec.topics import Topic

_WHOLE = ("systems", "pool", "judged", "relevant")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is known of one sub-corpus, or of the whole: its topics, T in all.

    ``keys`` name the rows: ``topic``, and ``formulation`` and ``corpus`` where there
    are any. ``texts`` (T,) are what was asked, if that was given.
    """

    keys: Mapping[str, Factor]
    solution: Solution
    opinions: tuple[Opinion, ...] = ()
    texts: tuple[str | None, ...] | None = None

    @classmethod
    def of(
        cls,
        solution: Solution,
        *,
        corpus: str | None = None,
        rule: Rule | None = None,
        asked: Sequence[Topic] | None = None,
    ) -> Part:
        """Name the topics of a solution, and add what was asked."""
        topics = solution.problem.topics
        keys = {"topic": Factor.of(topics)}
        if rule:
            pairs = split_queries(topics, rule)
            keys["topic"] = Factor.of(topic for topic, _ in pairs)
            keys["formulation"] = Factor.of(formulation for _, formulation in pairs)
        texts = None if asked is None else find_texts(asked, topics, rule)
        if corpus:
            keys["corpus"] = Factor.constant(corpus, len(topics))
        return cls(keys, solution, texts=texts)

    @property
    def problem(self) -> Problem:
        """The topics on which systems are scored and strategies asked.

        A topic without relevant documents in a sub-corpus is not one of its topics.
        """
        problem = self.solution.problem
        return problem.with_relevant() if "corpus" in self.keys else problem

    def with_strategies(self, strategies: Sequence[str] | str) -> Part:
        """Return the same with the opinions of strategies."""
        problem = self.problem
        said = opinions(problem, strategies) if strategies else ()
        everything = self.solution.problem.topics
        whole = tuple(each.over(everything, problem.topics) for each in said)
        return replace(self, opinions=whole)

    def topics(self) -> Table:
        """Lay out the main table: one row for each topic."""
        columns: dict[str, Column] = dict(self.keys)
        for field in fields(Row):
            if field.name != "topic":
                name = field.name.rstrip("_")
                columns[name] = _column(self.solution.rows, field.name)
        for opinion in self.opinions:
            columns[opinion.name] = opinion.values
            columns[f"{opinion.name}_class"] = Factor.of(opinion.classes)
        if self.texts is not None:
            columns["query"] = self.texts
        return Table(columns)

    def systems(self) -> Table:
        """Lay out one row for each topic and each system that retrieved anything."""
        solution = self.solution
        outcomes = solution.outcomes
        rows = np.repeat(np.arange(len(outcomes)), [len(each.won) for each in outcomes])
        names = Factor(
            solution.problem.systems,
            np.concatenate([each.systems for each in outcomes]).astype(np.int32),
        )
        p = [
            null.p_of_systems() if null else np.full(len(outcome.won), np.nan)
            for outcome, null in zip(outcomes, solution.nulls, strict=True)
        ]
        return Table(
            {
                **{name: key.take(rows) for name, key in self.keys.items()},
                "system": names,
                "win": np.concatenate([each.won for each in outcomes]),
                "ndcg": np.concatenate([each.ndcg for each in outcomes]),
                "ndcg_std": np.concatenate([each.standardised for each in outcomes]),
                "margin": np.concatenate([each.margins for each in outcomes]),
                "p": np.concatenate(p),
            }
        )

    def adjusted(self) -> Table:
        """Lay out p-values adjusted for the number of topics."""
        p = self.solution.p
        return Table(
            {**self.keys, "p": p, "p_holm": holm(p), "p_bh": benjamini_hochberg(p)}
        )

    def said(self) -> list[Opinion]:
        """Return what strategies say of the topics, the ratio first among them."""
        ratio = Opinion(
            name="difficulty",
            values=self.solution.difficulty,
            classes=self.solution.classes,
            high_is_easy=True,
        )
        return [ratio, *self.opinions]

    def compared(self, classed: Collection[str]) -> Mapping[str, Table]:
        """Compare what is said of the topics; ``classed`` is who has classes at all."""
        if not self.opinions:
            return {}
        said = self.said()
        keys = {name: key for name, key in self.keys.items() if name != "corpus"}
        tables = {
            "agreement": agreement(said),
            "opposed": opposed(keys, said, classed=classed),
        }
        return {name: self._of_corpus(table) for name, table in tables.items()}

    def _of_corpus(self, table: Table) -> Table:
        if "corpus" not in self.keys:
            return table
        name = self.keys["corpus"].levels[0]
        return Table({"corpus": Factor.constant(name, len(table)), **table.columns})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Difficulty(Result):
    """How hard every topic is: 1 is the easiest, 0 the hardest.

    ``parts`` hold the sub-corpora, or the one whole; ``notes`` are sentences about the
    input, and ``files`` the names of the files it came from, with the content of what
    cannot be read twice.

    The tables are ``difficulty``, one row for each topic; ``adjusted``, p-values
    adjusted for the number of topics; ``systems``, wins, scores and p-values of every
    system on every topic; and with strategies ``agreement``, Kendall's τ_b between
    every two, and ``opposed``, the topics hard to some and easy to others.
    """

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    files: Mapping[str, bytes | None] | None = None

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, the topics first."""
        classed = {name for part in self.parts for name in speaking(part.said())}
        compared = [part.compared(classed) for part in self.parts]
        return {
            "difficulty": self._main(),
            "adjusted": stack([part.adjusted() for part in self.parts]),
            "systems": stack([part.systems() for part in self.parts]),
            **{name: stack([each[name] for each in compared]) for name in compared[0]},
        }

    def drill(self, topic: str) -> DrillDown:
        """Look into one topic: its systems, and where they put its documents.

        Parameters
        ----------
        topic
            Its id, for all of its formulations and all sub-corpora if there are any.

        Raises
        ------
        UnknownNameError
            If there is no such topic.
        """
        from mohs.analysis.difficulty.drilldown import drill

        return drill(self.parts, topic)

    def _main(self) -> Table:
        return stack([part.topics() for part in self.parts])


def _column(rows: Sequence[Row], name: str) -> Column:
    values = [getattr(row, name) for row in rows]
    if name in _WHOLE:
        return np.array(values, np.int64)
    if name == "wins":
        known = np.array([value is not None for value in values], np.bool_)
        return Integers(np.array([value or 0 for value in values], np.int64), known)
    if name in {"class_", "reason"}:
        return Factor.of(values)
    return np.array(values, np.float64)
