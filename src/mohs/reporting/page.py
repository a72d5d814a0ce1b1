"""A page as a value: sections of sentences, grids, figures and definitions.

A grid is a table as it is read: rounded, with small graphs in its cells. Behind it
stands the table itself, which the page offers for download in full precision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mohs.tables import Table

Kind: TypeAlias = Literal[
    "text", "name", "number", "graph", "class", "rank", "code", "letters", "query"
]
Role: TypeAlias = Literal[
    "band", "chance", "span", "dot", "whisker", "box", "median", "zero"
]
Key: TypeAlias = "float | str | None"


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark of a small graph, from ``low`` to ``high`` as shares of its width.

    ``tone`` names a class of difficulty, whose colour the mark has.
    """

    role: Role
    low: float
    high: float
    tone: str = ""


Graph: TypeAlias = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a grid: what its R cells show, and what they are sorted by.

    ``keys`` (R,) are None where there is nothing to sort by, which comes last; without
    them, the column does not sort. A ``graph`` has ``graphs`` (R,), and ``ticks`` with
    their labels for its head. ``first`` is the direction of the first click.
    """

    label: str
    cells: tuple[str, ...]
    keys: tuple[Key, ...] = ()
    kind: Kind = "text"
    hint: str = ""
    graphs: tuple[Graph, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    first: Literal["ascending", "descending"] = "ascending"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A table to be read, and the ``source`` to be downloaded.

    ``opens`` (R,) names what a click on the row shows, if anything; ``groups`` (R,) is
    what rows can be chosen by.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    source: Table
    sorts: bool = True
    filters: bool = False
    folded: bool = False
    opens: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The groups that occur, in order of appearance, and how many rows each has."""
        return tuple(
            (group, self.groups.count(group)) for group in dict.fromkeys(self.groups)
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture in SVG, for light and for dark screens, and what it shows in words.

    ``files`` are labels and addresses of files beside the page that hold it, too.
    """

    caption: str
    light: str
    dark: str
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """A sentence with the question that it answers."""

    question: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page under a heading, which the list of sections calls ``short``.

    Of sections that are called the same, the list has the first. Grids come before
    figures, unless these ``lead``.
    """

    id: str
    heading: str
    sentences: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    grids: tuple[Grid, ...] = ()
    figures: tuple[Figure, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    folded: bool = False
    opened: bool = True
    short: str = ""
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, what it is about, its sections, and details on demand.

    ``details`` are plain values that a script shows when a topic is opened.
    """

    title: str
    about: str
    sections: tuple[Section, ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    def section(self, name: str) -> Section:
        """Return a section by its id."""
        return next(each for each in self.sections if each.id == name)

    @property
    def entries(self) -> tuple[tuple[str, str], ...]:
        """Ids and names of the list of sections."""
        found: dict[str, str] = {}
        for section in self.sections:
            if not section.folded:
                found.setdefault(section.short or section.heading, section.id)
        return tuple((place, name) for name, place in found.items())

    @property
    def grids(self) -> tuple[Grid, ...]:
        """All grids of the page."""
        return tuple(grid for section in self.sections for grid in section.grids)
