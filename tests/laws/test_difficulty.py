"""Difficulty against a slow second computation, on collections of every odd shape."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mohs
from mohs.analysis.difficulty import Difficulty
from mohs.errors import InputError
from slow_difficulty import GAINS, Asked, rate

# Sums over at most forty terms, of which the slow side's are exact.
CLOSE = {"rel": 1e-9, "abs": 1e-11}

DOCUMENTS = [f"d{number}" for number in range(12)]
GRADES = st.sampled_from([-2, -1, 0, 0, 0, 1, 1, 2, 3, 0.5])
LISTS = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.sampled_from([1.0, 2.0, 2.5, 3.0]), max_size=9
)
TOPICS = ("1", "2", "30")


@st.composite
def collections(draw: Any) -> tuple[dict, dict]:  # noqa: ANN401 (Hypothesis's own)
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1)
    qrels = {topic: draw(judged) for topic in TOPICS}
    runs = {
        f"s{number}": {topic: scores for topic in TOPICS if (scores := draw(LISTS))}
        for number in range(draw(st.sampled_from([1, 2, 4, 12])))
    }
    # Every run answers something, and one of them everything.
    for number, run in enumerate(runs.values()):
        for topic in TOPICS if number == 0 else TOPICS[:1]:
            run.setdefault(topic, {"d1": 1.0})
    return qrels, runs


@st.composite
def requests(draw: Any) -> dict[str, Any]:  # noqa: ANN401 (Hypothesis's own)
    depth = draw(st.sampled_from([1, 2, 3, 5, 20, 10**9]))
    gain, negative = draw(st.sampled_from([*GAINS]))
    return {
        "depth": depth,
        "cutoff": draw(st.sampled_from([None, 1, depth])),
        "pool": draw(st.sampled_from(["runs", "judged"])),
        "unjudged": draw(st.sampled_from(["nonrelevant", "neutral", "condense"])),
        "pad": draw(st.booleans()),
        "gain": gain,
        "negative": negative,
        "discount": draw(st.sampled_from(["log2", "ln", "zipf", "none"])),
        "baseline": draw(st.sampled_from(["random", "random", "s0", 0.25])),
    }


def rows(result: Difficulty) -> dict[str, dict[str, Any]]:
    return {row["topic"]: row for row in result.table.to_dicts()}


@settings(max_examples=400)
@given(collections(), requests())
def test_figures_are_those_of_the_definitions(
    collection: tuple[dict, dict], request: dict[str, Any]
) -> None:
    qrels, runs = collection
    found = rows(mohs.difficulty(qrels, runs, permutations=0, **request))
    for topic, expected in rate(qrels, runs, Asked(**request)).items():
        row = found[topic]
        if expected.get("difficulty") is None or row["reason"]:
            _check_excluded(row, expected, request)
            continue
        assert row["class"] == expected.pop("class")
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, **CLOSE), (topic, name)
        for name in {"margin", "mean", "median"} - expected.keys():
            assert row[name] is None, (topic, name)


def _check_excluded(row: dict, expected: dict, request: dict[str, Any]) -> None:
    assert row["difficulty"] is row["wins"] is row["class"] is row["margin"] is None
    for name in ("pool", "judged", "relevant", "prevalence"):
        assert row[name] == expected[name]
    if "difficulty" not in expected:
        assert "baseline" not in row["reason"]
    elif request["baseline"] == "s0":
        assert row["reason"] == "only the baseline retrieved a document"
    else:
        assert row["reason"] == "NDCG_std has no meaning: every order is as good"
        assert request["discount"] == "none" or request["depth"] == 1


@settings(max_examples=40)
@given(collections(), st.sampled_from(["runs", "judged"]), st.sampled_from([0, 3]))
def test_a_topic_is_the_same_whatever_other_topics_there_are(
    collection: tuple[dict, dict], pool: str, teamed: int
) -> None:
    qrels, runs = collection
    teams = {name: name[-1] for name in [*runs][:teamed]}
    asked = {"depth": 3, "pool": pool, "permutations": 50, "teams": teams, "seed": 7}
    whole = rows(mohs.difficulty(qrels, runs, workers=2, **asked))
    for topic in TOPICS:
        alone = {
            name: {topic: run[topic]} for name, run in runs.items() if topic in run
        }
        one = mohs.difficulty({topic: qrels[topic]}, alone, workers=1, **asked)
        assert repr(rows(one)[topic]) == repr(whole[topic])


@settings(max_examples=25)
@given(collections())
def test_a_baseline_that_is_none_is_refused(
    collection: tuple[dict, dict],
) -> None:
    with pytest.raises(LookupError, match="no baseline or system named 's99'"):
        mohs.difficulty(*collection, baseline="s99", permutations=0)
    with pytest.raises(InputError, match="expected a finite number"):
        mohs.difficulty(*collection, baseline="nan", permutations=0)
