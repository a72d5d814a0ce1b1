"""Items with scores: how they are read, what is refused, what comes back."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mohs
from mohs.analysis.relevance.judgments import judgments
from mohs.errors import FormatError, InputError, UnknownNameError

SCORES = [0, 1, 2, 3, 10]
CSV = "item,sold\na,0\nb,1\nc,2\nd,3\ne,10\n"
PHI = mohs.relevance(SCORES).phi.tolist()

FORMS = {
    "csv": CSV,
    "tsv": CSV.replace(",", "\t"),
    "jsonl": "".join(
        json.dumps({"item": name, "sold": score}) + "\n"
        for name, score in zip("abcde", SCORES, strict=True)
    ),
}


@pytest.mark.parametrize("form", [*FORMS, "parquet"])
def test_every_form_gives_the_same_table(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"items.{form}"
    frame = pl.DataFrame({"item": list("abcde"), "sold": SCORES})
    if form == "parquet":
        frame.write_parquet(path)
    else:
        path.write_text(FORMS[form])
    found = mohs.relevance(path)
    assert found.column == "sold"
    assert found.table.equals(frame.with_columns(phi=pl.Series(PHI)))


@pytest.mark.parametrize(
    "source",
    [
        SCORES,
        np.array(SCORES, float),
        {"sold": SCORES},
        pl.DataFrame({"sold": SCORES}),
        pd.DataFrame({"sold": SCORES}),
    ],
)
def test_whatever_holds_numbers_can_be_given(source: object) -> None:
    assert mohs.relevance(source).phi.tolist() == PHI


def test_what_is_no_plain_number_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,code,price\n1,007,1.50\n2,8,2.5\n3,,4.0\n")
    table = mohs.relevance(path, column="price").table
    assert table["id"].to_list() == [1, 2, 3]
    assert table["code"].to_list() == ["007", "8", None]
    assert table["price"].to_list() == ["1.50", "2.5", "4.0"]


def test_each_list_has_its_own_function_unless_pooled() -> None:
    items = {"day": ["1"] * 3 + ["2"] * 3, "sold": [1, 2, 3, 100, 200, 300]}
    by_day = mohs.relevance(items, by="day")
    assert by_day.phi.tolist() == [0, 0, 1, 0, 0, 1]
    assert [*by_day.functions] == ["1", "2"]
    points = by_day.tables()["points"]
    assert [*points.rows()][:2] == [("1", 1.0, 0.0), ("1", 2.0, 0.0)]
    pooled = mohs.relevance(items, by="day", pooled=True)
    assert [*pooled.functions] == [""]
    assert pooled.phi[:3].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("missing", "phi", "note"),
    [
        ("drop", None, "1 of 6 items have no score; they have no φ"),
        ("zero", 0.0, "1 of 6 items have no score; they have a φ of 0"),
    ],
)
def test_items_without_a_score(missing: str, phi: float | None, note: str) -> None:
    found = mohs.relevance([*SCORES, -1], missing=missing, missing_value=-1)
    assert found.table["phi"].to_list() == [*PHI, phi]
    assert found.notes == (note,)


def test_a_list_without_scores_has_no_function() -> None:
    items = {"day": ["1", "1", "2"], "sold": [1.0, 3.0, None]}
    found = mohs.relevance(items, by="day", missing="drop")
    assert [*found.functions] == ["1"]
    assert found.notes[1] == "1 of 2 lists have no scores, so no φ"


# Text on the left, options, and where and why it is refused on the right.
REFUSED = [
    ("sold\n1\nmany\n", {}, "items.csv:3: sold 'many' is not a number"),
    ("a,sold\nx,1\ny,\n", {}, "items.csv:3: sold is missing; say what to do with"),
    ("sold\n1\n-3\n", {"transform": "log"}, "items.csv:3: sold is below 0"),
    ("a,b\n1,2\n", {}, "name the column of scores with --column; it has a, b"),
    ("a,a\n1,2\n", {}, "items.csv:1: two columns are called 'a'"),
    ("sold,phi\n1,2\n", {}, "has a column 'phi' already"),
    ("a,b\n1\n", {}, "items.csv:2: expected 2 fields, found 1"),
    ("a\n", {}, "items.csv: holds no items"),
    ("", {}, "items.csv: is empty"),
    ("sold,x\n,1\n", {"missing": "drop"}, "no item has a score in column 'sold'"),
]


@pytest.mark.parametrize(("text", "options", "problem"), REFUSED)
def test_what_is_wrong_is_said(
    text: str, options: dict, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    if "sold" in text:
        options = {"column": "sold", **options}
    with pytest.raises(InputError) as caught:
        mohs.relevance(path, **options)
    assert problem in str(caught.value)


def test_a_row_without_a_line_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    pl.DataFrame({"sold": [1, None]}).write_parquet(path)
    with pytest.raises(FormatError, match=r"items\.parquet: row 2: sold is miss"):
        mohs.relevance(path)


def test_an_unknown_column_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text(CSV)
    with pytest.raises(UnknownNameError, match="Did you mean 'sold'"):
        mohs.relevance(path, column="solt")


def test_judgments_can_be_read_again(tmp_path: Path) -> None:
    items = {"day": ["1", "1", "2", "2"], "item": list("abab"), "sold": [1, 3, 5, None]}
    found = mohs.relevance(items, by="day", column="sold", missing="drop")
    text = judgments(found).decode()
    assert text == "1 0 a 0.0\n1 0 b 1.0\n2 0 a 0.0\n"
    (tmp_path / "a.qrels").write_text(text)
    read = mohs.read_qrels(tmp_path / "a.qrels")
    assert read.topics == ("1", "2")
    assert read.grades.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        (["a b", "c"], "items:1: document 'a b' has blanks"),
        ([None, "c"], "items:1: has no document"),
        (["c", "c"], "items:2: 'c' stands twice in a topic"),
    ],
)
def test_ids_that_judgments_cannot_hold_are_refused(items: list, problem: str) -> None:
    found = mohs.relevance({"item": items, "sold": [1, 2]})
    with pytest.raises(FormatError, match=problem):
        judgments(found)


def test_every_item_needs_a_list_unless_all_are_pooled(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("day,item,sold\n1,a,1\n,b,2\n1,c,3\n")
    with pytest.raises(FormatError, match=r"items\.csv:3: day is missing; name the li"):
        mohs.relevance(path, column="sold", by="day")
    found = mohs.relevance(path, column="sold", by="day", pooled=True)
    assert found.phi.tolist() == [0, 0, 1]
    with pytest.raises(FormatError, match=r"items\.csv:3: has no topic"):
        judgments(found)


def test_whole_ids_that_a_frame_made_floats_are_whole(tmp_path: Path) -> None:
    items = {"day": [1.0, 1.0, 2.0], "item": [7.0, 8.0, 9.0], "sold": [0, 4, 1]}
    path = tmp_path / "items.parquet"
    pl.DataFrame(items).write_parquet(path)
    for source in (path, pl.DataFrame(items), pd.DataFrame(items)):
        text = judgments(mohs.relevance(source, column="sold", by="day"))
        assert text.split()[::4] == [b"1", b"1", b"2"]
        assert text.split()[2::4] == [b"7", b"8", b"9"]
    # What was written so stays so.
    csv = tmp_path / "items.csv"
    csv.write_text("item,sold\n1.0,2\n2.0,3\n")
    text = judgments(mohs.relevance(csv, column="sold"))
    assert text.split()[2::4] == [b"1.0", b"2.0"]


def test_a_logarithm_is_not_advised_twice() -> None:
    heavy = [1.0] * 5 + [2.0] * 5 + [3.0] * 5 + [1e9]
    advice = [
        next(
            note
            for note in mohs.relevance(heavy, transform=each).notes
            if "tail" in note
        )
        for each in ("none", "log")
    ]
    assert advice[0].endswith(
        "consider the transform log, or control points of your own"
    )
    assert advice[1].endswith("0.1; consider control points of your own")
