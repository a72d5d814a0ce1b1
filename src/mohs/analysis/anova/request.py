"""The public face: a model of the scores, and all that is asked about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np

from mohs.analysis.anova.comparisons import compare
from mohs.analysis.anova.decomposition import decompose
from mohs.analysis.anova.design import Design
from mohs.analysis.anova.formula import model as ready_model
from mohs.analysis.anova.formula import parse_formula
from mohs.analysis.anova.margins import Type
from mohs.analysis.anova.populations import check_random, in_populations, sentence
from mohs.analysis.anova.result import Anova, notes_on
from mohs.analysis.anova.sensitivity import examine
from mohs.analysis.anova.uncertainty import TOPIC, Intervals, bootstrap, noncentral
from mohs.errors import InputError, UnknownNameError
from mohs.files import MAX_BYTES
from mohs.measures.reading import is_same_measure, read_scores

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.decomposition import Decomposition
    from mohs.analysis.anova.formula import Formula
    from mohs.scores import Renames, Where
    from mohs.scores.layouts import Orient

    Floats = NDArray[np.float64]

# What stands left of a formula whatever the measure is called.
_ANY_MEASURE = ("value", "score")


def anova(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    formula: str | None = None,
    *,
    model: str | None = None,
    type: int = 2,  # noqa: A002 (the word of the command, and of the field)
    random: Sequence[str] | str = (),
    tukey: str | None = None,
    intervals: str | None = None,
    sensitivity: bool = False,
    seed: int = 0,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    max_bytes: int | None = None,
) -> Anova:
    """Find out which factors explain the scores, and how much.

    Parameters
    ----------
    source
        Scores, as for `read_scores`; or what `evaluate` returned.
    formula
        The model, such as ``"~ topic + stoplist*stemmer"``: ``+`` adds terms, ``:`` is
        an interaction, ``a*b`` is ``a + b + a:b``, ``a/b`` (b nested in a) is ``a +
        a:b``, and ``-`` removes terms. On its left may stand the measure.
    model
        A ready one instead: ``c21-within``, ``c21-across``, ``z19-1`` or ``z19-2``.
    type
        Of the sums of squares where the design is not balanced: 2 adjusts each term
        for all that do not contain it, 1 for those before it, 3 for all others.
    random
        Factors whose levels were drawn from a population.
    tukey
        A factor, all of whose levels are to be compared.
    intervals
        Of partial omega squared: ``bootstrap`` (over topics; the default where the
        design is balanced), ``noncentral`` (the default elsewhere) or ``none``.
    sensitivity
        Also try the model on other scales, and look at its residuals.
    seed
        Of all draws.
    where, rename, measure, orient, formulation, max_bytes
        What of the scores counts and how they are read, as in `read_scores`.

    Returns
    -------
    Anova
        ``.table`` has a row for each term, then ``Residual`` and ``Total``.

    Raises
    ------
    InputError
        If the formula, the design or the options mean nothing together.
    UnknownNameError
        If the scores have no such column, or nothing has such a name.

    Examples
    --------
    >>> scores = {
    ...     "a": {"1": {"AP": 0.1}, "2": {"AP": 0.5}, "3": {"AP": 0.6}},
    ...     "b": {"1": {"AP": 0.2}, "2": {"AP": 0.4}, "3": {"AP": 0.9}},
    ... }
    >>> table = anova(scores, "AP ~ topic + system").table
    >>> dict(zip(table["term"], table["ss"].round(3)))
    {'topic': 0.36, 'system': 0.015, 'Residual': 0.04, 'Total': 0.415}
    """
    _check(type, intervals)
    asked, named = _model(formula, model), _names(random)
    wanted = _measure(asked, measure)
    scores = read_scores(
        source,
        where=where,
        rename=rename,
        measure=wanted,
        orient=orient,
        formulation=formulation,
        max_bytes=MAX_BYTES if max_bytes is None else max_bytes,
    ).of_measure()
    factors = list(dict.fromkeys(name for term in asked.terms for name in term))
    check_random(named, factors)
    design = Design.of(scores, factors)
    kind = cast("Type", type)
    parts = decompose(design, asked.terms, kind)
    _check_residual(parts)
    notes = [*scores.notes, *notes_on(parts, kind)]
    populations = in_populations(parts, named, kind) if named else None
    if populations:
        notes.append(sentence(parts, populations))
    way, why = _way(parts, intervals)
    low, high = _bounds(parts, kind, way, seed)
    examined = examine(design, parts, kind) if sensitivity else None
    return Anova(
        asked,
        scores.measures[0],
        kind,
        parts,
        way,
        low,
        high,
        populations,
        compare(parts, tukey, seed) if tukey else None,
        examined,
        (*notes, *why, *(examined.notes if examined else ())),
    )


def _check(type_: int, intervals: str | None) -> None:
    if type_ not in get_args(Type):
        raise InputError(
            f"there are sums of squares of types 1, 2 and 3, not {type_!r}"
        )
    if intervals not in {None, *get_args(Intervals)}:
        raise UnknownNameError("kind of interval", str(intervals), get_args(Intervals))


def _model(formula: str | None, model: str | None) -> Formula:
    if formula is not None and model is None:
        return parse_formula(formula)
    if formula is None and model is not None:
        return ready_model(model)
    raise InputError("give either a formula, such as '~ topic + system', or a model")


def _names(given: Sequence[str] | str) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))


def _measure(asked: Formula, measure: str | None) -> str | None:
    """Return the measure that the formula or the option names."""
    left = asked.response and asked.response.strip("`")
    if left is None or left in _ANY_MEASURE:
        return measure
    if measure is not None and not is_same_measure(measure, left):
        raise InputError(
            f"the formula is about {left}, and --measure about {measure}; name one"
        )
    return left


def _check_residual(parts: Decomposition) -> None:
    if parts.residual_df:
        return
    largest = max(parts.terms, key=len)
    raise InputError(
        f"the model is saturated: its terms fit all {len(parts.design):,} values and"
        f" leave no residual to test against; leave out {':'.join(largest)}"
    )


def _way(parts: Decomposition, intervals: str | None) -> tuple[Intervals, list[str]]:
    """Choose the kind of intervals, and say why if nobody did."""
    if intervals is not None:
        return cast("Intervals", intervals), []
    if TOPIC in parts.design.levels and parts.balance:
        return "bootstrap", []
    why = "the formula has no topic" if parts.balance else "the design is not balanced"
    told = "so intervals are those of the non-central F; choose with --intervals"
    return "noncentral", [f"{why}, {told}"]


def _bounds(
    parts: Decomposition, type_: Type, way: Intervals, seed: int
) -> tuple[Floats, Floats]:
    if way == "bootstrap":
        return bootstrap(parts, type_, seed)
    if way == "noncentral":
        return noncentral(parts)
    nothing = np.full(len(parts.terms), np.nan)
    return nothing, nothing
