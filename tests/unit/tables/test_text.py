import numpy as np

from mohs.tables import Table
from mohs.tables.text import aligned

PEOPLE = Table(
    {
        "name": ("a rather long name", None, "日本"),
        "value": np.array([0.5, np.nan, 12345.678]),
        "tiny": np.array([1e-12, 0.0, -0.0001]),
    }
)


def test_columns_are_aligned_and_figures_rounded() -> None:
    assert aligned(PEOPLE).split("\n") == [
        "name                     value      tiny",
        "a rather long name      0.5000  1.00e-12",
        "-                            -    0.0000",
        "日本                12345.6780   -0.0001",
    ]


def test_long_texts_are_cut_to_the_screen() -> None:
    lines = aligned(PEOPLE, columns=32).split("\n")
    assert lines[1] == "a rather …      0.5000  1.00e-12"


def test_what_still_does_not_fit_follows_below() -> None:
    lines = aligned(PEOPLE, columns=20).split("\n")
    assert lines == [
        "name           value",
        "a rathe…      0.5000",
        "-                  -",
        "日本      12345.6780",
        "",
        "name          tiny",
        "a rathe…  1.00e-12",
        "-           0.0000",
        "日本       -0.0001",
    ]


def test_texts_that_would_look_alike_keep_their_ends() -> None:
    names = Table({"system": ("smart-porter-BM25-none", "smart-porter-BM25-RM3", "x")})
    assert aligned(names, columns=13).split("\n") == [
        "system",
        "smart-…5-none",
        "smart-…25-RM3",
        "x",
    ]


def test_blocks_leave_room_for_texts() -> None:
    table = Table({"name": ("a rather long name",), "n": np.array([1e9]), "m": (None,)})
    wide = Table({**table.columns, "p": np.array([12345.5]), "q": np.array([0.25])})
    lines = aligned(wide, columns=34).split("\n")
    assert max(map(len, lines)) <= 34
    assert lines[1].startswith("a rather long n…  ")


def test_control_characters_are_shown_and_not_obeyed() -> None:
    assert aligned(Table({"a": ("\x1b[2Jx",)})) == "a\n\\x1b[2Jx"


def test_headers_can_be_decorated() -> None:
    table = Table({"a": ("x",)})
    assert aligned(table, header=str.upper) == "A\nx"


def test_only_what_is_shown_in_a_notebook_is_shortened() -> None:
    long = Table({"n": np.arange(1000)})
    assert len(aligned(long).split("\n")) == 1001
    lines = repr(long).split("\n")
    assert lines[10:13] == ["  9", "... 980 more rows ...", "990"]
    assert len(lines) == 22
    assert long._repr_html_().count("<tr>") == 21
    assert "980 more rows" in long._repr_html_()


def test_an_empty_table_shows_its_header() -> None:
    assert repr(Table({"a": (), "b": np.array([])})) == "a  b"
    assert repr(Table({})) == ""
