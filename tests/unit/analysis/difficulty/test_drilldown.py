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


def test_documents_of_the_pool_and_relevant_ones_outside() -> None:
    rows = {row["document"]: row for row in drilled()["documents"]}
    assert list(rows) == ["a", "c", "lost", "b", "x"]
    expected = {
        #       grade pool   top found best median
        "a": (2.0, True, 1, 2, 1, 3.0),
        "c": (1.0, False, 0, 2, 3, 3.5),
        "lost": (1.0, False, 0, 0, None, None),
        "b": (0.0, True, 2, 2, 1, 1.5),
        "x": (None, True, 3, 3, 1, 2.0),
    }
    names = ("grade", "pool", "top", "found", "best", "median")
    assert {d: tuple(row[n] for n in names) for d, row in rows.items()} == expected


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
    assert [row["document"] for row in tables["documents"]] == ["z"]


def test_an_unknown_topic_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no topic named '3'"):
        drilled("3")


def test_every_sub_corpus_has_its_rows() -> None:
    rows = drilled(corpus=["early=[abc]", "late=[xyz]"])["topic"]
    assert [row["corpus"] for row in rows] == ["early", "late"]
