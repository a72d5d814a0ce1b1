"""The public face: whether two views of the same topics find the same ones hard."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from mohs.analysis.agreement.matrices import MEASURE, matrices_of
from mohs.analysis.agreement.pairs import compare, pairs_of
from mohs.analysis.agreement.result import Agreement, notes_on, topics_of
from mohs.analysis.agreement.sets import default_sets, read_sets
from mohs.analysis.agreement.settling import settle as settle_matrix
from mohs.analysis.agreement.sides import sides_of
from mohs.errors import InputError
from mohs.files import MAX_BYTES, STANDARD_INPUT
from mohs.measures.reading import read_scores
from mohs.scores.naming import names_of
from mohs.trec.inputs import collected
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from mohs.analysis.agreement.matrices import Matrix
    from mohs.analysis.agreement.pairs import Pair
    from mohs.analysis.agreement.sets import SystemSet
    from mohs.scores import Renames, Where
    from mohs.scores.layouts import Orient

REPEATS = 200


def agree(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    other: Any = None,  # noqa: ANN401
    *,
    sets: Sequence[str] | str | None = None,
    by: str | None = None,
    repeat: int = REPEATS,
    above: float = 0.0,
    settle: float | None = None,
    seed: int = 0,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    max_bytes: int | None = None,
) -> Agreement:
    """Find out whether systems, corpora or measures agree on which topics are hard.

    Parameters
    ----------
    source
        Scores, as for `read_scores`; or what `evaluate` returned.
    other
        More scores, on the same topics: left are the first, right are these.
    sets
        Sets of systems: ``all``, ``best:N``, ``worst:N``, ``random:N``, ``tag:REGEX``
        (searched for in names) or ``file:PATH`` (one name a line). Without, it is all
        of them where tables or levels are compared, and else all, the best, the worst
        and random ones: 30 of them, or half of the systems.
    by
        A column whose levels are to be compared, such as ``corpus`` or ``measure``.
    repeat
        How often random sets are drawn.
    above
        Count for every topic the share of systems that score more than this.
    settle
        Also find out how many systems it takes until the order of topics stays so
        close (τ_b) to that by all systems.
    seed
        Of all draws.
    where, rename, measure, orient, formulation, max_bytes
        What of the scores counts and how they are read, as in `read_scores`.

    Returns
    -------
    Agreement
        ``.table`` has a row for each pair: with two tables, the same sets in both; with
        ``by``, the same sets under every two levels; and else every two sets.

    Raises
    ------
    InputError
        If there is nothing to compare, or the options mean nothing together.
    UnknownNameError
        If the scores have no such column, or nothing has such a name.

    Examples
    --------
    >>> scores = {
    ...     "a": {"1": {"AP": 0.1}, "2": {"AP": 0.5}, "3": {"AP": 0.6}},
    ...     "b": {"1": {"AP": 0.2}, "2": {"AP": 0.9}, "3": {"AP": 0.4}},
    ... }
    >>> result = agree(scores, sets="tag:a,tag:b")
    >>> result.to_pandas()[["left", "right", "topics", "overlap", "tau_b"]]
        left  right  topics  overlap     tau_b
    0  tag:a  tag:b       3      0.0  0.333333
    """
    wanted = None if sets is None else read_sets(sets)
    _check(repeat, above, settle)
    if by == MEASURE and measure is not None:
        raise InputError(
            f"--by measure compares measures, and --measure {measure} leaves one of"
            " them; choose several with --where measure=..."
        )
    tables = _tables(source, other)
    read = partial(
        read_scores,
        where=where,
        rename=rename,
        measure=measure,
        orient=orient,
        formulation=formulation,
        max_bytes=MAX_BYTES if max_bytes is None else max_bytes,
    )
    scores = dict(zip(tables, collected(read, tables.values()), strict=True))
    matrices = [
        matrix
        for name, table in scores.items()
        for matrix in matrices_of(table, name, by)
    ]
    if by and len(matrices) == 1:
        raise InputError(f"--by {by}: there is one level only, {matrices[0].level}")
    chosen = wanted or _usual_sets(matrices)
    sides = sides_of(matrices, chosen, repeats=repeat, seed=seed)
    pairs = [compare(*pair, seed) for pair in pairs_of(sides)]
    _check_pairs(pairs, by)
    settling = [
        settle_matrix(matrix, settle, repeats=repeat, seed=seed)
        for matrix in matrices
        if settle is not None
    ]
    read_notes = dict.fromkeys(n for table in scores.values() for n in table.notes)
    return Agreement(
        tuple(sides),
        tuple(pairs),
        topics_of(sides, above=above, seed=seed),
        tuple(settling),
        (*read_notes, *notes_on(matrices, sides, pairs)),
    )


def _check(repeat: int, above: float, settle: float | None) -> None:
    whole(repeat, "repeat")
    if not isinstance(above, int | float) or math.isnan(above):
        raise InputError(f"--above {above}: expected a score")
    if settle is not None and not -1 <= settle <= 1:
        raise InputError(f"--settle {settle:g}: expected a tau_b, from -1 to 1")


def _tables(source: Any, other: Any) -> dict[str, Any]:  # noqa: ANN401
    """Name the tables; one alone needs no name."""
    if other is None:
        return {"": source}
    if isinstance(source, str) and source == STANDARD_INPUT == other:
        raise InputError("standard input (-) can be read only once")
    both = [source, other]
    return dict(zip(names_of(both), both, strict=True))


def _usual_sets(matrices: Sequence[Matrix]) -> tuple[SystemSet, ...]:
    return default_sets(matrices[0]) if len(matrices) == 1 else read_sets("all")


def _check_pairs(pairs: Sequence[Pair], by: str | None) -> None:
    if not pairs:
        raise InputError(
            f"--by {by}: no level is in both tables"
            if by
            else "nothing to compare: name two --sets, a column with --by, or a second"
            " table"
        )
    if not any(pair.topics for pair in pairs):
        raise InputError(
            "no two sides have a topic in common that every draw has scores of; topics"
            " go by their ids"
        )
