"""Cells: what they hold, and how they are coloured."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from mohs.charts import chart, save
from mohs.charts.cells import Cells

NUMBERS = np.array([[0.0, 0.31, np.nan], [-0.02, 0.04, 0.2]])
ABOUT = ("a caption",)


def shares() -> Cells:
    return Cells(("x", "y"), ("a", "b", "c"), NUMBERS, "A title", ABOUT, name="share")


def texts(path: Path) -> list[str]:
    root = ET.parse(path).getroot()  # noqa: S314 (our own)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return [line for each in found for line in each.itertext()]


def test_every_number_has_a_cell() -> None:
    records = chart(shares()).to_dict()["datasets"]["cells"]
    found = {(each["row"], each["column"]): each["value"] for each in records}
    assert found == {
        ("x", "a"): 0.0,
        ("x", "b"): 0.31,
        ("y", "a"): -0.02,
        ("y", "b"): 0.04,
        ("y", "c"): 0.2,
    }


def test_letters_are_light_where_cells_are_dark() -> None:
    records = chart(shares()).to_dict()["datasets"]["cells"]
    dark = {each["value"] for each in records if each["dark"]}
    # Square roots: 0.04 is a third of the way to 0.31, 0.2 four fifths.
    assert dark == {0.31, 0.2}


def test_coefficients_are_dark_at_both_ends() -> None:
    values = np.array([[-0.9, -0.3, 0.3, 0.9]])
    cells = Cells(("x",), ("a", "b", "c", "d"), values, "A title", ABOUT, kind="taus")
    spec = chart(cells).to_dict()
    dark = [each["dark"] for each in spec["datasets"]["cells"]]
    assert dark == [True, False, False, True]
    assert spec["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-1, 0, 1]


def test_the_picture_has_names_numbers_and_words(tmp_path: Path) -> None:
    save(chart(shares()), tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    assert {"A title", "a caption", "x", "y", "a", "b", "c", "share"} <= set(shown)
    assert {"0.00", "0.31", "−0.02", "0.04", "0.20"} <= set(shown)  # noqa: RUF001


def test_classes_have_colours_and_the_middle_none(tmp_path: Path) -> None:
    cells = Cells(
        ("401", "402"),
        ("difficulty", "eguchi2002"),
        np.array([[1.0, 2.0], [2.0, np.nan]]),
        "A title",
        ABOUT,
        kind="classes",
        name="rank",
        form=".3~g",
        classes=(("hard", "medium"), (None, None)),
    )
    spec = chart(cells).to_dict()
    records = spec["datasets"]["cells"]
    assert [(each["class"], each["dark"]) for each in records] == [
        ("hard", True),
        ("medium", False),
        (None, False),
    ]
    middle, classed, *_ = spec["layer"]
    assert middle["mark"]["style"] == "band"
    assert classed["encoding"]["color"]["scale"]["range"] == "ordinal"
    save(chart(cells), tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    assert shown.count("1") == 1
    assert shown.count("2") == 2
    assert {"hard", "moderately hard", "moderately easy", "easy"} <= set(shown)


def test_nothing_but_zeros_can_be_drawn(tmp_path: Path) -> None:
    cells = Cells(("x",), ("a",), np.zeros((1, 1)), "A title", ABOUT)
    save(chart(cells), tmp_path / "a.svg")
    assert "0.00" in texts(tmp_path / "a.svg")
