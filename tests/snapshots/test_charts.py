"""Charts are what they were: their specifications, on tiny data.

After a change that is meant, MOHS_RENEW_SNAPSHOTS=1 pytest tests/snapshots writes them
anew; look at the pictures before you keep them.
"""

import json
import os
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

import mohs
from mohs.analysis.agreement import Agreement
from mohs.analysis.anova import Anova
from mohs.analysis.formulations import Formulations
from mohs.analysis.relevance import compare
from mohs.analysis.relevance.synthetic import experiment
from mohs.charts import chart
from mohs.charts.agreement import SHOWS as AGREEMENT_SHOWS
from mohs.charts.anova import SHOWS as ANOVA_SHOWS
from mohs.charts.cells import Cells
from mohs.charts.drawing import CHARTS
from mohs.charts.formulations import SHOWS as FORMULATIONS_SHOWS

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
SCORES = "system,topic,stemmer,model,measure,value\n" + "\n".join(
    f"{stemmer} {model},{topic},{stemmer},{model},AP,{value}"
    for topic, values in {
        "1": (0.11, 0.19, 0.24, 0.13, 0.35, 0.31),
        "2": (0.42, 0.44, 0.59, 0.47, 0.71, 0.62),
        "3": (0.33, 0.29, 0.41, 0.38, 0.58, 0.43),
        "4": (0.77, 0.82, 0.84, 0.71, 0.97, 0.93),
    }.items()
    for (stemmer, model), value in zip(
        [(stemmer, model) for stemmer in "ab" for model in "xyz"], values, strict=True
    )
)

# A stop list that helps on one topic and harms on another.
GRID = [
    (f"{stop}-{stem}", topic, stop, stem, "AP", round(base + gain * way, 3))
    for stop, gain in (("none", 0.0), ("smart", 0.1), ("lucene", 0.05))
    for stem, base in (("none", 0.4), ("porter", 0.5), ("lovins", 0.45))
    for topic, way in (("easy", 2.0), ("hard", -1.0), ("none", 0.0))
]
NAMES = ["system", "topic", "stoplist", "stemmer", "measure", "value"]
TABLE = pl.DataFrame(GRID, NAMES, orient="row")


def anova(tmp_path: Path) -> Anova:
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")
    return mohs.anova(
        tmp_path / "scores.csv", "AP ~ topic + system + stemmer*model", tukey="model"
    )


def agreement(tmp_path: Path) -> Agreement:
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")
    sets = "all,best:2,random:3"
    return mohs.agree(tmp_path / "scores.csv", sets=sets, repeat=5)


# Queries of which some are better than others, on topics that matter little.
QUERIES = [
    (system, topic, query, "AP", round(ease + gain * way, 3))
    for system, way in (("bm25", 1.0), ("lm", -0.5))
    for topic, ease in (("easy", 0.5), ("hard", 0.2), ("none", 0.4))
    for query, gain in (("1", 0.0), ("2", 0.15), ("3", -0.1))
]
WORDINGS = pl.DataFrame(
    QUERIES, ["system", "topic", "formulation", "measure", "value"], orient="row"
)


def formulations(_: Path) -> Formulations:
    return mohs.formulations(WORDINGS, permutations=50, replicates=4)


def cells(_: Path, kind: str) -> Cells:
    values = np.array([[0.9, -0.25], [np.nan, 0.0]])
    classes = (("hard", "easy"), (None, "moderately easy"))
    return Cells(
        ("x", "y"), ("a", "b"), values, "A title", ("n = 4",), kind, classes=classes
    )


# Of every kind of result, and each of its pictures: how to make it, and the options.
RESULTS = {
    "Difficulty": (
        lambda _: mohs.difficulty(QRELS, RUNS, depth=3, permutations=99),
        {},
    ),
    **{
        f"Anova {show}": (anova, {"show": show})
        for show in ("effects", "means", "interaction", "groups", "residuals")
    },
    "Comparison": (
        lambda _: compare(
            {
                "list": [*"aaaabbbb"],
                "predicted": [1, 2, 3, 4, 4, 3, 2, 1],
                "actual": [1, 5, 2, 9, 3, 1, 4, 40],
            },
            cutoffs=[1, 2],
            bands=[1, 2],
        ),
        {},
    ),
    "Experiment": (lambda _: experiment(samples=5), {}),
    **{
        f"Cells {kind}": (partial(cells, kind=kind), {})
        for kind in ("taus", "shares", "classes")
    },
    "Components": (lambda _: mohs.components(TABLE, baseline="stoplist=none"), {}),
    **{
        f"Formulations {show}": (formulations, {"show": show})
        for show in ("distribution", "sizes", "orders", "wording")
    },
    "Relevance": (
        lambda _: mohs.relevance([0, 0, 1, 2, 3, 4, 20, None], missing="drop"),
        {},
    ),
    "Scores": (lambda _: mohs.read_scores(TABLE), {}),
    **{
        f"Agreement {show}": (agreement, {"show": show}) for show in ("scatter", "heat")
    },
}


def test_every_chart_has_a_snapshot(tmp_path: Path) -> None:
    chart(anova(tmp_path))  # loads them all
    assert {name.split()[0] for name in RESULTS} == {*CHARTS.names()}
    for kind, shows in (
        ("Anova", ANOVA_SHOWS),
        ("Agreement", AGREEMENT_SHOWS),
        ("Formulations", FORMULATIONS_SHOWS),
    ):
        known = {f"{kind} {name}" for name in shows.names()}
        assert known == {name for name in RESULTS if name.startswith(kind)}


def test_charts_are_what_they_were(tmp_path: Path) -> None:
    for name, (compute, options) in RESULTS.items():
        spec = chart(compute(tmp_path), **options).to_dict()
        # Colours have tests of their own, and versions come and go.
        for part in ("$schema", "config", "usermeta"):
            del spec[part]
        text = json.dumps(spec, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path = HERE / f"{name}.json"
        if os.environ.get("MOHS_RENEW_SNAPSHOTS"):
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8")
