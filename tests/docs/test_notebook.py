"""The notebook is kept without outputs, and shows what is true when it is run."""

import html
import json
import re
from pathlib import Path

import pytest

import mohs

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


@pytest.fixture(scope="module")
def page(site: Path) -> str:
    """What the page shows as text, with blanks between cells of tables."""
    text = (site / "notebook.html").read_text("utf-8")
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split())


def test_nothing_in_it_can_go_stale() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) == 10
    assert all(cell["outputs"] == [] for cell in code)
    assert {cell["execution_count"] for cell in code} == {None}


def test_its_page_shows_what_functions_return(page: str, tmp_path: Path) -> None:
    made = mohs.sample(tmp_path / "collection", seed=7)
    scores = mohs.evaluate(made.qrels, made.runs, measures=["AP", "nDCG@20"])
    rated = mohs.difficulty(made.qrels, made.runs)
    shown = [scores.means, rated.drill("303")]
    shown.append(mohs.anova(scores, "~ topic + system", measure="AP"))
    for table in shown:
        lines = [" ".join(line.split()) for line in repr(table).splitlines()]
        lines = [re.sub(r" -(?= |$)", "", line) for line in lines]  # What is missing.
        missing = [
            line for line in lines if not line.startswith("...") and line not in page
        ]
        assert len(lines) > 3
        assert missing == []


def test_its_page_says_how_well_the_truth_was_found(page: str) -> None:
    assert "0.83 0.9 " in page[page.index("Was the truth found?") :]


def test_its_page_has_pictures(site: Path) -> None:
    text = (site / "notebook.html").read_text("utf-8")
    names = re.findall(r'src="(figures/cell-\d+\.svg)"', text)
    assert len(names) == 3
    assert "Difficulty of 25 topics" in (site / names[0]).read_text("utf-8")
