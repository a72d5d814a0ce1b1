"""The reproduction of Gienapp et al., on made-up collections and on real ones."""

import os
import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.analysis.difficulty import Difficulty, stability
from mohs.analysis.difficulty.comparison import ease_of
from mohs.errors import InputError
from mohs.papers import Reproduction, reproduce
from mohs.papers.g20.opinions import (
    chance_band,
    ranks_of,
    steadiness_of,
    taus_of,
    taus_table,
)
from mohs.statistics.correlation import tau_b
from mohs.tables import Table

STRATEGIES = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make up a collection of eleven systems where the user's own is looked for."""
    made = tmp_path_factory.mktemp("made") / "sample"
    mohs.sample(made, systems=11, topics=12, words=0, documents=1000)
    data = tmp_path_factory.mktemp("data")
    shutil.copytree(made / "runs", data / "g20" / "runs")
    shutil.copy(made / "qrels.txt", data / "g20" / "qrels.txt")
    return data


@pytest.fixture(scope="module")
def rated(folder: Path) -> Difficulty:
    own = folder / "g20"
    return mohs.difficulty(
        own / "qrels.txt", own / "runs", strategies="all", permutations=99
    )


@pytest.fixture(scope="module")
def result(folder: Path) -> Reproduction:
    return reproduce("g20", data=folder, download=False)


def test_any_runs_and_judgments_can_be_given(result: Reproduction) -> None:
    assert [each.number for each in result.exhibits] == [
        f"{name}, your collection"
        for name in ("Figure 1", "Strategies", "Agreement of strategies", "Stability")
    ]
    assert "11 systems on 12 topics of your collection, k = 20" in result.summary
    assert "These are not the runs of the paper" in result.summary
    verdicts = [(each.quantity, each.verdict) for each in result.comparisons]
    assert verdicts[:3] == [
        ("number of systems", "differs"),
        ("number of topics", "differs"),
        ("cut-off k", "matches"),
    ]
    assert [verdict for _, verdict in verdicts[3:]] == ["not testable"] * 6
    assert "0 are true of them, 0 are not, and 6 cannot be tested" in result.summary


def test_the_table_of_topics_is_that_of_difficulty(
    result: Reproduction, rated: Difficulty
) -> None:
    figure, strategies, *_ = result.exhibits
    table = figure.table.to_polars()
    assert table.columns[0] == "topic"
    assert table.columns[-1] == "reason"
    assert table["difficulty"].to_list() == rated.table["difficulty"].to_list()
    said = strategies.table.to_polars()
    assert said.columns[:3] == ["topic", "difficulty", "class"]
    assert len(said.columns) == 3 + 2 * STRATEGIES
    names = said.columns[3:]
    assert said.select(names).equals(rated.table.select(names))


def test_every_two_strategies_are_compared(rated: Difficulty) -> None:
    part = rated.parts[0]
    said = part.said()
    table = taus_table(part).to_polars()
    assert len(table) == len(list(combinations(said, 2))) == 36
    for row, (left, right) in zip(
        table.iter_rows(named=True), combinations(said, 2), strict=True
    ):
        assert (row["left"], row["right"]) == (left.name, right.name)
        assert row["tau_b"] == pytest.approx(tau_b(ease_of(left), ease_of(right)))
        assert row["low"] <= row["tau_b"] + 1e-12
        assert row["tau_b"] <= row["high"] + 1e-12
        # Of 12 topics, an order is 0 on average and spreads by .22.
        assert abs(row["chance"]) < 0.02
        assert -0.6 < row["chance_low"] < -0.3
        assert 0.3 < row["chance_high"] < 0.6


def test_strategies_by_mean_ap_agree(rated: Difficulty) -> None:
    by_mean = {"carterette2009", "damessie2016", "grivolla2005", "vercoustre2009"}
    table = taus_table(rated.parts[0]).to_polars()
    alike = table.filter(pl.col("left").is_in(by_mean) & pl.col("right").is_in(by_mean))
    assert alike["tau_b"].to_list() == [1.0] * 6


