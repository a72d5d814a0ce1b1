"""Effects of components, computed by hand."""

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.analysis.components import components
from mohs.errors import InputError, MohsError

COLUMNS = ["component", "level", "baseline", "topic", "delta", "low", "high", "systems"]

# system, stemmer, expansion, and its scores on the topics 1 and 2
SYSTEMS = [
    ("a", "none", "none", 0.25, 0.5),
    ("b", "none", "rm3", 0.5, 0.5),
    ("c", "porter", "none", 0.5, 0.25),
    ("d", "porter", "rm3", 1.0, 0.25),
    ("e", "lovins", "none", 0.0, 0.5),
]


def table(systems: list[tuple]) -> pl.DataFrame:
    """Return the long table of some systems."""
    rows = [
        (name, str(topic), stemmer, expansion, "AP", score)
        for name, stemmer, expansion, *scores in systems
        for topic, score in enumerate(scores, start=1)
    ]
    names = ["system", "topic", "stemmer", "expansion", "measure", "value"]
    return pl.DataFrame(rows, names, orient="row")


SCORES = table(SYSTEMS)


def effects(scores: object = SCORES, **options: object) -> dict[tuple, tuple]:
    """Return delta and number of systems, by component, level and topic."""
    rows = components(scores, **options).table.rows()
    return {
        (one, level, topic): (delta, n) for one, level, _, topic, delta, *_, n in rows
    }


def test_pairs_differ_in_the_component_alone() -> None:
    result = components(SCORES)
    assert result.table.columns == COLUMNS
    assert effects() == {
        # c - a, d - b
        ("stemmer", "porter", "1"): (0.375, 2),
        ("stemmer", "porter", "2"): (-0.25, 2),
        # e - a; lovins was never run with rm3
        ("stemmer", "lovins", "1"): (-0.25, 1),
        ("stemmer", "lovins", "2"): (0.0, 1),
        # b - a, d - c
        ("expansion", "rm3", "1"): (0.375, 2),
        ("expansion", "rm3", "2"): (0.0, 2),
    }
    assert result.table["baseline"].unique().to_list() == ["none"]


def test_levels_are_in_natural_order() -> None:
    levels = components(SCORES).tables()["summary"].to_polars()["level"].to_list()
    assert levels == ["lovins", "porter", "rm3"]


def test_means_of_all_systems() -> None:
    assert effects(unmatched=True, baseline="stemmer=none") == {
        ("stemmer", "lovins", "1"): (0.0 - 0.375, 1),
        ("stemmer", "lovins", "2"): (0.0, 1),
        ("stemmer", "porter", "1"): (0.375, 2),
        ("stemmer", "porter", "2"): (-0.25, 2),
    }


def test_several_baselines_define_one() -> None:
    asked = ["stemmer=none", "expansion=none"]
    assert effects(unmatched=True, baseline=asked) == {
        ("stemmer", "lovins", "1"): (-0.25, 1),
        ("stemmer", "lovins", "2"): (0.0, 1),
        ("stemmer", "porter", "1"): (0.5, 2),
        ("stemmer", "porter", "2"): (-0.25, 2),
        ("expansion", "rm3", "1"): (0.5, 2),
        ("expansion", "rm3", "2"): (-0.125, 2),
    }
    # Matched, what meets the baseline differs from it in one component alone.
    assert effects(baseline=dict(each.split("=") for each in asked)) == {
        ("stemmer", "lovins", "1"): (-0.25, 1),
        ("stemmer", "lovins", "2"): (0.0, 1),
        ("stemmer", "porter", "1"): (0.25, 1),
        ("stemmer", "porter", "2"): (-0.25, 1),
        ("expansion", "rm3", "1"): (0.25, 1),
        ("expansion", "rm3", "2"): (0.0, 1),
    }
    told = components(SCORES, baseline=asked).table["baseline"].unique().to_list()
    assert told == ["stemmer=none, expansion=none"]


