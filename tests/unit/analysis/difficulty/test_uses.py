import numpy as np
import pytest

from mohs.analysis.difficulty import Difficulty, difficulty
from mohs.analysis.difficulty.uses import choose_topics, stability, weigh
from mohs.analysis.difficulty.weights import weighted_means
from mohs.errors import InputError
from mohs.measures.evaluation import evaluate

QRELS = {
    topic: {f"{corpus}{number}": (number * int(topic)) % 3 for number in range(8)}
    for topic in ("1", "2", "4", "5")
    for corpus in "ab"
}
for of_topic in QRELS.values():
    of_topic |= {f"a{number}": (number * 2 + 1) % 3 for number in range(8)}
RUNS = {
    f"s{system:02}": {
        topic: {
            name: float((sum(map(ord, name)) * (system + 3) * int(topic)) % 17)
            for name in grades
        }
        for topic, grades in QRELS.items()
    }
    for system in range(11)
}


def rated(**options) -> Difficulty:  # noqa: ANN003
    return difficulty(QRELS, RUNS, depth=4, permutations=0, **options)


def test_scores_are_those_of_an_evaluation() -> None:
    result = rated()
    scores = evaluate(QRELS, RUNS, measures="nDCG@3").scores
    expected = weighted_means(result, scores).tables()
    found = weigh(result, "ndcg_cut.3").tables()
    assert list(found) == ["weighted", "weighted_order", "weights"]
    for name, table in found.items():
        assert list(table.rows()) == list(expected[name].rows())
    assert found["weighted"]["measure"].levels == ("nDCG@3",)


def test_strategies_are_those_the_difficulty_was_asked_for() -> None:
    result = rated(strategies=["carterette2009"])
    by_default = stability(result, repeats=2).table["strategy"].unique().to_list()
    assert sorted(by_default) == ["carterette2009", "difficulty"]
    ratio = stability(rated(), repeats=2).table["strategy"].unique().to_list()
    assert ratio == ["difficulty"]
    asked = stability(result, strategies="eguchi2002", repeats=2)
    assert "eguchi2002" in asked.table["strategy"].to_list()


def test_every_sub_corpus_is_answered_apart() -> None:
    result = rated(corpus=["A=^a", "B=^b"])
    alone = rated(corpus=["B=^b"])
    for use in (weigh, choose_topics, lambda each: stability(each, repeats=2)):
        both, one = use(result).table, use(alone).table
        assert both["corpus"].unique(maintain_order=True).to_list() == ["A", "B"]
        assert both.filter(both["corpus"] == "B").equals(one)


def test_other_judgments_are_matched_by_sub_corpus() -> None:
    result = rated(corpus=["A=^a", "B=^b"])
    table = stability(result, repeats=1, other=rated(corpus=["B=^b"])).table
    rejudged = table.filter(table["change"] == "other judgments")
    assert rejudged["corpus"].to_list() == ["B"]
    assert rejudged["largest"].to_list() == [0.0]


def test_formulations_are_weighed_one_by_one() -> None:
    queries = {
        name: {
            f"{topic}-{form}": list_ for topic, list_ in run.items() for form in "xy"
        }
        for name, run in RUNS.items()
    }
    rule = r"(?P<topic>\d+)-(?P<formulation>.)"
    result = difficulty(QRELS, queries, depth=4, permutations=0, formulation=rule)
    weights = weigh(result).tables()["weights"]
    assert list(weights["topic"]) == [f"{t}-{f}" for t in "1245" for f in "xy"]


def test_topics_of_several_rows_are_not_mixed_up() -> None:
    result = rated(corpus=["A=^a", "B=^b"])
    scores = evaluate(QRELS, RUNS, measures="AP").scores
    with pytest.raises(InputError, match="topic 1 has several rows; choose one"):
        weighted_means(result, scores)


@pytest.mark.parametrize("measure", ["official", "alpha_nDCG@20"])
def test_one_measure_of_the_catalogue_is_asked_for(measure: str) -> None:
    with pytest.raises(InputError, match="expected one measure that Mohs itself"):
        choose_topics(rated(), measure)


def test_greedy_ends_where_random_ends() -> None:
    found = choose_topics(rated(), repeats=20).tables()["subsets"]
    assert np.asarray(found["best"])[-1] == np.asarray(found["low"])[-1] == 1.0
