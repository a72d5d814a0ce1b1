"""Weights worked out by hand, for the models and cases that Terrier has no answer to.

A posting: the term is 3 times in a document of 8 tokens, in 2 of 9 documents, 4 times
in all of their 90 tokens. The average document has 10, so length over average is 0.8,
1 - b + 0.8 b = 0.85 for b = 0.75, and k1 times that is 1.02 for k1 = 1.2.
"""

import numpy as np
import pytest

from mohs.errors import InputError, UnknownNameError
from mohs.retrieval.models import MODELS, okapi
from mohs.retrieval.postings import Postings, Statistics


def posting(tf: float, length: float, df: float, cf: float, n: int = 9) -> Postings:
    counts = (np.array([count], np.float64) for count in (tf, length, df, cf))
    return Postings(*counts, Statistics(n, 10 * n, 50, 60))


POSTING = posting(3, 8, 2, 4)

WEIGHTS = [
    # log2(1 + 0.9 / 0.1 * (3 / 8) / (4 / 90)) = log2(76.9375)
    ("JM", {}, 6.265615),
    # log2(1 + 0.3 / 0.7 * 8.4375) = log2(4.616071)
    ("JM", {"lambda": 0.7}, 2.206666),
    # (2.2 * 3 / (1.02 + 3) + 1) * log2(10 / 2) = 2.641791 * 2.321928
    ("BM25Plus", {}, 6.134049),
    # Without b: (2 * 3 / (1 + 3) + 0.5) * log2(5)
    ("BM25Plus", {"k1": 1.0, "b": 0.0, "delta": 0.5}, 4.643856),
    # c' = 3 / 0.85 + 0.5 = 4.029412; log2(10 / 2.5) * 2.2 * c' / (1.2 + c')
    ("BM25L", {}, 3.390325),
    # Without b and delta: 2 * 2 * 3 / (1 + 3)
    ("BM25L", {"k1": 1.0, "b": 0.0, "delta": 0.0}, 3.0),
    # Robertson's own: log2(7.5 / 2.5) * 2.2 * 3 / 4.02
    ("BM25", {}, 2.602177),
    # 3 * log2(1 + 10 / 8) / (that + 1) * log2(10 / 2.5) = 3.509775 / 4.509775 * 2
    ("InL2", {}, 1.556519),
]


@pytest.mark.parametrize(("name", "values", "weight"), WEIGHTS)
def test_a_weight_is_what_paper_and_pencil_say(
    name: str, values: dict[str, float], weight: float
) -> None:
    assert MODELS[name].weigh(POSTING, values) == pytest.approx([weight], abs=2e-6)


def test_chance_never_sees_more_occurrences_than_there_are() -> None:
    # tfn = log2(1 + 10 / 5) = 1.584963, above F = 1. With F for tfn and 0! = 1:
    # S(9, 7) = 7.5 log2(9 / 7) + 2 log2(9) = 9.059125, S(1, 0) = log2(2 pi) / 2 =
    # 1.325748, less log2(8) + log2(e) = 4.442695, times 2 / 2.584963.
    assert MODELS["BB2"].weigh(posting(1, 5, 1, 1)) == pytest.approx([2.5460], abs=1e-4)
    # At tfn = F, as well: log2(1 + 10 / 10) = 1, and the last factor is 2 / 2.
    assert MODELS["BB2"].weigh(posting(1, 10, 1, 1)) == pytest.approx(
        [3.2907], abs=1e-4
    )


@pytest.mark.parametrize("name", ["DLH", "DLH13", "DPH"])
def test_a_document_of_one_word_holds_a_little_less_of_it(name: str) -> None:
    [full] = MODELS[name].weigh(posting(3, 3, 2, 4))
    [almost] = MODELS[name].weigh(posting(3 * 0.99999, 3, 2, 4))
    assert full == pytest.approx(almost, rel=1e-4)


def test_a_weight_without_a_finite_value_is_zero() -> None:
    assert MODELS["BB2"].weigh(posting(2, 10, 1, 2, n=1)).tolist() == [0.0]


def test_terms_that_a_query_repeats_saturate() -> None:
    weights = np.array([1.0, 0.5, 0.0])
    assert MODELS["BM25"].query(weights, {"k3": 1.0}) == pytest.approx([1, 2 / 3, 0])
    assert MODELS["BM25"].query(weights, {"k3": 0.0}).tolist() == [1, 1, 0]
    assert MODELS["DFR_BM25"].query(weights) == pytest.approx([1, 500.5 / 1000.5, 0])
    assert MODELS["DirichletLM"].query(weights).tolist() == [1, 1, 1]
    assert MODELS["PL2"].query(weights).tolist() == [1, 0.5, 0]


REFUSED = [
    ("BM25", {"b": 1.5}, r"BM25\(b=1.5\): expected a number from 0 to 1"),
    ("BM25", {"k1": -1.0}, r"BM25\(k1=-1\): expected a number, 0 or more"),
    ("BM25", {"k3": np.inf}, r"BM25\(k3=inf\): expected a number, 0 or more"),
    ("PL2", {"c": 0.0}, r"PL2\(c=0\): expected a number above 0"),
    ("JM", {"lambda": 1.0}, r"JM\(lambda=1\): expected a number between 0 and 1"),
    (
        "DirichletLM",
        {"mu": np.nan},
        r"DirichletLM\(mu=nan\): expected a number above 0",
    ),
]


@pytest.mark.parametrize(("name", "values", "message"), REFUSED)
def test_a_parameter_out_of_bounds_is_refused(
    name: str, values: dict[str, float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        MODELS[name].weigh(POSTING, values)


def test_an_unknown_parameter_is_refused() -> None:
    message = r"no parameter of BM25 named 'k2'\. Known: b, k1, k3\."
    with pytest.raises(UnknownNameError, match=message):
        MODELS["BM25"].weigh(POSTING, {"k2": 1.0})


def test_a_formula_is_a_plain_function_too() -> None:
    assert okapi.bm25(POSTING, b=0.0) == pytest.approx([1.584963 * 6.6 / 4.2], abs=1e-5)
