import pytest

import mohs
from mohs.errors import UnknownNameError

QRELS = {
    "1": {"a": 2, "b": 0, "c": 1, "lost": 1, "never": 0},
    "2": {"a": 0},
}
RUNS = {
    "good": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}},
    "late": {"1": {"x": 9.0, "b": 8.0, "y": 7.0, "c": 6.0, "a": 5.0}},
    "bad": {"1": {"b": 2.0, "x": 1.0}, "2": {"z": 1.0}},
}


def drilled(topic: str = "1", **options: object) -> dict:
    asked = {"depth": 2, "permutations": 50, **options}
    found = mohs.difficulty(QRELS, RUNS, **asked).drill(topic).tables()
    return {name: table.to_polars().to_dicts() for name, table in found.items()}


def test_the_best_system_comes_first() -> None:
    rows = drilled()["systems"]
    assert [row["system"] for row in rows] == ["good", "bad", "late"]
    assert [row["win"] for row in rows] == [True, False, False]
    assert [row["retrieved"] for row in rows] == [3, 2, 5]
    assert all(0 < row["p"] <= 1 for row in rows)


def test_documents_of_the_pool_and_judged_ones_outside() -> None:
    rows = {row["document"]: row for row in drilled()["documents"]}
    assert list(rows) == ["a", "c", "lost", "b", "never", "x"]
    expected = {
        #       grade pool   top found best median
        "a": (2.0, True, 1, 2, 1, 3.0),
        "c": (1.0, False, 0, 2, 3, 3.5),
        "lost": (1.0, False, 0, 0, None, None),
        "b": (0.0, True, 2, 2, 1, 1.5),
        "never": (0.0, False, 0, 0, None, None),
        "x": (None, True, 3, 3, 1, 2.0),
    }
    names = ("grade", "pool", "top", "found", "best", "median")
    assert {d: tuple(row[n] for n in names) for d, row in rows.items()} == expected


# Options -> pool, top, found, best and median of a judged and an unjudged document.
COUNTED = {
    (): {"c": (False, 0, 2, 3, 3.5), "x": (True, 3, 3, 1, 2.0)},
    # Two of the rankings go on, and might have x below their first document.
    (("depth", 1),): {"b": (True, 1, 2, 1, 1.5), "x": (True, 1, None, 1, None)},
    # What is scored has no say in what is pooled.
    (("depth", 3), ("cutoff", 1)): {
        "c": (True, 1, 2, 3, 3.5),
        "x": (True, 3, 3, 1, 2.0),
        "y": (True, 1, 1, 3, 3.0),
    },
    # Without unjudged documents late has b and c, and good has a and c, on top.
    (("unjudged", "condense"),): {"c": (True, 2, 2, 3, 3.5), "b": (True, 2, 2, 1, 1.5)},
    (("unjudged", "neutral"),): {"b": (True, 2, 2, 1, 1.5)},
    (("pool", "judged"),): {
        "c": (True, 0, 2, 3, 3.5),
        "never": (True, 0, 0, None, None),
    },
}


@pytest.mark.parametrize("options", COUNTED)
def test_sightings_are_counted_as_far_as_they_are_known(options: tuple) -> None:
    found = drilled(**dict(options))
    rows = {row["document"]: row for row in found["documents"]}
    unjudged = {name for name, row in rows.items() if row["grade"] is None}
    assert unjudged == COUNTED[options].keys() - QRELS["1"].keys()
    for name, expected in COUNTED[options].items():
        row = rows[name]
        columns = ("pool", "top", "found", "best", "median")
        assert (name, *(row[column] for column in columns)) == (name, *expected)
        ranks = [each["rank"] for each in found["ranks"] if each["document"] == name]
        assert min(ranks, default=None) == row["best"]


def test_ranks_are_those_of_the_whole_ranking() -> None:
    ranks = {
        (row["document"], row["system"]): row["rank"] for row in drilled()["ranks"]
    }
    assert ranks == {
        ("a", "good"): 1,
        ("a", "late"): 5,
        ("b", "bad"): 1,
        ("b", "late"): 2,
        ("c", "good"): 3,
        ("c", "late"): 4,
        ("x", "bad"): 2,
        ("x", "good"): 2,
        ("x", "late"): 1,
    }


def test_the_row_is_that_of_the_whole_table() -> None:
    result = mohs.difficulty(QRELS, RUNS, depth=2, permutations=50)
    (row,) = drilled()["topic"]
    assert row == result.table.to_dicts()[0]


def test_an_excluded_topic_can_be_looked_at() -> None:
    tables = drilled("2")
    assert tables["topic"][0]["reason"] == "no document was judged relevant"
    assert tables["systems"] == []
    assert [row["document"] for row in tables["documents"]] == ["a", "z"]


def test_an_unknown_topic_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no topic named '3'"):
        drilled("3")


def test_every_sub_corpus_has_its_rows() -> None:
    rows = drilled(corpus=["early=[abc]", "late=[xyz]"])["topic"]
    assert [row["corpus"] for row in rows] == ["early", "late"]
