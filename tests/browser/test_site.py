"""The documentation in a real browser: every page is quiet, fits, and asks nobody."""

import mimetypes
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from .conftest import PATIENCE

# A host that is nowhere: what is asked of it comes from the folder.
HOST = "http://site.test/"
KINDS = [
    *("index", "commands/difficulty", "definitions", "python", "notebook"),
    *("comparison", "guide/collections"),
]


class Visitor:
    """Looks at pages of the site, and notes what goes wrong."""

    def __init__(self, browser: Browser, site: Path) -> None:
        self._browser, self._site = browser, site
        self._contexts = []
        self.elsewhere: list[str] = []
        self.missing: list[str] = []
        self.messages: list[str] = []

    def __call__(self, name: str, *, width: int = 1400, scheme: str = "light") -> Page:
        """Open a page by its name, in a window of a width."""
        context = self._browser.new_context(
            viewport={"width": width, "height": 1000}, color_scheme=scheme
        )
        context.set_default_timeout(PATIENCE)
        context.route("**/*", self._answer)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.goto(f"{HOST}{name}.html")
        return page

    def _answer(self, route: Route) -> None:
        url = route.request.url
        if not url.startswith(HOST):
            self.elsewhere.append(url)
            route.abort()
            return
        path = self._site / url.removeprefix(HOST).partition("?")[0]
        if not path.is_file():
            self.missing.append(url)
            route.fulfill(status=404)
            return
        kind = mimetypes.guess_type(path.name)[0]
        route.fulfill(body=path.read_bytes(), content_type=kind)

    def close(self) -> None:
        """Close everything."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser, site: Path) -> Iterator[Visitor]:
    """Look at pages; they close behind the test."""
    visitor = Visitor(browser, site)
    yield visitor
    visitor.close()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_every_page_is_quiet_fits_and_asks_nobody(
    visit: Visitor, site: Path, width: int, scheme: str
) -> None:
    names = [
        str(path.relative_to(site).with_suffix(""))
        for path in sorted(site.rglob("*.html"))
        if "figures" not in path.parts and path.name != "404.html"
    ]
    assert {*KINDS} <= {*names}
    page = visit(names[0], width=width, scheme=scheme)
    wide = {}
    for name in names:
        page.goto(f"{HOST}{name}.html")
        page.wait_for_load_state("networkidle")
        wide[name] = page.evaluate("document.documentElement.scrollWidth")
    assert (visit.messages, visit.elsewhere, visit.missing) == ([], [], [])
    assert {name: each for name, each in wide.items() if each > width} == {}
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_everybody_can_read_it(
    visit: Visitor, name: str, width: int, scheme: str
) -> None:
    page = visit(name, width=width, scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert [
        (each["id"], len(each["nodes"]), each["nodes"][0]["html"][:200])
        for each in found
        if each["impact"] in {"serious", "critical"}
    ] == []
    tags = page.locator("article :is(h1, h2, h3, h4)").evaluate_all(
        "found => found.map(each => each.tagName)"
    )
    levels = [int(tag[1]) for tag in tags]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_search_finds_a_page(visit: Visitor) -> None:
    page = visit("index")
    box = page.locator("input.md-search__input")
    link = page.locator(".md-search-result__link", has_text="mohs formulations").first
    for _ in range(PATIENCE // 3000):
        # What is typed before the index is there is lost, so it is typed again.
        box.fill("")
        box.press_sequentially("greedy-low", delay=50)
        with suppress(AssertionError):
            expect(link).to_be_visible(timeout=3000)
            break
    expect(link).to_be_visible()
    assert (visit.messages, visit.elsewhere) == ([], [])


def test_pictures_follow_the_screen(visit: Visitor) -> None:
    for scheme in ("light", "dark"):
        page = visit("index", scheme=scheme)
        shown = page.locator("article img:visible")
        expect(shown).to_have_count(1)
        assert shown.get_attribute("src").startswith(f"figures/difficulty-{scheme}.svg")
        assert shown.evaluate("image => image.naturalWidth") > 100
