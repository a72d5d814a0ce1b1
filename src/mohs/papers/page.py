"""From a paper's exhibits to a folder: tables, figures, and a page with all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.files import write_folder
from mohs.tables import FORMS

if TYPE_CHECKING:
    import os

    from mohs.papers.definition import Reproduction


def save(
    result: Reproduction,
    folder: str | os.PathLike[str],
    *,
    force: bool = False,  # noqa: ARG001
) -> None:
    """Write every table, as CSV and as LaTeX."""
    files = {
        f"{name}{form}": FORMS[form](table)
        for name, table in result.tables().items()
        for form in (".csv", ".tex")
    }
    write_folder(folder, files)
