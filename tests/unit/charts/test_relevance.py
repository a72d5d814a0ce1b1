"""The pictures of φ and of what it changes."""

import numpy as np
import pytest

import mohs
from mohs.analysis.relevance import compare
from mohs.analysis.relevance.synthetic import experiment
from mohs.charts import chart

SCORES = [0.0, 1, 2, 3, 10]


def test_a_curve_runs_through_its_points_above_the_scores() -> None:
    spec = chart(mohs.relevance(SCORES)).to_dict()
    data = spec["datasets"]
    points = [(each["score"], each["phi"]) for each in data["curve 1 points"]]
    assert points == [(0, 0), (2, 0), (6, 0.6), (10, 1)]
    curve = {each["score"]: each["phi"] for each in data["curve 1"]}
    assert set(points) <= set(curve.items())
    assert [each["score"] for each in data["scores 1"]] == SCORES
    assert data["box 1"] == [{"q1": 1, "median": 2, "q3": 3, "low": 0, "high": 3}]


def test_under_a_logarithm_axis_and_box_are_those_of_logarithms() -> None:
    scores = [0, 1, 3, 7, 15, 31, 63]
    spec = chart(mohs.relevance(scores, transform="log")).to_dict()
    box = spec["datasets"]["box 1"][0]
    assert (box["median"], box["high"]) == pytest.approx((7, 63))
    below = spec["concat"][0]["vconcat"][1]["layer"][0]["encoding"]["x"]
    assert below["scale"]["type"] == "symlog"
    assert below["axis"]["values"] == [0, 1, 10]


def test_of_many_lists_six_are_drawn_and_of_many_scores_some() -> None:
    items = {
        "day": np.repeat(np.arange(9), 1000),
        "sold": np.random.default_rng(0).lognormal(size=9000),
    }
    spec = chart(mohs.relevance(items, by="day", column="sold")).to_dict()
    assert len(spec["concat"]) == 6
    assert "The first 6 of 9 lists" in spec["title"]["subtitle"]
    rug = [each["score"] for each in spec["datasets"]["scores 1"]]
    assert len(rug) == 400
    assert max(rug) == pytest.approx(items["sold"][:1000].max())


def test_equal_scores_can_be_drawn() -> None:
    spec = chart(mohs.relevance([5, 5])).to_dict()
    assert {each["phi"] for each in spec["datasets"]["curve 1"]} == {0.0}


def test_a_comparison_draws_every_ranking_once_for_each_cutoff() -> None:
    draw = np.random.default_rng(0)
    items = {
        "list": np.repeat(np.arange(2500), 20),
        "predicted": draw.normal(size=50_000),
        "actual": draw.lognormal(size=50_000),
    }
    result = compare(items, cutoffs=[5, 10], bands=[2, 5])
    data = chart(result).to_dict()["datasets"]
    assert [sum(each["k"] == k for each in data["rankings"]) for k in (5, 10)] == [
        2000,
        2000,
    ]
    assert sum(each["lists"] for each in data["boxes"]) == 5000
    other = chart(result, seed=1).to_dict()["datasets"]
    assert other["boxes"] == data["boxes"]
    assert other["rankings"] != data["rankings"]


@pytest.mark.parametrize(
    ("show", "data", "caption"),
    [
        ("both", ["boxes", "rankings"], ["Above: boxes", "Below: a dot for"]),
        ("differences", ["boxes"], ["Boxes of the"]),
        ("rankings", ["rankings"], ["A dot for"]),
    ],
)
def test_a_comparison_shows_what_is_asked(
    show: str, data: list[str], caption: list[str]
) -> None:
    items = {"list": ["a"] * 4, "predicted": [4, 3, 2, 1], "actual": [3, 9, 2, 1]}
    spec = chart(compare(items, cutoffs=[2], bands=[2]), show=show).to_dict()
    assert sorted({"boxes", "rankings"} & spec["datasets"].keys()) == data
    assert len(spec["vconcat"]) == len(data)
    told = spec["title"]["subtitle"]
    assert all(
        line.startswith(start) for line, start in zip(told, caption, strict=True)
    )


def test_the_experiment_has_a_box_for_each_distribution_and_the_constant() -> None:
    result = experiment(samples=40)
    spec = chart(result).to_dict()
    assert [panel["title"]["subtitle"] for panel in spec["hconcat"]] == [
        "rule: 0.9636 by levels",
        "rule: 1.0000 by levels",
    ]
    rules = [panel["layer"][0]["encoding"]["y"]["datum"] for panel in spec["hconcat"]]
    assert rules == pytest.approx([0.9636453, 1.0], abs=5e-8)
    for scenario, boxes in spec["datasets"].items():
        for box in boxes:
            values = result.phi[scenario, box["distribution"]]
            parts = [box[name] for name in ("least", "q1", "median", "q3", "most")]
            wanted = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
            assert parts == pytest.approx(wanted.tolist())
            assert box["samples"] == 40
