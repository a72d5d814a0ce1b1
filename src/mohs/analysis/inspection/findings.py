"""What an inspection finds, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from mohs.tables import Factor, Integers, Result, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mohs.errors import FormatError
    from mohs.tables import Column

Severity: TypeAlias = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a file, or good to know.

    Files with an ``error`` are refused wherever they are used; a ``warning`` says that
    a result may mislead; a ``note`` is good to know. ``line`` is 0 where a file is
    meant as a whole. ``remedy`` is something to do.
    """

    file: str
    line: int
    severity: Severity
    problem: str
    remedy: str

    @classmethod
    def of(cls, fault: FormatError) -> Finding:
        """Return the error that a fault is."""
        return cls(fault.path, fault.line, "error", fault.problem, fault.remedy)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.severity}: {self.problem}; {self.remedy}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inspection(Result):
    """Everything that is wrong with judgments and runs, the gravest first.

    ``files`` are the names of those there are, with the content of what cannot be read
    twice; ``runs`` and ``topics`` say how many runs there are and how many topics have
    judgments.
    """

    findings: tuple[Finding, ...]
    files: Mapping[str, bytes | None]
    runs: int
    topics: int

    def tables(self) -> Mapping[str, Table]:
        """Return the findings, one row each."""
        found = self.findings
        lines = np.array([each.line for each in found], dtype=np.int64)
        columns: dict[str, Column] = {
            "file": Factor.of(each.file for each in found),
            "line": Integers(lines, lines > 0),
            "severity": Factor.of(each.severity for each in found),
            "problem": tuple(each.problem for each in found),
            "remedy": tuple(each.remedy for each in found),
        }
        return {"findings": Table(columns)}

    def count(self, severity: Severity) -> int:
        """Return how many findings are of a severity."""
        return sum(each.severity == severity for each in self.findings)

    def summary(self) -> str:
        """Return one line that says how much was read and found."""
        read = f"{plural(self.runs, 'run')}, {plural(self.topics, 'topic')}"
        counts = {each: self.count(each) for each in SEVERITIES}
        found = [plural(count, name) for name, count in counts.items() if count]
        return f"{read}: {', '.join(found) or 'no problems found'}"


def plural(count: int, noun: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> plural(1, "run"), plural(43, "run")
    ('1 run', '43 runs')
    """
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"
