"""Laws that every registered measure obeys."""

import copy
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mohs.gains.grades import GAINS
from mohs.measures import (
    MEASURES,
    Measure,
    at_depth,
    average,
    calculate,
    canonical,
    floor,
    judged_only,
    mirror,
    parse,
    pinned,
    same_measure,
)
from mohs.measures.cells import Cells
from mohs.measures.definition import Parameter
from mohs.measures.example import listed
from mohs.rankings import Rankings

# A value within the bounds of its parameter, for every name that a parameter has.
CHOICES = {
    "rel": st.sampled_from([0, 1, 2, 0.5, 1.25, 3]),
    "cutoff": st.sampled_from([1, 2, 3, 5, 10, 1000]),
    "judged_only": st.booleans(),
    "relative": st.booleans(),
    "beta": st.floats(0, 100),
    "p": st.floats(0.01, 0.99),
    "max": st.sampled_from([4, 5, 4.5]),
    "dcg": st.sampled_from(["log2", "exp-log2"]),
    "gain": st.sampled_from(["linear", "exponential", "binary"]),
}
RECALL = st.floats(0, 1)

# Grades as real judgments have them: mostly none, few high ones, some below zero.
grade = st.sampled_from([None, None, 0, 0, 1, 1, 2, 3, 4, 0.5, -1, -2])
ranking = st.lists(grade, max_size=12)
missed = st.lists(st.sampled_from([0, 1, 2, 4]), max_size=3)
# Each law runs over every measure, which makes many hundred examples of it.
few = settings(max_examples=25)
every_measure = pytest.mark.parametrize("name", MEASURES.names())


def value_of(parameter: Parameter) -> st.SearchStrategy:
    is_recall = parameter.name == "cutoff" and "recall" in parameter.accepts
    return RECALL if is_recall else CHOICES[parameter.name]


def spelled(draw: st.DataObject, name: str) -> Measure:
    """Draw a measure of this name, some parameters spelled out, others not."""
    given: dict = {}
    for parameter in MEASURES[name].takes():
        if parameter.required or draw.draw(st.booleans()):
            given[parameter.name] = draw.draw(value_of(parameter), parameter.name)
    cutoff = given.pop("cutoff", None)
    written = MEASURES[name].explicit if "rel" in given else ""
    return Measure(written or name, tuple(given.items()), cutoff)


def bare(name: str) -> Measure:
    """Give a measure no more than it must have."""
    cutoff = MEASURES[name].cutoff
    needed = cutoff is not None and cutoff.required
    return Measure(name, (), (0.5 if name == "IPrec" else 3) if needed else None)


def values(measure: Measure, cells: Cells, level: float = 1) -> np.ndarray:
    return calculate([measure], cells.rankings, level=level)[0, 0]


def same(one: np.ndarray, other: np.ndarray) -> None:
    """Demand equal values to the last digit; where one is missing, so is the other."""
    np.testing.assert_array_equal(one, other)


@every_measure
@few
@given(data=st.data())
def test_what_is_printed_reads_the_same(name: str, data: st.DataObject) -> None:
    measure = spelled(data, name)
    assert parse(str(measure)) == (measure,)


@every_measure
@few
@given(data=st.data())
def test_the_canonical_spelling_is_its_own(name: str, data: st.DataObject) -> None:
    text = canonical(str(spelled(data, name)))
    assert canonical(text) == text
    assert same_measure(text.upper(), text.lower())


@every_measure
def test_every_alias_means_the_measure(name: str) -> None:
    for alias in MEASURES[name].aliases:
        end = "@0.5" if name == "IPrec" else "@5" if MEASURES[name].cutoff else ""
        for text in (alias.name + end, (alias.name + end).upper()):
            (measure,) = parse(text)
            assert (measure.name, measure.parameters) == (name, alias.preset)


@every_measure
@few
@given(data=st.data(), ranking=ranking, level=st.sampled_from([1, 2, 0.5]))
def test_a_pinned_measure_needs_no_level(
    name: str, data: st.DataObject, ranking: list, level: float
) -> None:
    measure, cells = spelled(data, name), listed(ranking, missed=[1, 2])
    same(values(pinned(measure, level), cells), values(measure, cells, level))


@every_measure
@few
@given(data=st.data(), topics=st.lists(ranking, min_size=1, max_size=4), missed=missed)
def test_values_stay_within_their_bounds(
    name: str, data: st.DataObject, topics: list, missed: list
) -> None:
    low, high = MEASURES[name].bounds
    found = values(spelled(data, name), listed(*topics, missed=missed))
    if MEASURES[name].nullable:
        found = found[~np.isnan(found)]
    assert np.isfinite(found).all()
    assert (found >= low - 1e-12).all()
    assert (found <= high + 1e-12).all()


@every_measure
@few
@given(data=st.data(), ranking=ranking, missed=missed)
def test_moving_a_relevant_document_up_never_lowers_the_value(
    name: str, data: st.DataObject, ranking: list, missed: list
) -> None:
    # infAP takes pooled documents without a judgment for partly relevant, so that it
    # falls when one of them is pushed down: see the test below.
    seen = [None if name == "infAP" and (g or 0) < 0 else g for g in ranking]
    places = [
        place
        for place in range(1, len(seen))
        if (seen[place] or 0) >= 1 > (seen[place - 1] or 0)
    ]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = [*seen]
    better[place - 1 : place + 1] = seen[place], seen[place - 1]
    measure = bare(name)
    before = values(measure, listed(seen, missed=missed))
    after = values(measure, listed(better, missed=missed))
    assert ((after >= before - 1e-12) | np.isnan(before)).all()


