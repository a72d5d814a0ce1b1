"""The report is what it was: its sections, sentences and columns, on tiny data.

After a change that is meant, MOHS_RENEW_SNAPSHOTS=1 pytest tests/snapshots writes it
anew; look at a page before you keep it.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import mohs
from mohs.reporting.page import Page

HERE = Path(__file__).parent / "report.txt"

QRELS = {
    "easy": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 0},
    "hard": {"a": 0, "b": 0, "c": 0, "d": 1, "e": 2},
    "none": {"a": 0, "b": 0},
}
LISTS = ["abcde", "abdce", "bacde", "acbde", "abced", "bcade", "abcde", "cabde"]
LISTS += ["baced", "abecd", "ebdca"]
RUNS = {
    f"system {number}": {
        topic: {name: -float(place) for place, name in enumerate(names)}
        for topic in QRELS
    }
    for number, names in enumerate(LISTS)
}


def outline(page: Page) -> Iterator[str]:
    yield f"{page.title}: {page.about}"
    for section in page.sections:
        yield f"# {section.heading}"
        yield from section.sentences
        yield from (f"{each.question} {each.sentence}" for each in section.points)
        yield from (f"{term}: {text}" for term, text in section.terms)
        for grid in section.grids:
            columns = " | ".join(f"{c.label} ({c.kind})" for c in grid.columns)
            yield f"[{grid.name}] {grid.caption}, {grid.size} rows: {columns}"


def test_the_report_is_what_it_was() -> None:
    truth = {"easy": 0.9, "hard": 0.1}
    page = mohs.report(QRELS, RUNS, truth=truth, permutations=200).page
    text = "\n".join(outline(page)) + "\n"
    text = re.sub(r"Mohs \d+\.\d+\.\d+", "Mohs VERSION", text)
    if os.environ.get("MOHS_RENEW_SNAPSHOTS"):
        HERE.write_text(text, "utf-8")
    assert text == HERE.read_text("utf-8")
