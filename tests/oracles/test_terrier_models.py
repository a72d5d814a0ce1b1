"""Weights of postings and Terrier's, from each of its classes of the same name."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings, Statistics

# Doubles on both sides; what differs is the last bit or two of logarithms, most where
# they nearly cancel. Terrier takes exp(-F / N), which is nearly 1, from 1, and so loses
# digits that we keep: about as many as N has.
TOLERANCE = 1e-11
LOSING = {"In_expB2": 1e-9, "In_expC2": 1e-9}

OURS = {"JM", "BM25L", "BM25Plus"}

# How Terrier calls the parameters; the others are constants there.
CONTROLS = {
    "BM25": {"k1": "bm25.k_1", "k3": "bm25.k_3", "b": "bm25.b"},
    "TF_IDF": {"k1": "tf_idf.k_1", "b": "tf_idf.b"},
    "LemurTF_IDF": {"k1": "LemurTF_IDF.k_1", "b": "LemurTF_IDF.b"},
    "DirichletLM": {"mu": "dirichletlm.mu"},
    "Hiemstra_LM": {"lambda": "hiemstra_lm.lambda"},
}
NORMALISATION_2 = {"c": "dfr.c"}

CHOSEN = {"b": 0.3, "c": 4.5, "k1": 0.9, "k3": 2.0, "lambda": 0.6, "mu": 700.0}

# Term frequency, length, df, cf, documents, tokens, terms, postings, query weight.
EXTREMES = [
    (1, 1, 1, 1, 2, 2, 2, 2, 1.0),  # a word, a document
    (5, 5, 2, 7, 10, 90, 20, 40, 1.0),  # a document of one word over and over
    (1, 1, 10, 10, 10, 90, 20, 40, 1.0),  # a word that every document holds
    (3, 40, 9, 25, 10, 400, 20, 90, 1.0),  # in more than half of them
    (3, 40, 9, 25, 10, 400, 20, 90, 0.0),  # and not in the query
    (2, 100_000, 3, 9, 50, 120_000, 900, 1000, 0.25),  # in a very long document
    (1, 10, 1, 1, 1000, 200_000, 900, 1000, 1.0),  # once, in a very short one
    (400, 900, 2_000_000, 2_100_000_000, 5_000_000, 3_000_000_000, 9, 9, 1.0),
]


def rows(count: int) -> list[tuple[float, ...]]:
    """Make up postings over many magnitudes."""
    rng = np.random.default_rng(20)
    documents = np.exp(rng.uniform(1, 15, count)).astype(int)
    df = np.exp(rng.uniform(0, 1, count) * np.log(documents)).astype(int)
    tf = np.exp(rng.uniform(0, 4, count) * rng.integers(0, 2, count)).astype(int)
    cf = df - 1 + tf + rng.integers(0, 3 * df) * rng.integers(0, 2, count)
    length = tf - 1 + np.exp(rng.uniform(0, 8, count)).astype(int)
    tokens = cf + length + (documents * np.exp(rng.uniform(0, 6, count))).astype(int)
    some = np.full(count, 1000)
    counts = (tf, length, df, cf, documents, tokens, some, some)
    weights = rng.choice([1.0, 0.5, 0.1, 1 / 3], count)
    return [*zip(*(each.tolist() for each in (*counts, weights)), strict=True)]


ROWS = [*EXTREMES, *rows(800)]


def weights(name: str, values: Mapping[str, float]) -> list[float]:
    model = MODELS[name]
    made = []
    for *counts, documents, tokens, terms, postings, asked in ROWS:
        statistics = Statistics(documents, tokens, terms, postings)
        posting = Postings(*np.array(counts, np.float64)[:, None], statistics)
        [weight] = model.weigh(posting, values) * model.query(np.array([asked]), values)
        made.append(float(weight))
    return made


@pytest.mark.parametrize("choice", ["defaults", "chosen"])
@pytest.mark.parametrize("name", [name for name in MODELS.names() if name not in OURS])
def test_a_posting_weighs_what_it_weighs_in_terrier(
    terrier: Any,  # noqa: ANN401 (the fixture's class is not to be imported)
    name: str,
    choice: str,
) -> None:
    names = CONTROLS.get(name, NORMALISATION_2)
    parameters = [each.name for each in MODELS[name].parameters]
    values = {each: CHOSEN[each] for each in parameters} if choice == "chosen" else {}
    controls = {names[each]: value for each, value in values.items()}
    theirs = np.array(terrier.score(name, ROWS, controls))
    ours = np.array(weights(name, values))
    # Terrier's BB2 knows no frequency above that in the whole collection.
    known = np.isfinite(theirs)
    assert known.all() or name == "BB2"
    assert known.mean() > 0.7
    tolerance = LOSING.get(name, TOLERANCE)
    np.testing.assert_allclose(ours[known], theirs[known], rtol=tolerance)
    assert np.isfinite(ours).all()
