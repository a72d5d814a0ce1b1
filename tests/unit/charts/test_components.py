"""The picture of components, at the sizes that occur."""

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.analysis.components import Components
from mohs.charts import chart, save
from mohs.charts.components import step

STEMMERS, MODELS = ("none", "porter", "lovins"), ("BM25", "LM", "PL2", "DPH")


def result(topics: int, **options: Any) -> Components:  # noqa: ANN401
    """Compare twelve systems; the later the topic, the less stemmers help."""
    random = np.random.default_rng(0)
    rows = [
        {
            "system": f"{stemmer}-{model}",
            "topic": str(topic),
            "stemmer": stemmer,
            "model": model,
            "measure": "AP",
            "value": 0.5
            + (stemmer != "none") * (0.2 - 0.5 * topic / topics)
            + random.normal(0, 0.02),
        }
        for stemmer in STEMMERS
        for model in MODELS
        for topic in range(topics)
    ]
    return mohs.components(pl.DataFrame(rows), baseline="stemmer=none", **options)


def texts(path: Path) -> list[str]:
    root = ET.parse(path).getroot()  # noqa: S314 (our own)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return [line for each in found for line in each.itertext()]


@pytest.mark.parametrize("topics", [1, 2, 50, 250])
def test_every_topic_stands_in_every_panel(topics: int, tmp_path: Path) -> None:
    save(result(topics), tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    assert {f"stemmer: {level} instead of none" for level in STEMMERS[1:]} <= set(shown)
    for topic in range(topics):
        assert shown.count(str(topic)) == 2


def test_bars_are_ordered_and_say_what_they_are() -> None:
    drawn = result(50)
    spec = chart(drawn).to_dict()
    assert list(spec["datasets"]) == ["effect 1", "effect 2"]
    records = spec["datasets"]["effect 2"]
    deltas = [record["delta"] for record in records]
    assert deltas == sorted(deltas, reverse=True)
    expected = drawn.table.filter(level="porter").sort("delta", descending=True)
    assert deltas == pytest.approx(expected["delta"].to_list(), rel=1e-9)
    assert [record["topic"] for record in records] == expected["topic"].to_list()
    clear = ((expected["low"] > 0) | (expected["high"] < 0)).to_list()
    assert [record["clear"] for record in records] == clear
    panel = spec["vconcat"][1]
    domain = panel["layer"][1]["encoding"]["x"]["scale"]["domain"]
    assert domain == expected["topic"].to_list()
    styles = [layer["mark"].get("style") for layer in panel["layer"]]
    assert styles == ["zero", "gain", "loss", "median"]
    tips = panel["layer"][1]["encoding"]["tooltip"]
    assert {tip["field"] for tip in tips} <= {*records[0]}


def test_the_heading_counts() -> None:
    drawn = result(50)
    row = drawn.tables()["summary"].to_polars().row(1, named=True)
    told = chart(drawn).to_dict()["vconcat"][1]["title"]["subtitle"]
    assert told.startswith(f"{row['gains']} of 50 topics gain ({row['clear_gains']} cl")
    assert f"{row['losses']} lose" in told


def test_panels_of_a_component_share_their_scale() -> None:
    scales = [
        panel["layer"][1]["encoding"]["y"]["scale"]["domain"]
        for panel in chart(result(50)).to_dict()["vconcat"]
    ]
    assert scales[0] == scales[1]
    ends = result(50).table.select("low", "high", "delta").to_numpy()
    assert scales[0] == [ends.min(), ends.max()]


def test_what_was_compared_is_said() -> None:
    for options, told in (({}, "pairs of systems"), ({"unmatched": True}, "all sys")):
        assert told in chart(result(2, **options)).to_dict()["title"]["subtitle"][0]
    assert chart(result(2), title="TREC-8").to_dict()["title"]["text"] == "TREC-8"


def test_odd_names_are_shown(tmp_path: Path) -> None:
    rows = [
        {"system": name, "topic": topic, "a.b": name, "measure": "AP", "value": value}
        for topic in ("\x01", "日本")
        for name, value in (("none", 0.25), ('<&">', 0.5), ("a\tb", 0.125))
    ]
    save(mohs.components(pl.DataFrame(rows)), tmp_path / "a.svg")
    shown = set(texts(tmp_path / "a.svg"))
    assert {"日本", r"\x01", 'a.b: <&"> instead of none'} <= shown
    assert r"a.b: a\tb instead of none" in shown


def test_no_effect_at_all_can_be_drawn(tmp_path: Path) -> None:
    rows = [
        {"system": name, "topic": "1", "stemmer": name, "measure": "AP", "value": 0.5}
        for name in STEMMERS
    ]
    save(mohs.components(pl.DataFrame(rows)), tmp_path / "a.svg")
    assert "0 of 1 topics gain (0 clearly), 0 lose (0 clearly)" in " ".join(
        texts(tmp_path / "a.svg")
    )


def test_bars_keep_their_width_within_bounds() -> None:
    assert [step(topics) for topics in (1, 50, 250, 1000)] == [16, 15.2, 8.5, 2]


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_a_grid_of_systems_makes_a_small_picture() -> None:
    path = Path(os.environ["MOHS_DATA"], "grid-of-points", "sigir2016.parquet")
    drawn = mohs.components(path, where="collection=T08", measure="ap")
    spec = chart(drawn).to_dict()
    assert len(spec["vconcat"]) == 4 + 6 + 15
    assert len(json.dumps(spec)) < 600_000
