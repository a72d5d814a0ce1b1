"""What can be done with a difficulty: doubt it, weigh by it, and choose topics.

Each use starts from the runs and judgments that the difficulty was computed from, and
answers for every sub-corpus apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.perturbation import stability_of
from mohs.analysis.difficulty.strategies.evidence import values_of
from mohs.analysis.difficulty.subsets import topic_subsets
from mohs.analysis.difficulty.weights import weighted_means
from mohs.errors import InputError
from mohs.measures.spelling import canonical
from mohs.scores.cubes import Cube, from_cube
from mohs.tables import Factor, Result, Table, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs.analysis.difficulty.pool import Problem
    from mohs.analysis.difficulty.result import Difficulty, Part
    from mohs.scores.observations import Scores


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ByCorpus(Result):
    """One result for each sub-corpus, or the one for the whole, whose name is None.

    The tables are those of the results, below one another, with a column ``corpus``
    where there are any.
    """

    parts: Mapping[str | None, Result]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the results say of their input."""
        return tuple(
            f"{corpus}: {note}" if corpus else note
            for corpus, part in self.parts.items()
            for note in getattr(part, "notes", ())
        )

    def tables(self) -> Mapping[str, Table]:
        """Return the tables of all results by name."""
        named = [(corpus, part.tables()) for corpus, part in self.parts.items()]
        return {
            name: stack([_labelled(tables[name], corpus) for corpus, tables in named])
            for name in named[0][1]
        }


def stability(
    difficulty: Difficulty,
    *,
    strategies: Sequence[str] | str | None = None,
    measure: str = "AP",
    repeats: int = 100,
    other: Difficulty | None = None,
) -> ByCorpus:
    """Measure how far ratio and strategies keep their word when the request changes.

    Left out are half of the topics, half of the systems, the best and the worst
    quarter of them, each system and each team; added are junk systems; and labels and
    the depth of pools are changed [1]_.

    Parameters
    ----------
    difficulty
        Whose teams and seed count too. Strategies look at the first hundred documents
        of a list if it was asked for them, and else at its pool depth.
    strategies
        Names, or ``all``; those it was asked for, unless given.
    measure
        What takes the place of AP.
    repeats
        How many random halves of topics and of systems are tried.
    other
        The difficulty by other judgments of the same topics and runs.

    Returns
    -------
    ByCorpus
        Of `Stability`: one row for each change, pool rule and strategy.

    References
    ----------
    .. [1] Gienapp et al., "Estimating topic difficulty using normalized discounted
       cumulated gain", CIKM 2020, section 5.

    Examples
    --------
    >>> from mohs.analysis.difficulty import difficulty
    >>> qrels = {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 0, "b": 1, "c": 0}}
    >>> one, two = {"a": 2.0, "b": 1.0, "c": 0.0}, {"b": 2.0, "a": 1.0, "c": 0.0}
    >>> runs = {"one": {"1": one, "2": one}, "two": {"1": two, "2": one}}
    >>> result = stability(difficulty(qrels, runs, permutations=0), repeats=2)
    >>> row = next(result.tables()["stability"].rows())
    >>> row[:6]
    ('half of the topics', None, 'difficulty', 2, 1, None)
    """
    others = _parts(other) if other else {}
    found = {}
    for corpus, part in _parts(difficulty).items():
        given = [each.name for each in part.opinions]
        found[corpus] = stability_of(
            part.problem,
            part.solution.question,
            strategies=given if strategies is None else strategies,
            measure=measure,
            repeats=repeats,
            other=others[corpus].problem if corpus in others else None,
        )
    return ByCorpus(found)


def weigh(
    difficulty: Difficulty,
    measure: str = "AP",
    *,
    weights: str = "1 - difficulty",
    samples: int = 1000,
) -> ByCorpus:
    """Average a measure so that hard topics count more; see `weighted_means`.

    Parameters
    ----------
    difficulty
        Whose runs are scored, and whose columns give the weights.
    measure
        What is averaged.
    weights
        A formula of the columns.
    samples
        How many times topics are drawn with replacement for the intervals.

    Returns
    -------
    ByCorpus
        Of `WeightedMeans`.

    Examples
    --------
    >>> from mohs.analysis.difficulty import difficulty
    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    >>> good, bad = {"a": 1.0, "b": 0.0}, {"b": 1.0, "a": 0.0}
    >>> usual = {"1": bad, "2": good}
    >>> runs = {"x": usual, "y": usual, "z": {"1": good, "2": bad}}
    >>> result = weigh(difficulty(qrels, runs, permutations=0), "RR")
    >>> result.tables()["weighted"]["weighted"].round(3).tolist()
    [0.833, 0.667, 0.667]
    """
    found = {}
    for corpus, part in _parts(difficulty).items():
        means = weighted_means(
            _of_queries(part),
            scores_of(part.problem, measure),
            weights=weights,
            samples=samples,
            seed=part.solution.question.seed,
        )
        found[corpus] = replace(means, keys=_keys_of(part, means.topics))
    return ByCorpus(found)


def choose_topics(
    difficulty: Difficulty, measure: str = "AP", *, repeats: int = 1000
) -> ByCorpus:
    """Find topics that keep the order of its systems; see `topic_subsets`.

    Parameters
    ----------
    difficulty
        Whose runs are scored.
    measure
        By whose means systems are ordered.
    repeats
        Random subsets of each size.

    Returns
    -------
    ByCorpus
        Of `TopicSubsets`.
    """
    return ByCorpus(
        {
            corpus: topic_subsets(
                scores_of(part.problem, measure),
                repeats=repeats,
                seed=part.solution.question.seed,
            )
            for corpus, part in _parts(difficulty).items()
        }
    )


def scores_of(problem: Problem, measure: str) -> Scores:
    """Score the systems of a problem on its topics."""
    values = values_of(problem, measure)
    axes = {"system": problem.systems, "topic": problem.topics}
    return from_cube(Cube(axes, canonical(measure), values))


def _parts(difficulty: Difficulty) -> dict[str | None, Part]:
    """Return the parts that have topics, by sub-corpus."""
    parts = {
        part.keys["corpus"].levels[0] if "corpus" in part.keys else None: part
        for part in difficulty.parts
        if part.problem.topics
    }
    if not parts:
        raise InputError(
            "no topic has a relevant document in any sub-corpus; see --corpus"
        )
    return parts


def _of_queries(part: Part) -> Table:
    """Return the figures under the ids that scores have, formulations and all."""
    return Table({**part.topics().columns, "topic": part.solution.problem.topics})


def _keys_of(part: Part, queries: Sequence[str]) -> dict[str, Factor]:
    """Return the columns that name some queries of a part, but for the corpus."""
    known = part.solution.problem.topics
    places = np.array([known.index(query) for query in queries], np.intp)
    keys = part.keys.items()
    return {name: key.take(places) for name, key in keys if name != "corpus"}


def _labelled(table: Table, corpus: str | None) -> Table:
    if corpus is None:
        return table
    return Table({"corpus": Factor.constant(corpus, len(table)), **table.columns})
