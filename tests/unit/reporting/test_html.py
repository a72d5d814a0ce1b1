"""Pages as HTML: closed to the world, and to what hostile text would do."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from mohs.reporting.columns import numbers, reach
from mohs.reporting.html import embedded, render
from mohs.reporting.page import Column, Figure, Grid, Page, Point, Section
from mohs.tables import Table

HOSTILE = "</script><script>alert(1)</script><!-- ]]> \u2028 \" ' & {{ 7 * 7 }} ${1}"


class Reader(HTMLParser):
    """Collects tags, attributes and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.within = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.within = tag == "script"
        if self.within:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.within = self.within and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.within:
            self.scripts[-1] += data
        self.text += data


def page(text: str = "a name") -> Page:
    grid = Grid(
        "grid",
        text,
        (
            Column(text, (text, "b"), (text, "b"), hint=text),
            numbers("n", [0.5, float("nan")]),
            Column("g", ("", ""), kind="graph", graphs=(reach(0.5, 0.2, 0.7), ())),
        ),
        Table({text: (text, None), "n": np.array([0.5, np.nan])}),
        filters=True,
        opens=(text, "b"),
        groups=(text, text),
        notes=(text,),
    )
    section = Section(
        "one",
        text,
        (text,),
        (Point(text, text),),
        (grid,),
        (Figure(text, f"<svg>{text}</svg>", "<svg/>"),),
        ((text, text),),
    )
    return Page(text, text, (section,), {"topics": {text: {"query": text}}})


def test_a_page_is_closed_to_the_world() -> None:
    text = render(page())
    found = Reader(text)
    names = {name for name, _ in found.attributes}
    assert not names & {"action", "style"}
    pictures = [value for name, value in found.attributes if name.startswith("src")]
    assert all(value.startswith("data:image/svg+xml;base64,") for value in pictures)
    assert not [name for name in names if name.startswith("on")]
    links = [value for name, value in found.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    assert "url(" not in text
    assert "@import" not in text


def test_only_its_own_script_may_run() -> None:
    found = Reader(render(page()))
    policy = next(v for n, v in found.attributes if n == "content" and "default" in v)
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    digest = hashlib.sha256(found.scripts[-1].encode()).digest()
    assert f"script-src 'sha256-{base64.b64encode(digest).decode()}'" in policy


def test_hostile_text_stays_text() -> None:
    plain, found = Reader(render(page())), Reader(render(page(HOSTILE)))
    assert found.tags == plain.tags
    assert [n for n, _ in found.attributes] == [n for n, _ in plain.attributes]
    assert "49" not in found.text
    assert found.text.count("<script>alert(1)</script>") >= 8
    held = json.loads(found.scripts[0])
    assert held["details"]["topics"] == {HOSTILE: {"query": HOSTILE}}
    assert "alert(1)" in held["grids"]["grid"]["csv"]


def test_no_mark_of_html_is_left_in_embedded_text() -> None:
    text = embedded({"x": HOSTILE + "\u2029\ud800"})
    assert not set("<>&'\u2028\u2029") & set(text)
    assert text.isascii()
    assert json.loads(text) == {"x": HOSTILE + "\u2029\ud800"}


def test_a_column_sorts_by_what_it_shows() -> None:
    text = render(page())
    body = re.search(r"<tbody>(.*?)</tbody>", text, re.DOTALL)[1]
    assert re.findall(r'class="number" data-k="([^"]*)"', body) == ["0.5"]
    assert '<td class="number">\u2013</td>' in body


def test_symbols_are_lowered_and_intervals_kept_together() -> None:
    made = Page("t", "a", (Section("s", "S", ("τ_b 0.5 (95% 0.10\u20130.25)",)),))
    assert 'τ<sub>b</sub> 0.5 (95% <span class="nb">0.10\u20130.25</span>)' in render(
        made
    )


@pytest.mark.parametrize("theme", ["blue-orange", "traffic-light"])
def test_a_theme_has_colours_for_light_and_dark(theme: str) -> None:
    text = render(page(), theme=theme)
    assert text.count("--hard:") == 2
    assert "prefers-color-scheme: dark" in text


def test_the_same_page_is_the_same_text() -> None:
    assert render(page()) == render(page())
