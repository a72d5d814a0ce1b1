"""Batches against a search that goes through every document by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.retrieval import weighing
from mohs.retrieval.expansion import Query
from mohs.retrieval.index import Index, build, gather
from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings
from mohs.retrieval.search import expand, look_up, search
from mohs.retrieval.spelling import parse
from mohs.retrieval.tokenisers import TOKENISERS, count_tokens

TEXTS = [
    "iron ore is hard ore",
    "talc is soft",
    "hard hard diamond",
    "talc is soft",
    "",
    "iron hard soft ore talc ore",
]


def indexed(texts: list[str]) -> Index:
    ids = [f"d{number}" for number in range(len(texts))]
    bags = gather([(ids, count_tokens(TOKENISERS["words"], texts))])
    return build(bags, bags.tokens)


def query(index: Index, **weights: float) -> Query:
    numbers = look_up(index, weights)
    terms = np.array([numbers[term] for term in weights], np.int32)
    return Query.of(terms, np.array(list(weights.values()), np.float64))


def slowly(
    index: Index, model: str, asked: Query, depth: int
) -> list[tuple[str, float]]:
    """Score document by document, and sort."""
    chosen = MODELS[model]
    shares = asked.normalised()
    weights = chosen.query(shares.weights)
    found = {}
    for document in range(len(index.documents)):
        row = index.forward.row(document)
        held = dict(
            zip(index.forward.cells[row], index.forward.counts[row], strict=True)
        )
        for term, weight in zip(asked.terms.tolist(), weights, strict=True):
            if term in held:
                posting = Postings(
                    *(
                        np.array([float(value)])
                        for value in (
                            held[term],
                            index.lengths[document],
                            index.df[term],
                            index.cf[term],
                        )
                    ),
                    index.statistics,
                )
                name = index.documents[document]
                found[name] = found.get(name, 0.0) + weight * chosen.weigh(posting)[0]
    ranked = sorted(found.items(), key=lambda pair: pair[0].encode(), reverse=True)
    return sorted(ranked, key=lambda pair: -pair[1])[:depth]


def quickly(
    index: Index, model: str, asked: list[Query], depth: int, threads: int = 1
) -> list[list[tuple[str, float]]]:
    found = search(index, parse(model), asked, depth=depth, threads=threads)
    return [
        [
            (index.documents[document], score)
            for document, score in zip(
                found.documents[found.of(number)],
                found.scores[found.of(number)].tolist(),
                strict=True,
            )
        ]
        for number in range(len(asked))
    ]


@pytest.mark.parametrize("model", ["BM25", "PL2", "DirichletLM", "DFIC"])
@pytest.mark.parametrize("block", [1, 16, 1 << 20])
@pytest.mark.parametrize("small", [0, 1 << 20])
def test_batches_equal_the_slow_search(
    model: str, block: int, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "_BLOCK", block)
    monkeypatch.setattr(weighing, "_SMALL", small)
    index = indexed(TEXTS)
    asked = [
        query(index, hard=1, ore=2),
        query(index, nothing=5),
        query(index, talc=1, nothing=4),
        query(index),
        query(index, soft=1, iron=3, diamond=1),
    ]
    for depth in (1, 2, 100):
        expected = [slowly(index, model, each, depth) for each in asked]
        for threads in (1, 3):
            found = quickly(index, model, asked, depth, threads)
            for ours, theirs in zip(found, expected, strict=True):
                assert [name for name, _ in ours] == [name for name, _ in theirs]
                np.testing.assert_allclose(
                    [score for _, score in ours],
                    [score for _, score in theirs],
                    rtol=1e-14,
                )


texts = st.lists(st.text("ab ", max_size=12), min_size=1, max_size=8)


@given(texts, st.dictionaries(st.sampled_from(["a", "b", "ab"]), st.floats(0.5, 3)))
def test_any_texts(texts: list[str], weights: dict[str, float]) -> None:
    index = indexed(texts)
    asked = query(index, **weights)
    [found] = quickly(index, "PL2", [asked], 5)
    expected = slowly(index, "PL2", asked, 5)
    # Sums of other orders differ in the last digit, and so may the order then.
    np.testing.assert_allclose(
        [score for _, score in found],
        [score for _, score in expected],
        rtol=1e-12,
        atol=1e-12,
    )


def test_equal_scores_go_by_id_descending() -> None:
    index = indexed(TEXTS)
    [found] = quickly(index, "PL2", [query(index, soft=1)], 10)
    assert [name for name, _ in found] == ["d3", "d1", "d5"]
    assert found[0][1] == found[1][1]


@pytest.mark.parametrize("model", MODELS.names())
def test_weights_do_not_depend_on_what_is_weighed_with_them(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(1)
    words = [f"w{number}" for number in range(60)]
    chances = 1 / np.arange(1, 61)
    texts = [
        " ".join(draw.choice(words, size, p=chances / chances.sum()))
        for size in draw.integers(1, 40, 300)
    ]
    index = indexed(texts)
    whole = weighing.Weights.of(index, parse(model))
    whole.cover(np.zeros(0, int))
    assert whole.known.all()
    monkeypatch.setattr(weighing, "_SMALL", 0)
    for block in (50, 500, 5000):
        monkeypatch.setattr(weighing, "_BLOCK", block)
        part = weighing.Weights.of(index, parse(model))
        for terms in ([3, 4, 5, 20], [4, 0, 21, 22], [*range(50)]):
            part.cover(np.array(terms), threads=2)
        assert part.known.sum() == 50
        end = index.inverted.starts[50]
        assert part.values[:end].tobytes() == whole.values[:end].tobytes()


def test_no_queries() -> None:
    found = search(indexed(TEXTS), parse("BM25"), [])
    assert found.starts.tolist() == [0]


def test_a_shallower_ranking_is_the_beginning_of_a_deeper_one() -> None:
    index = indexed(TEXTS)
    asked = [query(index, hard=1, soft=1), query(index), query(index, ore=1)]
    deep = search(index, parse("DPH"), asked, depth=10)
    cut = deep.down_to(2)
    shallow = search(index, parse("DPH"), asked, depth=2)
    assert cut.starts.tolist() == shallow.starts.tolist()
    assert cut.documents.tolist() == shallow.documents.tolist()
    assert cut.scores.tolist() == shallow.scores.tolist()


def test_expansion_learns_from_the_best_documents() -> None:
    index = indexed(["talc soft", "talc soft soapstone", "talc soapstone", "iron ore"])
    asked = [query(index, soft=1), query(index, nothing=1)]
    first = search(index, parse("BM25"), asked)
    for name in ("Bo1", "KL"):
        found, nothing = expand(index, parse(name), asked, first)
        terms = [index.vocabulary[term] for term in found.terms]
        assert terms == ["soft", "talc"]
        assert nothing.terms.tolist() == [-1]


def test_what_an_expansion_draws_depends_on_the_query_alone() -> None:
    index = indexed(TEXTS)
    asked = [query(index, hard=1, iron=1), query(index, talc=1)]
    first = search(index, parse("BM25"), asked)
    both = expand(index, parse("Axiomatic(docs=1,others=2)"), asked, first)
    last = expand(
        index,
        parse("Axiomatic(docs=1,others=2)"),
        asked[1:],
        search(index, parse("BM25"), asked[1:]),
    )
    assert both[1].terms.tolist() == last[0].terms.tolist()
    assert both[1].weights.tolist() == last[0].weights.tolist()
