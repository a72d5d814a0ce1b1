"""The report in a real browser: it works, loads nothing, and lets nobody in."""

import io
from base64 import b64decode
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from mohs.analysis.difficulty import Difficulty
from mohs.trec.topics import read_topics

from .conftest import ATTACK, NAMES, Opener

GRID = {
    "collection": "difficulty",
    "corpora": "difficulty",
    "hostile": "difficulty",
    "scores": "topics",
}
PAGES = list(GRID)


def rows(page: Page, grid: str) -> list[str]:
    """Return the first cells of the rows that are shown."""
    cells = page.locator(f"#grid-{grid} tbody > tr:not([hidden]) > td:first-child")
    return [text.strip("\u203a ") for text in cells.all_inner_texts()]


def column(page: Page, grid: str, label: str) -> list[str]:
    heads = page.locator(f"#grid-{grid} thead th").all_inner_texts()
    place = [head.split("\n")[0].rstrip("↑↓") for head in heads].index(label) + 1
    cells = page.locator(f"#grid-{grid} tbody > tr > td:nth-child({place})")
    return cells.all_inner_texts()


def open_topic(page: Page, grid: str, place: int = 0) -> None:
    page.locator(f"#grid-{grid} button.open").nth(place).click()
    expect(page.locator("tr.detail")).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_quiet_fits_and_asks_nobody(
    opened: Opener, name: str, width: int, scheme: str
) -> None:
    page = opened(name, width=width, color_scheme=scheme)
    open_topic(page, GRID[name])
    assert page.seen.messages == []
    assert page.seen.dialogs == []
    asked = [url for url in page.seen.requests if not url.startswith("data:image/svg")]
    assert asked == [page.url]
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 25, 29)"}[scheme]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_everybody_can_use_it(
    opened: Opener, name: str, width: int, scheme: str
) -> None:
    page = opened(name, width=width, color_scheme=scheme)
    page.evaluate(
        "document.querySelectorAll('details').forEach(d => { d.open = true })"
    )
    open_topic(page, GRID[name])
    found = Axe().run(page).response["violations"]
    assert [
        (each["id"], each["nodes"][0]["html"])
        for each in found
        if each["impact"] in {"serious", "critical"}
    ] == []
    levels = [int(h[1]) for h in page.locator("h1, h2, h3, h4").evaluate_all(TAGS)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


TAGS = "found => found.map(each => each.tagName)"


def test_columns_sort_both_ways(opened: Opener) -> None:
    page = opened("collection")
    assert page.locator("#grid-difficulty [aria-sort]").count() == 0
    button = page.locator("#grid-difficulty button.sort", has_text="margin")
    head = page.locator("#grid-difficulty th", has_text="margin")
    for way in ("descending", "ascending"):
        button.focus()
        page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", way)
        shown = [
            float(text.replace("\u2212", "-"))
            for text in column(page, "difficulty", "margin")
        ]
        assert shown == sorted(shown, reverse=way == "descending")
    page.locator("#grid-difficulty button.sort", has_text="topic").click()
    topics = rows(page, "difficulty")
    assert topics == sorted(topics, key=int)


def test_words_and_classes_filter(opened: Opener, rated: Difficulty) -> None:
    page = opened("collection")
    table = rated.table
    everything = rows(page, "difficulty")
    assert sorted(everything) == sorted(table["topic"])
    status = page.locator("#grid-difficulty .filters .shown")
    page.get_by_label("Filter").fill(everything[3])
    expect(status).to_have_text(f"1 of {len(everything)} shown")
    assert rows(page, "difficulty") == [everything[3]]
    page.get_by_label("Filter").fill("")
    hard = table.filter(pl.col("class") == "hard")["topic"]
    choice = page.locator("#grid-difficulty [data-group=hard]").first
    choice.click()
    expect(choice).to_have_attribute("aria-pressed", "true")
    assert sorted(rows(page, "difficulty")) == sorted(hard)
    choice.click()
    expect(status).to_have_text("")


def test_a_topic_opens_by_mouse_and_keyboard(opened: Opener, folder: Path) -> None:
    page = opened("collection")
    topics = reversed(read_topics(folder / "topics.tsv"))
    asked = {each.topic: each.query for each in topics}  # in the first wording
    first, second = rows(page, "difficulty")[:2]
    open_topic(page, "difficulty")
    panel = page.locator("tr.detail")
    expect(panel.locator("h3")).to_have_text(f"Topic {first}")
    expect(panel.locator(".query")).to_have_text(asked[first])
    expect(panel.locator("button.pick")).to_have_count(12)
    button = page.locator("#grid-difficulty button.open").nth(1)
    button.focus()
    page.keyboard.press("Enter")
    expect(panel).to_have_count(1)
    expect(panel.locator("h3")).to_have_text(f"Topic {second}")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")


def test_a_system_shows_its_ranks(opened: Opener, rated: Difficulty) -> None:
    page = opened("collection")
    topic = rows(page, "difficulty")[5]
    open_topic(page, "difficulty", 5)
    pick = page.locator("tr.detail button.pick").nth(3)
    pick.click()
    system = pick.inner_text()
    lines = page.locator("tr.detail .scroll").nth(1).locator("tbody tr")
    told = {
        cells[0]: cells[5]
        for cells in (
            lines.nth(at).locator("td").all_inner_texts() for at in range(lines.count())
        )
    }
    drilled = rated.drill(topic).ranks.to_polars().filter(system=system)
    known = dict(drilled.select("document", "rank").iter_rows())
    assert told == {name: str(known.get(name, "\u2013")) for name in told}
    assert len(told) > 20


def test_a_table_is_taken_along(opened: Opener, rated: Difficulty) -> None:
    page = opened("collection")
    tools = page.locator("#grid-difficulty .tools")
    with page.expect_download() as download:
        tools.get_by_text("CSV").click()
    assert download.value.suggested_filename == "difficulty.csv"
    text = Path(download.value.path()).read_text("utf-8")
    types = {"topic": pl.String}
    saved = pl.read_csv(io.StringIO(text), schema_overrides=types).sort("topic")
    expected = rated.table.sort("topic")
    for name in ("topic", "wins", "difficulty", "low", "chance_high", "p"):
        assert saved[name].to_list() == expected[name].to_list()
    tools.get_by_text("LaTeX").click()
    expect(tools.locator(".told")).to_contain_text("copied")


def test_hostile_names_are_text(opened: Opener) -> None:
    page = opened("hostile")
    open_topic(page, "difficulty")
    for button in page.locator("tr.detail button.pick").all()[:3]:
        button.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.locator("h1").inner_text() == ATTACK
    assert sorted(rows(page, "systems")) == sorted(NAMES)
    assert "</title><script>" in page.locator("tr.detail .query").inner_text()
    with page.expect_download() as download:
        page.locator("#grid-systems .tools").get_by_text("CSV").click()
    saved = pl.read_csv(download.value.path())
    assert sorted(saved["system"]) == sorted(NAMES)


def test_pictures_follow_the_screen(opened: Opener) -> None:
    shown = [
        opened("corpora", color_scheme=scheme)
        .locator("#corpora picture img")
        .evaluate("image => [image.currentSrc, image.naturalWidth]")
        for scheme in ("light", "dark")
    ]
    grounds = [b64decode(address.split(",")[1]) for address, _ in shown]
    assert [b"#16191d" in each for each in grounds] == [False, True]
    assert min(width for _, width in shown) > 100


def test_it_reads_without_a_script(opened: Opener, rated: Difficulty) -> None:
    page = opened("collection", java_script_enabled=False)
    expect(page.locator("#grid-difficulty tbody tr")).to_have_count(len(rated.table))
    expect(page.locator(".tools").first).to_be_hidden()
    assert page.locator("#summary p").count() == 5


def test_details_come_on_demand(opened: Opener) -> None:
    page = opened("collection")
    before = page.evaluate("document.querySelectorAll('*').length")
    open_topic(page, "difficulty")
    assert page.evaluate("document.querySelectorAll('*').length") > before
    page.keyboard.press("Escape")
    assert page.evaluate("document.querySelectorAll('*').length") == before


def test_it_prints_everything(opened: Opener) -> None:
    page = opened("collection")
    page.emulate_media(media="print", color_scheme="dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator("#grid-difficulty")).to_be_visible()
