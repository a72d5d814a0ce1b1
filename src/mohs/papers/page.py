"""From a paper's exhibits to a folder: a page, its tables, and its figures.

The page begins with what was printed beside what was computed; then come the exhibits
under the paper's own numbers. It needs no other file; tables (CSV, LaTeX) and figures
(SVG, PDF) lie beside it for those who want to take them along.
"""

from __future__ import annotations

import importlib.metadata
import platform
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mohs.charts import in_theme, svg
from mohs.charts import save as draw
from mohs.files import make_folder, write_bytes, write_folder
from mohs.papers.definition import COMPARISONS
from mohs.papers.grids import comparison_grid, grid_of
from mohs.reporting.html import render
from mohs.reporting.methods import section_of
from mohs.reporting.page import Figure, Grid, Page, Section
from mohs.reporting.wording import counted, listed, sentence
from mohs.samples.folder import made_whole
from mohs.tables import FORMS

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from mohs.papers.definition import Exhibit, Reproduction, Verdict

PAGE, RECORD = "index.html", "meta.json"
TABLES, FIGURES = "tables", "figures"
_FORMS = ("svg", "pdf")
_DIGITS = 4
_PACKAGES = ("numpy", "scipy", "polars", "altair")
# What one and what several of them do.
_COUNTED: Mapping[Verdict, tuple[str, str]] = {
    "matches": ("matches the printed digits", "match the printed digits"),
    "differs": ("differs", "differ"),
    "holds": ("holds", "hold"),
    "does not hold": ("does not hold", "do not hold"),
    "not testable": ("cannot be tested here", "cannot be tested here"),
}
_TERMS = (
    (
        "Verdicts",
        (
            "A number matches if it rounds to the printed digits, or lies within what"
            " its reason says; a statement holds or does not hold for the data at hand;"
            " what cannot be computed is not testable."
        ),
    ),
)


def save(
    result: Reproduction, folder: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write everything into a folder, all at once or not at all."""
    with lent(Path(folder), result.paper, force=force) as write:
        write(result, "")


@contextmanager
def lent(
    target: Path, paper: str, *, force: bool = False
) -> Iterator[Callable[[Reproduction, str], None]]:
    """Lend what writes into a folder, which is refused first if it is someone else's.

    Raises
    ------
    InputError
        If the folder has files in it that were not made here.
    """
    about = {"reproduce": {"paper": paper}}
    with made_whole(target, about=about, force=force) as workspace:
        yield lambda result, command: write(result, workspace, command=command)


def write(result: Reproduction, folder: Path, *, command: str = "") -> None:
    """Write the page, every table and every figure."""
    write_folder(folder / TABLES, _tables(result))
    figures = make_folder(folder / FIGURES)
    for name, each in zip(result.names, result.exhibits, strict=True):
        if each.chart is not None:
            for form in _FORMS:
                draw(in_theme(each.chart), figures / f"{name}.{form}")
    if result.made is not None:
        write_bytes(folder / RECORD, f"{result.made.to_json()}\n".encode())
    page = page_of(result, command=command)
    write_bytes(folder / PAGE, render(page).encode())


def _tables(result: Reproduction) -> dict[str, bytes]:
    tables = result.tables().items()
    csv = {f"{name}.csv": FORMS[".csv"](table) for name, table in tables}
    latex = {
        f"{name}.tex": table.to_latex(digits=_DIGITS).encode() for name, table in tables
    }
    return csv | latex


def page_of(result: Reproduction, *, command: str = "") -> Page:
    """Lay a reproduction out, its figures drawn for light and for dark screens."""
    exhibits = [
        _exhibit(name, each, result)
        for name, each in zip(result.names, result.exhibits, strict=True)
    ]
    sections = [_summary(result), *exhibits]
    if result.notes:
        notes = tuple(map(sentence, result.notes))
        sections.append(Section("notes", "Data and notes", notes))
    if result.made is not None:
        terms = (*_TERMS, ("Versions", _versions()))
        sections.append(section_of(result.made, terms, command=command))
    return Page(f"{result.title}: reproduced", result.citation, tuple(sections))


def _summary(result: Reproduction) -> Section:
    found = Counter(each.verdict for each in result.comparisons)
    parts = [
        f"{found[key]} {told[found[key] > 1]}"
        for key, told in _COUNTED.items()
        if found[key]
    ]
    total = counted(len(result.comparisons), "number or statement").replace(
        "number or statements", "numbers and statements"
    )
    told = f"Of {total} of the paper, {listed(parts)}." if parts else ""
    return Section(
        COMPARISONS,
        "Published and computed",
        tuple(filter(None, (result.summary, told))),
        grids=(comparison_grid(result.comparisons),),
        short="Summary",
    )


def _exhibit(name: str, each: Exhibit, result: Reproduction) -> Section:
    part = name.rpartition("-")[2]
    parted = sum(other.number == each.number for other in result.exhibits) > 1
    number = f"{each.number} ({part})" if parted else each.number
    drawn = each.chart is not None
    grids: tuple[Grid, ...] = ()
    if each.table is not None:
        caption = f"Numbers of {number}" if drawn else f"{number} as Mohs computes it"
        grids = (grid_of(name, caption, each.table, f"{TABLES}/{name}.csv"),)
    return Section(
        name,
        f"{number}: {each.title}",
        (each.text,),
        grids=grids,
        figures=(_figure(name, number, each),) if drawn else (),
        short=each.number,
        lead=True,
    )


def _figure(name: str, number: str, each: Exhibit) -> Figure:
    light, dark = (svg(in_theme(each.chart, dark=dark)) for dark in (False, True))
    files = tuple((form.upper(), f"{FIGURES}/{name}.{form}") for form in _FORMS)
    return Figure(f"{number}: {each.title}. {each.text}", light, dark, files)


def _versions() -> str:
    found: list[Any] = [f"Python {platform.python_version()}"]
    found += [f"{name} {importlib.metadata.version(name)}" for name in _PACKAGES]
    return ", ".join(found)
