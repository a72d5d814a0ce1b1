"""The experiment against a slow one, and against what is known of noise."""

import numpy as np
import pytest

from mohs.analysis.formulations.experiment import (
    Work,
    cells_of,
    draw_labels,
    draw_orders,
    solve,
)
from mohs.analysis.formulations.nulls import NULLS
from mohs.analysis.formulations.panel import Panel, laid_out
from mohs.analysis.formulations.request import RULES as KNOWN
from mohs.errors import InputError
from slow_formulations import RULES, best_of, chain, concordance

# Of 1,000 permutations of one set of scores; they are published to two digits.
TOLERANCE = 0.015
NOISE = {1: 0.417, 3: 0.63, 5: 0.77, 10: 0.96, 15: 1.00}


def panel(values: np.ndarray, sizes: list[int]) -> Panel:
    starts = (0, *np.cumsum(sizes).tolist())
    topics = tuple(map(str, range(len(sizes))))
    names = tuple(str(each) for size in sizes for each in range(size))
    return laid_out(values, topics, starts, names, [*map(str, range(len(values)))])


def drawn(seed: int, pairs: int = 12, levels: int = 9) -> Panel:
    """Draw scores with many ties and some gaps, and topics of unequal size."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 5, 7)
    values = random.integers(0, levels, (pairs, sizes.sum())) / 8
    firsts = np.cumsum(sizes) - sizes
    gaps = random.random(values.shape) < 0.2
    gaps[:, firsts] = False
    return panel(np.where(gaps, np.nan, values), sizes.tolist())


def in_order(each: Panel, order: np.ndarray) -> list[list[list[float]]]:
    """Return the known scores of every pair, topic by topic."""
    return [
        [
            [v for v in row[each.starts[t] : each.starts[t + 1]] if not np.isnan(v)]
            for t in order
        ]
        for row in each.values
    ]


@pytest.mark.parametrize("rule", KNOWN)
def test_every_rule_does_what_the_definition_says(rule: str) -> None:
    for seed in range(40):
        some = drawn(seed, levels=40 if seed % 2 else 6)
        orders = draw_orders(10, 7, seed)
        [reached] = solve([(some, orders)], Work(rule, 1))
        for order, best, total in zip(orders, reached.best, reached.total, strict=True):
            pairs = in_order(some, order)
            assert best == best_of(pairs, rule)
            if rule != "bound":
                assert total == sum(concordance(RULES[rule](each)) for each in pairs)


@pytest.mark.parametrize("rule", KNOWN)
def test_picks_are_those_of_the_definition(rule: str) -> None:
    from mohs import _core

    for seed in range(40):
        some = drawn(seed, pairs=1)
        [order] = draw_orders(1, 7, seed)
        [topics] = in_order(some, order)
        cells, reached = _core.picks(cells_of(some, rule), order, rule)
        found = some.values[0, cells].tolist()
        if rule == "bound":
            low, chained = RULES["greedy-low"](topics), chain(topics)
            expected = chained if concordance(chained) > concordance(low) else low
        else:
            expected = RULES[rule](topics)
        assert (found, reached) == (expected, concordance(expected))


def test_rules_that_improve_never_do_worse() -> None:
    some, orders = drawn(1, levels=40), draw_orders(200, 7, 1)
    low, local, bound = (
        solve([(some, orders)], Work(rule))[0].best
        for rule in ("greedy-low", "local", "bound")
    )
    assert (local >= low).all()
    assert (bound >= low).all()
    assert (local > low).any()
    assert (bound > low).any()


@pytest.mark.parametrize(("size", "expected"), NOISE.items())
def test_noise_reaches_what_is_known_and_so_do_its_nulls(
    size: int, expected: float
) -> None:
    random = np.random.default_rng(size)
    noise = panel(random.random((432, 25 * size)), [size] * 25)
    panels = [noise, *(NULLS[name](noise, 7) for name in NULLS.names())]
    found = solve(
        [(each, draw_orders(1000, 25, 3)) for each in panels], Work("greedy-low")
    )
    for each in found:
        assert each.mean_best == pytest.approx(expected, abs=TOLERANCE)


def test_the_joint_null_moves_all_pairs_alike() -> None:
    random = np.random.default_rng(0)
    some = panel(random.random((5, 12)), [3, 4, 5])
    moved = NULLS["joint"](some, 0, 1)
    labels = draw_labels(12, 0, "joint null", 1)
    np.testing.assert_array_equal(moved.values, some.values[:, labels])
    np.testing.assert_array_equal(moved.ranks, some.ranks[:, labels])
    alone = NULLS["independent"](some, 0, 1)
    places = [
        [row.tolist().index(value) for value in each]
        for row, each in zip(some.values, alone.values, strict=True)
    ]
    assert len({tuple(each) for each in places}) == 5


@pytest.mark.parametrize("null", NULLS.names())
def test_nulls_deal_out_what_is_there(null: str) -> None:
    for seed in range(20):
        some = drawn(seed)
        moved = NULLS[null](some, seed)
        for one, other in zip(some.values, moved.values, strict=True):
            np.testing.assert_array_equal(np.sort(one), np.sort(other))
        known = np.add.reduceat(moved.ranks >= 0, some.starts[:-1], axis=1)
        assert known.all()


def test_gaps_leave_pairs_as_alike_as_they_are() -> None:
    # Pairs that differ in one gap each are one pair still, wherever values go.
    random = np.random.default_rng(0)
    values = np.tile(random.random(75), (40, 1))
    for pair, row in enumerate(values):
        row[pair + 5] = np.nan
    some = panel(values, [3] * 25)
    for seed in range(20):
        moved = NULLS["joint"](some, seed)
        firsts = np.nanmax(moved.values, axis=0)
        assert (np.isnan(moved.values) | (moved.values == firsts)).all()


def test_gaps_make_no_evidence_where_topics_do_not_matter() -> None:
    rare = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        values = random.random(75) + random.normal(0, 0.05, (20, 75))
        values[np.arange(20), random.integers(0, 75, 20)] = np.nan
        some = panel(values, [3] * 25)
        orders = draw_orders(60, 25, seed, "orders")
        nulls = [(NULLS["joint"](some, seed, each), orders) for each in range(20)]
        observed, *others = solve([(some, orders), *nulls], Work("greedy-low"))
        below = sum(each.mean_best <= observed.mean_best for each in others)
        rare += (below + 1) / 21 <= 0.05
    # Of 20 tables one is expected; six have a chance of 1 in 3,000.
    assert rare < 6


def test_samples_take_so_many_known_formulations_of_each_topic() -> None:
    for seed in range(20):
        some = drawn(seed)
        labels = draw_labels(len(some.formulations), seed)
        few, more = (some.sampled(labels, size) for size in (1, 2))
        for each, size in ((few, 1), (more, 2)):
            kept, known = (
                np.add.reduceat(ranks >= 0, some.starts[:-1], axis=1, dtype=int)
                for ranks in (each.ranks, some.ranks)
            )
            np.testing.assert_array_equal(kept, np.minimum(known, size))
        assert (more.ranks[few.ranks >= 0] == few.ranks[few.ranks >= 0]).all()


def test_pairs_without_a_topic_are_left_out_and_counted() -> None:
    values = np.array([[1, np.nan, 2], [np.nan, np.nan, 1], [3, 2, np.nan]])
    some = panel(values, [2, 1])
    assert (some.pairs, some.left_out) == (("0",), 2)
    with pytest.raises(InputError, match="has a score on all 2 topics"):
        panel(values[1:], [2, 1])


def test_more_scores_than_can_be_ordered_are_refused() -> None:
    values = np.arange(40_000.0)[None]
    with pytest.raises(InputError, match="40,000 different scores"):
        panel(values, [20_000, 20_000])
