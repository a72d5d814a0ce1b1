"""The pictures of agreement: what is drawn, and where."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mohs
from mohs.analysis.agreement import Agreement
from mohs.charts import chart, save
from mohs.errors import UnknownNameError

VALUES = {
    "a1": (0.9, 0.5, 0.3, 0.1),
    "a2": (0.7, 0.6, 0.1, 0.2),
    "b1": (0.2, 0.6, 0.4, 0.3),
    "b2": (0.0, 0.2, 0.4, 0.1),
}


def scores(names: tuple[str, ...] = ("1", "2", "3", "4")) -> dict[str, Any]:
    return {
        system: {topic: {"AP": value} for topic, value in zip(names, row, strict=True)}
        for system, row in VALUES.items()
    }


def result(sets: str = "all,best:2,random:2", **options: object) -> Agreement:
    return mohs.agree(scores(), sets=sets, repeat=5, **options)


def texts(drawn: Agreement, path: Path, **options: object) -> list[str]:
    """Return every line of every text of a picture."""
    save(drawn, path, **options)
    found = ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 (our own)
    return [line for each in found for line in each.itertext()]


def panels(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the topics that every panel shows."""
    return [
        [
            row
            for layer in panel["layer"]
            for row in spec["datasets"].get(layer.get("data", {}).get("name"), [])
            or layer.get("data", {}).get("values", [])
            if "topic" in row
        ]
        for panel in spec["concat"]
    ]


def layers(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for panel in spec["concat"]:
        yield from panel["layer"]


def test_every_two_sides_make_a_matrix(tmp_path: Path) -> None:
    drawn = result()
    spec = chart(drawn).to_dict()
    assert spec["columns"] == 3
    assert [len(each) for each in panels(spec)] == [0, 0, 0, 4, 0, 0, 4, 4, 0]
    below = panels(spec)[3]
    pair = drawn.pairs[0]
    assert [row["topic"] for row in below] == ["1", "2", "3", "4"]
    assert [row["x"] for row in below] == pair.x[0].tolist()
    assert [row["y"] for row in below] == pair.y[0].tolist()
    shown = texts(drawn, tmp_path / "a.svg")
    assert {"all", "best:2", "random:2", "4 topics"} <= {*shown}
    assert f"{pair.tau_b:.2f}" in shown


def test_topics_are_named_in_the_tips() -> None:
    tips = [
        [tip["field"] for tip in layer["encoding"]["tooltip"]]
        for layer in layers(chart(result()).to_dict())
        if "tooltip" in layer["encoding"]
    ]
    assert tips == [["topic", "x", "y"]] * 3


def test_all_axes_have_one_scale() -> None:
    domains = {
        tuple(layer["encoding"][axis]["scale"]["domain"])
        for layer in layers(chart(result()).to_dict())
        for axis in ("x", "y")
        if "scale" in layer["encoding"].get(axis, {})
    }
    (domain,) = domains
    assert domain[0] == 0
    assert domain[1] == pytest.approx(0.8)


def test_two_tables_make_a_panel_for_each_set(tmp_path: Path) -> None:
    drawn = mohs.agree(scores(), scores(), sets="all,tag:a")
    spec = chart(drawn).to_dict()
    assert [len(each) for each in panels(spec)] == [4, 4]
    shown = texts(drawn, tmp_path / "a.svg")
    assert {"all of scores 1", "tag:a of scores 2"} <= {*shown}
    assert "tau_b 1.00" in shown


def test_many_pairs_make_a_heat_map(tmp_path: Path) -> None:
    names = [f"tag:{kind}" for kind in ("a", "b", "1", "2", "a1", "a2")]
    drawn = result(",".join(["all", *names]))
    assert len(drawn.pairs) == 21
    shown = texts(drawn, tmp_path / "a.svg")
    assert {*names} <= {*shown}
    assert shown.count("tag:a") == 2
    spec = chart(drawn).to_dict()
    assert "concat" not in spec
    (cells,) = spec["datasets"].values()
    assert len(cells) == 42
    assert "concat" in chart(drawn, show="scatter").to_dict()


def test_a_heat_map_of_two_tables_has_a_cell_for_each_set() -> None:
    drawn = mohs.agree(scores(), scores(), sets="all,tag:a")
    (cells,) = chart(drawn, show="heat").to_dict()["datasets"].values()
    assert [(cell["left"], cell["right"], cell["tau_b"]) for cell in cells] == [
        ("all of scores 1", "all of scores 2", 1),
        ("tag:a of scores 1", "tag:a of scores 2", 1),
    ]


def test_where_there_is_no_coefficient_the_picture_says_so(tmp_path: Path) -> None:
    one = {"z": {"1": {"AP": 0.5}}}
    drawn = mohs.agree(scores(), one)
    assert {"tau_b none", "1 topic"} <= {*texts(drawn, tmp_path / "a.svg")}
    (cells,) = chart(drawn, show="heat").to_dict()["datasets"].values()
    assert "tau_b" not in cells[0]


def test_odd_names_are_shown(tmp_path: Path) -> None:
    names = ("日本", '<&">', "a\tb", "x")
    drawn = mohs.agree(scores(names), sets="all,tag:a")
    spec = chart(drawn).to_dict()
    (shown,) = (rows for rows in panels(spec) if rows)
    assert {row["topic"] for row in shown} == {"日本", '<&">', r"a\tb", "x"}
    assert "all" in texts(drawn, tmp_path / "a.svg")


def test_a_title_and_a_kind_are_taken() -> None:
    spec = chart(result(), title="TREC-8").to_dict()
    assert spec["title"]["text"] == "TREC-8"
    with pytest.raises(UnknownNameError, match="Did you mean 'heat'"):
        chart(result(), show="heet")


def test_a_pair_without_a_tau_says_so(tmp_path: Path) -> None:
    one = {f"s{n}": {"t": {"AP": n / 8}} for n in range(8)}
    save(mohs.agree(one, repeat=5), tmp_path / "a.svg", show="heat")
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    assert drawn.count(">none<") == 12
    assert "tau_b of the mean AP of 1 topic<" in drawn
