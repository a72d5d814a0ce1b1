"""Layouts: what the columns of a sheet mean.

A long sheet has one observation in a row; in a wide one rows and columns are topics
and systems. The names of the columns decide, never their content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.tables import Factor
from mohs.trec.names import find_column

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.scores.sheets import Lines, Sheet

KINDS = ("system", "topic", "measure", "value")

_SHOWN = 8
_NAMED = "name it in the header, or take it out"

Orient: TypeAlias = Literal["topics", "systems"]

ORIENTS: Mapping[str, str] = {"topics": "topic", "systems": "system"}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Observations of one source, not yet checked against each other.

    ``factors`` over N observations; ``measure`` (N,), or None where the source names
    none; ``values`` (N,). ``lines`` tells where observations stand in the source.
    ``run`` is the name the source gives its only system, if nothing in it does;
    ``known`` lists levels that the source has beside those read.
    """

    source: str
    factors: Mapping[str, Factor]
    measure: Factor | None
    values: NDArray[np.float64]
    lines: Lines
    faults: tuple[FormatError, ...] = ()
    notes: tuple[str, ...] = ()
    run: str = ""
    known: Mapping[str, Collection[str]] = field(default_factory=dict)


class Layout(Protocol):
    """Says which columns hold numbers, and makes observations of a sheet."""

    def numeric(self, names: Sequence[str]) -> Collection[str]:
        """Return which of the columns hold numbers."""
        ...

    def house_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return what the house calls columns that others call differently."""
        ...

    def observations(self, sheet: Sheet) -> Part:
        """Return the observations of a sheet."""
        ...


def layout_of(
    names: Sequence[str], source: str, *, orient: Orient | None = None
) -> Layout:
    """Return what columns of these names mean.

    ``orient`` says what is in the rows of a matrix if its first column does not.

    Raises
    ------
    InputError
        If nothing tells.
    """
    if orient is not None and orient not in ORIENTS:
        raise InputError(f"--orient {orient}: expected topics or systems")
    found = {kind: find_column(kind, names) for kind in KINDS}
    columns = {kind: name for kind, name in found.items() if name is not None}
    # What is said to be a matrix may have a system called score.
    if orient is None and {"topic", "value"} <= columns.keys():
        return Long(columns)
    if orient is None and len(columns.keys() - {"value"}) > 1:
        lacking = next(each for each in ("value", "topic") if each not in columns)
        remedy = f"--rename {lacking}=COLUMN, or --orient topics|systems for a matrix"
        problem = f"no column is called {lacking}: {_listed(names)}"
        raise FormatError(source, 0, problem, remedy)
    return _matrix(names, source, ORIENTS[orient] if orient else None)


def _matrix(names: Sequence[str], source: str, wanted: str | None) -> Wide:
    first = names[0] if names else ""
    named = next((k for k in ("topic", "system") if find_column(k, [first])), None)
    rows = named or wanted
    if rows is None:
        problem = f"the first column is neither topic nor system: {_listed(names)}"
        remedy = "give --orient topics|systems, or name columns with --rename NEW=OLD"
        raise FormatError(source, 0, problem, remedy)
    if wanted not in (None, rows):
        problem = f"the first column is {first!r}, so its rows are no {wanted}s"
        raise FormatError(source, 0, problem, "leave out --orient")
    if "" in names[1:]:
        place = names.index("", 1) + 1
        raise FormatError(source, 0, f"column {place} has no name", _NAMED)
    if len(names) == 1:
        other = "system" if rows == "topic" else "topic"
        remedy = f"add a column for each {other}"
        raise FormatError(source, 0, f"has no column but {first!r}", remedy)
    return Wide(first, rows)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:_SHOWN]))
    return shown + (", ..." if len(names) > _SHOWN else "")


@dataclass(frozen=True, slots=True)
class Long:
    """One observation in a row; ``columns`` map kinds to the columns that hold them."""

    columns: Mapping[str, str]

    def numeric(self, names: Sequence[str]) -> Collection[str]:
        """Return the column of values."""
        return {self.columns["value"]}.intersection(names)

    def house_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names with kinds in place of those columns that hold them."""
        kinds = {name: kind for kind, name in self.columns.items()}
        return tuple(kinds.get(name, name) for name in names)

    def observations(self, sheet: Sheet) -> Part:
        """Return the rows as they are, under the names of the house."""
        values = sheet.numbers[self.columns["value"]]
        kept = [
            name for name in sheet.labels if name or not _counts_rows(sheet.labels[""])
        ]
        named = zip(self.house_names(kept), kept, strict=True)
        labels = {name: sheet.labels[column] for name, column in named}
        faults = [*sheet.faults, *_unlabelled(labels, sheet)]
        measure = labels.pop("measure", None)
        run = "" if "system" in labels else sheet.system
        labels.setdefault("system", Factor.constant(sheet.system, len(values)))
        if "" in labels:
            place = list(sheet.labels).index("") + 1
            problem = f"column {place} has no name"
            faults.append(FormatError(sheet.source, 0, problem, _NAMED))
        return Part(
            sheet.source,
            labels,
            measure,
            values,
            sheet.lines,
            tuple(faults),
            sheet.notes,
            run,
        )


def _counts_rows(factor: Factor) -> bool:
    # What pandas writes as an index unless told otherwise.
    return factor.levels == tuple(map(str, range(len(factor))))


def _unlabelled(labels: Mapping[str, Factor], sheet: Sheet) -> list[FormatError]:
    faults = []
    for name in ("system", "topic", "measure"):
        factor = labels.get(name)
        if factor is not None and "" in factor.levels:
            empty = np.flatnonzero(factor.codes == factor.levels.index(""))
            lines = sheet.lines(empty.tolist())
            problem = f"no {name} is given"
            remedy = "fill it in, or drop the row"
            faults += [
                FormatError(sheet.source, line, problem, remedy) for line in lines
            ]
    return faults


@dataclass(frozen=True, slots=True)
class Wide:
    """A matrix; its first column holds topics or systems, the header the others."""

    first: str
    rows: str

    def numeric(self, names: Sequence[str]) -> Collection[str]:
        """Return all columns but the first."""
        return set(names) - {self.first}

    def house_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names, all of which are labels but the first."""
        return tuple(names)

    def observations(self, sheet: Sheet) -> Part:
        """Return the cells, row by row."""
        side = sheet.labels[self.first]
        header, columns = tuple(sheet.numbers), list(sheet.numbers.values())
        width, height = len(header), len(side)
        across = np.tile(np.arange(width, dtype=np.int32), height)
        other = "system" if self.rows == "topic" else "topic"
        factors = {
            self.rows: side.take(np.repeat(np.arange(height), width)),
            other: Factor(header, across),
        }
        return Part(
            sheet.source,
            factors,
            None,
            np.column_stack(columns).ravel(),
            lambda cells: sheet.lines([cell // width for cell in cells]),
            (*sheet.faults, *_unlabelled({self.rows: side}, sheet)),
            sheet.notes,
        )
