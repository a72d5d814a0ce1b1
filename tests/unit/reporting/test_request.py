"""Reports of tiny collections: what is on the page, and what is refused."""

import re
from pathlib import Path

import polars as pl
import pytest
import scipy.stats

import mohs
from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.reporting import Report
from mohs.reporting.page import Page
from mohs.samples import sample

QRELS = {
    "easy": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 0},
    "hard": {"a": 0, "b": 0, "c": 0, "d": 1, "e": 2},
    "none": {"a": 0, "b": 0},
}
LISTS = ["abcde", "abdce", "bacde", "acbde", "abced", "bcade", "abcde", "cabde"]
LISTS += ["baced", "abecd", "ebdca"]
RUNS = {
    f"system {number}": {
        topic: {name: -float(place) for place, name in enumerate(names)}
        for topic in QRELS
    }
    for number, names in enumerate(LISTS)
}
ASKED = {"easy": "what is easy", "hard": "what is hard"}
SCORES = {
    f"s{s}": {str(t): {"AP": (s + t * t) % 7 / 10} for t in range(6)} for s in range(5)
}


@pytest.fixture(scope="module")
def found() -> Report:
    truth = {"easy": 0.9, "hard": 0.1}
    return mohs.report(QRELS, RUNS, topics=ASKED, truth=truth, permutations=200)


def cells_of(page: Page, section: str, grid: int = 0) -> dict[str, tuple[str, ...]]:
    shown = page.section(section).grids[grid]
    return {column.label: column.cells for column in shown.columns}


def cells(report: Report, section: str, grid: int = 0) -> dict[str, tuple[str, ...]]:
    return cells_of(report.page, section, grid)


def test_sections_come_in_order(found: Report) -> None:
    names = [section.id for section in found.page.sections]
    assert names == [
        *("findings", "summary", "topics", "known", "systems", "strategies"),
        *("anova", "methods"),
    ]
    assert len(found.page.section("summary").points) == 5
    assert found.page.about == "11 systems on 3 topics"


def test_the_hardest_topic_comes_first_and_the_excluded_last(
    found: Report,
) -> None:
    shown = cells(found, "topics")
    assert shown["topic"] == ("hard", "easy", "none")
    assert shown["query"] == ("what is hard", "what is easy", "")
    # One of eleven systems has the relevant documents of the hard topic in front.
    assert shown["difficulty"][0] == "0.09"
    assert shown["class"] == ("hard", "easy", "left out")
    assert shown["difficulty"][2] == "\u2013"
    grid = found.page.section("topics").grids[0]
    assert grid.source["topic"].texts() == ["hard", "easy", "none"]
    assert grid.opens == ("hard", "easy", "none")


def test_marks_stand_where_the_figures_are(found: Report) -> None:
    grid = found.page.section("topics").grids[0]
    row = mohs.difficulty(QRELS, RUNS, permutations=200).table.row(
        by_predicate=pl.col("topic") == "hard", named=True
    )
    graph = next(c for c in grid.columns if c.kind == "graph").graphs[0]
    told = {mark.role: (mark.low, mark.high) for mark in graph}
    assert told == {
        "band": (row["chance_low"], row["chance_high"]),
        "chance": (row["chance"], row["chance"]),
        "span": (row["low"], row["high"]),
        "dot": (row["difficulty"], row["difficulty"]),
    }
    assert graph[-1].tone == "hard"


def test_details_are_those_of_the_runs(found: Report) -> None:
    details = found.page.details
    topic = details["topics"]["hard"]
    assert topic["query"] == "what is hard"
    # The only winner is the last system, whose list is e, b, d, c, a.
    best = topic["systems"][0]
    assert details["systems"][best] == "system 10"
    assert topic["won"][0] == 1
    ranks = {
        name: each[best]
        for name, each in zip(topic["documents"], topic["ranks"], strict=True)
    }
    assert ranks == {"e": 1, "b": 2, "d": 3, "c": 4, "a": 5}
    assert topic["documents"][:2] == ["e", "d"]
    assert topic["judged"] == 5
    assert details["topics"]["none"]["reason"] == "no document was judged relevant"


def test_systems_have_letters_and_their_wins(found: Report) -> None:
    shown = cells(found, "systems")
    assert sorted(shown["system"]) == sorted(RUNS)
    won = dict(zip(shown["system"], shown["won"], strict=True))
    assert won["system 0"] == "0.50"  # the easy topic alone
    means = [float(each) for each in shown["mean"]]
    assert means == sorted(means, reverse=True)


