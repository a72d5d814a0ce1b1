"""What every paper yields: exhibits under its own numbers, and what was printed.

A paper is a function from data and a seed to a :class:`Reproduction`. What it printed
is given as it was printed, so that a match to the printed digits is decided here and
not by eye; what cannot be computed is listed with its reason, never left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias

import numpy as np

from mohs.registry import Registry
from mohs.tables import Result, Table

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from mohs.files import Provenance
    from mohs.papers.data import Data

Verdict: TypeAlias = Literal[
    "matches", "differs", "holds", "does not hold", "not testable"
]

_HALF = Decimal("0.5")
# Of half a unit of the last printed digit: a double is no decimal fraction.
_SLACK = Decimal("1e-9")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Something that a paper says, beside what Mohs finds.

    ``place`` is where the paper says it ("Table 2", "section 4.1"), ``published`` what
    it printed, None where it printed no number, and ``digits`` how many of them stand
    after the point.
    ``computed`` is None where it cannot be computed, and ``reason`` says why that is,
    or why the two differ.
    """

    place: str
    quantity: str
    published: float | None
    digits: int | None
    computed: float | None
    verdict: Verdict
    reason: str = ""

    @classmethod
    def of(  # noqa: PLR0913 (one for each column, and how to compare)
        cls,
        place: str,
        quantity: str,
        printed: str,
        computed: float | None,
        *,
        reason: str = "",
        within: float = 0.0,
        truncated: bool = False,
    ) -> Self:
        """Compare a number with one that was printed.

        Parameters
        ----------
        place, quantity
            Where it stands, and what it is, in words.
        printed
            The number as it was printed, from which its digits are counted.
        computed
            The number found, or None if it cannot be computed.
        reason
            Why they differ, or why nothing was computed.
        within
            How far off the number may be and still match, beyond rounding: say in
            ``reason`` where that comes from.
        truncated
            Whether the paper cut digits off instead of rounding.

        Examples
        --------
        >>> Comparison.of("Table 2", "partial omega squared", ".7682", 0.76824).verdict
        'matches'
        >>> Comparison.of("Table 4", "omega squared", ".6603", 0.66039).verdict
        'differs'
        >>> Comparison.of("Table 4", "w", ".6603", 0.66039, truncated=True).verdict
        'matches'
        """
        exact = Decimal(printed)
        digits = -int(exact.as_tuple().exponent)
        verdict: Verdict = "not testable"
        if computed is not None:
            same = _agree(exact, digits, computed, within, truncated=truncated)
            verdict = "matches" if same else "differs"
        return cls(place, quantity, float(exact), digits, computed, verdict, reason)

    @classmethod
    def remark(  # noqa: PLR0913 (one for each column)
        cls,
        place: str,
        remark: str,
        holds: bool | None,  # noqa: FBT001 (what is being said)
        *,
        computed: float | None = None,
        digits: int | None = None,
        reason: str = "",
    ) -> Self:
        """Judge a statement without a number; None if it cannot be tested here.

        ``digits`` are those that what was computed is shown with.

        Examples
        --------
        >>> Comparison.remark("section 5", "177 is a low outlier", None).verdict
        'not testable'
        """
        verdict: Verdict = "holds" if holds else "does not hold"
        if holds is None:
            verdict = "not testable"
        return cls(place, remark, None, digits, computed, verdict, reason)

    @property
    def difference(self) -> float | None:
        """What was computed minus what was printed."""
        if self.published is None or self.computed is None:
            return None
        return self.computed - self.published


def _agree(
    printed: Decimal, digits: int, computed: float, within: float, *, truncated: bool
) -> bool:
    if not np.isfinite(computed):
        return False
    unit, found = Decimal(1).scaleb(-digits), Decimal(repr(float(computed)))
    if truncated and found.quantize(unit, ROUND_DOWN) == printed:
        return True
    allowed = Decimal(repr(float(within)))
    if not truncated:
        allowed += (_HALF + _SLACK) * unit
    return abs(found - printed) <= allowed


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """A table or a figure of a paper as Mohs computes it.

    ``number`` is the paper's own ("Table 1"), the same for parts of one exhibit.
    ``text`` says in a sentence or two what is seen, on which data, with which
    uncertainty, and what chance would give. ``chart`` is a chart of Altair.
    """

    number: str
    title: str
    text: str
    table: Table | None = None
    chart: Any = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reproduction(Result):
    """A paper's tables and figures as Mohs computes them, beside what was printed.

    ``citation`` names the paper, ``summary`` is a paragraph about what was found, and
    ``notes`` say what was read, what is missing, and where to get it. ``made`` says
    how: it is filled in by `mohs.reproduce`.

    The tables are ``comparisons`` (published, computed, difference, verdict and
    reason), then one for every exhibit that has one.
    """

    paper: str
    title: str
    citation: str
    summary: str
    comparisons: tuple[Comparison, ...]
    exhibits: tuple[Exhibit, ...]
    notes: tuple[str, ...] = ()
    made: Provenance | None = None

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name, the comparisons first."""
        shown = zip(self.names, self.exhibits, strict=True)
        found = {name: each.table for name, each in shown if each.table is not None}
        return {COMPARISONS: comparison_table(self.comparisons), **found}

    @property
    def names(self) -> tuple[str, ...]:
        """A name for every exhibit, such as ``table-1``, for files and links."""
        return exhibit_names([each.number for each in self.exhibits])

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write page, tables and figures into a new folder, or one written before.

        Raises
        ------
        InputError
            If the folder has other files in it, unless ``force`` is given.
        """
        from mohs.papers.page import save

        save(self, folder, force=force)


COMPARISONS = "comparisons"


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """Lay comparisons out, one in a row.

    Examples
    --------
    >>> comparison_table([Comparison.of("Table 1", "tau", ".48", 0.5)])
    place    quantity  published  computed  difference  verdict  reason
    Table 1  tau          0.4800    0.5000      0.0200  differs  -
    """
    numbers = {
        name: np.array([_number(getattr(each, name)) for each in comparisons], float)
        for name in ("published", "computed", "difference")
    }
    return Table(
        {
            "place": tuple(each.place for each in comparisons),
            "quantity": tuple(each.quantity for each in comparisons),
            **numbers,
            "verdict": tuple(each.verdict for each in comparisons),
            "reason": tuple(each.reason or None for each in comparisons),
        }
    )


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def exhibit_names(numbers: Sequence[str]) -> tuple[str, ...]:
    """Return distinct names; parts of one exhibit are told apart by letters.

    Examples
    --------
    >>> exhibit_names(["Table 1", "Figure 3", "Figure 3"])
    ('table-1', 'figure-3-a', 'figure-3-b')
    """
    plain = [re.sub(r"[^a-z0-9]+", "-", each.lower()).strip("-") for each in numbers]
    return tuple(
        f"{name}-{_letters(plain[:place].count(name))}"
        if plain.count(name) > 1
        else name
        for place, name in enumerate(plain)
    )


def _letters(place: int) -> str:
    rest, last = divmod(place, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("a") + last)


class Paper(Protocol):
    """Computes the tables and figures of one paper."""

    def __call__(self, data: Data, *, seed: int) -> Reproduction:
        """Return them; ``data`` finds files by name."""
        ...


PAPERS: Registry[Paper] = Registry("paper")
