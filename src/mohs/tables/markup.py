"""Tables for documents: Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from mohs.tables.cells import cells, figure, is_text, printable
from mohs.tables.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mohs.tables.columns import Table

_STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid #ccc; }
th { border-bottom: 2px solid #666; }
.n { text-align: right; }"""

_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_LATEX_SPECIAL = re.compile("[" + re.escape("".join(_LATEX)) + "]")
_MARKDOWN_SPECIAL = re.compile(r"[\\|*`\[\]]")


def markdown(table: Table) -> str:
    r"""Return a Markdown table with full precision.

    Examples
    --------
    >>> from mohs.tables import Table
    >>> print(markdown(Table({"topic": ("a|b",), "reason": (None,)})), end="")
    | topic | reason |
    | --- | --- |
    | a\|b |  |
    """
    rules = ["---" if is_text(each) else "---:" for each in table.columns.values()]
    lines = [map(_markdown, table.names), rules, *_rows(table, _markdown, repr)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def latex(table: Table, *, digits: int | None = None) -> str:
    """Return a LaTeX tabular for the booktabs package.

    Numbers keep full precision unless ``digits`` says how many decimals they get.
    """
    align = "".join("l" if is_text(each) else "r" for each in table.columns.values())
    number = repr if digits is None else (lambda value: f"{value:.{digits}f}")
    head = " & ".join(map(_latex, table.names))
    body = "".join(
        f"{_row_start(' & '.join(row))} \\\\\n" for row in _rows(table, _latex, number)
    )
    return (
        f"\\begin{{tabular}}{{{align}}}\n\\toprule\n{head} \\\\\n\\midrule\n"
        f"{body}\\bottomrule\n\\end{{tabular}}\n"
    )


def html_page(table: Table) -> str:
    """Return a page that holds the table with full precision and needs nothing else."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Mohs</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        f"{_html_table(table, repr)}</body>\n</html>\n"
    )


def html_fragment(table: Table) -> str:
    """Return the table for a notebook: rounded, the middle of a long one left out."""
    part, left_out = excerpt(table)
    note = f"<p>{left_out:,} more rows in the middle</p>\n" if left_out else ""
    return _html_table(part, figure) + note


def _html_table(table: Table, number: Callable[[float], str]) -> str:
    tags = ["" if is_text(each) else ' class="n"' for each in table.columns.values()]
    head = _html_row("th", tags, [_html(name) for name in table.names])
    rows = _rows(table, _html, number)
    body = "".join(_html_row("td", tags, row) for row in rows)
    return f"<table>\n<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _html_row(tag: str, attributes: list[str], texts: list[str]) -> str:
    pairs = zip(attributes, texts, strict=True)
    return f"<tr>{''.join(f'<{tag}{a}>{text}</{tag}>' for a, text in pairs)}</tr>\n"


def _rows(
    table: Table, quote: Callable[[str], str], number: Callable[[float], str]
) -> list[list[str]]:
    columns = [
        cells(each, quote, missing="", number=number) for each in table.columns.values()
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _html(text: str) -> str:
    return html.escape(printable(text))


def _markdown(text: str) -> str:
    marked = _MARKDOWN_SPECIAL.sub(r"\\\g<0>", printable(text))
    return marked.replace("&", "&amp;").replace("<", "&lt;")


def _latex(text: str) -> str:
    return _LATEX_SPECIAL.sub(lambda mark: _LATEX[mark[0]], printable(text))


def _row_start(row: str) -> str:
    # After a line break, LaTeX would take a bracket or a star for an argument of it.
    return f"{{}}{row}" if row.startswith(("[", "*")) else row