def test_strategies_stand_beside_each_other(found: Report) -> None:
    ranks = cells(found, "strategies", 1)
    assert ranks["difficulty"] == ("1", "2", "\u2013")
    assert len(ranks) == 1 + 1 + 8
    named = mohs.report(QRELS, RUNS, strategies="shtok2012", permutations=50)
    assert cells(named, "strategies")["strategy"] == ("shtok2012",)
    without = mohs.report(QRELS, RUNS, strategies=(), permutations=50)
    assert "strategies" not in [section.id for section in without.page.sections]


def test_a_known_difficulty_is_compared(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=8, systems=10, seed=2)
    truth = tmp_path / "made" / "truth.csv"
    page = mohs.report(made.qrels, made.runs, truth=truth, permutations=50).page
    told = page.section("known").sentences[0]
    rated = mohs.difficulty(made.qrels, made.runs, permutations=0).table
    planted = dict(zip(made.topics, made.difficulty, strict=True))
    known = [planted[topic] for topic in rated["topic"]]
    tau = scipy.stats.kendalltau(known, rated["difficulty"]).statistic
    assert f"τ_b {tau:.2f} (95% interval " in told.replace("\u2212", "-")
    assert "0 what chance gives, p " in told


def test_a_faulty_truth_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("topic,difficulty\neasy,soft\n")
    with pytest.raises(FormatError, match="topic easy is no number: 'soft'"):
        mohs.report(QRELS, RUNS, truth=path)


def test_corpora_have_a_section(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=6, systems=10, seed=2)
    options = {"corpus": ["shards:2"], "permutations": 50}
    page = mohs.report(made.qrels, made.runs, **options).page
    shown = page.section("corpora").grids[1].source.to_polars()
    rated = mohs.difficulty(made.qrels, made.runs, **options).table
    known = rated.pivot("corpus", index="topic", values="difficulty")
    both = shown.join(known, on="topic", suffix=" known")
    assert len(both) == 6
    for name in rated["corpus"].unique():
        assert both[name].to_list() == both[f"{name} known"].to_list()
    assert "topic:corpus" in cells_of(page, "anova")["term"]
    composed = cells_of(page, "corpora")["collection"]
    assert composed == ("all", *rated["corpus"].unique(maintain_order=True))


def test_formulations_have_a_section() -> None:
    qrels = {"1": QRELS["easy"], "2": QRELS["hard"]}
    runs = {
        system: {
            f"{topic}-{wording}": {
                name: value * (1 if wording == "x" else (-1) ** place)
                for place, (name, value) in enumerate(lists["easy"].items())
            }
            for topic in qrels
            for wording in "xyz"
        }
        for system, lists in RUNS.items()
    }
    page = mohs.report(
        qrels,
        runs,
        formulation=r"(?P<topic>\d)-(?P<formulation>\w)",
        permutations=50,
    ).page
    shown = page.section("formulations").grids[1]
    assert shown.columns[0].cells == ("1", "2")
    assert shown.columns[1].cells == ("3", "3")
    topics = page.section("topics").grids[0]
    assert [column.label for column in topics.columns[:2]] == ["topic", "formulation"]
    assert sorted(topics.opens) == [f"{t}-{w}" for t in "12" for w in "xyz"]


def test_scores_alone_make_a_page() -> None:
    found = mohs.report(scores=SCORES)
    assert [section.id for section in found.page.sections] == [
        *("summary", "topics", "systems", "anova", "agreement", "methods")
    ]
    shown = cells(found, "topics")
    means = {str(t): sum(SCORES[s][str(t)]["AP"] for s in SCORES) / 5 for t in range(6)}
    assert shown["topic"][0] == min(means, key=means.get)
    assert shown["mean"][0] == f"{min(means.values()):.3f}"
    topic = found.page.details["topics"]["3"]
    assert topic["values"] == [SCORES[f"s{s}"]["3"]["AP"] for s in range(5)]


def test_a_formula_of_ones_own_has_to_be_possible() -> None:
    page = mohs.report(scores=SCORES, formula="~ system").page
    assert page.section("anova").grids[0].columns[0].cells[0] == "system"
    with pytest.raises(UnknownNameError):
        mohs.report(scores=SCORES, formula="~ topic + stemmer")
    alone = {"a": SCORES["s0"]}
    told = mohs.report(scores=alone).page.section("anova").sentences[0]
    assert told.startswith("This cannot be told: ")


