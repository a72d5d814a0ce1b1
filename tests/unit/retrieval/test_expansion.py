"""Expansions worked out by hand over two documents of a collection of 40.

The first holds term 0 twice, terms 1 and 3 once each; the second, terms 0 and 1 once
each. Their scores are ln 3 and 0, so the first is three times as likely as the second.
"""

import numpy as np
import pytest

from mohs.errors import InputError
from mohs.retrieval.expansion import EXPANSIONS, Feedback, Query, others
from mohs.retrieval.postings import Statistics

ROWS = [{0: 2, 1: 1, 3: 1}, {0: 1, 1: 1}, {1: 1, 2: 1}, {2: 1}]


def feedback(scores: list[float], size: int = 2) -> Feedback:
    rows = ROWS[:size]
    return Feedback(
        documents=np.arange(len(rows)),
        scores=np.array(scores),
        lengths=np.array([sum(row.values()) for row in rows]),
        indptr=np.cumsum([0, *map(len, rows)]),
        terms=np.array([term for row in rows for term in row], np.int32),
        tf=np.array([tf for row in rows for tf in row.values()], np.int32),
        df=np.array([3, 2, 5, 3]),
        cf=np.array([40, 20, 10, 5]),
        statistics=Statistics(40, 200, 4, 13),
    )


BOTH = feedback([np.log(3), 0.0])
FIRST = feedback([np.log(3)], 1)
POOL = feedback([np.log(3), 0.0], 4)


def query(**weights: float) -> Query:
    """Make a query of the words t0, t1, ..., and of an unknown one."""
    numbers = [-1 if word == "unknown" else int(word[1:]) for word in weights]
    return Query.of(np.array(numbers, np.int32), np.array([*weights.values()]))


EXPANDED = [
    # t0: 3 log2(2) + log2(2) = 4; t1: 2 log2(3) + log2(1.5) = 3.754888; both over
    # 3 log2(1.075 / 0.075) + log2(1.075) = 11.62825. t3 is in one document only.
    ("Bo1", BOTH, query(t1=2, unknown=2), {}, {-1: 1, 0: 0.343990, 1: 1.322911}),
    # The query is longer than a list of one term, so two terms are weighed.
    (
        "Bo1",
        BOTH,
        query(t1=1, unknown=1),
        {"terms": 1},
        {-1: 1, 0: 0.34399, 1: 1.322911},
    ),
    ("Bo1", BOTH, query(t1=1), {"terms": 1}, {0: 0.343990, 1: 1}),
    # No new terms; t3 is in the query, so one document is enough: f = 0.125,
    # log2(9) + log2(1.125) = 3.339850.
    ("Bo1", BOTH, query(t3=1), {"terms": 0}, {3: 1.287218}),
    # One document alone: 2 + 1 = 3 for t0, log2(3) + log2(1.5) = 2.169925 for t1, and
    # t3 has the largest, so the normaliser is log2(1.025 / 0.025) + log2(1.025).
    (
        "Bo1",
        FIRST,
        query(t1=1),
        {"docs": 1},
        {0: 3 / 5.393175, 1: 1 + 2.169925 / 5.393175, 3: 3.339850 / 5.393175},
    ),
    # t0: 1/2 log2(2.5) = 0.660964; t1: 1/3 log2(10 / 3) = 0.578989; both over
    # 1/2 log2(200 / 6) = 2.529447.
    ("KL", BOTH, query(t1=1), {}, {0: 0.261308, 1: 1.228899}),
    # t0: 3/4 * 2/4 + 1/4 * 1/2 = 0.5, t1: 0.3125, t3: 0.1875; the two best sum to
    # 0.8125. The unknown word takes its share of the query, but is no longer there.
    (
        "RM3",
        BOTH,
        query(t1=3, unknown=3),
        {"terms": 2},
        {0: 0.4 * 0.5 / 0.8125, 1: 0.4 * 0.3125 / 0.8125 + 0.6 / 2},
    ),
    # Half of the query's weight each; t2 is in a tenth of the documents or more.
    (
        "RM3",
        BOTH,
        query(t2=1, t3=1),
        {"lambda": 0.5},
        {0: 0.25, 1: 0.15625, 2: 0.25, 3: 0.34375},
    ),
    # Of four documents, t0 is in two, and tells 1 bit of itself and, as it is in none
    # of the documents of t2, of t2; 0.311278 of t1, which is in its two and another,
    # and of t3, which is in one of its two. log2(41 / 3) = 3.772590.
    (
        "Axiomatic",
        POOL,
        query(t0=1, unknown=1),
        {"terms": 2},
        {0: 3.772590, 1: 3.772590 * 0.6 * 0.311278, 2: 3.772590 * 0.6},
    ),
    # Terms that all documents hold tell nothing of each other.
    ("Axiomatic", BOTH, query(t0=1), {"beta": 1.0}, {0: 3.772590}),
]


@pytest.mark.parametrize(("name", "found", "asked", "values", "expected"), EXPANDED)
def test_an_expansion_is_what_paper_and_pencil_say(
    name: str,
    found: Feedback,
    asked: Query,
    values: dict[str, float],
    expected: dict[int, float],
) -> None:
    done = EXPANSIONS[name].expand(found, asked, values)
    assert done.terms.tolist() == [*expected]
    assert done.weights == pytest.approx([*expected.values()], abs=2e-6)


def test_repeated_entries_become_one_and_the_last_is_mixed() -> None:
    twice = Query(np.array([1, 1]), np.array([1.0, 0.5]))
    gained = EXPANSIONS["Bo1"].expand(BOTH, twice, {"terms": 1})
    assert gained.terms.tolist() == [0, 1]
    assert gained.weights == pytest.approx([0.343990, 1.822911], abs=2e-6)
    mixed = EXPANSIONS["RM3"].expand(BOTH, twice, {"terms": 1, "lambda": 0.6})
    assert mixed.terms.tolist() == [0, 1]
    assert mixed.weights == pytest.approx([0.4, 0.6 * 0.5 / 1.5])


def test_a_collection_of_nothing_but_feedback_surprises_nobody() -> None:
    whole = feedback([1.0, 0.0])
    whole.cf[:] = [3, 2, 0, 1]
    object.__setattr__(whole, "statistics", Statistics(2, 6, 3, 5))
    done = EXPANSIONS["KL"].expand(whole, query(t1=1))
    assert (done.terms.tolist(), done.weights.tolist()) == ([1], [1.0])


def test_others_are_all_but_the_best() -> None:
    best = np.array([7, 0, 3, 4])
    drawn = others(best, 10, 4, np.random.default_rng(1))
    assert len({*drawn.tolist(), *best.tolist()}) == 8
    everything = others(best, 10, 100, np.random.default_rng(1))
    assert everything.tolist() == [1, 2, 5, 6, 8, 9]


def test_sizes_are_whole_numbers() -> None:
    for values in ({"docs": 0}, {"docs": 2.5}):
        with pytest.raises(InputError, match="expected a whole number from 1 to 1e"):
            EXPANSIONS["Bo1"].settle(values)
    with pytest.raises(InputError, match="expected a number from 0 to 1"):
        EXPANSIONS["RM3"].settle({"lambda": -0.1})


def test_defaults_are_those_of_terrier() -> None:
    sizes = {"docs": 3, "terms": 10}
    assert EXPANSIONS["Bo1"].settle() == sizes == EXPANSIONS["KL"].settle()
    assert EXPANSIONS["RM3"].settle() == sizes | {"lambda": 0.6}
    assert EXPANSIONS["Axiomatic"].settle() == sizes | {"beta": 0.6, "others": 50}
