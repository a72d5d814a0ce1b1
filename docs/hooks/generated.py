"""Parts of the pages that the program itself writes, so that they cannot go stale.

A page under ``commands/`` ends with the help text of its command, ``<!-- measures -->``
becomes the table of all measures; ``<!-- strategies -->``, ``<!-- models -->`` and
``<!-- expansions -->`` become those of strategies, ranking models and query expansions,
``<!-- presets -->`` that of the components that presets combine, ``<!-- papers -->``
that of the papers, and ``<!-- sources -->`` that of the data that they read.
"""

from __future__ import annotations

import inspect
import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from mohs.analysis.difficulty.strategies import DEPTH, STRATEGIES
from mohs.cli import parsers
from mohs.measures import MEASURES
from mohs.papers import KNOWN
from mohs.papers.sources import SOURCES
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.grid.presets import PRESETS
from mohs.retrieval.models import MODELS

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from mkdocs.structure.pages import Page

    from mohs.analysis.difficulty.strategies import Strategy
    from mohs.measures.definition import Definition
    from mohs.papers.sources import Source
    from mohs.registry import Registry
    from mohs.retrieval.expansion import Expansion
    from mohs.retrieval.grid.spec import Components
    from mohs.retrieval.models import Model

# argparse asks these how wide the terminal is and whether it has colours; a page is as
# wide as the widest line that needs no scroll bar.
os.environ |= {"COLUMNS": "84", "NO_COLOR": "1"}


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill in what the program knows."""
    path = PurePosixPath(page.file.src_uri)
    if path.parent.name == "commands" and path.stem != "index":
        markdown += _help(path.stem)
    markdown = markdown.replace("<!-- measures -->", _measures())
    markdown = markdown.replace("<!-- strategies -->", _strategies())
    markdown = markdown.replace("<!-- presets -->", _presets())
    markdown = markdown.replace("<!-- papers -->", _papers())
    markdown = markdown.replace("<!-- sources -->", _sources())
    markdown = markdown.replace("<!-- models -->", _components("model", MODELS))
    return markdown.replace("<!-- expansions -->", _components("expansion", EXPANSIONS))


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


def _strategies() -> str:
    head = "| strategy | value of a topic | a high value is | classes | paper |\n"
    rows = [_row_of_strategy(STRATEGIES[name]) for name in STRATEGIES.names()]
    return head + "|---|---|---|---|---|\n" + "".join(rows)


def _row_of_strategy(entry: Strategy) -> str:
    value = entry.about.format(measure="AP", depth=DEPTH)
    direction = "easy" if entry.high_is_easy else "hard"
    # An entry without its paper is an error here.
    _, paper = inspect.getdoc(entry.formula).split(".. [1] ")
    classes = _before_examples(inspect.getdoc(entry.classes))
    cells = f"`{entry.name}`", value, direction, classes, _before_examples(paper)
    return f"| {' | '.join(cells)} |\n"


def _components(kind: str, registry: Registry[Model] | Registry[Expansion]) -> str:
    names = sorted(registry.names(), key=str.casefold)
    rows = [_row_of_component(registry[name]) for name in names]
    return f"| {kind} | takes | source |\n|---|---|---|\n" + "".join(rows)


def _row_of_component(entry: Model | Expansion) -> str:
    takes = ", ".join(f"`{each.name}={each.default:g}`" for each in entry.parameters)
    return f"| `{entry.name}` | {takes} | {entry.source}. |\n"


def _presets() -> str:
    rows = [_row_of_preset(name, PRESETS[name]) for name in PRESETS.names()]
    head = "| preset | stop lists | stemmers | models | expansions | systems |\n"
    return head + "|---|---|---|---|---|---|\n" + "".join(rows)


def _row_of_preset(name: str, preset: Components) -> str:
    combined = preset.stoplists, preset.stemmers, preset.models, preset.expansions
    cells = [", ".join(f"`{each}`" for each in kind) for kind in combined]
    return f"| `{name}` | {' | '.join(cells)} | {len(preset.systems())} |\n"


def _papers() -> str:
    rows = [f"| `{name}` | {about} |\n" for name, about in KNOWN.items()]
    return "| name | paper |\n|---|---|\n" + "".join(rows)


def _sources() -> str:
    head = "| name | what | whose | how to get it |\n|---|---|---|---|\n"
    return head + "".join(_row_of_source(SOURCES[name]) for name in SOURCES.names())


def _row_of_source(entry: Source) -> str:
    kept = ", converted" if entry.convert else ""
    urls = [each.url for each in entry.addresses]
    links = ", ".join(f"[{url.rpartition('/')[2]}]({url})" for url in urls)
    way = f"fetched: {links}{kept}" if links else entry.instruction
    cells = entry.about, f"{entry.origin}; {entry.licence}", way
    return f"| `{entry.name}` | {' | '.join(cells)} |\n"


def _before_examples(text: str) -> str:
    """Return in one line what a docstring says before its examples."""
    return " ".join(text.split("\nExamples\n", maxsplit=1)[0].split())