ONE = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0, "e": -1.0}
EVERY = dict.fromkeys(QRELS, ONE)
# What little there may be, and what is said of the systems then.
DEGENERATE = {
    "one run, one topic": ({"easy": QRELS["easy"]}, {"x": {"easy": ONE}}, "With one"),
    "one run": (QRELS, {"x": EVERY}, "With one"),
    "one topic": (
        {"easy": QRELS["easy"]},
        {"x": {"easy": ONE}, "y": {"easy": {"b": 1.0}}},
        "With one",
    ),
    "two runs, one with gaps": (
        QRELS,
        {"x": EVERY, "y": {"easy": {"b": 1.0}, "hard": {"e": 1.0}}},
        "0 of 1 pair",
    ),
    "equal runs": (QRELS, {"x": EVERY, "y": EVERY}, "With one"),
    "nothing relevant": (
        {"1": {"a": 0}, "2": {"a": 0}},
        {"x": {"1": ONE, "2": ONE}, "y": {"1": ONE}},
        "With one",
    ),
}


def read_aloud(found: Report) -> str:
    """Return the text of a page, without what its script holds."""
    return re.sub(
        r"<[^>]*>", " ", found.html.split('id="data"')[0].split("</style>")[1]
    )


@pytest.mark.parametrize("case", DEGENERATE)
def test_little_is_enough_for_a_page(case: str) -> None:
    qrels, runs, told = DEGENERATE[case]
    found = mohs.report(qrels, runs, permutations=50)
    points = found.page.section("summary").points
    assert points[3].sentence.startswith(told)
    assert all(point.sentence.endswith(".") for point in points)
    assert not re.search(r"\b(nan|None|inf)\b", read_aloud(found))


SPARSE = {
    "one system": {"a": {"1": 0.1, "2": 0.5}},
    "one topic": {"a": {"1": 0.1}, "b": {"1": 0.3}},
    "equal scores": {s: {"1": 0.5, "2": 0.5} for s in "abcd"},
    "gaps": {
        "a": {"1": 0.1, "2": 0.5},
        "b": {"1": 0.3, "3": 0.2},
        "c": {"1": 0.4, "2": 0.2, "3": 0.1},
        "d": {"1": 0.2, "2": 0.3, "3": 0.6},
    },
}


@pytest.mark.parametrize("case", SPARSE)
def test_few_scores_are_enough_for_a_page(case: str) -> None:
    scores = {
        system: {topic: {"AP": value} for topic, value in each.items()}
        for system, each in SPARSE[case].items()
    }
    found = mohs.report(scores=scores)
    assert len(found.page.section("summary").points) == 5
    topics = {topic for each in scores.values() for topic in each}
    assert found.page.section("topics").grids[0].size == len(topics)
    assert not re.search(r"\b(nan|inf)\b", read_aloud(found))


def test_one_source_is_needed() -> None:
    for options in ({}, {"qrels": QRELS, "runs": RUNS, "scores": SCORES}):
        with pytest.raises(InputError, match="either judgments and runs, or --scores"):
            mohs.report(**options)
    with pytest.raises(InputError, match="can be read only once"):
        mohs.report("-", RUNS)


def test_methods_tell_how_to_make_it_again(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=3, systems=3, seed=2)
    found = mohs.report(
        made.qrels, made.runs, seed=5, depth=7, permutations=50, command="mohs report x"
    )
    terms = dict(found.page.section("methods").terms)
    assert terms["Command"] == "mohs report x"
    assert terms["Seed"] == "5"
    assert terms["Program"] == f"Mohs {mohs.__version__}"
    assert "depth = 7" in terms["Options"]
    assert "nDCG_std@7" in terms
    files = found.page.section("methods").grids[0].source["file"]
    assert sorted(files) == sorted(["qrels.txt", *(path.name for path in made.runs)])


def test_workers_change_nothing(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=3, systems=3, seed=2)
    one, two = (
        mohs.report(made.qrels, made.runs, permutations=50, workers=count).html
        for count in (1, 2)
    )
    assert one == two


def test_a_page_is_saved_whole(tmp_path: Path, found: Report) -> None:
    found.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == found.html
    with pytest.raises(InputError, match="cannot be written"):
        found.save(tmp_path / "no folder" / "page.html")
