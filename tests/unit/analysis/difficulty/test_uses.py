import numpy as np
import pytest

from mohs.analysis.difficulty import STRATEGIES, Difficulty, difficulty
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


def test_topics_without_relevant_documents_are_none_of_a_sub_corpus() -> None:
    # Corpus C is what topics 1 and 5 alone have relevant documents in, D has none.
    qrels = {
        topic: {**grades, "c1": int(topic in "15"), "c2": 0, "d1": 0}
        for topic, grades in QRELS.items()
    }
    runs = {
        name: {
            topic: {**scores, "c1": float(name < "s05"), "c2": 0.5, "d1": 0.0}
            for topic, scores in run.items()
        }
        for name, run in RUNS.items()
    }
    corpora = ["A=^a", "C=^c", "D=^d"]
    asked = {"permutations": 0, "corpus": corpora, "strategies": "all"}
    result = difficulty(qrels, runs, **asked)
    table = result.table.filter(result.table["corpus"] == "C")
    assert table["topic"].to_list() == ["1", "2", "4", "5"]
    left_out = table.filter(table["topic"].is_in(["2", "4"]))
    for name in STRATEGIES.names():
        assert left_out[name].to_list() == [None, None]
        assert left_out[f"{name}_class"].to_list() == [None, None]
        assert table[name].null_count() == 2
    assert set(table["eguchi2002_class"]) == {"easy", "medium", None}
    agreement = result.tables()["agreement"].to_polars()
    counts = {
        corpus: set(agreement.filter(agreement["corpus"] == corpus)["topics"])
        for corpus in "ACD"
    }
    assert counts == {"A": {4}, "C": {2}, "D": {0}}
    subsets = choose_topics(result).table
    assert subsets["corpus"].to_list() == ["A"] * 4 + ["C"] * 2
    steady = stability(result, strategies="eguchi2002", repeats=1).table
    steady = steady.filter(steady["change"] == "without one system")
    compared = set(steady.select("corpus", "topics").rows())
    assert compared == {("A", 4), ("C", 2)}
    weights = weigh(result, weights="1").tables()["weights"].to_polars()
    assert weights["corpus"].to_list() == ["A"] * 4 + ["C"] * 2


def test_a_use_needs_a_sub_corpus_with_topics() -> None:
    runs = {"s": {"1": {"z": 1.0, "a0": 0.5}}}
    with pytest.raises(InputError, match="no topic has a relevant document in any"):
        choose_topics(difficulty(QRELS, runs, permutations=0, corpus="Z=^z"))


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
    asked = {"formulation": rule, "strategies": "all"}
    result = difficulty(QRELS, queries, depth=4, permutations=0, **asked)
    weights = weigh(result).tables()["weights"].to_polars()
    named = [(topic, form) for topic in "1245" for form in "xy"]
    assert weights.select("topic", "formulation").rows() == named
    opposed = result.tables()["opposed"].to_polars()
    assert len(opposed)
    assert set(opposed.select("topic", "formulation").rows()) <= set(named)


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
