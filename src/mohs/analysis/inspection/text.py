"""What other programs may stumble over in a file, whatever it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.analysis.inspection.findings import Finding, plural
from mohs.measures.caveats import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mohs._core import Account

_METADATA = "ir_metadata"


def look_at_text(account: Account, file: str) -> Iterator[Finding]:
    """Yield what is noteworthy in the text of judgments or of a run."""
    if account.marked:
        problem = "starts with a byte-order mark, which is skipped"
        remedy = "save the file as UTF-8 without it; other programs read it as an id"
        yield Finding(file, 1, "warning", problem, remedy)
    if lines := account.comments.count("\n"):
        kind = f" ({_METADATA})" if _METADATA in account.comments else ""
        problem = f"{plural(lines, 'comment line')}{kind} above the data, skipped"
        remedy = "take them out for programs that know no comments, as pytrec_eval"
        yield Finding(file, 0, "note", problem, remedy)
    if len(account.tags) > 1:
        problem = f"several run tags: {', '.join(account.tags)}"
        remedy = "give every line the same tag, or split the run"
        yield Finding(file, 0, "warning", problem, remedy)


def look_at_strangers(account: Account, file: str) -> Iterator[Finding]:
    """Yield the topics of a run that have no judgments."""
    if strangers := account.strangers:
        problem = (
            f"{plural(len(strangers), 'topic')} without judgments, left out: "
            f"{shown(strangers)}"
        )
        remedy = "judge them, or take them out of the run"
        yield Finding(file, 0, "warning", problem, remedy)
