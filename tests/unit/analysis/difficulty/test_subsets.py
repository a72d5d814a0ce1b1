import itertools
import os
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from mohs.analysis.difficulty.subsets import greedy, random_subsets, topic_subsets
from mohs.errors import InputError
from mohs.measures.reading import read_scores
from mohs.scores.cubes import Cube, from_cube
from mohs.scores.observations import Scores
from mohs.statistics.streams import stream


def scores(values: np.ndarray, topics: list[str] | None = None) -> Scores:
    systems = tuple(f"s{number}" for number in range(len(values)))
    names = tuple(topics or map(str, range(values.shape[1])))
    return from_cube(Cube({"system": systems, "topic": names}, "AP", values))


def by_definition(values: np.ndarray, chosen: list[int]) -> float:
    means = values[:, chosen].mean(axis=1)
    return scipy.stats.kendalltau(means, values.mean(axis=1)).statistic


VALUES = np.random.default_rng(5).random((6, 7))


def test_greedy_takes_the_best_next_topic() -> None:
    taus, places = greedy(VALUES.T)
    chosen: list[int] = []
    for tau, place in zip(taus, places.tolist(), strict=True):
        left = [topic for topic in range(7) if topic not in chosen]
        tried = [by_definition(VALUES, [*chosen, topic]) for topic in left]
        assert tau == pytest.approx(max(tried))
        assert place == left[int(np.argmax(np.round(tried, 9)))]
        chosen.append(place)
    assert taus[-1] == 1.0


def test_no_single_topic_beats_the_first_chosen() -> None:
    result = topic_subsets(scores(VALUES), repeats=50)
    singles = [by_definition(VALUES, [topic]) for topic in range(7)]
    assert result.best[0] == pytest.approx(max(singles))
    assert result.worst[0] == pytest.approx(min(singles))
    assert result.best_order[0] == str(int(np.argmax(singles)))


def test_random_subsets_are_like_all_subsets() -> None:
    taus = random_subsets(VALUES.T, 4000, stream(0, "test"))
    for size in (1, 3, 6):
        all_of_size = [
            by_definition(VALUES, list(chosen))
            for chosen in itertools.combinations(range(7), size)
        ]
        # Four standard errors of a mean of 4000 draws.
        error = 4 * np.std(all_of_size) / np.sqrt(4000)
        assert abs(taus[size - 1].mean() - np.mean(all_of_size)) < error + 1e-12
        assert set(np.round(taus[size - 1], 9)) == set(np.round(all_of_size, 9))
    assert (taus[-1] == 1.0).all()


def test_the_full_set_agrees_with_itself_whatever_the_rounding() -> None:
    # Tenths add up to different sums in different orders.
    values = np.random.default_rng(2).integers(0, 11, (8, 12)) / 10
    result = topic_subsets(scores(values), repeats=100)
    ends = {result.best[-1], result.worst[-1], result.low[-1], result.high[-1]}
    assert ends == {1.0}


def test_the_table_has_a_row_for_every_number_of_topics() -> None:
    result = topic_subsets(scores(VALUES), repeats=20)
    assert result.table["topics"].to_list() == list(range(1, 8))
    assert sorted(result.best_order) == sorted(result.worst_order)
    assert result.table.columns == [
        *("measure", "topics", "best", "worst", "mean", "low", "median", "high"),
        *("best_topic", "worst_topic"),
    ]
    assert (result.low <= result.median).all()
    assert (result.median <= result.high).all()


def test_the_order_of_topics_does_not_matter() -> None:
    names = ["10", "9", "2", "1", "3", "5", "4"]
    order = [3, 1, 0, 6, 5, 2, 4]
    plain = topic_subsets(scores(VALUES, names), repeats=30)
    turned = topic_subsets(
        scores(VALUES[:, order], [names[place] for place in order]), repeats=30
    )
    assert plain.best_order == turned.best_order
    assert plain.mean.tolist() == turned.mean.tolist()


def test_one_system_has_no_order() -> None:
    with pytest.raises(InputError, match="found 1 system"):
        topic_subsets(scores(VALUES[:1]))


@pytest.mark.parametrize(
    ("matrix", "systems", "half"),
    [("trec8_ap", 129, 0.885), ("web2014_ndcg20", 30, 0.80)],
)
def test_half_of_real_topics_mostly_keep_the_order(
    matrix: str, systems: int, half: float
) -> None:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    found = read_scores(Path(data) / "matrices" / f"{matrix}.csv")
    result = topic_subsets(found, repeats=100)
    assert len(result.systems) == systems
    assert len(result.best) == 50
    assert result.mean[24] == pytest.approx(half, abs=0.02)
    assert (result.best[:40] > result.mean[:40]).all()
    assert (result.worst[:40] < result.mean[:40]).all()
