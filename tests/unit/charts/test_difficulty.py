"""The picture of topic difficulty, in every size and with every kind of name."""

import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mohs
from mohs.analysis.difficulty import Difficulty
from mohs.charts import THEMES, chart, save
from mohs.errors import InputError, UnknownNameError

DOCUMENTS = [f"d{number:02}" for number in range(30)]


def collection(topics: list[str], systems: int) -> tuple[dict, dict]:
    """Return judgments and runs in which later topics are harder.

    A system ranks the documents beginning at its own number, and the more documents
    that are relevant stand at the front, the easier a topic is for most.
    """
    qrels = {
        topic: {
            name: int(place % (number + 2) == 0) for place, name in enumerate(DOCUMENTS)
        }
        for number, topic in enumerate(topics)
    }
    runs = {
        f"s{system}": {
            topic: {
                name: float(-((place + system * (number + 1)) % len(DOCUMENTS)))
                for place, name in enumerate(DOCUMENTS)
            }
            for number, topic in enumerate(topics)
        }
        for system in range(systems)
    }
    return qrels, runs


def result(names: list[str], systems: int = 12, **options: object) -> Difficulty:
    asked = {"depth": 5, "permutations": 200, **options}
    return mohs.difficulty(*collection(names, systems), **asked)


def texts(path: Path) -> set[str]:
    root = ET.parse(path).getroot()  # noqa: S314 (our own)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return {line for each in found for line in each.itertext()}


LONG = "a-topic-with-a-name-that-nobody-would-give-to-a-topic-but-somebody-will-0001"
SIZES = {
    "one topic": (["1"], 12),
    "two systems": (["1", "2"], 2),
    "one system": (["1", "2"], 1),
    "names": (["日本", "тема", '<&">', LONG, "a\tb"], 12),
    "250 topics": ([str(number) for number in range(250)], 12),
}


@pytest.mark.parametrize("case", SIZES)
def test_every_topic_has_a_row_and_a_number(case: str, tmp_path: Path) -> None:
    topics, systems = SIZES[case]
    drawn = result(topics, systems)
    save(drawn, tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    expected = {topic.replace("\t", r"\t") for topic in topics if topic != LONG}
    assert expected <= shown
    if LONG in topics:
        assert any(text.endswith("…") and LONG.startswith(text[:-1]) for text in shown)
    ratios = drawn.parts[0].solution.difficulty
    assert {f"{ratio:.2f}" for ratio in ratios} <= shown
    assert f"Difficulty of {len(topics)} topic" + "s" * (len(topics) > 1) in shown


def test_an_excluded_topic_says_why(tmp_path: Path) -> None:
    qrels, runs = collection(["1", "2"], 12)
    qrels["2"] = dict.fromkeys(DOCUMENTS, 0)
    save(mohs.difficulty(qrels, runs, permutations=50), tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    assert "left out: no document was judged relevant" in shown
    assert "Difficulty of 1 topic; 1 left out" in shown


HALVES = {
    2: {"low: Difficulty of 2 topics", "high: Difficulty of 2 topics"},
    # From the 28th topic on, nothing in the second half is relevant.
    40: {
        "low: Difficulty of 40 topics",
        "high: Difficulty of 27 topics; 13 left out",
    },
}


@pytest.mark.parametrize("topics", HALVES)
def test_sub_corpora_stand_one_below_the_other(topics: int, tmp_path: Path) -> None:
    names = [str(number) for number in range(topics)]
    drawn = result(names, corpus=["low=d0|d1[0-4]", "high=d1[5-9]|d2"])
    save(drawn, tmp_path / "a.svg")
    assert HALVES[topics] <= texts(tmp_path / "a.svg")


def test_what_was_asked_is_in_the_tips() -> None:
    spec = chart(result(["1", "2"], topics={"2": "why is it hard?"})).to_dict()
    asked = {row["topic"]: row.get("query") for row in spec["datasets"]["topics"]}
    assert asked == {"1": None, "2": "why is it hard?"}


def layers(part: dict[str, Any], data: str = "") -> Iterator[tuple[str, dict]]:
    """Yield every layer's data, which it may have from above, and its encoding."""
    data = part.get("data", {}).get("name", data)
    yield data, part.get("encoding", {})
    for inner in part.get("hconcat") or part.get("layer", []):
        yield from layers(inner, data)


def tips(spec: dict[str, Any], wanted: str) -> list[set[str]]:
    """Return the fields in the tips of every layer over some data."""
    return [
        {tip["field"] for tip in encoding["tooltip"]}
        for data, encoding in layers(spec)
        if data == wanted and "tooltip" in encoding
    ]


def test_points_name_their_system_and_nothing_unknown_is_shown() -> None:
    spec = chart(result(["1", "2"], permutations=0)).to_dict()
    named = {"system", "topic", "value"}
    assert tips(spec, "outliers") == [named]
    assert tips(spec, "beyond") == [named, named]
    known = {name for row in spec["datasets"]["topics"] for name in row}
    shown = set().union(*tips(spec, "topics"))
    assert {"difficulty", "wins", "low", "middle"} <= shown <= known
    assert not [name for name in shown if name.startswith("chance")]


def test_boxes_and_not_values_are_embedded() -> None:
    spec = chart(result([str(number) for number in range(50)])).to_dict()
    assert len(spec["datasets"]["topics"]) == 50
    assert len(json.dumps(spec)) < 80_000


def test_drawing_leaves_no_trace() -> None:
    drawn = result(["1", "2"])
    first, again = (chart(drawn).to_dict() for _ in range(2))
    assert first == again


def test_a_theme_is_only_configuration() -> None:
    drawn = result(["1", "2"])
    first, other = (chart(drawn, theme=name).to_dict() for name in THEMES.names())
    night = chart(drawn, dark=True).to_dict()
    assert first.pop("config") != other.pop("config")
    hidden = first.pop("usermeta")["dark"]
    # Altair adds its own default sizes.
    assert hidden.pop("view").items() <= night["config"].pop("view").items()
    assert hidden == night.pop("config")
    other.pop("usermeta")
    assert first == other == night


def test_a_title_is_taken() -> None:
    spec = chart(result(["1"]), title="TREC-8").to_dict()
    assert spec["title"]["text"] == "TREC-8"


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError, match=r"no chart of a Table; .*, Difficulty"):
        chart(result(["1"]).tables()["difficulty"])
    with pytest.raises(UnknownNameError, match="Did you mean 'traffic-light'"):
        chart(result(["1"]), theme="trafic-light")


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_public_runs(tmp_path: Path) -> None:
    data = Path(os.environ["MOHS_DATA"], "trec8")
    drawn = mohs.difficulty(data / "qrels.txt.gz", data / "runs", permutations=100)
    save(drawn, tmp_path / "a.svg")
    shown = texts(tmp_path / "a.svg")
    assert {"401", "450", "Difficulty of 50 topics"} <= shown
    assert any(line.startswith("43 systems, nDCG_std@20") for line in shown)
