"""Rankings by ad-hoc levels and by φ: values, verdicts, speed."""

import time

import numpy as np
import pytest

from mohs.analysis.relevance import Comparison, compare
from mohs.analysis.relevance.comparison import compared
from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.gains.bands import Bands
from mohs.gains.control import Fitting
from mohs.gains.phi import Phi

# By hand: two lists in one table, each with levels 2, 1, 0, 0 by true score.
ITEMS = {
    "list": [*"aaaabbbb"],
    "predicted": [4, 3, 2, 1, 1, 2, 3, 4],
    "actual": [3, 100, 2, 1, 1, 2, 3, 100],
}


def slow(gains: np.ndarray, predicted: np.ndarray, k: int) -> float:
    discounts = np.log2(np.arange(len(gains)) + 2)
    ranked = gains[np.argsort(-predicted, kind="stable")]
    ideal = np.sort(gains)[::-1]
    return (ranked / discounts)[:k].sum() / (ideal / discounts)[:k].sum()


def test_two_rankings_by_hand() -> None:
    found = compare(ITEMS, cutoffs=[1, 2], bands=[1, 2])
    log3 = np.log2(3)
    wanted = [[1 / 3, (1 + 3 / log3) / (3 + 1 / log3)], [1, 1]]
    np.testing.assert_allclose(found.levels, wanted)
    small = 2 ** Phi.over(np.array([3.0, 100, 2, 1]))(np.array([3.0]))[0] - 1
    wanted = [[small, (small + 1 / log3) / (1 + small / log3)], [1, 1]]
    np.testing.assert_allclose(found.phi, wanted)
    assert found.best.tolist() == [2, 1]
    assert found.table["estimate"].to_list() == ["over", "over", "equal", "equal"]


def test_many_lists_are_compared_as_each_alone() -> None:
    draw = np.random.default_rng(3)
    lists = np.sort(draw.integers(0, 30, 900))[draw.permutation(900)]
    actual, predicted = draw.lognormal(size=900).round(1), draw.normal(size=900)
    levels, phi, _, _ = compared(actual, predicted, lists, 30, (5, 20), Bands((3, 9)))
    for each in range(30):
        mine = lists == each
        scores, ranking = actual[mine], predicted[mine]
        for column, k in enumerate((5, 20)):
            for found, values in (
                (levels, Bands((3, 9))(scores)),
                (phi, Phi.over(scores)(scores)),
            ):
                wanted = slow(2**values - 1, ranking, k)
                assert found[each, column] == pytest.approx(wanted, abs=1e-14)


def test_a_list_of_equal_scores_has_no_verdict() -> None:
    found = compare(
        {"list": [*"aabb"], "predicted": [1, 2, 1, 2], "actual": [5, 5, 1, 2]}
    )
    assert found.table["ndcg_phi"].to_list()[:4] == [None] * 4
    assert found.table["estimate"].to_list()[:4] == [None] * 4
    assert found.notes == (
        "in 1 of 2 lists, all scores are equal, so φ is 0 everywhere",
    )
    assert found.tables()["cutoffs"].to_polars()["lists"].to_list() == [1] * 4


def test_summaries_count_every_ranking_once() -> None:
    draw = np.random.default_rng(5)
    items = {
        "list": np.repeat(np.arange(50), 40),
        "predicted": draw.normal(size=2000),
        "actual": draw.lognormal(size=2000),
    }
    tables = compare(items).tables()
    cutoffs, levels = (tables[name].to_polars() for name in ("cutoffs", "levels"))
    assert cutoffs["lists"].to_list() == [50] * 4
    by_level = levels.group_by("k", maintain_order=True).sum()
    for name in ("lists", "over", "under"):
        assert by_level[name].to_list() == cutoffs[name].to_list()


def test_ten_thousand_rankings_of_a_hundred_items_take_less_than_a_second() -> None:
    draw = np.random.default_rng(0)
    items = {
        "list": np.repeat(np.arange(10_000), 100),
        "predicted": draw.normal(size=1_000_000),
        "actual": draw.lognormal(size=1_000_000),
    }
    times = []
    for _ in range(3):
        start = time.process_time()
        found = compare(items)
        times.append(time.process_time() - start)
    assert found.phi.shape == (10_000, 4)
    assert min(times) < 1.0


