"""Scores: labelled observations, one value for a system, a topic and a measure.

Everything that analyses scores starts here, wherever they came from: each observation
is a value under a level of every factor. Rows of scores that were read are in natural
order of their labels, so that no result depends on the order of lines, files or frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.scores.conditions import parse_conditions, parse_renames
from mohs.tables import Factor, Result, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.scores.conditions import Condition, Renames, Where


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Result):
    """Values of measures, labelled by system, topic and further factors.

    ``factors`` name factors over N observations, always ``system`` and ``topic``, then
    the others; ``measure`` (N,) and ``values`` (N,), NaN where a value is missing.
    ``notes`` say what was noticed while reading.

    Examples
    --------
    >>> scores = Scores(
    ...     {"system": Factor.of(["a", "b"]), "topic": Factor.of(["401", "401"])},
    ...     Factor.of(["AP", "AP"]),
    ...     np.array([0.5, 0.25]),
    ... )
    >>> scores
    system  topic  measure   value
    a       401    AP       0.5000
    b       401    AP       0.2500
    >>> scores.where("system!=b").values.tolist()
    [0.5]
    """

    factors: Mapping[str, Factor]
    measure: Factor
    values: NDArray[np.float64]
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        lead = ("system", "topic")
        if missing := set(lead) - self.factors.keys():
            raise ValueError(f"scores have no {' and no '.join(sorted(missing))}")
        rest = [name for name in self.factors if name not in lead]
        factors = {name: self.factors[name] for name in (*lead, *rest)}
        values = np.asarray(self.values, dtype=np.float64).view()
        values.flags.writeable = False
        sizes = {len(each) for each in (*factors.values(), self.measure)}
        if sizes != {len(values)}:
            raise ValueError(f"labels {sizes} and values {len(values)} do not match")
        object.__setattr__(self, "factors", MappingProxyType(factors))
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.factors["system"].levels

    @property
    def topics(self) -> tuple[str, ...]:
        """Ids of the topics."""
        return self.factors["topic"].levels

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.measure.levels

    @property
    def missing(self) -> int:
        """Number of observations without a value."""
        return int(np.isnan(self.values).sum())

    def tables(self) -> Mapping[str, Table]:
        """Return the observations, one row each."""
        labels = {**self.factors, "measure": self.measure}
        return {"scores": Table({**labels, "value": self.values})}

    def take(self, rows: NDArray[Any]) -> Scores:
        """Return some observations, by index or by mask, with the levels they use."""
        factors = {name: each.take(rows) for name, each in self.factors.items()}
        return Scores(
            {name: each.arranged() for name, each in factors.items()},
            self.measure.take(rows).arranged(),
            self.values[rows],
            self.notes,
        )

    def of_measure(
        self, name: str | None = None, *, canonical: Callable[[str], str] = str.casefold
    ) -> Scores:
        """Return the observations of one measure.

        Parameters
        ----------
        name
            The measure as the scores write it, or else in any spelling that
            ``canonical`` takes for the same; None for the only one there is.
        canonical
            Returns the one spelling of a measure, or raises if it knows none.

        Raises
        ------
        InputError
            If there are several measures and ``name`` is None.
        UnknownNameError
            If there are no observations of the measure.
        """
        level = find_measure(self.measures, name, canonical)
        if len(self.measures) == 1:
            return self
        return self.take(self.measure.codes == self.measures.index(level))

    def where(self, conditions: Where) -> Scores:
        """Return the observations that fulfil all conditions.

        ``conditions`` as on the command line, ``"corpus=FT,LA"`` or ``"system!=bm25"``,
        or a mapping from columns to the values they may have.

        Raises
        ------
        UnknownNameError
            If there is no such column, or a column has no such value.
        """
        labels = {**self.factors, "measure": self.measure}
        known = {name: factor.levels for name, factor in labels.items()}
        keep = fulfilled(parse_conditions(conditions), labels, known)
        if not keep.any():
            raise InputError(f"no observation fulfils {conditions}")
        return self.take(keep)

    def rename(self, names: Renames) -> Scores:
        """Return the same observations under other column names, new to old."""
        renames = parse_renames(names)
        unknown = [old for old in renames.values() if old not in self.factors]
        for old in unknown:
            raise UnknownNameError("column", old, self.factors)
        back = {old: new for new, old in renames.items()}
        named = [back.get(name, name) for name in self.factors]
        check_distinct(named, "scores")
        if not {"system", "topic"} <= set(named):
            raise InputError(f"--rename {names}: no column would be system or topic")
        factors = dict(zip(named, self.factors.values(), strict=True))
        return Scores(factors, self.measure, self.values, self.notes)


def check_distinct(names: Sequence[str], source: str) -> None:
    """Refuse columns of one name."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        remedy = "give one of them another name with --rename NEW=OLD"
        raise FormatError(source, 0, f"two columns are called {twice[0]!r}", remedy)


def find_measure(
    known: Sequence[str], name: str | None, canonical: Callable[[str], str]
) -> str:
    """Return the known measure that a name means: as written, or in other spelling."""
    if name is None:
        if len(known) == 1:
            return known[0]
        listed = ", ".join(known)
        raise InputError(f"there are several measures; choose one of: {listed}")
    if name in known:
        return name
    wanted = _spelling(name, canonical)
    same = [each for each in known if _spelling(each, canonical) == wanted]
    if len(same) == 1:
        return same[0]
    if not same:
        raise UnknownNameError("measure in the scores", name, known)
    raise InputError(f"{name!r} may be any of the measures {', '.join(same)}")


def _spelling(name: str, canonical: Callable[[str], str]) -> str:
    for variant in (name, name.casefold()):
        try:
            return canonical(variant).casefold()
        except UnknownNameError:
            continue
    return name.casefold()


def fulfilled(
    conditions: Sequence[Condition],
    labels: Mapping[str, Factor],
    known: Mapping[str, Collection[str]],
) -> NDArray[np.bool_]:
    """Return which observations fulfil all conditions on their labels.

    ``known`` lists the levels a condition may name.

    Raises
    ------
    UnknownNameError
        If there is no such column, or a column has no such level.
    """
    keep = np.ones(len(labels["topic"]), dtype=np.bool_)
    for condition in conditions:
        if condition.column not in labels:
            raise UnknownNameError("column", condition.column, labels)
        for value in sorted(condition.values.difference(known[condition.column])):
            raise UnknownNameError(condition.column, value, known[condition.column])
        factor = labels[condition.column]
        allowed = [*map(condition.allows, factor.levels), False]
        keep &= np.array(allowed, dtype=np.bool_)[factor.codes]
    return keep
