"""The result of `mohs difficulty`, and the tables it knows."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.comparison import agreement, opposed
from mohs.analysis.difficulty.opinion import Opinion
from mohs.analysis.difficulty.rows import Row
from mohs.statistics.multiplicity import benjamini_hochberg, holm
from mohs.tables import Factor, Integers, Result, Table, stack
from mohs.trec.formulations import split_queries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.analysis.difficulty.drilldown import DrillDown
    from mohs.analysis.difficulty.solution import Solution
    from mohs.tables import Column
    from mohs.trec.formulations import Rule

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
        opinions: Sequence[Opinion] = (),
        texts: Mapping[str, str] | None = None,
    ) -> Part:
        """Name the topics of a solution, and add what is said of them elsewhere."""
        topics = solution.problem.topics
        keys = {"topic": Factor.of(topics)}
        if rule:
            pairs = split_queries(topics, rule)
            keys["topic"] = Factor.of(topic for topic, _ in pairs)
            keys["formulation"] = Factor.of(formulation for _, formulation in pairs)
        asked = None
        if texts is not None:
            named = zip(topics, keys["topic"].texts(), strict=True)
            asked = tuple(texts.get(query, texts.get(str(t))) for query, t in named)
        if corpus:
            keys["corpus"] = Factor.constant(corpus, len(topics))
        return cls(keys, solution, tuple(opinions), asked)

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

    def compared(self) -> Mapping[str, Table]:
        """Compare what strategies say of the topics, the ratio among them."""
        if not self.opinions:
            return {}
        ratio = Opinion(
            name="difficulty",
            values=self.solution.difficulty,
            classes=self.solution.classes,
            high_is_easy=True,
        )
        opinions = [ratio, *self.opinions]
        tables = {
            "agreement": agreement(opinions),
            "opposed": opposed(self.solution.problem.topics, opinions),
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
        compared = [part.compared() for part in self.parts]
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
