"""Laws that every registered ranking model obeys."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings, Statistics

# What a query's weights become other than themselves.
SATURATING = {"BM25", "BM25Plus", "BM25L", "DFR_BM25"}
INDIFFERENT = {"DirichletLM"}

# More of a term never weighs less, if it is in less than half of the documents (BM25,
# DFR_BM25) and is no more frequent here than everywhere. Not so of BB2, whose formula
# is an approximation, and of models in which a document may be too full of a term.
MONOTONE = {
    "BM25",
    "BM25L",
    "BM25Plus",
    "DFIC",
    "DFIZ",
    "DFR_BM25",
    "DirichletLM",
    "Hiemstra_LM",
    "IFB2",
    "InB2",
    "InL2",
    "In_expB2",
    "In_expC2",
    "JM",
    "LGD",
    "LemurTF_IDF",
    "TF_IDF",
}


@st.composite
def postings(draw: st.DrawFn, size: int = 20, top: int = 10**6) -> Postings:
    """Draw postings of one index as they can be: df <= cf, tf <= length, and so on."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    documents = draw(st.integers(1, top))
    df = rng.integers(1, documents, size, endpoint=True)
    tf = np.exp(rng.uniform(0, draw(st.floats(0, 10)), size)).astype(int)
    cf = df - 1 + tf + rng.integers(0, 3, size) * rng.integers(0, df, endpoint=True)
    length = tf + np.exp(rng.uniform(0, draw(st.floats(0, 12)), size)).astype(int) - 1
    tokens = int(cf.max() + length.sum()) + draw(st.integers(0, 300)) * documents
    counts = (each.astype(np.float64) for each in (tf, length, df, cf))
    return Postings(*counts, Statistics(documents, tokens, 100, 100))


@st.composite
def values(draw: st.DrawFn, name: str) -> dict[str, float]:
    """Draw values for some parameters of a model, or for none."""
    chosen = {}
    for parameter in MODELS[name].parameters:
        bounds = parameter.bounds
        value = draw(
            st.none()
            | st.floats(
                bounds.low,
                min(bounds.high, 1e4),
                exclude_min=bounds.open,
                exclude_max=bounds.open and bounds.high < math.inf,
            )
        )
        if value is not None:
            chosen[parameter.name] = value
    return chosen


@pytest.mark.parametrize("name", MODELS.names())
@given(data=st.data())
def test_every_weight_is_finite(name: str, data: st.DataObject) -> None:
    given_postings = data.draw(postings())
    weights = MODELS[name].weigh(given_postings, data.draw(values(name)))
    assert weights.shape == given_postings.tf.shape
    assert weights.dtype == np.float64
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("name", MODELS.names())
@given(data=st.data())
def test_a_posting_weighs_the_same_in_any_company(
    name: str, data: st.DataObject
) -> None:
    p, chosen = data.draw(postings()), data.draw(values(name))
    together = MODELS[name].weigh(p, chosen)
    alone = [
        MODELS[name].weigh(
            Postings(tf=tf, length=length, df=df, cf=cf, statistics=p.statistics),
            chosen,
        )
        for tf, length, df, cf in zip(
            *(np.split(each, len(each)) for each in (p.tf, p.length, p.df, p.cf)),
            strict=True,
        )
    ]
    np.testing.assert_allclose(np.concatenate(alone), together, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", sorted(MONOTONE))
@given(
    data=st.data(), df=st.floats(0, 1), cf=st.floats(1, 10), length=st.integers(1, 999)
)
def test_more_of_a_term_never_weighs_less(
    name: str, data: st.DataObject, df: float, cf: float, length: int
) -> None:
    documents = data.draw(st.integers(2, 10**6))
    tf = np.arange(1.0, length + 1)
    df = max(1.0, math.floor(df * documents / 2))
    cf = max(float(length), math.floor(df * cf))
    tokens = int(cf) + documents * data.draw(st.integers(1, 500)) + length
    collection = Statistics(documents, tokens, 100, 100)
    counts = (np.full_like(tf, count) for count in (length, df, cf))
    # In all documents, expected or not, a term may be worth nothing.
    weights = MODELS[name].weigh(Postings(tf, *counts, collection))
    if name == "IFB2" and cf > documents:
        weights = -weights
    assert (np.diff(weights) >= -1e-9 * np.abs(weights[1:])).all()


@pytest.mark.parametrize("name", MODELS.names())
@given(weights=st.lists(st.floats(0, 1), min_size=1), data=st.data())
def test_a_heavier_term_of_a_query_counts_more(
    name: str, weights: list[float], data: st.DataObject
) -> None:
    asked = np.array([*weights, 1.0])
    counted = MODELS[name].query(asked, data.draw(values(name)))
    assert counted[-1] == pytest.approx(1.0)
    assert np.isfinite(counted).all()
    if name in INDIFFERENT:
        assert (counted == 1).all()
    elif name in SATURATING:
        assert (np.diff(counted[np.argsort(asked)]) >= 0).all()
    else:
        assert counted.tolist() == asked.tolist()


@pytest.mark.parametrize("name", MODELS.names())
def test_defaults_are_within_bounds_and_spelled_out(name: str) -> None:
    model = MODELS[name]
    settled = model.settle()
    assert [*settled] == sorted(settled) == [each.name for each in model.parameters]
    assert model.settle(settled) == settled
    assert model.source
    assert model.formula.__doc__


@given(p=postings(), share=st.floats(0.01, 0.99))
def test_two_spellings_of_one_mixture_weigh_the_same(p: Postings, share: float) -> None:
    np.testing.assert_allclose(
        MODELS["JM"].weigh(p, {"lambda": share}),
        MODELS["Hiemstra_LM"].weigh(p, {"lambda": 1 - share}),
        rtol=1e-9,
    )


@given(p=postings())
def test_a_shift_of_nothing_leaves_bm25_but_for_its_rarity(p: Postings) -> None:
    n = p.statistics.documents
    plus = MODELS["BM25Plus"].weigh(p, {"delta": 0.0}) / np.log2((n + 1) / p.df)
    long = MODELS["BM25L"].weigh(p, {"delta": 0.0}) / np.log2((n + 1) / (p.df + 0.5))
    np.testing.assert_allclose(plus, long, rtol=1e-6)
