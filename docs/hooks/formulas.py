"""Formulas become MathML while the site is built, so that no page runs a script.

``$x$`` stands in a line and ``$$x$$`` in a paragraph of its own, as on code hosts.
Code is left alone.
"""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

FORMULA = re.compile(
    r"(?P<code>^```.*?^```|`[^`\n]+`)"
    r"|\$\$(?P<block>.+?)\$\$"
    r"|\$(?P<line>[^\s$](?:[^$\n]*[^\s$])?)\$",
    re.DOTALL | re.MULTILINE,
)
PLACE = re.compile(r"<p>formula-(\d+)-formula</p>|formula-(\d+)-formula")

# The formulas of the page at hand. They pass Markdown by as placeholders, or it would
# take their underscores for emphasis.
made: list[str] = []


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put a placeholder where each formula is."""
    made.clear()
    return FORMULA.sub(_hidden, markdown)


def on_page_content(html: str, **_: object) -> str:
    """Put the formulas where their placeholders are."""
    return PLACE.sub(lambda found: made[int(found[1] or found[2])], html)


def _hidden(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    block = found["block"] is not None
    text = found["block"] if block else found["line"]
    formula = convert(text.strip(), display="block" if block else "inline")
    if "\\" in formula:
        raise PluginError(f"a command in this formula is not known: {text.strip()}")
    # The frame scrolls where a formula is wider than the page.
    scrolls = '<div class="formula" tabindex="0" role="math">{}</div>'
    made.append(scrolls.format(formula) if block else formula)
    return f"formula-{len(made) - 1}-formula"