def test_intervals_are_those_of_pairs_drawn_anew() -> None:
    rows = components(SCORES, baseline="stemmer=none").table.rows()
    bounds = {row[1:4:2]: row[5:7] for row in rows}
    # Of two differences .25 and .5, a quarter of the draws holds one of them twice.
    assert bounds["porter", "1"] == (0.25, 0.5)
    assert bounds["porter", "2"] == (-0.25, -0.25)
    # One pair does not say how much pairs differ.
    assert bounds["lovins", "1"] == (None, None)


def test_intervals_of_means_draw_both_sides() -> None:
    rows = components(SCORES, baseline="stemmer=none", unmatched=True).table.rows()
    bounds = {row[1:4:2]: row[5:7] for row in rows}
    # .5 or 1 on one side, .25 or .5 on the other: a sixteenth of the draws has 0.
    assert bounds["porter", "1"] == (0.0, 0.75)
    assert bounds["lovins", "1"] == (None, None)


def test_the_summary_counts_topics() -> None:
    summary = components(SCORES).tables()["summary"].to_polars()
    porter = summary.row(by_predicate=pl.col("level") == "porter", named=True)
    assert porter == {
        "component": "stemmer",
        "level": "porter",
        "baseline": "none",
        "systems": 2,
        "baselines": 2,
        "left_out": 0,
        "topics": 2,
        "gains": 1,
        "losses": 1,
        "ties": 0,
        "clear_gains": 1,
        "clear_losses": 1,
        "mean": 0.0625,
        "median": 0.0625,
        "mean_gain": 0.375,
        "mean_loss": -0.25,
        "with": 0.5,
        "without": 0.4375,
        "tau_b": -1.0,
    }
    lovins = summary.row(by_predicate=pl.col("level") == "lovins", named=True)
    # b has no stemmer, and no partner with lovins.
    assert lovins["left_out"] == 1
    assert (lovins["gains"], lovins["losses"], lovins["ties"]) == (0, 1, 1)
    assert lovins["mean_gain"] is None


def test_means_are_those_of_the_pairs() -> None:
    means = components(SCORES).tables()["means"].to_polars()
    assert means.filter(level="lovins").rows() == [
        ("stemmer", "lovins", "none", "1", 0.0, 0.25),
        ("stemmer", "lovins", "none", "2", 0.5, 0.5),
    ]


def test_missing_partners_are_left_out_topic_by_topic() -> None:
    d2 = (pl.col("system") == "d") & (pl.col("topic") == "2")
    scores = SCORES.with_columns(value=pl.when(d2).then(None).otherwise("value"))
    found = effects(scores, baseline="stemmer=none")
    assert found["stemmer", "porter", "1"] == (0.375, 2)
    assert found["stemmer", "porter", "2"] == (-0.25, 1)


def test_a_topic_without_pairs_keeps_its_row() -> None:
    e2 = (pl.col("system") == "e") & (pl.col("topic") == "2")
    result = components(SCORES.filter(~e2), baseline="stemmer=none")
    rows = result.table.filter(level="lovins", topic="2").rows()
    assert rows == [("stemmer", "lovins", "none", "2", None, None, None, 0)]
    summary = result.tables()["summary"].to_polars().filter(level="lovins")
    assert summary["topics"].item() == 1


def test_systems_that_are_made_alike_are_averaged() -> None:
    twins = [*SYSTEMS, ("f", "porter", "none", 0.0, 0.75)]
    assert effects(table(twins))["stemmer", "porter", "1"] == (0.25, 2)
    assert effects(table(twins))["stemmer", "porter", "2"] == (-0.125, 2)


def test_teams_are_no_component_and_keep_pairs_together() -> None:
    teams = {"a": "one", "c": "one", "b": "two", "d": "one", "e": "two"}
    team = pl.col("system").replace_strict(teams)
    found = effects(SCORES.with_columns(team=team), baseline="stemmer=none")
    assert {component for component, *_ in found} == {"stemmer"}
    # a and c are of one team; neither d and b nor e and a are.
    assert found["stemmer", "porter", "1"] == (0.25, 1)
    assert ("stemmer", "lovins", "1") not in found


