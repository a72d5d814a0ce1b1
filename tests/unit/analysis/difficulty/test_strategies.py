import math
from dataclasses import replace

import numpy as np
import pytest

from mohs.analysis.difficulty.strategies import (
    STRATEGIES,
    chosen,
    depth_of,
)
from mohs.analysis.difficulty.strategies.class_rules import (
    equal_thirds,
    four_by_spread,
    median_split,
    two_of_each_end,
)
from mohs.analysis.difficulty.strategies.example import seen
from mohs.analysis.difficulty.strategies.prediction import (
    divergence,
    largest_spread,
    list_weights,
    normalized_spread,
)
from mohs.errors import UnknownNameError

NAN = math.nan


def ids(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


# topics -> easy, medium, hard
THIRDS = {50: (17, 17, 16), 49: (17, 16, 16), 48: (16, 16, 16), 2: (1, 1, 0), 0: ()}


@pytest.mark.parametrize("topics", THIRDS)
def test_thirds_are_equal_and_the_rest_goes_to_the_easier(topics: int) -> None:
    found = equal_thirds(np.arange(topics) / 7, ids(topics))
    names = ("easy", "medium", "hard")
    assert (
        tuple(found.count(name) for name in names)[: len(THIRDS[topics])]
        == (THIRDS[topics])
    )
    assert found == tuple(sorted(found, key=names[::-1].index))


def test_equal_values_at_a_border_are_parted_by_id() -> None:
    ease = np.array([0.5, 0.5, 0.5, 0.5])
    names = ("10", "9", "2", "1")
    assert equal_thirds(ease, names) == ("hard", "medium", "easy", "easy")
    assert two_of_each_end(ease, names) == ("hard", "hard", "easy", "easy")


def test_topics_without_value_take_no_place_in_a_class() -> None:
    ease = np.array([NAN, 0.1, 0.2, NAN, 0.3])
    assert equal_thirds(ease, ids(5)) == (None, "hard", "medium", None, "easy")
    assert median_split(ease, ids(5)) == (None, "hard", "easy", None, "easy")
    assert two_of_each_end(ease, ids(5)) == (None,) * 5
    assert four_by_spread(ease, ids(5))[::3] == (None, None)


def test_values_on_a_cut_go_where_the_rules_say() -> None:
    # Mean 0.5, standard deviation 0.25: each of these is a cut.
    ease = np.array([0.25, 0.75, 0.25, 0.75])
    below, above = "hard", "moderately easy"
    assert four_by_spread(ease, ids(4)) == (below, above, below, above)
    at_mean = np.array([0.0, 0.5, 1.0])
    assert four_by_spread(at_mean, ids(3)) == ("hard", "moderately hard", "easy")
    assert four_by_spread(np.full(3, 0.1), ids(3)) == (None, None, None)
    # At or above the median is easy.
    assert median_split(np.array([1.0, 2.0, 2.0]), ids(3)) == ("hard", "easy", "easy")


def test_spread_is_that_of_the_population_over_the_corpus_score() -> None:
    found = normalized_spread(seen(scores=[[[3, 1], [7], []]]))
    np.testing.assert_array_equal(found, [[1, 0, NAN]])
    with_corpus = replace(
        seen(scores=[[[3, 1], [7, 3]]]), corpus_scores=np.array([[-4.0, 0.0]])
    )
    np.testing.assert_array_equal(normalized_spread(with_corpus), [[0.25, NAN]])
    assert STRATEGIES["shtok2012"](with_corpus).notes == ()


def test_largest_spread_is_the_maximum_over_cut_offs() -> None:
    evidence = seen(scores=[[[9, 9, 3, 3, 3, 3, 3], [-5, -5, -5, -5, -9]]])
    found = largest_spread(evidence)
    expected = [
        max(np.std(list_[:k]) for k in range(1, len(list_) + 1))
        for list_ in ([9, 9, 3, 3, 3, 3, 3], [-5, -5, -5, -5, -9])
    ]
    np.testing.assert_allclose(found[0], expected, rtol=1e-14)
    at_three = largest_spread(evidence, cutoff=3)
    np.testing.assert_allclose(at_three[0], [math.sqrt(8), 0], rtol=1e-14)


def test_spread_survives_large_scores() -> None:
    scores = [[[1e9 + 3, 1e9 + 1]]]
    assert largest_spread(seen(scores=scores)).tolist() == [[1.0]]


def test_list_weights_are_those_of_the_paper() -> None:
    n = 7
    expected = [
        (1 + sum(1 / j for j in range(r, n + 1))) / (2 * n) for r in range(1, 8)
    ]
    np.testing.assert_allclose(list_weights(n), expected, rtol=1e-14)
    assert list_weights(100).sum() == pytest.approx(1, abs=1e-12)


def test_divergence_by_hand() -> None:
    # Two lists of two: weights 5/8 and 3/8, in opposite order; the mean is 1/2, 1/2.
    entropy = -(5 / 8 * math.log2(5 / 8) + 3 / 8 * math.log2(3 / 8))
    assert divergence(np.array([[0, 1], [1, 0]])) == pytest.approx(1 - entropy)
    # Lists of one and of two documents, nothing shared.
    mean = -(
        1 / 2 * math.log2(1 / 2) + sum(w / 2 * math.log2(w / 2) for w in (5 / 8, 3 / 8))
    )
    found = divergence(np.array([[0, -1], [1, 2]]))
    assert found == pytest.approx(mean - entropy / 2)
    # Systems without a list are not asked, and one list has nothing to differ from.
    assert divergence(np.array([[0, -1], [-1, -1], [1, 2]])) == pytest.approx(found)
    assert math.isnan(divergence(np.array([[0, 1], [-1, -1]])))


def test_shared_lists_have_no_divergence_and_disjoint_ones_all_of_it() -> None:
    lists = np.arange(80).reshape(4, 20)
    assert divergence(lists) == pytest.approx(2.0)
    assert divergence(np.stack([lists[0]] * 4)) == pytest.approx(0, abs=1e-12)


def test_a_system_without_documents_scores_zero_in_means_and_has_no_list() -> None:
    evidence = seen(values=[[0.5], [0.0]])
    assert STRATEGIES["carterette2009"](evidence).values.tolist() == [0.25]
    lists = seen(scores=[[[3, 1]], [[]]])
    assert STRATEGIES["perez2010"](lists).values.tolist() == [1.0]


def test_strategies_are_found_by_name_and_all_at_once() -> None:
    assert [each.name for each in chosen("all")] == list(STRATEGIES.names())
    assert chosen(["perez2010", "all"])[0].name == "perez2010"
    assert depth_of("carterette2009") == 0
    assert depth_of(["carterette2009", "aslam2007"]) == depth_of("all") == 100
    with pytest.raises(UnknownNameError, match="Did you mean 'perez2010'"):
        chosen("perez2011")


def test_opinions_say_what_was_computed() -> None:
    opinion = STRATEGIES["shtok2012"](seen(scores=[[[3, 1]]]))
    assert opinion.label == "NQC of the top 2 scores"
    assert opinion.notes == (
        "shtok2012: no corpus score is known, so this is the plain standard deviation",
    )


@pytest.mark.parametrize("name", ["shtok2012", "perez2010"])
def test_the_scale_of_a_system_does_not_change_the_order_of_topics(name: str) -> None:
    scores = np.random.default_rng(0).random((3, 6, 5))
    evidence = seen(scores=scores.tolist())
    before = STRATEGIES[name](evidence).values
    after = STRATEGIES[name](
        seen(scores=(scores * [[[1000.0]], [[0.01]], [[1.0]]]).tolist())
    ).values
    np.testing.assert_allclose(after / before, 10 ** (1 / 3), rtol=1e-12)
