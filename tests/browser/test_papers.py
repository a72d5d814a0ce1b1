"""The page of a paper in a real browser: quiet, readable, and found by numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from mohs.papers import reproduce
from mohs.papers.page import write

from .conftest import Opener


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper as far as it goes without any data."""
    target = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOHS_CACHE", str(target / "cache"))
        write(reproduce("m17", download=False), target)
    return target


@pytest.fixture
def opened(browser: Browser, paper: Path) -> Iterator[Opener]:
    """Open pages of the paper; they close behind the test."""
    opener = Opener(browser, paper)
    yield opener
    opener.close()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_everybody_can_read_it(opened: Opener, width: int, scheme: str) -> None:
    page = opened("index", width=width, color_scheme=scheme)
    assert page.seen.messages == []
    asked = [url for url in page.seen.requests if not url.startswith("data:image/svg")]
    assert asked == [page.url]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(
        "document.querySelectorAll('details').forEach(d => { d.open = true })"
    )
    found = Axe().run(page).response["violations"]
    assert [
        (each["id"], each["nodes"][0]["html"])
        for each in found
        if each["impact"] in {"serious", "critical"}
    ] == []


def test_numbers_lead_to_tables_and_figures(opened: Opener, paper: Path) -> None:
    page = opened("index")
    links = page.locator("nav a")
    assert links.all_inner_texts() == [
        *("Summary", "Table 1", "Figure 1", "Figure 2", "Data and notes", "Methods")
    ]
    for name in ("Table 1", "Figure 2"):
        page.locator("nav a", has_text=name).click()
        target = page.locator(page.url[page.url.index("#") :])
        assert target.locator("h2").inner_text().startswith(name)
    files = page.locator("figcaption a").evaluate_all("all => all.map(a => a.href)")
    assert len(files) == 8
    assert all(Path(url.removeprefix("file://")).is_file() for url in files)
    assert all(url.startswith(paper.as_uri()) for url in files)
