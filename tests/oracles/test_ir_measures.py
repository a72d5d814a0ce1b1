"""What trec_eval lacks, against ir_measures or a plain loop over one ranking."""

import math
import random
import shutil
from collections.abc import Callable

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mohs.measures import calculate, judged_only, parse
from mohs.measures.bridge import calculate as calculate_foreign
from mohs.rankings import Rankings

# The TREC Web track's program, through which ir_measures has ERR, prints five digits.
FIVE_DIGITS = 0.5e-5 + 1e-12
# The same sums in another order.
TOLERANCE = 1e-12

Rank = Callable[..., Rankings]

by_perl = pytest.mark.skipif(
    shutil.which("perl") is None, reason="perl, which ir_measures needs, is missing"
)

DOCUMENTS = [f"d{number}" for number in range(40)]


def collection(seed: int, grades: tuple[int, ...]) -> tuple[dict, dict]:
    """Judge half the documents on six topics; retrieve some of all, without ties."""
    draw = random.Random(seed)  # noqa: S311
    judged = {
        str(topic): {d: draw.choice(grades) for d in draw.sample(DOCUMENTS, 20)}
        for topic in range(1, 7)
    }
    run = {
        topic: {d: 100.0 - at for at, d in enumerate(draw.sample(DOCUMENTS, length))}
        for topic, length in zip(judged, (40, 25, 12, 5, 3, 1), strict=True)
    }
    return judged, run


def by_ir_measures(name: str, judged: dict, run: dict) -> dict[str, float]:
    found = ir_measures.iter_calc([ir_measures.parse_measure(name)], judged, run)
    return {metric.query_id: metric.value for metric in found}


def of_topics(name: str, rankings: Rankings) -> dict[str, float]:
    values = calculate(parse(name), rankings)[0, 0]
    return dict(zip(rankings.topics, values.tolist(), strict=True))


@by_perl
@pytest.mark.parametrize("cutoff", [1, 5, 20, 100])
def test_err_is_that_of_ir_measures(rank: Rank, cutoff: int) -> None:
    judged, run = collection(cutoff, (-2, 0, 0, 1, 2, 3, 4))
    expected = by_ir_measures(f"ERR@{cutoff}", judged, run)
    values = of_topics(f"ERR@{cutoff}", rank(judged, {"run": run}))
    assert values == pytest.approx(expected, rel=0, abs=FIVE_DIGITS)


@by_perl
@pytest.mark.parametrize("cutoff", [1, 5, 20, 100])
def test_exponential_ndcg_is_that_of_ir_measures(rank: Rank, cutoff: int) -> None:
    judged, run = collection(cutoff, (-2, 0, 0, 1, 2, 3, 4))
    name = f"nDCG(dcg='exp-log2')@{cutoff}"
    expected = by_ir_measures(name, judged, run)
    values = of_topics(name, rank(judged, {"run": run}))
    assert values == pytest.approx(expected, rel=0, abs=FIVE_DIGITS)


@pytest.mark.parametrize("name", ["Judged@1", "Judged@5", "Judged@30", "Judged"])
def test_judged_is_that_of_ir_measures(rank: Rank, name: str) -> None:
    judged, run = collection(5, (-2, 0, 1, 3))
    expected = by_ir_measures(name, judged, run)
    assert of_topics(name, rank(judged, {"run": run})) == pytest.approx(expected)


@pytest.mark.parametrize(
    "name",
    [
        *("AP(rel=2)@5", "P(rel=3)@10", "RR(rel=2)", "Rprec(rel=2)", "R(rel=2)@20"),
        *("SetP(relative=True)", "SetF(beta=0.5)", "SetAP(rel=2)", "NumRet(rel=2)"),
        *("AP(judged_only=True)", "P(judged_only=True)@5", "nDCG(judged_only=True)"),
        *("IPrec@0.3", "Success(rel=3)@5", "Bpref(rel=2)", "infAP(rel=2)"),
    ],
)
def test_parameters_mean_what_they_mean_to_ir_measures(rank: Rank, name: str) -> None:
    judged, run = collection(11, (-1, 0, 0, 1, 2, 3))
    expected = by_ir_measures(name, judged, run)
    assert of_topics(name, rank(judged, {"run": run})) == pytest.approx(expected)


