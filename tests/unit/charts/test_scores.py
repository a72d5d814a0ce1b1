"""The picture of scores, few and many."""

import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.charts import chart, save
from mohs.charts.scores import arrange
from mohs.errors import InputError
from mohs.scores import Scores

FEW = {
    "weak": {"1": {"AP": 0.25}, "2": {"AP": 0.0}, "3": {"AP": 0.5}},
    "strong": {"1": {"AP": 1.0}, "2": {"AP": 0.5}},
}


def many(systems: int, topics: int) -> Scores:
    """Return scores in which system 0 is the best and topic 0 the hardest."""
    return mohs.read_scores(
        pl.DataFrame(
            {
                "system": [f"s{n}" for n in range(systems) for _ in range(topics)],
                "topic": [f"t{n}" for _ in range(systems) for n in range(topics)],
                "measure": ["AP"] * (systems * topics),
                "value": [
                    (systems - one + other) / (systems + topics)
                    for one in range(systems)
                    for other in range(topics)
                ],
            }
        )
    )


def test_topics_and_systems_are_ordered_by_their_means() -> None:
    heat = arrange(mohs.read_scores(FEW))
    assert heat.systems == ("strong", "weak")
    # Of topics with equal means, the first stands first.
    assert heat.topics == ("2", "3", "1")
    expected = [[0.5, 0.0], [np.nan, 0.5], [1.0, 0.25]]
    np.testing.assert_array_equal(heat.values, expected)


def test_a_row_holds_the_figures_of_a_topic() -> None:
    spec = chart(mohs.read_scores(FEW)).to_dict()
    assert spec["datasets"]["topics"] == [
        {"topic": "2", "value": [0.5, 0.0]},
        {"topic": "3", "value": [None, 0.5]},
        {"topic": "1", "value": [1.0, 0.25]},
    ]
    assert spec["encoding"]["x"]["scale"]["domain"] == ["strong", "weak"]
    assert spec["title"]["text"] == "AP of 2 systems on 3 topics"
    assert spec["title"]["subtitle"][1:] == ["Blank: no score"]


def test_every_cell_finds_its_system(tmp_path: Path) -> None:
    # Tooltips become descriptions that a converter shows; here, cells are counted.
    save(mohs.read_scores(FEW), tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    assert {"strong", "weak", "1", "2", "3"} <= {
        piece.split("<")[0] for piece in drawn.split(">")
    }
    cells = drawn.split("mark-rect")[1].split("</g>")[0]
    assert cells.count("<path") == 5


def test_neighbours_share_a_cell_where_there_are_many() -> None:
    scores = many(560, 50)
    heat = arrange(scores)
    assert heat.values.shape == (50, 187)
    assert heat.systems[0] == "s0 … s2"
    assert heat.systems[-1] == "s558 … s559"
    assert heat.values[0, 0] == pytest.approx(559 / 610)
    subtitle = chart(scores).to_dict()["title"]["subtitle"]
    assert subtitle[1:] == ["A column is the mean of up to 3 systems"]


def test_neighbouring_topics_share_a_row_where_there_are_many() -> None:
    scores = many(2, 301)
    heat = arrange(scores)
    assert heat.values.shape == (151, 2)
    assert heat.topics[0] == "t0 … t1"
    assert heat.topics[-1] == "t300"
    subtitle = chart(scores).to_dict()["title"]["subtitle"]
    assert subtitle[1:] == ["A row is the mean of up to 2 topics"]


def test_observations_in_several_corpora_are_averaged() -> None:
    rows = [("a", "1", "FT", "AP", 0.25), ("a", "1", "LA", "AP", 0.75)]
    names = ["system", "topic", "corpus", "measure", "value"]
    scores = mohs.read_scores(pl.DataFrame(rows, names, orient="row"))
    assert arrange(scores).values.tolist() == [[0.5]]


def test_one_measure_is_drawn() -> None:
    both = {"a": {"1": {"AP": 0.25, "RR": 1.0}}}
    with pytest.raises(InputError, match="several measures; choose one of: AP, RR"):
        chart(mohs.read_scores(both))


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_a_large_evaluation_makes_a_small_picture() -> None:
    path = Path(os.environ["MOHS_DATA"], "matrices", "trec8_ap.csv")
    spec = chart(mohs.read_scores(path, measure="AP")).to_dict()
    assert spec["title"]["text"] == "AP of 129 systems on 50 topics"
    assert spec["datasets"]["systems"][0]["system"] == "READWARE2"
    assert len(json.dumps(spec)) < 80_000
