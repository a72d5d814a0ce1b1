"""The reproduction of Ferro and Silvello, on a made-up grid and on theirs.

Sums of the same numbers in another order: a relative error of 1e-9 is far above
rounding.
"""

import os
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.errors import InputError
from mohs.papers import Reproduction, reproduce
from mohs.papers.ferro2016 import ALL, COLLECTIONS, MEASURES, UNITS
from mohs.papers.ferro2016.models import COMPONENTS, fit_all, two_factors

TOLERANCE = 1e-9
FILE = Path("grid-of-points", "sigir2016.parquet")

# By R's aov() on TREC-8, AP, stemmers: sum of squares, F and partial omega squared.
BY_R = {
    "topic": (820.990, 3713.9, 0.90096),
    "stoplist": (9.8900, 548.06, 0.09862),
    "lug": (4.1642, 230.76, 0.04393),
    "model": (5.1648, 76.32, 0.05347),
    "stoplist:model": (17.0099, 62.84, 0.15649),
}


def grid(collections: tuple[str, ...] = ("T05", "T08")) -> pl.DataFrame:
    """Make up scores of 3 topics: 2 stop lists, 7 lexical units and 2 models."""
    draws = np.random.default_rng(0)
    rows = [
        {
            "collection": collection,
            "topic": topic,
            "system": f"{stop}_{lug}_{model}",
            "stoplist": stop,
            "lug": lug,
            "model": model,
            "measure": measure,
            "value": 0.3 * int(topic) + 0.1 * (model == "BM25") + draws.normal(0, 0.05),
        }
        for collection, topic, stop, lug, model, measure in product(
            collections,
            ("1", "2", "3"),
            ("nostop", "indri", "smart"),
            UNITS[ALL],
            ("BM25", "PL2"),
            ("ap", "p10"),
        )
    ]
    return pl.DataFrame(rows)


def write(frame: pl.DataFrame, folder: Path) -> Path:
    (folder / FILE).parent.mkdir(parents=True)
    frame.write_parquet(folder / FILE)
    return folder


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    folder = write(grid(), tmp_path_factory.mktemp("data"))
    return reproduce("ferro2016", data=folder, download=False)


def test_two_factors_are_those_of_a_model_of_pipelines() -> None:
    scores = grid(("T05",)).filter(measure="ap")
    fits = fit_all(scores, {"T05": "TREC-5"}, ("ap",), UNITS)
    found = {
        (units, term): effect for _, units, term, effect in two_factors(fits).rows()
    }
    for (units, levels), component in product(UNITS.items(), COMPONENTS):
        others = [name for name in COMPONENTS if name != component]
        held = scores.filter(pl.col("lug").is_in(levels)).with_columns(
            pipeline=pl.concat_str(others, separator=" ")
        )
        table = mohs.anova(
            held.drop("collection"),
            f"~ topic + {component}*pipeline",
            intervals="none",
        ).table
        expected = dict(table.select("term", "omega2_partial").iter_rows())
        for called, term in (
            ("alone", component),
            ("pipelines", "pipeline"),
            ("with pipelines", f"{component}:pipeline"),
        ):
            assert found[units, f"{component}: {called}"] == pytest.approx(
                expected[term], rel=TOLERANCE
            )


def test_collections_and_measures_that_are_there_are_analysed(
    result: Reproduction,
) -> None:
    numbers = [each.number for each in result.exhibits]
    assert [each for each in numbers if each.startswith("Three")] == [
        "Three factors, TREC-5",
        "Three factors, TREC-8",
    ]
    assert numbers.count("Interaction, TREC-8") == 3
    assert numbers.count("Tukey, TREC-8") == 3
    table = result.exhibits[0].table
    assert table.names == ("collection", "units", "term", "AP", "P@10")
    assert len(table) == 2 * len(UNITS)
    counts = {each.quantity: each for each in result.comparisons}
    assert counts["number of models"].computed == 2
    assert counts["number of models"].verdict == "differs"
    assert counts["number of generators of lexical units"].verdict == "matches"


def test_no_figure_is_given_as_published_that_was_not_seen(
    result: Reproduction,
) -> None:
    untold = [each for each in result.comparisons if each.verdict == "not testable"]
    assert [each.place for each in untold] == ["tables of results"] * 2
    published = [each for each in result.comparisons if each.published is not None]
    assert {each.place for each in published} == {"readme of the published scores"}


