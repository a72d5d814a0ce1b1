"""What stands in the rows of the picture, and what its caption says."""

from types import SimpleNamespace

import numpy as np
import pytest

from mohs.analysis.difficulty.pool import Rules
from mohs.analysis.difficulty.question import Question
from mohs.analysis.difficulty.ratio import CLASSES as OF_RATIOS
from mohs.analysis.difficulty.ratio import Outcome
from mohs.analysis.difficulty.rows import Row
from mohs.charts.strips import arrange, caption
from mohs.charts.themes import CLASSES

SYSTEMS = tuple(f"s{number}" for number in range(12))
SPREAD = [-0.2, 0.0, 0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5, 0.5, 0.6]
NONE = np.empty(0)


def topic(
    name: str, values: list[float], *, reason: str | None = None, **figures: float
) -> tuple[Row, Outcome]:
    """Return the row and the outcome of systems 0, 1 and so on."""
    count = len(values)
    wins = sum(value > 0 for value in values)
    known = {} if reason else {"wins": wins, "difficulty": wins / count, **figures}
    row = Row(
        topic=name,
        systems=count,
        pool=9,
        prevalence=0.5,
        judged=9,
        relevant=4,
        reason=reason,
        **known,
    )
    outcome = Outcome(
        topic=name,
        systems=np.arange(count, dtype=np.int32),
        won=np.array(values) > 0,
        ndcg=NONE,
        standardised=np.array(values, np.float64),
        margins=NONE,
        marks=NONE,
        sums=NONE,
        rival=None,
        reason=reason,
    )
    return row, outcome


def solution(*topics: tuple[Row, Outcome], **question: object) -> SimpleNamespace:
    rows, outcomes = zip(*topics, strict=True) if topics else ((), ())
    problem = SimpleNamespace(systems=SYSTEMS, rules=Rules(depth=10))
    asked = Question(**question)
    return SimpleNamespace(
        problem=problem, question=asked, rows=rows, outcomes=outcomes
    )


def test_topics_go_from_easy_to_hard_and_the_excluded_come_last() -> None:
    given = [
        topic("t9", [], reason="no run retrieved a document"),
        topic("t10", [0.5, -0.5], margin=0.1),
        topic("t2", [-0.5, -0.5]),
        topic("t7", [0.5, -0.5], margin=0.2),
        topic("t1", [0.5, 0.5]),
        topic("t8", [], reason="no document was judged relevant"),
        topic("t11", [0.5, -0.5], margin=0.1),
    ]
    arranged = arrange(solution(*given))
    assert arranged.names == ("t1", "t7", "t10", "t11", "t2", "t8", "t9")
    assert arranged.rows[-1] == {
        "topic": "t9",
        "note": "left out: no run retrieved a document",
    }


def test_a_row_has_its_figures_and_its_box() -> None:
    figures = {"low": 0.7, "high": 1.0, "chance": 0.4, "p": 0.01, "class_": "easy"}
    (row,) = arrange(solution(topic("t", SPREAD, **figures))).rows
    assert row["difficulty"] == 9 / 11
    assert (row["wins"], row["systems"], row["class"]) == (9, 11, "easy")
    assert (row["low"], row["high"], row["chance"], row["p"]) == (0.7, 1.0, 0.4, 0.01)
    ends = [row[name] for name in ("from", "q1", "middle", "q3", "to")]
    assert ends == pytest.approx([-0.2, 0.15, 0.3, 0.45, 0.6])
    # What is missing is left out, since JSON knows no NaN.
    assert {"chance_low", "chance_high", "mean"} & row.keys() == set()


def test_outliers_carry_the_names_of_their_systems() -> None:
    arranged = arrange(solution(topic("t", [*SPREAD, -0.9])))
    assert arranged.points == ({"topic": "t", "system": "s11", "value": -0.9},)
    assert arranged.edges == ()


def test_what_lies_beyond_the_window_is_at_its_edge() -> None:
    far = topic("far", [-49.0, -48.0, -47.0])
    others = [topic(f"t{number}", SPREAD) for number in range(8)]
    arranged = arrange(solution(far, *others, topic("one", [*SPREAD, -9.0])))
    assert arranged.window.low > -1
    assert arranged.points == ()
    assert [each["side"] for each in arranged.edges] == [-1, -1, -1]
    assert arranged.edges[-1] == {
        "topic": "one",
        "system": "s11",
        "value": -9.0,
        "side": -1,
    }
    notes = {row["topic"]: row.get("note") for row in arranged.rows}
    assert notes["far"] == "beyond the axis: \N{MINUS SIGN}49 to \N{MINUS SIGN}47"
    assert notes["one"] is None


def test_a_topic_without_ndcg_std_keeps_its_difficulty() -> None:
    row, outcome = topic("t", [1.0, 1.0])
    outcome.standardised[:] = np.nan
    (drawn,) = arrange(solution((row, outcome))).rows
    assert drawn["difficulty"] == 1
    assert drawn["note"] == "NDCG_std has no meaning: every order is as good"
    assert "q1" not in drawn


def test_control_characters_are_shown_and_not_obeyed() -> None:
    arranged = arrange(solution(topic("a\x07b", SPREAD)))
    assert arranged.names == (r"a\x07b",)


def test_classes_are_those_of_the_ratio_and_only_those_that_occur() -> None:
    assert CLASSES[:-1] == OF_RATIOS
    arranged = arrange(
        solution(topic("a", SPREAD, class_="easy"), topic("b", SPREAD, class_="hard"))
    )
    assert arranged.classes == ["hard", "easy"]
    (unclassed,) = arrange(solution(topic("a", SPREAD))).classes
    assert unclassed.startswith("no class")


# question, then the first words of every line of the caption, then its end
CAPTIONS = {
    "bootstrap": ({}, "when the grades are shuffled"),
    "teams": ({"teams": {"s1": "t"}, "permutations": 0}, "bootstrap over teams"),
    "wilson": (
        {"interval": "wilson", "permutations": 0},
        "too short unless systems are independent",
    ),
}


@pytest.mark.parametrize("case", CAPTIONS)
def test_a_caption_says_what_the_marks_mean(case: str) -> None:
    question, end = CAPTIONS[case]
    asked = solution(topic("a", SPREAD), **question)
    lines = caption(asked, arrange(asked))
    assert lines[0] == (
        "11 systems, nDCG_std@10; pool: the first 10 documents of every system"
    )
    assert (
        lines[2] == "Right: the share of systems that beat a random order of the pool"
    )
    assert lines[-1].endswith(end)


def test_a_caption_names_the_baseline_and_counts_systems() -> None:
    asked = solution(topic("a", SPREAD), topic("b", SPREAD[:3]), baseline="s3")
    lines = caption(asked, arrange(asked))
    assert lines[0].startswith("3 to 11 systems, ")
    assert lines[2] == "Right: the share of systems that beat s3"
    asked = solution(topic("a", SPREAD), baseline="0.25")
    lines = caption(asked, arrange(asked))
    assert lines[2] == (
        "Right: the share of systems that reach more than 0.25 of nDCG_std@10"
    )


def test_nothing_can_be_drawn_too() -> None:
    empty = arrange(solution())
    assert (empty.names, empty.rows, empty.classes) == ((), (), [])