def test_corpora_are_averaged_within_pairs() -> None:
    higher = SCORES.with_columns(corpus=pl.lit("LA"), value=pl.col("value") / 2)
    both = pl.concat(
        [
            SCORES.with_columns(corpus=pl.lit("FT")),
            higher.select(*SCORES.columns, "corpus"),
        ]
    )
    result = components(both)
    assert effects(both)["stemmer", "porter", "1"] == (0.375 * 0.75, 2)
    assert "mean over its observations by corpus" in result.notes[0]


@pytest.mark.parametrize(
    ("levels", "baseline"),
    [
        (["b", "None"], "None"),
        (["aa", "nostemmer"], "nostemmer"),
        (["aa", "OFF"], "OFF"),
        (["aa", "NoStem"], "NoStem"),
        (["aa", ""], ""),
        (["nordic", "b10", "b9"], "b9"),
    ],
)
def test_the_baseline_is_chosen(levels: list[str], baseline: str) -> None:
    systems = [(f"s{n}", level, "x", 0.5) for n, level in enumerate(levels)]
    result = components(table(systems))
    assert result.table["baseline"].unique().to_list() == [baseline]
    assert f"stemmer={baseline}" in result.notes[0]
    assert ("the first level of stemmer" in result.notes[0]) == (baseline == "b9")


def test_what_was_left_out_is_said() -> None:
    (note,) = components(SCORES, baseline="stemmer=none").notes
    assert note.startswith("1 of 2 levels have systems without a partner")
    assert note.endswith("most stemmer=lovins (1); these are left out")


def test_a_level_that_meets_nothing_is_left_out() -> None:
    systems = [*SYSTEMS[:4], ("e", "lovins", "other", 0.0, 0.0)]
    result = components(table(systems), baseline="stemmer=none")
    assert result.table["level"].unique().to_list() == ["porter"]
    assert result.notes[-1].startswith("nothing to compare stemmer=lovins with")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"baseline": "stemmer"}, "--baseline stemmer: expected COLUMN=LEVEL"),
        ({"baseline": "steemer=none"}, "no component named 'steemer'. Did you mean"),
        ({"baseline": "system=a"}, "no component named 'system'"),
        ({"baseline": "stemmer=krovetz"}, "no level of stemmer named 'krovetz'"),
        (
            {"baseline": ["stemmer=none", "stemmer=porter"]},
            "--baseline: stemmer cannot be both none and porter",
        ),
        (
            {"baseline": ["stemmer=lovins", "expansion=rm3"]},
            "--baseline: no system has stemmer=lovins and expansion=rm3",
        ),
        ({"where": "system=a"}, "no column says what the systems are made of"),
        ({"where": "system=a,d"}, "no two systems differ in one component alone"),
        ({"measure": "P@10"}, "no measure in the scores named 'P@10'"),
    ],
)
def test_what_means_nothing_is_refused(options: dict, problem: str) -> None:
    with pytest.raises(MohsError) as found:
        components(SCORES, **options)
    assert str(found.value).startswith(problem)


def test_what_varies_within_a_system_is_no_component() -> None:
    scores = SCORES.with_columns(run=pl.col("topic"))
    assert "run" not in components(scores).table["component"]
    with pytest.raises(InputError, match="run varies within a system"):
        components(scores, baseline="run=1")


def test_what_was_observed_twice_is_refused() -> None:
    scores = mohs.read_scores(SCORES)
    twice = scores.take(np.repeat(np.arange(len(scores)), 2))
    with pytest.raises(InputError, match="system a, topic 1: observed twice"):
        components(twice)


def test_components_is_at_the_front() -> None:
    assert mohs.components is components
