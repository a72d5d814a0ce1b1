"""Sentences from data that is small enough to check by hand."""

import re

import numpy as np
import pytest

import mohs
from mohs.analysis.agreement import agree
from mohs.analysis.anova import anova
from mohs.analysis.difficulty import Part, difficulty
from mohs.analysis.difficulty.correlates import correlates
from mohs.analysis.inspection import check
from mohs.reporting import summary
from mohs.tables import Factor, Table

GRADES = {"a": 1, "b": 0, "c": 0, "d": 0}
BEST, WORST = "abcd", "dcba"


def ranked(order: str) -> dict[str, float]:
    return {name: -float(place) for place, name in enumerate(order)}


def runs(**wins: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return twelve systems, of which so many put the relevant document first."""
    return {
        f"s{number:02}": {
            topic: ranked(BEST if number < count else WORST)
            for topic, count in wins.items()
        }
        for number in range(12)
    }


def part_of(**wins: int) -> Part:
    qrels = dict.fromkeys(wins, GRADES)
    return difficulty(qrels, runs(**wins), permutations=200).parts[0]


def test_hard_topics_are_counted_and_the_hardest_named() -> None:
    told = summary.hard_topics(part_of(t1=1, t2=3, t3=6, t4=12))
    assert told.startswith(
        "2 of 4 topics are hard, as at most a quarter of the systems"
    )
    # 1, 3 and 6 of 12 systems; the bounds are quantiles of the binomial.
    assert re.findall(r"(t\d) \((0\.\d\d), 95% 0", told) == [
        ("t1", "0.08"),
        ("t2", "0.25"),
        ("t3", "0.50"),
    ]


def test_without_hard_topics_none_is_called_so() -> None:
    told = summary.hard_topics(part_of(t1=6, t2=9))
    assert told.startswith("None of 2 topics is hard: more than a quarter")
    assert "t1 (0.50" in told


def test_few_systems_have_no_classes() -> None:
    found = difficulty({"1": GRADES}, {"x": {"1": ranked(BEST)}}, permutations=0)
    told = summary.hard_topics(found.parts[0])
    assert told == (
        "Of 1 topic, hardest is 1 (1.00, 95% 1.00\u20131.00);"
        " there are too few systems for classes."
    )
    assert "was not asked" in summary.how_sure(found.parts[0])


def test_no_topic_may_have_a_difficulty() -> None:
    found = difficulty({"1": {"a": 0}}, {"x": {"1": ranked("a")}})
    assert summary.hard_topics(found.parts[0]).startswith("No topic has a difficulty")
    assert summary.how_sure(found.parts[0]) == "There is nothing to be sure of."


def test_how_sure_counts_topics_that_chance_cannot_explain() -> None:
    # With one shuffle for all, twelve equal systems win or lose together: a quarter
    # of the shuffles put the relevant document first.
    told = summary.how_sure(part_of(t1=12, t2=12))
    assert told.startswith("On none of 2 topics")
    assert "95% interval of a difficulty is 0.00 wide" in told


def traits(**taus: tuple[float, float]) -> Table:
    return Table(
        {
            "with": Factor.of(taus),
            "topics": np.full(len(taus), 20),
            "tau_b": np.array([tau for tau, _ in taus.values()]),
            "low": np.array([tau - 0.1 for tau, _ in taus.values()]),
            "high": np.array([tau + 0.1 for tau, _ in taus.values()]),
            "p": np.array([p for _, p in taus.values()]),
        }
    )


def test_the_closest_trait_is_named_with_its_direction() -> None:
    told = summary.what_makes_hard(
        None, traits(relevant=(0.2, 0.3), pool=(-0.6, 0.0005), words=(np.nan, np.nan))
    )
    assert "is the size of the pool: the more, the harder" in told
    assert "\u22120.60, 95% \u22120.70 to \u22120.50; 0 by chance, p < 0.001" in told


def test_a_trait_that_chance_explains_is_not_made_a_cause() -> None:
    # Of two traits, each is judged at half of 5%.
    told = summary.what_makes_hard(None, traits(relevant=(0.3, 0.03), pool=(0.1, 0.5)))
    assert told.startswith("None of 2 known traits of the topics goes with difficulty")
    assert "closest the number of relevant documents: τ_b 0.30" in told


def test_how_much_topics_explain_comes_from_the_analysis() -> None:
    scores = {
        f"s{s}": {f"t{t}": {"AP": t / 10 + (s * t) % 3 / 100} for t in range(6)}
        for s in range(4)
    }
    result = anova(scores, "~ topic + system", random="topic", tukey="system")
    partial = dict(result.table.select("term", "omega2_partial").iter_rows())
    told = summary.what_makes_hard(result)
    assert f"topics explain {partial['topic']:.2f} (95% " in told
    assert told.endswith("(partial ω², 0 by chance).")


def test_pairs_that_differ_are_counted() -> None:
    # Two systems alike, and one far behind both.
    scores = {
        name: {str(t): {"AP": base + t / 10 + noise * (-1) ** t} for t in range(6)}
        for name, base, noise in (("a", 0.3, 0.01), ("b", 0.3, -0.01), ("c", 0.0, 0.0))
    }
    told = summary.which_differ(anova(scores, "~ topic + system", tukey="system"))
    assert told.startswith("2 of 3 pairs of systems differ in mean AP (Tukey, 5%")
    assert told.endswith("the highest mean has a (0.550), not told apart from b.")


@pytest.mark.parametrize("result", [None])
def test_nothing_to_compare_is_said(result: None) -> None:
    assert summary.which_differ(result).startswith("With one system or one topic")
    assert summary.what_makes_hard(result).startswith("With one system or one topic")


def test_clean_files_are_called_so() -> None:
    found = check({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}})
    told = summary.files_of(found)
    assert told == "Nothing: check found no problem in 1 run, 1 topic."


def test_the_first_warning_is_quoted() -> None:
    found = check({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1.0}}})
    told = summary.files_of(found)
    assert told.startswith("Check of 1 run, 2 topics has 1 warning and 0 notes; first ")
    assert "1 of 2 topics are missing and score 0: 2" in told


SCORES = {
    f"s{s}": {str(t): {"AP": t / 10 + s / 100} for t in range(1, 6)} for s in range(8)
}


def test_scores_alone_have_their_sentences() -> None:
    found = agree(SCORES)
    told = summary.hard_by_scores(found)
    # The mean of 0.10, 0.11 … 0.17, and the median of the five topics' means.
    assert told.startswith("Of 5 topics, hardest by mean AP are 1 (0.135, 95% 0.")
    assert told.endswith("half of the topics are below 0.335.")
    told = summary.sure_by_scores(found)
    assert "the best 4 and the worst 4 systems agree" in told
    assert "τ_b 1.00 (95% 1.00\u20131.00; 0 by chance" in told


def test_what_was_noticed_of_scores_is_told() -> None:
    assert summary.files_of_scores((), 0, 12).endswith("all 12 scores have a value.")
    told = summary.files_of_scores(("a note",), 3, 1200)
    assert told == "3 of 1,200 scores are missing; a note."


def test_traits_of_topics_are_those_of_their_rows() -> None:
    # All systems win on t1, t2 and t3 as given; more judgments are easier topics.
    qrels = {f"t{n}": GRADES | {f"x{i}": 0 for i in range(n)} for n in (1, 2, 3)}
    found = mohs.difficulty(qrels, runs(t1=3, t2=6, t3=9), permutations=0)
    rows = {row[0]: row[1:] for row in correlates(found.parts[0]).rows()}
    assert rows["judged"][:2] == (3, 1.0)
    # With three topics, two of six orders are as close, either way.
    assert rows["judged"][4] == pytest.approx(1 / 3, abs=0.02)
    assert rows["relevant"][1] is None
