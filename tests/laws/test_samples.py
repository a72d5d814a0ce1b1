"""Laws of generated collections, whatever their sizes."""

import json
from dataclasses import fields, replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mohs.samples import SampleSpec
from mohs.samples.language import language
from mohs.samples.model import draw_system, draw_topic, judge, rank, spread
from mohs.samples.spec import MOST_WORDINGS
from mohs.samples.texts import draw_mentions, write_texts
from mohs.samples.wordings import draw_parts, draw_wordings

share = st.floats(0, 1)
specs = st.builds(
    SampleSpec,
    systems=st.integers(1, 60),
    topics=st.integers(1, 400),
    depth=st.integers(1, 150),
    documents=st.integers(150, 10**8),
    relevant=st.floats(1, 300),
    grades=st.integers(1, 6),
    pool_depth=st.integers(0, 60),
    shared=share,
    unjudged=share,
    missing=share,
    short=share,
    formulations=st.integers(1, MOST_WORDINGS),
    corpora=st.integers(1, 12),
    words=st.integers(0, 500),
    seed=st.integers(-(2**70), 2**70),
)
numbers = st.integers(0, 5000)


@given(spec=specs, number=numbers)
def test_a_topic_is_the_same_whatever_else_is_asked(
    spec: SampleSpec, number: int
) -> None:
    alone = SampleSpec(
        systems=1,
        topics=1,
        depth=spec.depth,
        documents=spec.documents,
        relevant=spec.relevant,
        grades=spec.grades,
        corpora=spec.corpora,
        seed=spec.seed,
    )
    left, right = draw_topic(spec, number), draw_topic(alone, number)
    assert (left.id, left.title, left.difficulty) == (
        right.id,
        right.title,
        right.difficulty,
    )
    assert left.documents == right.documents
    assert left.grades.tolist() == right.grades.tolist()
    assert len(set(left.documents)) == len(left.documents) == spec.candidates
    assert (left.grades > 0).any()
    assert 0 <= left.grades.min() <= left.grades.max() <= spec.grades


@given(spec=specs, topic_number=numbers, system_number=numbers)
def test_a_ranking_falls_and_holds_the_best_candidates(
    spec: SampleSpec, topic_number: int, system_number: int
) -> None:
    topic = draw_topic(spec, topic_number)
    ranking = rank(spec, draw_system(spec, system_number), topic)
    assert len(set(ranking.order.tolist())) == len(ranking.order) <= spec.depth
    keys = [
        (score, topic.documents[place])
        for place, score in zip(ranking.order, ranking.scores, strict=True)
    ]
    assert keys == sorted(keys, reverse=True)


@given(spec=specs, number=numbers, pool=st.sets(st.integers(0, 149)))
def test_judgments_are_ordered_and_never_empty(
    spec: SampleSpec, number: int, pool: set[int]
) -> None:
    topic = draw_topic(spec, number)
    pooled = np.zeros(spec.candidates, dtype=np.bool_)
    pooled[list(pool)] = True
    judged = judge(spec, topic, pooled)
    names = [topic.documents[place] for place in judged]
    assert names == sorted(names)
    assert (topic.grades[judged] > 0).any()
    strangers = judged[~pooled[judged]] if spec.pool_depth else judged
    assert (topic.grades[strangers] > 0).all()


@given(seed=st.integers(), many=st.integers(1, 300))
def test_points_are_spread_evenly_at_every_length(seed: int, many: int) -> None:
    points = np.sort([spread(seed, "difficulty", number) for number in range(many)])
    assert 0 <= points[0] <= points[-1] < 1.0001
    # A golden sequence leaves no gap above (1 + golden ratio) / n, the ends included.
    gaps = np.diff([points[-1] - 1, *points, points[0] + 1])
    assert gaps.max() < 2.62 / many + 2e-4


@given(spec=specs, number=numbers)
def test_what_is_said_of_a_topic_is_the_same_whatever_else_is_asked(
    spec: SampleSpec, number: int
) -> None:
    topic = draw_topic(spec, number)
    parts = draw_parts(spec, topic.id, number)
    mentions = draw_mentions(spec, topic, parts)
    alone = replace(spec, systems=1, topics=1, pool_depth=5, unjudged=0.5, words=7)
    again = draw_mentions(alone, draw_topic(alone, number), parts)
    for field in fields(mentions):
        left, right = (getattr(each, field.name) for each in (mentions, again))
        assert left.tolist() == right.tolist()
    # All relevant documents speak of the topic, and nobody but its candidates.
    speakers = set(mentions.documents.tolist())
    assert set(topic.numbers[topic.grades > 0].tolist()) <= speakers
    assert speakers <= set(topic.numbers.tolist())
    assert 0 <= mentions.tokens.min() <= mentions.tokens.max() < len(language().texts)


@given(spec=specs, number=numbers)
def test_wordings_are_different_and_begin_with_the_title(
    spec: SampleSpec, number: int
) -> None:
    topic = draw_topic(spec, number)
    wordings = draw_wordings(spec, topic.id, draw_parts(spec, topic.id, number))
    assert wordings[0].query == topic.title
    assert len({each.query for each in wordings}) == len(wordings)
    assert len(wordings) == spec.formulations
    assert all(0 <= each.quality <= 1 and each.query for each in wordings)


@given(
    seed=st.integers(0, 9),
    documents=st.integers(10, 250),
    words=st.integers(1, 30),
    order=st.permutations(range(4)),
)
def test_documents_do_not_depend_on_the_order_of_topics(
    seed: int, documents: int, words: int, order: list[int]
) -> None:
    spec = SampleSpec(documents=documents, depth=10, words=words, seed=seed)
    mentions = [
        draw_mentions(spec, topic, draw_parts(spec, topic.id, number))
        for number in range(4)
        for topic in [draw_topic(spec, number)]
    ]
    lines = list(write_texts(spec, mentions))
    assert lines == list(write_texts(spec, [mentions[place] for place in order]))
    assert len(lines) == documents
    # A topic changes no document that does not speak of it.
    fewer = [json.loads(line)["text"] for line in write_texts(spec, mentions[1:])]
    silent = set(range(documents)) - set(mentions[0].documents.tolist())
    assert all(json.loads(lines[place])["text"] == fewer[place] for place in silent)