def test_stop_lists_are_judged_with_and_without_none(result: Reproduction) -> None:
    (shown,) = [each for each in result.exhibits if each.number == "Without nostop"]
    rows = {row[0]: row[1:] for row in shown.table.rows()}
    assert list(rows) == [
        f"{name}, {which}"
        for name in ("TREC-5", "TREC-8")
        for which in ("all systems", "those with a stop list")
    ]
    scores = grid().filter(collection="T08", measure="ap").drop("collection")
    left = scores.filter(pl.col("stoplist") != "nostop")
    table = mohs.anova(left, "~ topic + stoplist*lug*model", intervals="none").table
    expected = table.filter(pl.col("term") != "topic")["omega2_partial"].drop_nulls()
    assert list(rows["TREC-8, those with a stop list"]) == pytest.approx(
        expected.to_list()
    )


def test_for_other_topics_components_have_to_exceed_what_topics_do_to_them(
    result: Reproduction,
) -> None:
    (shown,) = [each for each in result.exhibits if each.number.startswith("Topics as")]
    rows = {row["term"]: row for row in shown.table.to_polars().iter_rows(named=True)}
    assert len(rows) == 7
    scores = grid().filter(collection="T08", measure="ap")
    table = scores.group_by("topic", "model").agg(pl.col("value").mean())
    means = table.sort("topic", "model")["value"].to_numpy().reshape(3, 2)
    # Two models on three topics: F is the square of a paired t.
    differences = means[:, 0] - means[:, 1]
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(3))
    assert rows["model"]["f_random"] == pytest.approx(t**2)
    held = scores.drop("collection")
    table = mohs.anova(held, "~ topic + stoplist*lug*model", intervals="none").table
    expected = dict(table.select("term", "f").iter_rows())
    assert {term: row["f"] for term, row in rows.items()} == pytest.approx(
        {term: expected[term] for term in rows}
    )


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (grid().drop("lug"), "has no column lug"),
        (grid(("T99",)), "has no scores of T05, T06, T07, T08 by ap, p10"),
    ],
)
def test_another_table_is_refused(
    frame: pl.DataFrame, told: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=told):
        reproduce("ferro2016", data=write(frame, tmp_path), download=False)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text("scores")
    with pytest.raises(InputError, match="is no table in Parquet"):
        reproduce("ferro2016", data=tmp_path, download=False)


def test_without_the_grid_it_says_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"grid-of-points/sigir2016\.parquet"):
        reproduce("ferro2016", data=tmp_path, download=False)


@pytest.fixture(scope="module")
def published() -> Reproduction:
    if "MOHS_DATA" not in os.environ:
        pytest.skip("MOHS_DATA is not set")
    return reproduce("ferro2016", data=os.environ["MOHS_DATA"], download=False)


def test_what_the_readme_and_the_abstract_say_is_so(published: Reproduction) -> None:
    verdicts = [each.verdict for each in published.comparisons]
    assert verdicts == ["matches"] * 5 + ["holds"] * 8 + ["not testable"] * 2


def test_three_factors_are_those_of_r(published: Reproduction) -> None:
    (every,) = [each for each in published.exhibits if each.number == "All tables"]
    lines = every.table.to_polars()
    collections, measures = len(COLLECTIONS), len(MEASURES)
    # Single: topic, system, residual, total. Three: eight terms and those two.
    assert len(lines) == collections * measures * len(UNITS) * (4 + 10)
    held = lines.filter(
        collection="TREC-8", measure="AP", units="stemmers", analysis="three factors"
    )
    rows = {row["term"]: row for row in held.iter_rows(named=True)}
    assert rows["Total"]["df"] + 1 == 20_000
    for term, (ss, f, effect) in BY_R.items():
        assert rows[term]["ss"] == pytest.approx(ss, abs=5e-4 if ss > 100 else 5e-5)
        assert rows[term]["f"] == pytest.approx(f, abs=0.05 if f > 1000 else 0.005)
        assert rows[term]["omega2_partial"] == pytest.approx(effect, abs=5e-6)


def test_a_stop_list_matters_not_which(published: Reproduction) -> None:
    (shown,) = [each for each in published.exhibits if each.number == "Without nostop"]
    found = {row[0]: row[1] for row in shown.table.rows()}
    assert found["TREC-8, all systems"] == pytest.approx(0.0686, abs=5e-5)
    assert found["TREC-8, those with a stop list"] == pytest.approx(0.0012, abs=5e-5)
    assert "words are stopped, not by which list" in published.summary
