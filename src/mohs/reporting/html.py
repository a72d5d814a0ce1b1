"""From a page to HTML: one file that loads nothing and runs only its own script.

The page's policy forbids it to load anything, and to run any script but the one whose
hash it names; so text from data cannot become a program even if it were not escaped,
which it is. What a script shows on demand stands in one block of JSON.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mohs.charts.themes import THEMES
from mohs.tables.writers import delimited

if TYPE_CHECKING:
    from jinja2 import Environment

    from mohs.charts.themes import Colours
    from mohs.reporting.page import Mark, Page

_FOLDER = "templates"
_DIGITS = 4
# Of a small graph, in pixels.
_WIDE, _HIGH, _INSET = 150, 18, 5
_INTERVAL = re.compile(
    r"[−-]?\d[\d.,]*(?:–| to )[−-]?\d[\d.]*|p [=&][ltgam;]* ?\d[\d.]*"  # noqa: RUF001
)
_TONES = ("hard", "harder", "easier", "easy", "none")


def render(page: Page, *, theme: str = "blue-orange") -> str:
    """Return a page as HTML."""
    script = _text("page.js")
    chosen = THEMES[theme]
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            script=script,
            policy=_hash(script),
            light=_colours(chosen.light),
            dark=_colours(chosen.dark),
            data=embedded(_data(page)),
        )
    )


def embedded(value: object) -> str:
    r"""Return JSON that ends no script it stands in, whatever texts it holds.

    Examples
    --------
    >>> print(embedded({"title": "</script>" + chr(0x2028)}))
    {"title":"\u003c/script\u003e\u2028"}
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    # All else that could mean something in HTML is escaped, too.
    for mark, code in (("<", "3c"), (">", "3e"), ("&", "26"), ("'", "27")):
        text = text.replace(mark, f"\\u00{code}")
    return text


def _data(page: Page) -> dict[str, Any]:
    return {
        "grids": {
            grid.name: {
                "csv": delimited(grid.source, ","),
                "latex": grid.source.to_latex(digits=_DIGITS),
            }
            for grid in page.grids
        },
        "details": dict(page.details),
    }


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("mohs.reporting", _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["prose"] = _prose
    made.filters["picture"] = _picture
    made.filters["x"] = _x
    made.filters["span"] = _span
    made.globals["graph"] = {"wide": _WIDE, "high": _HIGH}
    return made


def _prose(text: str) -> str:
    """Escape a text, lower the letters of symbols, and keep intervals on one line."""
    lowered = html.escape(text).replace("τ_b", "τ<sub>b</sub>")
    return _INTERVAL.sub(r'<span class="nb">\g<0></span>', lowered)


def _picture(svg: str) -> str:
    """Return the address of a picture that is in it: a script there would not run."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _x(share: float) -> str:
    return f"{_INSET + share * (_WIDE - 2 * _INSET):.1f}".removesuffix(".0")


def _span(mark: Mark) -> str:
    return f"{(mark.high - mark.low) * (_WIDE - 2 * _INSET):.1f}".removesuffix(".0")


def _text(name: str) -> str:
    return (files("mohs.reporting") / _FOLDER / name).read_text("utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _colours(colours: Colours) -> dict[str, str]:
    found = {
        "ground": colours.ground,
        "text": colours.text,
        "muted": colours.muted,
        "rule": colours.rule,
        "line": colours.grid,
        "box": colours.box,
        "band": colours.band,
        "accent": colours.series[0],
    }
    return found | dict(zip(_TONES, colours.classes, strict=True))
