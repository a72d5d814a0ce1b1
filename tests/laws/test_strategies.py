"""Laws that every registered strategy obeys."""

import copy
import random
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mohs.analysis.difficulty.comparison import SIDES, ease_of
from mohs.analysis.difficulty.strategies import STRATEGIES, Evidence
from mohs.analysis.difficulty.strategies.class_rules import no_classes
from mohs.analysis.difficulty.strategies.evidence import NOTHING

# Each law runs over every strategy, which makes many hundred examples of it.
few = settings(max_examples=25)
every_strategy = pytest.mark.parametrize("name", STRATEGIES.names())
sizes = st.tuples(st.integers(1, 5), st.integers(1, 8), st.integers(0, 4))
CLASSES = {*SIDES, "medium", None}


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    """Draw systems, topics and lists of all lengths, empty ones too, with ties."""
    systems, topics, depth = draw(sizes)
    shape = systems, topics, depth
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    lengths = draws.integers(0, depth + 1, (systems, topics, 1))
    beyond = np.arange(depth) >= lengths
    scores = np.where(beyond, np.nan, -np.sort(-draws.integers(-3, 9, shape)))
    documents = np.argsort(draws.random((systems, topics, depth + 2)))[..., :depth]
    return Evidence(
        systems=tuple(f"s{number}" for number in range(systems)),
        topics=tuple(f"{number}" for number in range(topics)),
        measure="AP",
        values=draws.integers(0, 5, (systems, topics)) / 4,
        scores=scores,
        documents=np.where(beyond, NOTHING, documents),
    )


def graded_by_ease() -> Evidence:
    """Build eight topics, each easier to every system than the one before.

    Systems find more, are surer of it, and agree more.
    """
    ease = np.arange(8)
    depth = 8
    values = np.stack([ease / 10 + shift for shift in (0.05, 0.1, 0.2)])
    ranks = np.arange(depth)
    scores = np.broadcast_to(
        10 - np.outer(ease + 1, ranks / depth), (3, len(ease), depth)
    )
    documents = np.empty((3, len(ease), depth), np.int64)
    for system, topic in np.ndindex(3, len(ease)):
        own = ranks + depth * (system + 1)
        documents[system, topic] = np.where(ranks < topic, ranks, own)
    names = tuple("abcdefgh")
    return Evidence(("x", "y", "z"), names, "AP", values, scores.copy(), documents)


@every_strategy
@few
@given(evidence=evidence(), seed=st.randoms())
def test_the_order_of_topics_does_not_matter(
    name: str, evidence: Evidence, seed: random.Random
) -> None:
    order = list(range(len(evidence.topics)))
    seed.shuffle(order)
    plain = STRATEGIES[name](evidence)
    shuffled = STRATEGIES[name](evidence.of_topics(order))
    np.testing.assert_array_equal(shuffled.values, plain.values[order])
    assert list(shuffled.classes) == [plain.classes[place] for place in order]


@every_strategy
@few
@given(evidence=evidence(), data=st.data())
def test_values_do_not_depend_on_which_other_topics_there_are(
    name: str, evidence: Evidence, data: st.DataObject
) -> None:
    places = range(len(evidence.topics))
    kept = sorted(data.draw(st.sets(st.sampled_from(places), min_size=1)))
    alone = STRATEGIES[name](evidence.of_topics(kept))
    np.testing.assert_array_equal(alone.values, STRATEGIES[name](evidence).values[kept])


@every_strategy
@few
@given(lengths=st.lists(st.integers(0, 30), min_size=1, max_size=4), data=st.data())
def test_no_bit_depends_on_longer_lists_or_on_numbers(
    name: str, lengths: list[int], data: st.DataObject
) -> None:
    depth = max(lengths)
    draws = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    shape = len(lengths), 1, depth + data.draw(st.integers(0, 100))
    listed = np.arange(shape[-1]) < np.array(lengths)[:, None, None]
    documents = np.argsort(draws.random((*shape[:2], 2 * shape[-1])))
    documents = np.where(listed, documents[..., : shape[-1]], NOTHING)
    # What follows the last is another number, so NOTHING stays what it is.
    numbers = np.append(draws.permutation(2 * shape[-1]), NOTHING)
    scores = np.where(listed, -np.sort(-draws.normal(size=shape)), np.nan)
    systems = tuple(f"s{number}" for number in range(len(lengths)))
    values = draws.random(shape[:2])
    padded = Evidence(systems, ("1",), "AP", values, scores, documents)
    narrow = replace(
        padded, scores=scores[..., :depth], documents=numbers[documents][..., :depth]
    )
    found = [STRATEGIES[name](each).values for each in (padded, narrow)]
    np.testing.assert_array_equal(*found)


@every_strategy
@few
@given(evidence=evidence(), seed=st.randoms())
def test_the_order_of_systems_does_not_matter(
    name: str, evidence: Evidence, seed: random.Random
) -> None:
    order = list(range(len(evidence.systems)))
    seed.shuffle(order)
    shuffled = STRATEGIES[name](evidence.of_systems(order))
    plain = STRATEGIES[name](evidence)
    np.testing.assert_allclose(shuffled.values, plain.values, rtol=1e-12, atol=1e-14)


@every_strategy
@few
@given(evidence=evidence())
def test_inputs_are_left_as_they_were(name: str, evidence: Evidence) -> None:
    before = copy.deepcopy(evidence)
    for field in fields(evidence):
        if isinstance(value := getattr(evidence, field.name), np.ndarray):
            value.flags.writeable = False
    first, second = STRATEGIES[name](evidence), STRATEGIES[name](evidence)
    np.testing.assert_array_equal(first.values, second.values)
    assert first.classes == second.classes
    for held in ("values", "scores", "documents"):
        np.testing.assert_array_equal(getattr(evidence, held), getattr(before, held))


@every_strategy
def test_the_direction_is_as_stated(name: str) -> None:
    opinion = STRATEGIES[name](graded_by_ease())
    assert (np.diff(ease_of(opinion)) > 0).all()
    sides = [SIDES.get(each, 0) for each in opinion.classes]
    assert sides == sorted(sides)
    if STRATEGIES[name].classes is not no_classes:
        assert (sides[0], sides[-1]) == (-1, 1)


@every_strategy
@few
@given(evidence=evidence())
def test_only_topics_with_a_value_have_a_class(name: str, evidence: Evidence) -> None:
    opinion = STRATEGIES[name](evidence)
    assert len(opinion.values) == len(opinion.classes) == len(evidence.topics)
    assert set(opinion.classes) <= CLASSES
    unknown = np.isnan(opinion.values)
    assert {c for c, none in zip(opinion.classes, unknown, strict=True) if none} <= {
        None
    }


@every_strategy
def test_without_systems_there_is_no_value(name: str) -> None:
    opinion = STRATEGIES[name](graded_by_ease().of_systems([]))
    assert np.isnan(opinion.values).all()
    assert set(opinion.classes) == {None}


def test_only_divergence_is_high_where_topics_are_hard() -> None:
    hard_if_high = [n for n in STRATEGIES.names() if not STRATEGIES[n].high_is_easy]
    assert hard_if_high == ["aslam2007"]
    assert len(STRATEGIES.names()) == 8
