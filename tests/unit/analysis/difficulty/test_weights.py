import numpy as np
import pytest

from mohs.analysis.difficulty.weights import averages, ranks_of, weighted_means
from mohs.errors import InputError, UnknownNameError
from mohs.scores.cubes import Cube, from_cube
from mohs.scores.observations import Scores
from mohs.tables import Integers, Table

NAN = np.nan
TOPICS = ("2", "10", "1")
DIFFICULTY = Table(
    {
        "topic": ("1", "2", "10", "11", "12"),
        "difficulty": np.array([0.0, 0.5, 1.0, 0.5, NAN]),
        "wins": Integers(np.array([0, 5, 10, 5, 0]), np.array([1, 1, 1, 1, 0], bool)),
        "class": ("hard", None, "easy", None, None),
    }
)


def scores(values: list, topics: tuple = TOPICS) -> Scores:
    systems = tuple(f"s{number}" for number in range(len(values)))
    axes = {"system": systems, "topic": topics}
    return from_cube(Cube(axes, "AP", np.array(values, float)))


# Topics 2, 10, 1 with weights 0.5, 0, 1.
VALUES = [[0.9, 0.9, 0.3], [0.6, 0.0, 0.6], [0.3, 0.3, 0.3]]


def test_hard_topics_count_more() -> None:
    result = weighted_means(DIFFICULTY, scores(VALUES))
    assert result.topics == ("1", "2", "10")
    assert result.weights.tolist() == [1.0, 0.5, 0.0]
    assert result.plain.tolist() == pytest.approx([0.7, 0.4, 0.3])
    assert result.weighted.tolist() == pytest.approx([0.5, 0.6, 0.3])
    # One of three pairs of systems changes places.
    assert result.tau == pytest.approx(1 / 3)
    assert result.notes == ("2 of 5 topics have no scores: left out",)


def test_the_tables_show_what_changed() -> None:
    tables = weighted_means(DIFFICULTY, scores(VALUES)).tables()
    assert list(tables) == ["weighted", "weighted_order", "weights"]
    means = tables["weighted"].to_polars()
    assert means["system"].to_list() == ["s1", "s0", "s2"]
    assert means["rank"].to_list() == [2, 1, 3]
    assert means["rank_weighted"].to_list() == [1, 2, 3]
    assert means["change"].to_list() == [1, -1, 0]
    (order,) = tables["weighted_order"].to_polars().to_dicts()
    assert order["moved"] == 2
    assert order["largest"] == 1
    assert order["weights"] == "1 - difficulty"


def test_topics_without_weight_are_left_out_of_both_means() -> None:
    result = weighted_means(
        DIFFICULTY, scores([[0.5, 1.0, 0.0]], ("1", "12", "unknown")), samples=10
    )
    assert (result.plain.tolist(), result.weighted.tolist()) == ([0.5], [0.5])
    assert result.notes == (
        "2 of 3 scored topics have no weight: left out",
        "3 of 5 topics have no scores: left out",
    )


def test_equal_weights_change_nothing_to_the_last_bit() -> None:
    values = np.random.default_rng(3).random((7, 3))
    result = weighted_means(DIFFICULTY, scores(values.tolist()), weights="0.3")
    assert result.plain.tolist() == result.weighted.tolist()
    assert result.tau == 1.0
    assert result.tau_band == (1.0, 1.0)


def test_any_formula_of_the_columns_may_weigh() -> None:
    result = weighted_means(DIFFICULTY, scores(VALUES), weights="10 - wins")
    assert result.weights.tolist() == [10.0, 5.0, 0.0]
    assert result.weighted.tolist() == pytest.approx([0.5, 0.6, 0.3])


BAD = {
    "difficulty - 1": (InputError, "is below 0 for some topic; use max"),
    "0 * difficulty": (InputError, "is 0 for every topic"),
    **dict.fromkeys(
        ["1 / 0", "1 / (difficulty - difficulty)", "1e308 * 10", "9 ** 9 ** 9 ** 9"],
        (InputError, "is a finite number for no topic"),
    ),
    "class": (InputError, "is no arithmetic"),
    "topic": (UnknownNameError, "no column of numbers named 'topic'"),
}


def test_topics_of_another_collection_are_told_from_formulas() -> None:
    with pytest.raises(InputError, match="no topic has both a weight and scores"):
        weighted_means(DIFFICULTY, scores([[0.5]], ("99",)))


@pytest.mark.parametrize("weights", BAD)
def test_weights_that_are_none_are_refused(weights: str) -> None:
    kind, problem = BAD[weights]
    with pytest.raises(kind, match=problem):
        weighted_means(DIFFICULTY, scores(VALUES), weights=weights)


def test_missing_scores_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="system s0, topic 10"):
        weighted_means(DIFFICULTY, scores([[0.5, NAN, 0.5], [0.5, 0.5, 0.5]]))


def test_intervals_cover_the_mean_of_the_topics_drawn() -> None:
    # Scores of a known mean; the weights are independent of them.
    covered = []
    for round_ in range(200):
        draws = np.random.default_rng(round_)
        topics = tuple(map(str, range(40)))
        table = Table({"topic": topics, "difficulty": draws.random(40)})
        found = weighted_means(
            table,
            scores(draws.beta(2, 3, (1, 40)).tolist(), topics),
            samples=200,
            seed=round_,
        )
        covered.append(found.low[0] <= 2 / 5 <= found.high[0])
    # Of 95%, with a standard error of 1.5% and what the bootstrap lacks for 40 topics.
    assert 0.89 <= np.mean(covered) <= 0.99


def test_draws_depend_on_the_seed_and_nothing_else() -> None:
    values, names = np.random.default_rng(0).random((2, 9)), list("987654321")
    table = Table({"topic": tuple(names), "difficulty": np.linspace(0, 1, 9)})
    first, second, other = (
        weighted_means(table, scores(each.tolist(), tuple(order)), seed=seed)
        for each, order, seed in [
            (values, names, 1),
            (values[:, ::-1], names[::-1], 1),
            (values, names, 2),
        ]
    )
    assert first.low.tolist() == second.low.tolist()
    assert first.low.tolist() != other.low.tolist()


def test_draws_without_any_weight_do_not_count() -> None:
    table = Table({"topic": TOPICS, "difficulty": np.array([1.0, 1.0, 0.25])})
    result = weighted_means(table, scores(VALUES))
    # Only topic 1 has a weight, so its scores are all there is.
    assert result.low.tolist() == pytest.approx([0.3, 0.6, 0.3])
    assert result.high.tolist() == pytest.approx([0.3, 0.6, 0.3])


def test_ranks_share_the_best_place() -> None:
    assert ranks_of(np.array([1.0, 3.0, 3.0, 2.0])).tolist() == [4, 1, 1, 3]
    weights = np.array([3.0, 1.0])
    assert averages(np.array([[1.0, 4.0]]), weights) == pytest.approx(1.75)
