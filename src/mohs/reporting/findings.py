"""What `check` found, the gravest first, those of a kind together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mohs.reporting.page import Column, Grid, Section
from mohs.reporting.wording import some
from mohs.tables import Factor, Table
from mohs.tables.cells import printable

if TYPE_CHECKING:
    from mohs.analysis.inspection import Finding, Inspection

_TONES = {"error": "hard", "warning": "harder", "note": ""}


def section_of(found: Inspection) -> Section:
    """Lay out the findings; the page downloads every one of them."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for each in found.findings:
        kinds.setdefault((each.severity, each.remedy), []).append(each)
    groups = list(kinds.values())
    columns = (
        Column("kind", tuple(group[0].severity for group in groups), kind="class"),
        Column("found", tuple(map(_problem, groups))),
        Column("where", tuple(map(_files, groups))),
        Column("what to do", tuple(printable(group[0].remedy) for group in groups)),
    )
    source = found.tables()["findings"]
    # Folders say where files lay on one machine; systems are told apart by names.
    named = Factor.of(_name(each.file) for each in found.findings)
    source = Table({**source.columns, "file": named})
    grid = Grid("findings", "What check found", columns, source, sorts=False)
    return Section(
        "findings",
        f"Files: {found.summary()}",
        grids=(grid,) if groups else (),
        folded=True,
        opened=found.count("warning") > 0,
    )


def _problem(group: list[Finding]) -> str:
    """Show one of a kind, and count the rest."""
    more = len(group) - 1
    told = f" (and {more:,} like it)" if more else ""
    return printable(group[0].problem) + told


def _files(group: list[Finding]) -> str:
    counts = Counter(_place(each) for each in group)
    return some([*counts], 2)


def _name(file: str) -> str:
    return file.replace("\\", "/").rsplit("/", 1)[-1]


def _place(finding: Finding) -> str:
    name = _name(finding.file)
    return f"{name}:{finding.line}" if finding.line else name
