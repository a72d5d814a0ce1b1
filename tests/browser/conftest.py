"""Reports in Chromium, as Debian packages it, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from mohs.analysis.difficulty import Difficulty, difficulty
from mohs.reporting import report
from mohs.samples import sample

# Milliseconds; a busy machine takes its time to start a browser.
PATIENCE = 60_000

ATTACK = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
NAMES = [f"{ATTACK}{number}" for number in range(12)]
HOSTILE = {
    "qrels": {
        f"{topic}</script>{ATTACK}": {
            f"{name}\u2028": place % 3 for place, name in each
        }
        for topic, each in ((t, [*enumerate(NAMES)]) for t in "abcd")
    },
    "topics": {
        f"{topic}</script>{ATTACK}": f"</title>{ATTACK}\u2028 asked" for topic in "abcd"
    },
}
HOSTILE["runs"] = {
    system: {
        topic: {
            name: float((place * (7 + at) + len(topic) + turn) % 23)
            for place, name in enumerate(judged)
        }
        for turn, (topic, judged) in enumerate(HOSTILE["qrels"].items())
    }
    for at, system in enumerate(NAMES)
}


@dataclass(slots=True)
class Seen:
    """What a page did while it was looked at."""

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is missing (Debian and Ubuntu: apt install chromium)")
    with sync_playwright() as driver:
        started = driver.chromium.launch(
            executable_path=program,
            # Chromium's own sandbox refuses to work for root.
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
            timeout=PATIENCE,
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def rated(folder: Path) -> Difficulty:
    """What the report of the collection is about."""
    return difficulty(folder / "qrels.txt", folder / "runs", seed=0)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection, and reports of it and its parts, of hostile names and of scores."""
    target = tmp_path_factory.mktemp("pages")
    made = sample(target / "sample", seed=3)
    for path in made.directory.iterdir():
        path.rename(target / path.name)
    collection = target / "qrels.txt", target / "runs"
    report(*collection, topics=target / "topics.tsv", truth=target / "truth.csv").save(
        target / "collection.html"
    )
    report(**HOSTILE, title=ATTACK).save(target / "hostile.html")
    report(*collection, corpus="shards:2").save(target / "corpora.html")
    scores = {
        f"system {s}": {
            str(t): {"AP": (s * 7 + t * 3) % 11 / 11 + t / 40} for t in range(9)
        }
        for s in range(8)
    }
    report(scores=scores).save(target / "scores.html")
    return target


class Opener:
    """Opens pages and watches them."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._contexts = []

    def __call__(self, name: str, *, width: int = 1400, **options: object) -> Page:
        """Open a report by its name, in a window of a width."""
        context = self._browser.new_context(
            viewport={"width": width, "height": 1000}, **options
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.seen = seen = Seen()
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("console", lambda message: seen.messages.append(message.text))
        page.on("pageerror", lambda error: seen.messages.append(str(error)))
        page.on(
            "dialog",
            lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()),
        )
        page.goto((self._folder / f"{name}.html").as_uri())
        return page

    def close(self) -> None:
        """Close everything."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def opened(browser: Browser, folder: Path) -> Iterator[Opener]:
    """Open reports; they close behind the test."""
    opener = Opener(browser, folder)
    yield opener
    opener.close()
