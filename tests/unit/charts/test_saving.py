"""Files: every kind is what its name says, whole, the same each time, and alone."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import altair as alt
import pytest

from mohs.charts import PICTURES, THEMES, check_picture, save
from mohs.errors import InputError, UnknownNameError

NASTY = "</script><b>&\"' \N{GREEK SMALL LETTER DELTA} 日本\x07\ud800"

# The first bytes of every kind.
MAGIC = {
    ".html": b"<!DOCTYPE html>\n",
    ".json": b'{"$schema": ',
    ".pdf": b"%PDF-1.",
    ".png": b"\x89PNG\r\n\x1a\n",
    ".svg": b"<svg xmlns=",
}


def picture(rows: int = 3) -> alt.LayerChart:
    """Return a chart with clipped marks, two fonts, and text that is hard to write."""
    values = [{"x": number, "topic": f"{NASTY}{number}"} for number in range(rows)]
    points = alt.Chart(alt.Data(values=values)).encode(
        x="x:Q", y=alt.Y("topic:N", title=NASTY), tooltip="topic:N"
    )
    layers = points.mark_bar(clip=True), points.mark_text().encode(text="topic:N")
    chart = alt.layer(*layers, title=NASTY)
    chart.config = THEMES["blue-orange"].config()
    return chart


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pictures")
    paths = {suffix: folder / f"chart{suffix}" for suffix in PICTURES.names()}
    for path in paths.values():
        save(picture(), path)
    return paths


@pytest.mark.parametrize("suffix", MAGIC)
def test_a_file_begins_as_its_kind_does(suffix: str, pictures: dict[str, Path]) -> None:
    assert pictures[suffix].read_bytes().startswith(MAGIC[suffix])


def test_every_kind_is_tested() -> None:
    assert sorted(MAGIC) == sorted(PICTURES.names())


@pytest.mark.parametrize("suffix", MAGIC)
def test_the_same_chart_is_the_same_bytes(
    suffix: str, pictures: dict[str, Path], tmp_path: Path
) -> None:
    # Several times, because what is random may come out alike.
    for _ in range(3):
        again = tmp_path / f"again{suffix.upper()}"
        save(picture(), again)
        assert again.read_bytes() == pictures[suffix].read_bytes()


def test_svg_is_xml_and_shows_its_text(pictures: dict[str, Path]) -> None:
    root = ET.fromstring(pictures[".svg"].read_bytes())  # noqa: S314 (our own)
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    shown = NASTY.replace("\x07", "\ufffd").replace("\ud800", "\ufffd")
    assert {shown, f"{shown}2"} <= texts


def test_json_is_vega_lite_with_its_data(pictures: dict[str, Path]) -> None:
    spec = json.loads(pictures[".json"].read_text("utf-8"))
    assert "vega-lite" in spec["$schema"]
    rows = spec["data"]["values"]
    assert [row["x"] for row in rows] == [0, 1, 2]


def test_pdf_has_fonts_and_a_sound_index(pictures: dict[str, Path]) -> None:
    text = pictures[".pdf"].read_bytes()
    assert b"LiberationSans" in text
    places = re.findall(rb"^(\d{10}) 00000 n", text, re.MULTILINE)
    heads = [text[int(place) :].split(maxsplit=3)[:3] for place in places]
    wanted = [[b"%d" % number, b"0", b"obj"] for number in range(1, len(places) + 1)]
    assert heads == wanted


def test_a_page_loads_nothing(pictures: dict[str, Path]) -> None:
    page = pictures[".html"].read_text("utf-8")
    assert re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page) is None
    assert "default-src 'none'" in page
    assert page.count("<script>") == page.count("</script>") == 2
    assert "<title>&lt;/script&gt;&lt;b&gt;&amp;&quot;" in page


def test_no_row_is_lost_and_no_setting_left_behind(tmp_path: Path) -> None:
    import polars as pl

    rows = pl.DataFrame({"x": range(6000)})
    save(alt.Chart(rows).mark_point().encode(x="x:Q"), tmp_path / "a.json")
    spec = json.loads((tmp_path / "a.json").read_text("utf-8"))
    (values,) = spec["datasets"].values()
    assert len(values) == 6000
    with pytest.raises(alt.MaxRowsError):
        alt.Chart(rows).mark_point().encode(x="x:Q").to_dict()


def test_nothing_is_fetched(tmp_path: Path) -> None:
    chart = alt.Chart("https://example.org/a.csv").mark_point().encode(x="x:Q")
    with pytest.raises(ValueError, match=r"[Dd]isallow|not allowed"):
        save(chart, tmp_path / "a.svg")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("call", [check_picture, lambda path: save(picture(), path)])
def test_what_cannot_be_saved_is_refused(call: object, tmp_path: Path) -> None:
    with pytest.raises(
        UnknownNameError, match=r"'\.gif'.* Known: \.html, \.json, \.pdf"
    ):
        call(tmp_path / "chart.gif")
    with pytest.raises(InputError, match=r"make it first|cannot be written"):
        call(tmp_path / "no" / "chart.svg")


def test_a_failure_leaves_the_old_picture(tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    path.write_text("old")
    broken = alt.Chart("https://example.org/a.csv").mark_point().encode(x="x:Q")
    with pytest.raises(ValueError, match="example"):
        save(broken, path)
    assert path.read_text() == "old"