def test_inferred_precision_can_fall_when_a_relevant_document_moves_up() -> None:
    before = values(bare("infAP"), listed([1, None, None, None, -1, 1]))
    after = values(bare("infAP"), listed([1, None, None, None, 1, -1]))
    assert before.tolist() == pytest.approx([0.75], abs=1e-4)
    assert after.tolist() == pytest.approx([0.7], abs=1e-4)


@every_measure
@few
@given(ranking=ranking, deeper=st.integers(1, 5))
def test_unjudged_documents_at_the_end_never_raise_the_value(
    name: str, ranking: list, deeper: int
) -> None:
    if name == "NumRet":  # which counts them
        return
    measure, longer = bare(name), [*ranking, *[None] * deeper]
    after, before = values(measure, listed(longer)), values(measure, listed(ranking))
    assert ((after <= before) | np.isnan(before)).all()


@every_measure
@few
@given(topics=st.lists(ranking, min_size=2, max_size=4), seed=st.randoms())
def test_the_order_of_topics_does_not_matter(name: str, topics: list, seed) -> None:  # noqa: ANN001
    order = list(range(len(topics)))
    seed.shuffle(order)
    measure = bare(name)
    plain = values(measure, listed(*topics))
    shuffled = values(measure, listed(*(topics[place] for place in order)))
    same(shuffled, plain[order])
    retrieved = listed(*topics).rankings.retrieved
    for complete in (True, False):
        means = [
            average(measure, each[np.newaxis], counts, complete=complete)
            for each, counts in [(plain, retrieved), (shuffled, retrieved[:, order])]
        ]
        np.testing.assert_allclose(*means, rtol=1e-12)


@every_measure
@few
@given(data=st.data(), topics=st.lists(ranking, min_size=1, max_size=3))
def test_each_system_is_scored_as_if_alone(
    name: str, data: st.DataObject, topics: list
) -> None:
    measure = spelled(data, name)
    alone = listed(*topics, missed=[2]).rankings
    doubled = calculate([measure], twice(alone))[0]
    same(doubled[0], doubled[1])
    same(doubled[0], calculate([measure], alone)[0, 0])


@every_measure
@few
@given(data=st.data(), topics=st.lists(ranking, min_size=1, max_size=3))
def test_entries_below_the_floor_do_not_matter(
    name: str, data: st.DataObject, topics: list
) -> None:
    measure = spelled(data, name)
    least = floor([measure], level=2)
    rankings = listed(*topics).rankings
    kept = rankings.judgments.grades[rankings.judged] > (
        -np.inf if least is None else least
    )
    thinned = replace(
        rankings,
        offsets=np.concatenate(([0], np.cumsum(kept)))[rankings.offsets],
        ranks=rankings.ranks[kept],
        judged=rankings.judged[kept],
    )
    whole = calculate([measure], rankings, level=2)
    same(calculate([measure], thinned, level=2), whole)


@every_measure
@few
@given(data=st.data(), ranking=ranking)
def test_inputs_are_left_as_they_were(
    name: str, data: st.DataObject, ranking: list
) -> None:
    rankings = listed(ranking, missed=[1]).rankings
    frozen(rankings)
    before = copy.deepcopy(rankings)
    measure = spelled(data, name)
    first = calculate([measure], rankings, gain=GAINS["exponential"]())
    for restricted in (at_depth(rankings, 3), judged_only(rankings), mirror(rankings)):
        calculate([measure], restricted)
    second = calculate([measure], rankings, gain=GAINS["exponential"]())
    same(first, second)
    for held in ("offsets", "ranks", "judged", "mirrored", "retrieved", "tied"):
        assert getattr(rankings, held).tolist() == getattr(before, held).tolist()
    assert rankings.judgments.grades.tolist() == before.judgments.grades.tolist()


@every_measure
def test_without_any_topic_there_is_no_value(name: str) -> None:
    assert calculate([bare(name)], listed().rankings).shape == (1, 1, 0)


def twice(rankings: Rankings) -> Rankings:
    """Let two systems return the same."""
    return replace(
        rankings,
        systems=("one", "two"),
        offsets=np.concatenate(
            (rankings.offsets, rankings.offsets[1:] + rankings.offsets[-1])
        ),
        ranks=np.tile(rankings.ranks, 2),
        judged=np.tile(rankings.judged, 2),
        mirrored=np.tile(rankings.mirrored, 2),
        retrieved=np.tile(rankings.retrieved, (2, 1)),
        tied=np.tile(rankings.tied, (2, 1)),
        judged_top=np.tile(rankings.judged_top, (2, 1)),
    )


def frozen(rankings: Rankings) -> None:
    """Let any write to an array raise."""
    for part in (rankings, rankings.judgments):
        for each in fields(part):
            held = getattr(part, each.name)
            if isinstance(held, np.ndarray):
                held.setflags(write=False)


# Grades that are scores, and mostly differ.
score = st.one_of(st.integers(-9, 99), st.floats(-50, 50))


@given(scores=st.lists(score, min_size=1, max_size=30), cutoff=st.integers(1, 40))
def test_only_the_ideal_order_has_the_highest_gain(scores: list, cutoff: int) -> None:
    (measure,) = parse(f"nDCG_phi@{cutoff}")
    found = values(measure, listed(scores, sorted(scores, reverse=True)))
    if min(scores) == max(scores):
        assert np.isnan(found).all()
    else:
        assert found[1] == 1.0
        assert 0.0 <= found[0] <= 1.0