def test_every_spelling_of_ours_is_read_by_ir_measures() -> None:
    texts = ["AP(rel=2)@100", "P(rel=2)@10", "nDCG(dcg='exp-log2')@20", "IPrec@0.1"]
    texts += ["SetF(beta=2.0)", "SetP(relative=True)", "RBP(p=0.5,rel=2)", "Judged@10"]
    for text in texts:
        (measure,) = parse(text)
        assert str(ir_measures.parse_measure(str(measure))) == str(measure) == text


# From here on: formulas that nobody else has, as plain loops.


def graded(judged: dict, run: dict) -> list[int]:
    """Return the grades of one ranking in its order, 0 for what was not judged."""
    return [max(judged.get(d, 0), 0) for d in sorted(run, key=run.get, reverse=True)]


def err(grades: list[int], most: int) -> float:
    value, reached = 0.0, 1.0
    for rank, grade in enumerate(grades, 1):
        satisfied = (2**grade - 1) / 2**most
        value += reached * satisfied / rank
        reached *= 1 - satisfied
    return value


def rbp(grades: list[int], p: float) -> float:
    return (1 - p) * sum(p**at for at, grade in enumerate(grades) if grade >= 1)


def graded_rbp(grades: list[int], p: float, most: int) -> float:
    return (1 - p) * sum(p**at * grade / most for at, grade in enumerate(grades))


def dcg(grades: list[int], gain: Callable[[int], float]) -> float:
    return sum(
        gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1)
    )


PLAIN = {
    "ERR": lambda grades: err(grades, 4),
    "ERR(max=3)": lambda grades: err(grades, 3),
    "ERR(max=7)@3": lambda grades: err(grades[:3], 7),
    "RBP": lambda grades: rbp(grades, 0.8),
    "RBP(p=0.5)": lambda grades: rbp(grades, 0.5),
    "RBP(p=0.95)@10": lambda grades: rbp(grades[:10], 0.95),
    "gRBP": lambda grades: graded_rbp(grades, 0.8, 4),
    "gRBP(p=0.5,max=3)@5": lambda grades: graded_rbp(grades[:5], 0.5, 3),
    "DCG": lambda grades: dcg(grades, float),
    "DCG@5": lambda grades: dcg(grades[:5], float),
    "DCG(dcg='exp-log2')@10": lambda grades: dcg(grades[:10], lambda g: 2.0**g - 1),
}


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_values_are_those_of_a_plain_loop(rank: Rank, name: str, seed: int) -> None:
    judged, run = collection(seed, (-1, 0, 1, 2, 3))
    values = of_topics(name, rank(judged, {"run": run}))
    expected = {topic: PLAIN[name](graded(judged[topic], run[topic])) for topic in run}
    assert values == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE)


def test_judged_only_as_an_option_is_judged_only_as_a_parameter(rank: Rank) -> None:
    judged, run = collection(3, (-1, 0, 1, 2))
    rankings = rank(judged, {"run": run})
    inside = calculate(parse("nDCG(judged_only=True)@5"), rankings)
    outside = calculate(parse("nDCG@5"), judged_only(rankings))
    assert inside.tolist() == outside.tolist()
    assert inside.tolist() != calculate(parse("nDCG@5"), rankings).tolist()


def test_measures_outside_the_catalogue_come_from_ir_measures() -> None:
    judged, run = collection(4, (0, 1, 2))
    texts = ["Compat(p=0.8)", "nDCG(gains={0:0,1:3,2:9})@5", "Accuracy@10"]
    measures = [measure for text in texts for measure in parse(text)]
    topics = [*judged, "7"]
    values = calculate_foreign(measures, judged, run, topics)
    assert values.shape == (3, 7)
    for text, row in zip(texts, values, strict=True):
        # It says nothing of a topic where a measure is not defined.
        expected = dict.fromkeys(topics, 0.0) | by_ir_measures(text, judged, run)
        assert dict(zip(topics, row.tolist(), strict=True)) == expected
    assert np.count_nonzero(values) > 6
