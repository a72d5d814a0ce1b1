"""One collection small enough to check on paper, and what is not in any ranking."""

from dataclasses import replace
from math import inf, isnan, log2, nan

import numpy as np
import pytest

from mohs.errors import InputError
from mohs.gains.grades import Binary, Exponential
from mohs.measures import Measure, average, calculate, floor, parse
from mohs.measures.example import listed

# Ranks 1 to 8 of one topic; two more documents, graded 1 and 0, were not retrieved.
# Relevant: ranks 1, 4, 6 of R = 4. Judged non-relevant: rank 3 and the one missed,
# N = 2. In the pool, but not judged: rank 5.
RANKING = [1, None, 0, 3, -1, 2, None, None]
MISSED = [1, 0]

# With the default level of 1 …
BY_HAND = {
    "NumQ": 1,
    "NumRet": 8,
    "NumRel": 4,
    "NumRelRet": 3,
    "NumRet(rel=2)": 2,
    "num_nonrel_judged_ret": 1,
    "AP": (1 / 1 + 2 / 4 + 3 / 6) / 4,
    "AP@5": (1 / 1 + 2 / 4) / 4,
    "AP(rel=2)": (1 / 4 + 2 / 6) / 2,
    "AP(judged_only=True)": (1 / 1 + 2 / 3 + 3 / 4) / 4,
    "gm_map": (1 / 1 + 2 / 4 + 3 / 6) / 4,
    "P@5": 2 / 5,
    "P@20": 3 / 20,
    "P(rel=3)@5": 1 / 5,
    "R@4": 2 / 4,
    "R@1000": 3 / 4,
    "RR": 1,
    "RR(rel=2)": 1 / 4,
    "RR(rel=2)@3": 0,
    "Rprec": 2 / 4,
    "Success@1": 1,
    "Success(rel=2)@3": 0,
    "Success(rel=2)@4": 1,
    "IPrec@0": 1,
    "IPrec@0.5": 2 / 4,  # two of the four, at rank 4; 3/6 is no better
    "IPrec@0.75": 3 / 6,
    "IPrec@1": 0,
    "11pt_avg": (3 * 1 + 5 * 0.5) / 11,
    "Bpref": (1 + 2 * (1 - 1 / 2)) / 4,
    "gm_bpref": (1 + 2 * (1 - 1 / 2)) / 4,
    "SetP": 3 / 8,
    "SetP(relative=True)": 3 / 4,
    "SetR": 3 / 4,
    "SetF": 2 * (3 / 8) * (3 / 4) / (3 / 8 + 3 / 4),
    "SetF(beta=2)": 3 * (3 / 8) * (3 / 4) / (2 * 3 / 8 + 3 / 4),
    "SetAP": (3 / 8) * (3 / 4),
    "Judged": 5 / 8,
    "Judged@4": 3 / 4,
    "Judged@100": 5 / 8,
    "DCG": 1 + 3 / log2(5) + 2 / log2(7),
    "DCG@5": 1 + 3 / log2(5),
    "DCG(dcg='exp-log2')": 1 + 7 / log2(5) + 3 / log2(7),
    "nDCG": (1 + 3 / log2(5) + 2 / log2(7)) / (3 + 2 / log2(3) + 1 / 2 + 1 / log2(5)),
    "nDCG@2": 1 / (3 + 2 / log2(3)),
    "ERR": 1 / 16 + 15 / 16 * (7 / 16 / 4 + 9 / 16 * 3 / 16 / 6),
    "ERR@3": 1 / 16,
    "ERR(max=3)": 1 / 8 + 7 / 8 * (7 / 8 / 4 + 1 / 8 * 3 / 8 / 6),
    "RBP(p=0.5)": 0.5 * (1 + 1 / 8 + 1 / 32),
    "RBP(p=0.5)@5": 0.5 * (1 + 1 / 8),
    "RBP(p=0.5,rel=2)": 0.5 * (1 / 8 + 1 / 32),
    "gRBP(p=0.5)": 0.5 * (1 / 4 + 3 / 4 / 8 + 2 / 4 / 32),
    "gRBP(p=0.5,max=3)@5": 0.5 * (1 / 3 + 3 / 3 / 8),
    "gRBP(p=0.5,max=3,gain=exponential)": 0.5 * (1 / 7 + 7 / 7 / 8 + 3 / 7 / 32),
    "Q": (2 / 4 + 6 / 11 + 9 / 13) / 4,
    "Q@4": (2 / 4 + 6 / 11) / 4,
    "Q@2": (2 / 4) / 2,
    "Q(beta=2)": (3 / 7 + 10 / 18 + 15 / 20) / 4,
    "Q(gain=exponential)": (2 / 8 + 10 / 16 + 14 / 18) / 4,
    "Q(beta=0)": (1 + 2 / 4 + 3 / 6) / 4,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_value_is_the_one_on_paper(name: str) -> None:
    rankings = listed(RANKING, missed=MISSED).rankings
    value = calculate(parse(name), rankings)[0, 0, 0]
    assert value == pytest.approx(BY_HAND[name], abs=1e-12)


def test_set_average_precision_is_rounded_as_by_trec_eval() -> None:
    rankings = listed([1, 1, 1, None, None], missed=[1] * 29).rankings
    # The product of precision and recall is less in the last digit, which print shows.
    assert calculate(parse("SetAP"), rankings).tolist() == [[[9 / (5 * 32)]]]
    assert f"{3 / 5 * (3 / 32):.4f}" != f"{9 / (5 * 32):.4f}"


def test_inferred_precision_is_the_one_on_paper() -> None:
    # At rank 4: 1 relevant and 1 non-relevant above; at rank 6 also 1 unjudged.
    e = 1e-5
    first = 1
    second = 1 / 4 + 3 / 4 * (2 / 3) * (1 + e) / (2 + 2 * e)
    third = 1 / 6 + 5 / 6 * (4 / 5) * (2 + e) / (3 + 2 * e)
    value = calculate(parse("infAP"), listed(RANKING, missed=MISSED).rankings)
    assert value[0, 0, 0] == pytest.approx((first + second + third) / 4)


def test_a_level_is_for_measures_that_spell_out_none() -> None:
    rankings = listed(RANKING, missed=MISSED).rankings
    names = ["P@5", "P(rel=1)@5", "NumRelRet", "NumRet(rel=1)", "NumRel", "NumRet"]
    values = calculate([m for n in names for m in parse(n)], rankings, level=2)
    assert values[:, 0, 0].tolist() == [1 / 5, 2 / 5, 2, 3, 2, 8]


def test_fractions_of_a_grade_are_used_as_they_are() -> None:
    rankings = listed([0.5, 1.5]).rankings
    names = ["RR", "DCG", "P(rel=0.5)@1"]
    values = calculate([m for n in names for m in parse(n)], rankings)[:, 0, 0]
    assert values.tolist() == [1 / 2, 0.5 + 1.5 / log2(3), 1]
    assert calculate(parse("RR"), rankings, level=0.5).tolist() == [[[1.0]]]


def test_level_zero_is_for_judged_documents_but_never_for_negative_grades() -> None:
    values = calculate(parse("P@4"), listed([None, 0, -1, 1]).rankings, level=0)
    assert values.tolist() == [[[0.5]]]


@pytest.mark.parametrize("level", [-1, nan, inf])
def test_an_impossible_level_is_refused(level: float) -> None:
    with pytest.raises(InputError, match="relevance level must be 0 or more"):
        calculate(parse("AP"), listed([1]).rankings, level=level)


def test_a_gain_is_for_measures_that_spell_out_none() -> None:
    rankings = listed([2, 1]).rankings
    names = ["DCG@1", "DCG(dcg='log2')@1", "DCG(dcg='exp-log2')@1"]
    measures = [m for n in names for m in parse(n)]
    for gain, expected in [
        (None, [2, 2, 3]),
        (Exponential(), [3, 2, 3]),
        (Binary(), [1, 2, 3]),
    ]:
        values = calculate(measures, rankings, gain=gain)
        assert values[:, 0, 0].tolist() == expected


def test_a_grade_above_the_scale_of_err_is_refused() -> None:
    rankings = listed([0], missed=[7]).rankings
    with pytest.raises(InputError, match=r"grades up to 4, .* has 7: .* ERR\(max=7\)"):
        calculate(parse("ERR@20"), rankings)
    assert calculate(parse("ERR(max=7)@20"), rankings).tolist() == [[[0.0]]]


def test_certain_satisfaction_hides_what_stands_below() -> None:
    # 2 ** 60 - 1 and 2 ** 60 are one and the same double, so nobody reads on.
    value = calculate(parse("ERR(max=60)"), listed([60, 60]).rankings)
    assert value.tolist() == [[[1.0]]]


def test_what_was_not_retrieved_scores_nothing() -> None:
    rankings = listed([], missed=[1, 2, 0]).rankings
    for measure in parse("all_trec"):
        value = calculate([measure], rankings)[0, 0, 0]
        assert value == {"NumQ": 1, "NumRel": 2}.get(str(measure), 0), str(measure)


def test_topics_without_relevant_documents_score_nothing() -> None:
    rankings = listed([0, None, -1]).rankings
    counted = {"NumQ": 1, "NumRet": 3, "num_nonrel_judged_ret": 1}
    for measure in parse("all_trec"):
        value = calculate([measure], rankings)[0, 0, 0]
        assert value == counted.get(str(measure), 0), str(measure)


def test_summaries_are_means_sums_and_geometric_means() -> None:
    values = np.array([[0.5, 0.0, 0.125], [0.0, 0.0, 0.0]])
    retrieved = np.array([[3, 0, 2], [0, 0, 0]], np.int32)
    summaries = {
        ("AP", True): [0.625 / 3, 0],
        ("AP", False): [0.3125, nan],
        ("NumRet", True): [0.625, 0],
        ("NumRet", False): [0.625, 0],
        ("gm_map", True): [(0.5 * 0.125 * 1e-5) ** (1 / 3), 1e-5],
        ("gm_map", False): [0.25, nan],
        ("theirs", True): [0.625 / 3, 0],
    }
    for (name, complete), expected in summaries.items():
        found = average(Measure(name), values, retrieved, complete=complete)
        assert found.tolist() == pytest.approx(expected, nan_ok=True), name


def test_formulations_share_the_judgments_of_their_topic() -> None:
    # Both queries ask for the topic with one relevant document, neither for the other.
    rankings = listed([None, 3], [1, 1]).rankings
    asked = replace(
        rankings,
        topics=("1a", "1b"),
        groups=np.array([0, 0]),
        offsets=np.array([0, 1, 2]),
        ranks=np.array([2, 1], np.int32),
        judged=np.array([0, 0], np.int32),
    )
    names = ["AP", "nDCG", "NumRel", "Bpref"]
    values = calculate([m for n in names for m in parse(n)], asked)[:, 0]
    expected = np.array([[0.5, 1], [1 / log2(3), 1], [1, 1], [1, 1]])
    assert values == pytest.approx(expected)


def test_no_topic_at_all_has_no_mean() -> None:
    nothing = np.zeros((1, 0))
    mean = average(Measure("AP"), nothing, nothing.astype(np.int32), complete=True)
    assert isnan(mean[0])


@pytest.mark.parametrize(
    ("names", "kept", "dropped"),
    [
        (["AP", "nDCG"], 0.5, 0),
        (["AP"], 1, 0.5),
        (["P(rel=2)@5"], 2, 1.5),
        (["P(rel=2)@5", "RR(rel=0)"], 0, -1),
        (["nDCG"], 1e-9, 0),
        (["ERR@20", "DCG"], 0.5, 0),
    ],
)
def test_the_floor_lies_between_what_counts_and_what_does_not(
    names: list[str], kept: float, dropped: float
) -> None:
    least = floor([m for n in names for m in parse(n)])
    assert dropped <= least < kept


@pytest.mark.parametrize(
    "name", ["Bpref", "infAP", "Judged@5", "gm_bpref", "AP(judged_only=True)"]
)
def test_measures_of_judged_documents_need_every_entry(name: str) -> None:
    assert floor([*parse("AP"), *parse(name)]) is None


def test_counts_of_retrieved_documents_need_no_entry() -> None:
    assert floor(parse("NumRet")) == floor([]) == inf


@pytest.mark.parametrize("name", ["Q", "Q(beta=1000000)@1"])
def test_gains_that_no_number_can_sum_are_refused(name: str) -> None:
    rankings = listed([1e308, 1e308, 3]).rankings
    with pytest.raises(InputError, match="Q adds up gains, and those of the judgments"):
        calculate(parse(name), rankings)
