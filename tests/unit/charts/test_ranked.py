"""Scores by rank: what the chart holds, and that it can be drawn."""

import numpy as np

from mohs.charts import in_theme, svg
from mohs.charts.ranked import ranked


def test_scores_stand_at_their_ranks_and_rules_at_their_bounds() -> None:
    drawn = ranked(np.array([4.0, 9.0, 5.0, 1.0]), [1, 2])
    data = drawn.to_dict()["datasets"]
    assert [row["score"] for row in data["scores"]] == [9, 5, 4, 1]
    assert data["bounds"] == [{"bound": 1}, {"bound": 2}]
    assert data["box"] == [{"low": 1, "q1": 3.25, "median": 4.5, "q3": 6, "high": 9}]


def test_a_chart_of_ones_own_takes_a_theme() -> None:
    drawn = ranked(np.array([4.0, 9.0]), [1])
    light, dark = (in_theme(drawn, dark=dark) for dark in (False, True))
    assert light.config["background"] != dark.config["background"]
    assert svg(light).startswith("<svg")
    assert svg(light) != svg(dark)