def test_what_is_missing_is_named() -> None:
    with pytest.raises(FormatError, match="items:2: actual is missing; say what to do"):
        compare({**ITEMS, "actual": [1, None, *[2] * 6]})
    for empty in (None, ""):
        with pytest.raises(FormatError, match="items:1: list is missing; name the li"):
            compare({**ITEMS, "list": [empty, *"aaabbbb"]})
    with pytest.raises(FormatError, match="items:3: predicted is missing or infinite"):
        compare({**ITEMS, "predicted": [1, 2, None, *[3] * 5]})
    with pytest.raises(
        FormatError, match="items:2: actual is below 0, which has no lo"
    ):
        compare(
            {**ITEMS, "actual": [1, -2, *range(6)]}, fitting=Fitting(transform="log")
        )
    with pytest.raises(InputError, match="cutoffs: expected a whole number"):
        compare(ITEMS, cutoffs=[0])


# Two items without a score, one of which would be ranked first, and a list without any.
GAPS = {
    "list": [*"aaaaaabbbbcc"],
    "predicted": [9, 4, 3, 5, 2, 1, 1, 2, 3, 4, 1, 2],
    "actual": [-1, 3, 100, -1, 2, 1, 1, 2, 3, 100, -1, -1],
}


def scores_of(found: Comparison) -> list:
    return [found.levels.tolist(), found.phi.tolist(), found.best.tolist()]


def test_items_without_a_score_are_taken_out_of_their_rankings() -> None:
    asked = {"cutoffs": [1, 2], "bands": [1, 2]}
    found = compare(GAPS, missing="drop", missing_value=-1, **asked)
    assert found.lists == ("a", "b")
    assert scores_of(found) == scores_of(compare(ITEMS, **asked))
    assert found.notes == (
        "4 of 12 items have no score; they are taken out of their rankings",
        "1 of 3 lists have no scores, so they are left out",
    )
    # What is taken out needs no rank.
    bare = {**GAPS, "predicted": [None, *GAPS["predicted"][1:]]}
    again = compare(bare, missing="drop", missing_value=-1, **asked)
    assert scores_of(again) == scores_of(found)


def test_items_without_a_score_may_stand_in_the_way() -> None:
    found = compare(
        GAPS, missing="zero", missing_value=-1, cutoffs=[1, 3], bands=[1, 2]
    )
    log3, log4 = np.log2(3), np.log2(4)
    # The missing ones stand at ranks 1 and 2 of the first list; its levels are as ever.
    wanted = [[0, (1 / log4) / (3 + 1 / log3)], [1, 1]]
    np.testing.assert_allclose(found.levels, wanted)
    small = 2 ** Phi.over(np.array([3.0, 100, 2, 1]))(np.array([3.0]))[0] - 1
    wanted = [[0, (small / log4) / (1 + small / log3)], [1, 1]]
    np.testing.assert_allclose(found.phi, wanted)
    assert found.best.tolist() == [4, 1]
    assert "with a level and a φ of 0" in found.notes[0]


def test_pooled_lists_share_one_function_and_no_levels() -> None:
    draw = np.random.default_rng(2)
    lists = np.repeat([0, 1, 2], 20)
    actual = draw.lognormal(size=60) * 10.0**lists
    predicted = draw.normal(size=60)
    items = {"list": lists, "predicted": predicted, "actual": actual}
    found = compare(items, cutoffs=[5], pooled=True)
    alone = compare(items, cutoffs=[5])
    assert found.levels.tolist() == alone.levels.tolist()
    phi = Phi.over(actual)
    for each in (1, 2):
        mine = lists == each
        wanted = slow(2 ** phi(actual[mine]) - 1, predicted[mine], 5)
        assert found.phi[each, 0] == pytest.approx(wanted)
    assert found.phi[2] != alone.phi[2]
    # All of the first list is below the median of all.
    assert np.isnan(found.phi[0, 0])
    assert (
        "in 1 of 3 lists, φ is 0 everywhere, so nDCG by φ has no value" in found.notes
    )


def test_of_equal_cutoffs_one_counts() -> None:
    assert compare(ITEMS, cutoffs=[2, 1, 2], bands=[1]).cutoffs == (2, 1)
    with pytest.raises(UnknownNameError, match="missing"):
        compare(ITEMS, missing="keep")
