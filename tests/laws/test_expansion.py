"""Laws that every registered query expansion obeys."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.retrieval.expansion import EXPANSIONS, Feedback, Query
from mohs.retrieval.postings import Statistics

TERMS = 40


@st.composite
def feedback(draw: st.DrawFn, least: int = 1) -> Feedback:
    """Draw documents of a collection that holds all the terms."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    best, rest = draw(st.integers(least, 6)), draw(st.integers(0, 10))
    rows = [np.unique(rng.integers(0, TERMS, rng.integers(1, 30))) for _ in range(best)]
    rows += [np.unique(rng.integers(0, TERMS, 9)) for _ in range(rest)]
    terms = np.concatenate([*rows, np.zeros(0, int)]).astype(np.int32)
    tf = rng.integers(1, 5, len(terms)).astype(np.int32)
    indptr = np.cumsum([0, *map(len, rows)])
    df = np.bincount(terms, minlength=TERMS) + rng.integers(1, 50, TERMS)
    cf = df + np.bincount(terms, tf, TERMS).astype(int)
    return Feedback(
        documents=np.arange(best + rest),
        scores=np.sort(rng.uniform(-5, 40, best))[::-1],
        lengths=np.add.reduceat(tf, indptr[:-1]) if len(tf) else np.zeros(0, int),
        indptr=indptr,
        terms=terms,
        tf=tf,
        df=df,
        cf=cf,
        statistics=Statistics(400, int(cf.sum()), TERMS, int(df.sum())),
    )


@st.composite
def queries(draw: st.DrawFn) -> Query:
    terms = draw(
        st.lists(st.integers(-1, TERMS - 1), min_size=1, max_size=8, unique=True)
    )
    counts = st.integers(1, 4)
    weights = draw(st.lists(counts, min_size=len(terms), max_size=len(terms)))
    return Query.of(np.array(terms, np.int32), np.array(weights, np.float64))


each = pytest.mark.parametrize("name", EXPANSIONS.names())


@each
@given(found=feedback(), query=queries(), terms=st.integers(0, 30))
def test_an_expanded_query_is_a_query(
    name: str, found: Feedback, query: Query, terms: int
) -> None:
    before = query.terms.tolist(), query.weights.tolist(), found.terms.tolist()
    done = EXPANSIONS[name].expand(found, query, {"terms": terms})
    assert (np.diff(done.terms) > 0).all()
    assert np.isfinite(done.weights).all()
    assert (done.weights > 0).all()
    assert set(query.known().terms) <= set(done.terms)
    added = set(done.terms) - set(query.terms)
    assert len(added) <= max(terms, len(query.terms))
    assert added <= set(found.terms)
    assert before == (
        query.terms.tolist(),
        query.weights.tolist(),
        found.terms.tolist(),
    )


@each
@given(found=feedback(), query=queries(), factor=st.floats(0.1, 10))
def test_weights_of_a_query_are_seen_in_proportion(
    name: str, found: Feedback, query: Query, factor: float
) -> None:
    done = EXPANSIONS[name].expand(found, query)
    again = EXPANSIONS[name].expand(
        found, replace(query, weights=query.weights * factor)
    )
    assert again.terms.tolist() == done.terms.tolist()
    np.testing.assert_allclose(again.weights, done.weights, rtol=1e-9)


@each
@given(found=feedback(), query=queries(), shift=st.floats(-50, 50))
def test_what_all_scores_have_in_common_is_of_no_matter(
    name: str, found: Feedback, query: Query, shift: float
) -> None:
    done = EXPANSIONS[name].expand(found, query)
    again = EXPANSIONS[name].expand(replace(found, scores=found.scores + shift), query)
    assert set(again.terms) >= set(query.known().terms)
    np.testing.assert_allclose(again.weights.sum(), done.weights.sum(), rtol=1e-6)


@each
@given(found=feedback(), query=queries())
def test_more_terms_come_on_top(name: str, found: Feedback, query: Query) -> None:
    fewer = EXPANSIONS[name].expand(found, query, {"terms": 10})
    more = EXPANSIONS[name].expand(found, query, {"terms": 20})
    assert set(fewer.terms) <= set(more.terms)


@each
@given(query=queries())
def test_a_query_that_found_nothing_stays_as_it_is(name: str, query: Query) -> None:
    none = np.zeros(0, np.int64)
    nothing = Feedback(
        *(
            none,
            none.astype(float),
            none,
            np.zeros(1, np.int64),
            none,
            none,
            none,
            none,
        ),
        statistics=Statistics(400, 4000, TERMS, 100),
    )
    assert EXPANSIONS[name].expand(nothing, query) is query
