"""Charts are what they were: their specifications, on tiny data.

After a change that is meant, MOHS_RENEW_SNAPSHOTS=1 pytest tests/snapshots writes them
anew; look at the pictures before you keep them.
"""

import json
import os
from pathlib import Path

import mohs
from mohs.charts import chart
from mohs.charts.drawing import CHARTS

HERE = Path(__file__).parent / "charts"

QRELS = {
    "easy": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 0},
    "hard": {"a": 0, "b": 0, "c": 0, "d": 1, "e": 2},
    "none": {"a": 0, "b": 0},
}
LISTS = ["abcde", "abdce", "bacde", "acbde", "abced", "bcade", "abcde", "cabde"]
LISTS += ["baced", "abecd", "ebdca"]
RUNS = {
    f"system {number}": {
        topic: {name: -float(place) for place, name in enumerate(names)}
        for topic in QRELS
    }
    for number, names in enumerate(LISTS)
}
RESULTS = {
    "Difficulty": lambda: mohs.difficulty(QRELS, RUNS, depth=3, permutations=99),
}


def test_every_chart_has_a_snapshot() -> None:
    chart(RESULTS["Difficulty"]())  # loads them all
    assert sorted(RESULTS) == sorted(CHARTS.names())


def test_charts_are_what_they_were() -> None:
    for name, compute in RESULTS.items():
        spec = chart(compute()).to_dict()
        # Colours have tests of their own, and versions come and go.
        for part in ("$schema", "config", "usermeta"):
            del spec[part]
        text = json.dumps(spec, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path = HERE / f"{name}.json"
        if os.environ.get("MOHS_RENEW_SNAPSHOTS"):
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8")