def test_the_matrix_of_strategies_is_mirrored(rated: Difficulty) -> None:
    part = rated.parts[0]
    taus = taus_table(part)
    cells = taus_of(part, taus, "A title")
    values = cells.values
    np.testing.assert_array_equal(values, values.T)
    assert np.isnan(np.diagonal(values)).all()
    assert values[np.triu_indices(9, 1)].tolist() == taus["tau_b"].tolist()
    low, high = chance_band(taus)
    assert low == taus["chance_low"].min()
    assert high == taus["chance_high"].max()
    assert cells.about[1].startswith("Of unrelated orders, 95% are within −0.")  # noqa: RUF001


def test_ranks_begin_with_the_hardest(rated: Difficulty) -> None:
    cells = ranks_of(rated.parts[0], "A title")
    assert cells.columns[0] == "difficulty"
    assert (np.diff(cells.values[:, 0]) >= 0).all()
    ratios = dict(rated.table.select("topic", "difficulty").iter_rows())
    ordered = [ratios[topic] for topic in cells.rows]
    assert ordered == sorted(ordered)
    # The sum of ranks is the same however many are tied.
    assert cells.values.sum(axis=0).tolist() == [12 * 13 / 2] * (STRATEGIES + 1)
    classes = dict(rated.table.select("topic", "class").iter_rows())
    assert [row[0] for row in cells.classes] == [classes[each] for each in cells.rows]


def test_steadiness_has_a_row_for_each_change(rated: Difficulty) -> None:
    table = stability(rated, repeats=2).tables()["stability"]
    cells = steadiness_of(table, "A title")
    assert cells.columns[:2] == ("difficulty", "difficulty, fixed pools")
    assert len(cells.columns) == STRATEGIES + 2
    frame = table.to_polars()
    assert list(cells.rows) == frame["change"].unique(maintain_order=True).to_list()
    row = cells.rows.index("half of the systems")
    found = frame.filter(change="half of the systems", strategy="difficulty")
    pools = dict(found.select("pool", "tau_b").iter_rows())
    assert cells.values[row, :2].tolist() == [pools["formed"], pools["fixed"]]


def test_an_unsteady_order_may_have_no_coefficient() -> None:
    table = Table(
        {
            "change": ("a", "a"),
            "pool": ("formed", None),
            "strategy": ("difficulty", "aslam2007"),
            "worlds": np.array([1, 1]),
            "topics": np.array([1, 3]),
            "tau_b": np.array([np.nan, 0.5]),
        }
    )
    cells = steadiness_of(table, "A title")
    assert np.isnan(cells.values[0, 0])
    assert cells.values[0, 1] == 0.5


def test_without_runs_it_says_what_to_put_where(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="web2012/runs"):
        reproduce("g20", data=tmp_path, download=False)


needs_data = pytest.mark.skipif(
    "MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set"
)


@needs_data
def test_web_2012_stands_beside_a_collection_with_classes() -> None:
    result = reproduce("g20", data=os.environ["MOHS_DATA"], download=False)
    numbers = [each.number for each in result.exhibits]
    assert numbers[0] == "Figure 1, TREC Web 2012"
    assert numbers[4] == "Figure 1, CLEF eHealth 2018"
    assert len(numbers) == 8
    found = {each.quantity: each for each in result.comparisons}
    assert found["number of systems"].computed == 8
    # 6 and 8 of 8 systems, counted in the table of difficulty.
    assert found["difficulty of topic 159"].computed == 0.75
    assert found["difficulty of topic 174"].computed == 1.0
    assert [each.verdict for each in result.comparisons[3:]] == [
        "differs",
        "differs",
        *["does not hold"] * 4,
    ]
    classes = result.exhibits[4].table.to_polars()["class"]
    assert classes.null_count() == 0
    assert result.exhibits[0].table.to_polars()["class"].null_count() == 50
