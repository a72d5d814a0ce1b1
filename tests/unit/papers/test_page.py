"""The page of a paper: exhibits by number, files beside it, a folder of its own."""

import json
import re
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import pytest

from mohs.errors import InputError
from mohs.files import Provenance
from mohs.papers import Comparison, Exhibit, Reproduction
from mohs.papers.grids import comparison_grid, grid_of
from mohs.papers.page import page_of, write
from mohs.tables import Table

TABLE = Table({"omega2_partial": np.array([0.25, 6e-6]), "term": ("topic", None)})


def drawn() -> alt.Chart:
    rows = alt.InlineData([{"x": 1, "y": 2}])
    return alt.Chart(rows).mark_point().encode(x="x:Q", y="y:Q")


@pytest.fixture
def result() -> Reproduction:
    """Three exhibits, two of them parts of one figure."""
    return Reproduction(
        "p",
        "Are <topics> hard?",
        "Someone, 2020",
        "Some of it holds.",
        (
            Comparison.of("Table 1", "w", ".2500", 0.25),
            Comparison.of("Table 1", "v", ".50", None, reason="no data"),
            Comparison.remark("Figure 2", "all is well", False, computed=0.125),  # noqa: FBT003
        ),
        (
            Exhibit("Table 1", "Effects", "By two terms.", TABLE),
            Exhibit("Figure 2", "One", "A dot.", chart=drawn()),
            Exhibit("Figure 2", "Other", "A dot, too.", TABLE, drawn()),
        ),
        ("runs are missing",),
        Provenance("1.0", "reproduce", {"paper": "p"}, seed=3),
    )


def test_the_folder_has_everything(result: Reproduction, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    result.save(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    figures = {
        f"figures/figure-2-{part}.{end}" for part in "ab" for end in ("svg", "pdf")
    }
    named = ("comparisons", "table-1", "figure-2-b")
    tables = {f"tables/{name}.{end}" for name in named for end in ("csv", "tex")}
    rest = {"index.html", "meta.json", ".mohs-sample.json"}
    assert files == figures | tables | rest
    frame = pl.read_csv(folder / "tables" / "table-1.csv")
    assert frame.rows() == [(0.25, "topic"), (6e-06, None)]
    assert r"\toprule" in (folder / "tables" / "table-1.tex").read_text("utf-8")
    assert (folder / "figures" / "figure-2-a.pdf").read_bytes()[:5] == b"%PDF-"
    assert json.loads((folder / "meta.json").read_text("utf-8"))["seed"] == 3


def test_only_a_folder_of_its_own_is_written_to(
    result: Reproduction, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="not made by mohs reproduce"):
        result.save(tmp_path)
    result.save(tmp_path, force=True)
    result.save(tmp_path)
    assert (tmp_path / "mine.txt").read_text("utf-8") == "mine"


def test_exhibits_are_found_by_number(result: Reproduction) -> None:
    page = page_of(result, command="mohs reproduce p")
    assert page.entries == (
        ("comparisons", "Summary"),
        ("table-1", "Table 1"),
        ("figure-2-a", "Figure 2"),
        ("notes", "Data and notes"),
        ("methods", "Methods"),
    )
    headings = [section.heading for section in page.sections]
    assert headings[1:4] == [
        "Table 1: Effects",
        "Figure 2 (a): One",
        "Figure 2 (b): Other",
    ]
    assert page.section("comparisons").sentences == (
        "Some of it holds.",
        (
            "Of 3 numbers and statements of the paper, 1 matches the printed digits,"
            " 1 does not hold and 1 cannot be tested here."
        ),
    )
    terms = dict(page.section("methods").terms)
    assert (terms["Command"], terms["Seed"]) == ("mohs reproduce p", "3")
    assert re.match(r"Python 3\.\d+\.\d+\S*, numpy \d", terms["Versions"])


def test_the_page_shows_pictures_for_light_and_dark_screens(
    result: Reproduction, tmp_path: Path
) -> None:
    write(result, tmp_path)
    text = (tmp_path / "index.html").read_text("utf-8")
    assert "<title>Are &lt;topics&gt; hard?: reproduced – Someone, 2020" in text  # noqa: RUF001
    assert text.count('<img src="data:image/svg+xml;base64,') == 2
    assert text.count('<source media="screen and (prefers-color-scheme: dark)"') == 2
    assert 'alt="Figure 2 (a): One. A dot."' in text
    assert '<a href="figures/figure-2-a.pdf">PDF</a>' in text


def test_numbers_are_shown_in_their_digits() -> None:
    given = (
        Comparison.of("Table 2", "w", ".7682", 0.768149),
        Comparison.of("Table 5", "v", "6.045e-05", 6.0449e-05),
        Comparison.of("Table 5", "n", "12", None),
        Comparison.of("Table 5", "n", "12", 8),
        Comparison.of("Table 5", "n", "12", 8.25),
        Comparison.remark("", "", None, computed=0.123456),
        Comparison.remark("", "", None, computed=0.123456, digits=5),
    )
    columns = {column.label: column.cells for column in comparison_grid(given).columns}
    dash = "–"  # noqa: RUF001
    assert columns["published"] == ("0.7682", "0.00006045", *["12"] * 3, dash, dash)
    assert columns["computed"] == (
        "0.768149",
        "0.0000604490",
        dash,
        "8",
        "8.25",
        "0.1235",
        "0.12346",
    )
    assert columns["difference"][0] == "−0.000051"  # noqa: RUF001
    assert columns["verdict"][:3] == ("differs", "matches", "not testable")


def test_a_long_table_is_folded_and_a_very_long_one_is_cut() -> None:
    sizes = {}
    for rows in (3, 40, 500):
        table = Table({"x": np.arange(rows)})
        grid = grid_of("t", "T", table, "tables/t.csv")
        sizes[rows] = grid.size, grid.folded, grid.notes
    assert sizes == {
        3: (3, False, ()),
        40: (40, True, ()),
        500: (
            200,
            True,
            ("The first 200 of 500 rows; tables/t.csv has all of them.",),
        ),
    }


def test_columns_follow_their_kind() -> None:
    table = Table(
        {
            "a_text": ("x", None),
            "share": np.array([0.25, 6e-6]),
            "count": np.array([1200, 3]),
            "flag": np.array([True, False]),
            "large": np.array([82.0, 30.857]),
        }
    )
    columns = grid_of("t", "T", table, "").columns
    dash, minus = "–", "−"  # noqa: RUF001
    assert columns[0].label == "a text"
    assert [column.cells for column in columns] == [
        ("x", dash),
        ("0.2500", f"6.0e{minus}06"),
        ("1,200", "3"),
        ("yes", "no"),
        ("82.00", "30.86"),
    ]
