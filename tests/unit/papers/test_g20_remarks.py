"""The remarks of Gienapp et al., as rules, and held to runs made up for them."""

from collections.abc import Mapping

import numpy as np
import pytest

import mohs
from mohs.papers.definition import Comparison
from mohs.papers.g20.remarks import (
    among_highest,
    low_outliers,
    remarks_on,
    spread_below_zero,
    upper_half_above,
)

SYSTEMS = 26
DOCUMENTS = 10
# The rank at which so many systems put the one relevant document of a topic. Rank 3 is
# just better than a random order of ten, whose expected gain is 0.454.
AS_PRINTED = {
    "159": {1: 21, 10: 5},
    "174": {3: 21, 10: 5},
    "194": {1: 18, 10: 8},
    "177": {1: 25, 10: 1},
    "195": {1: 24, 10: 2},
    **{f"{topic}": {4: 26} for topic in range(151, 159)},
}

HALVES = [
    ([0.0, 0.5, 0.6], [0.1, 0.4], True),  # 0.5 is the lowest of the upper half
    ([0.0, 0.4, 0.6], [0.1, 0.4], False),  # not above
    ([0.1, 0.2, 0.6, 0.7], [0.0, 0.5], True),  # the median is between two systems
    ([0.1, 0.5, 0.6, 0.7], [0.0, 0.55], True),
    ([0.9], [0.8], True),
]
SPREADS = [
    ([-1.0, 0.1, 0.2, 0.3, 0.4], False),  # the quartile is 0.1
    ([-1.0, -0.1, 0.2, 0.3, 0.4], True),
    ([-1.0, 0.0, 0.2, 0.3, 0.4], False),  # zero is not below zero
]
OUTLIERS = [
    ([0.0, 1.0, 1.0, 1.0, 1.0, 1.0], 1),  # without a box, everything else is outside
    ([-1.0, 0.0, 0.1, 0.2, 0.3, 0.4], 1),
    ([-0.3, 0.0, 0.1, 0.2, 0.3, 0.4], 0),
    ([0.0, 0.1, 0.2, 0.3, 0.4, 2.0], 0),  # at the other end
]


@pytest.mark.parametrize(("first", "second", "expected"), HALVES)
def test_upper_halves(
    first: list[float], second: list[float], *, expected: bool
) -> None:
    assert upper_half_above(np.array(first), np.array(second)) is expected


@pytest.mark.parametrize(("values", "expected"), SPREADS)
def test_lower_quartiles(values: list[float], *, expected: bool) -> None:
    assert spread_below_zero(np.array(values)) is expected


@pytest.mark.parametrize(("values", "expected"), OUTLIERS)
def test_low_outliers(values: list[float], expected: int) -> None:
    assert low_outliers(np.array(values)) == expected


@pytest.mark.parametrize("topics", [10, 30, 40, 50])
def test_the_highest_medians_are_a_tenth(topics: int) -> None:
    medians = np.arange(float(topics))
    highest = [among_highest(each, medians) for each in medians.tolist()]
    assert sum(highest) == topics // 10
    assert highest[-1]


def test_topics_without_a_median_do_not_count() -> None:
    medians = np.array([0.1, 0.2, *[np.nan] * 30])
    assert not among_highest(0.1, medians)


def remarks(
    places: Mapping[str, Mapping[int, int]], **options: str
) -> dict[str, Comparison]:
    """Rate topics whose relevant document stands at these ranks."""
    documents = [f"d{place}" for place in range(DOCUMENTS)]
    qrels = {topic: {each: int(each == "d0") for each in documents} for topic in places}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for topic, counts in places.items():
        ranks = [rank for rank, count in counts.items() for _ in range(count)]
        for system, rank in enumerate(ranks):
            order = [*documents[1:rank], "d0", *documents[rank:]]
            scores = {each: -float(place) for place, each in enumerate(order)}
            runs.setdefault(f"s{system}", {})[topic] = scores
    rated = mohs.difficulty(qrels, runs, permutations=0, **options)
    found = remarks_on(rated.parts[0], "a made-up collection")
    return {each.quantity: each for each in found}


def test_all_remarks_hold_for_runs_made_to_measure() -> None:
    found = remarks(AS_PRINTED)
    assert {name: each.verdict for name, each in found.items()} == {
        "difficulty of topic 159": "matches",
        "difficulty of topic 174": "matches",
        "the upper half of topic 159 is above all of topic 174": "holds",
        "topic 194: lower quartile below 0, and one of the highest medians": "holds",
        "topic 177 has outliers at the lower end": "holds",
        "topic 195 has outliers at the lower end": "holds",
    }
    assert found["difficulty of topic 159"].computed == 21 / 26
    outliers = found["topic 195 has outliers at the lower end"]
    assert outliers.reason == "2 of 26 systems are below the lower fence"


OTHERWISE = [
    ("159", {1: 20, 10: 6}, "difficulty of topic 159", "differs"),
    ("159", {3: 21, 10: 5}, "the upper half of topic 159", "does not hold"),
    ("194", {1: 20, 10: 6}, "topic 194", "does not hold"),  # the quartile is above 0
    ("194", {4: 18, 10: 8}, "topic 194", "does not hold"),  # the median is low
    ("177", {1: 26}, "topic 177", "does not hold"),
    ("177", {1: 15, 10: 11}, "topic 177", "does not hold"),  # spread, not outliers
    ("195", {1: 3}, "topic 195", "not testable"),  # no quartiles of three systems
]


@pytest.mark.parametrize(("topic", "places", "remark", "verdict"), OTHERWISE)
def test_each_remark_can_fail(
    topic: str, places: Mapping[int, int], remark: str, verdict: str
) -> None:
    found = remarks(AS_PRINTED | {topic: places})
    (judged,) = [each for name, each in found.items() if name.startswith(remark)]
    assert judged.verdict == verdict
    assert judged.reason


@pytest.mark.parametrize("topic", ["159", "174", "194", "177", "195"])
def test_without_its_topic_a_remark_is_not_testable(topic: str) -> None:
    found = remarks({name: each for name, each in AS_PRINTED.items() if name != topic})
    for name, each in found.items():
        if topic in name:
            assert each.verdict == "not testable"
            assert each.reason == f"there is no topic {topic} in a made-up collection"
        else:
            assert each.verdict in {"matches", "holds"}


def test_a_topic_without_difficulty_is_not_testable() -> None:
    documents = {f"d{place}": 0 for place in range(DOCUMENTS)}
    run = {each: -float(place) for place, each in enumerate(documents)}
    qrels = {"159": documents, "151": documents | {"d0": 1}}
    runs = {f"s{place}": {"159": run, "151": run} for place in range(SYSTEMS)}
    part = mohs.difficulty(qrels, runs, permutations=0).parts[0]
    first = next(iter(remarks_on(part, "Web")))
    assert first.verdict == "not testable"
    assert first.reason.startswith("topic 159 of Web has no difficulty: ")
