"""Parts of the pages that the program itself writes, so that they cannot go stale.

A page under ``commands/`` ends with the help text of its command, and
``<!-- measures -->`` becomes the table of all measures.
"""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from mohs.cli import parsers
from mohs.measures import MEASURES

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from mkdocs.structure.pages import Page

    from mohs.measures.definition import Definition

# argparse asks these how wide the terminal is and whether it has colours; a page is as
# wide as the widest line that needs no scroll bar.
os.environ |= {"COLUMNS": "84", "NO_COLOR": "1"}


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill in what the program knows."""
    path = PurePosixPath(page.file.src_uri)
    if path.parent.name == "commands" and path.stem != "index":
        markdown += _help(path.stem)
    return markdown.replace("<!-- measures -->", _measures())


def _help(command: str) -> str:
    # An unknown command is an error here: a page must not outlive what it describes.
    parser: ArgumentParser = parsers()[command]
    return f"\n\n## `mohs {command} --help`\n\n```text\n{parser.format_help()}```\n"


def _measures() -> str:
    rows = [_row(MEASURES[name]) for name in MEASURES.names()]
    head = "| measure | also called | accepts | over topics |\n|---|---|---|---|\n"
    return head + "".join(rows)


def _row(definition: Definition) -> str:
    cutoff = "" if definition.cutoff is None else "@k"
    others = ", ".join(f"`{alias.name}`" for alias in definition.aliases)
    takes = ", ".join(
        f"`{parameter.name}`: {parameter.accepts}" for parameter in definition.takes()
    )
    name = f"`{definition.name}{cutoff}`"
    return f"| {name} | {others} | {takes} | {definition.averaged} |\n"
