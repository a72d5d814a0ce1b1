"""Moniz et al. (2017): what needs no data, exactly; the rest, on news at hand."""

import math
import os
from pathlib import Path

import numpy as np
import pytest

from mohs.papers import Reproduction, reproduce
from mohs.papers.data import Data
from mohs.papers.m17 import examples, news, synthetic
from mohs.tables.columns import python_values

LEVELS = {"swap": 0.9636453, "inversion": 1.0}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """What there is without any data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOHS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return reproduce("m17", download=False)


def test_every_table_and_figure_has_its_place(result: Reproduction) -> None:
    shown = {each.number for each in result.exhibits}
    assert shown == {"Table 1", "Figure 1", "Figure 2"}
    places = {each.place for each in result.comparisons}
    assert places == {"Table 1", "Figure 2", "Figure 3", "Figure 4"}
    # Without news, both figures say what to put where.
    reasons = [each for each in result.comparisons if each.place in news._FIGURES]  # noqa: SLF001
    assert {each.verdict for each in reasons} == {"not testable"}
    assert all(
        "items/news_popularity.csv is missing" in each.reason for each in reasons
    )
    assert any("News.csv" in note for note in result.notes)


def test_what_was_printed_is_listed_though_it_cannot_be_computed(
    result: Reproduction,
) -> None:
    found = [each for each in result.comparisons if each.published is not None]
    assert [(each.published, each.digits, each.verdict) for each in found] == [
        (0.969593, 6, "not testable"),
        (0.935632, 6, "not testable"),
    ]
    assert all(each.reason for each in found)


def test_the_example_of_our_own_can_be_computed_by_hand() -> None:
    table = examples.table_1().exhibits[0].table
    phi, found = (table[f"{name}_paper"] for name in ("phi", "ndcg_phi"))
    for day in (slice(0, 5), slice(5, 10)):
        gains, weights = 2 ** phi[day] - 1, 1 / np.log2(np.arange(2, 7))
        share = (gains * weights).sum() / (-np.sort(-gains) * weights).sum()
        assert found[day] == pytest.approx([share] * 5)
    # Day 2: quartiles 30 and 90, so 400 lies above the fence of 180.
    fence, least, most = 180, 20, 400
    assert 1 - (most - fence) / (most - least) == pytest.approx(
        float(_points(2)[180.0])
    )


def _points(day: int) -> dict[float, float]:
    from mohs.analysis.relevance import relevance

    scores = examples.DAYS[f"day {day}"]
    return dict(relevance(scores).functions[""].points)


def test_levels_are_exact_and_medians_within_their_error() -> None:
    table = synthetic.figure_2(0, samples=5000).exhibits[0].table
    rows = zip(
        *(python_values(table[name]) for name in ("scenario", "ndcg", "apart")),
        strict=True,
    )
    for scenario, ndcg, apart in rows:
        assert ndcg == pytest.approx(LEVELS[scenario], abs=5e-8)
        assert abs(apart) < 4


def test_the_error_of_a_median_is_that_of_theory() -> None:
    draws = np.random.default_rng(0).normal(size=200_001)
    expected = math.sqrt(math.pi / 2 / len(draws))
    assert synthetic.median_error(draws) == pytest.approx(expected, rel=0.1)


def test_a_seed_decides_everything() -> None:
    one, same, other = (examples.figure_1(seed).exhibits[0].table for seed in (1, 1, 2))
    assert one["score"].tolist() == same["score"].tolist()
    assert one["score"].tolist() != other["score"].tolist()


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_rankings_of_news_are_judged_by_both_variants() -> None:
    part = news.figures_3_and_4(Data.at(Path(os.environ["MOHS_DATA"])), 0)
    assert [each.number for each in part.exhibits] == ["Figure 3"] * 2 + [
        "Figure 4"
    ] * 2
    table = part.exhibits[0].table
    assert python_values(table["rankings"]) == [42, 45, 45] * 2
    low, difference, high = (table[name] for name in ("low", "difference", "high"))
    assert np.all((low < difference) & (difference < high))
    # Rankings by early shares are far from random ones.
    assert np.all(table["ndcg"] > table["chance_ndcg"] + 0.3)
    assert np.all(table["ndcg_phi"] > table["chance_ndcg_phi"] + 0.3)
    assert difference == pytest.approx(table["ndcg"] - table["ndcg_phi"])
    # Levels know nothing of φ.
    assert table["ndcg"][:3].tolist() == table["ndcg"][3:].tolist()
    verdicts = {each.quantity: each.verdict for each in part.comparisons}
    assert sorted(verdicts.values()) == ["holds"] * 4 + ["not testable"]
