"""What an analysis of variance says, and what it refuses."""

import math
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
import scipy.stats

import mohs
from mohs.analysis.anova import uncertainty
from mohs.analysis.anova.comparisons import compare
from mohs.analysis.anova.decomposition import decompose
from mohs.analysis.anova.effects import size_of
from mohs.analysis.anova.formula import model
from mohs.analysis.anova.uncertainty import bootstrap, noncentral
from mohs.errors import InputError, UnknownNameError

COLUMNS = [
    *("term", "ss", "df", "ms", "f", "p", "log10_p", "omega2", "omega2_partial"),
    *("omega2_partial_low", "omega2_partial_high", "eta2_partial", "size", "status"),
]
RANDOM = ["error_term", "f_random", "df_error_random", "p_random", "variance"]

# Two systems on three topics, small enough for paper: cell means less their margins.
SMALL = {
    "a": {"1": {"AP": 0.1}, "2": {"AP": 0.5}, "3": {"AP": 0.6}},
    "b": {"1": {"AP": 0.2}, "2": {"AP": 0.4}, "3": {"AP": 0.9}},
}

REFUSED = [
    ({"formula": "~ topic + sytem"}, "no column named 'sytem'. Did you mean 'system'"),
    ({"formula": "~ topic*system"}, "saturated.*leave out topic:system"),
    ({"formula": "~ topic + corpus"}, "only one level of: corpus .all."),
    ({"formula": "P@10 ~ topic", "measure": None}, "in the scores named 'P@10'"),
    ({"formula": "AP ~ topic", "measure": "P@10"}, "about AP, and --measure about"),
    ({}, "give either a formula"),
    ({"formula": "~ topic", "model": "z19-1"}, "give either a formula"),
    ({"model": "z19"}, "no model named 'z19'. Did you mean 'z19-"),
    ({"formula": "~ topic", "type": 4}, "types 1, 2 and 3, not 4"),
    ({"formula": "~ topic", "intervals": "wald"}, "no kind of interval named 'wald'"),
    (
        {"formula": "~ topic", "random": "topics"},
        "factor in the formula named 'topics'",
    ),
    ({"formula": "~ topic", "random": "topic"}, "every factor is random"),
    ({"formula": "~ topic", "tukey": "system"}, "factor in the formula named 'system'"),
    ({"formula": "~ system", "intervals": "bootstrap"}, "the formula has none"),
    ({"formula": "~ topic", "where": "system=a"}, "saturated"),
]


def scores(*shape: int, names: Sequence[str], seed: int = 0) -> pl.DataFrame:
    """Make up a score for every combination of levels."""
    codes = [each.ravel() for each in np.indices(shape)]
    labels = {
        name: [f"{name}{code}" for code in each]
        for name, each in zip(names, codes, strict=True)
    }
    random = np.random.default_rng(seed)
    values = sum(
        random.normal(size=size)[c] for size, c in zip(shape, codes, strict=True)
    )
    return pl.DataFrame(labels | {"value": values + random.normal(size=codes[0].size)})


def rows(result: mohs.analysis.anova.Anova) -> dict[str, dict[str, object]]:
    return {row["term"]: row for row in result.table.iter_rows(named=True)}


def test_a_design_that_can_be_checked_on_paper() -> None:
    result = mohs.anova(SMALL, "AP ~ topic + system", intervals="none")
    table = rows(result)
    assert result.table.columns == COLUMNS
    assert list(table) == ["topic", "system", "Residual", "Total"]
    # Means of topics are .15, .45 and .75, of systems .4 and .5, of all .45.
    assert table["topic"]["ss"] == pytest.approx(2 * (0.3**2 + 0 + 0.3**2))
    assert table["system"]["ss"] == pytest.approx(0.015)
    assert table["Total"]["ss"] == pytest.approx(0.415)
    assert table["Residual"]["ss"] == pytest.approx(0.415 - 0.36 - 0.015)
    assert [row["df"] for row in table.values()] == [2, 1, 2, 5]
    mse = 0.04 / 2
    f = 0.015 / mse
    system = table["system"]
    assert system["f"] == pytest.approx(f)
    assert system["p"] == pytest.approx(scipy.stats.f.sf(f, 1, 2))
    assert system["log10_p"] == pytest.approx(math.log10(system["p"]))
    assert system["omega2"] == pytest.approx((0.015 - mse) / (0.415 + mse))
    assert system["omega2_partial"] == pytest.approx((f - 1) / (f - 1 + 6))
    assert system["eta2_partial"] == pytest.approx(0.015 / (0.015 + 0.04))
    assert [row["size"] for row in table.values()] == [
        "large",
        "negligible",
        None,
        None,
    ]
    assert result.measure == "AP"


@pytest.mark.parametrize(("asked", "problem"), REFUSED)
def test_what_means_nothing_is_refused(asked: dict[str, str], problem: str) -> None:
    table = {
        system: {topic: {**values, "nDCG": 0.1} for topic, values in topics.items()}
        for system, topics in SMALL.items()
    }
    frame = mohs.read_scores(table).table.with_columns(corpus=pl.lit("all"))
    with pytest.raises((InputError, UnknownNameError), match=problem):
        mohs.anova(frame, **{"measure": "AP", **asked})


def test_a_table_of_several_measures_needs_one_named() -> None:
    table = {"a": {"1": {"AP": 0.1, "RR": 1.0}, "2": {"AP": 0.3, "RR": 0.5}}}
    with pytest.raises(InputError, match="several measures; choose one of: AP, RR"):
        mohs.anova(table, "~ topic")
    with pytest.raises(InputError, match=r"all 2 values are 0\.5"):
        mohs.anova({"a": {"1": {"AP": 0.5}, "2": {"AP": 0.5}}}, "~ topic")


@pytest.mark.parametrize(
    ("effect", "size"),
    [
        *((-1.0, "negligible"), (0.00999, "negligible"), (0.01, "small")),
        *((0.0599, "small"), (0.06, "medium"), (0.14, "large"), (1.0, "large")),
        (math.nan, None),
    ],
)
def test_sizes_have_names(effect: float, size: str | None) -> None:
    assert size_of(effect) == size


def test_components_are_functions_of_systems() -> None:
    table = scores(4, 6, 2, names=("topic", "system", "corpus")).with_columns(
        ir_model=pl.col("system").replace_strict(_every("system", 6, 3)),
        stemmer=pl.col("system").replace_strict(_every("system", 6, 2)),
        qe=pl.lit("no"),
    )
    table = table.with_columns(qe=pl.col("stemmer") + "q")
    result = mohs.anova(table, model="z19-2", intervals="none")
    found = rows(result)
    assert [found[name]["df"] for name in ("system", "ir_model", "stemmer", "qe")] == [
        *(5, 0, 0, 0)
    ]
    assert found["qe"]["status"] == "aliased"
    assert found["qe"]["f"] is None
    assert "ir_model, stemmer and qe are functions of system: df 0" in result.notes
    without = mohs.anova(table, model="z19-1", intervals="none")
    for name in ("topic", "corpus:topic", "corpus:system"):
        assert rows(without)[name]["ss"] == pytest.approx(found[name]["ss"])
    # Entered before systems, components are tested, and systems within them.
    before = rows(mohs.anova(table, "~ ir_model + system + topic", intervals="none"))
    assert [before[name]["df"] for name in ("ir_model", "system")] == [2, 3]
    total = before["ir_model"]["ss"] + before["system"]["ss"]
    assert total == pytest.approx(found["system"]["ss"])


def _every(name: str, count: int, groups: int) -> dict[str, str]:
    return {f"{name}{code}": f"g{code % groups}" for code in range(count)}


def test_corpora_that_share_no_topics_cannot_be_told_from_them() -> None:
    table = scores(6, 4, names=("topic", "system")).with_columns(
        corpus=pl.col("topic").replace_strict(_every("topic", 6, 2))
    )
    result = mohs.anova(table, model="z19-1", intervals="none")
    found = rows(result)
    assert (found["corpus"]["df"], found["corpus:system"]["df"]) == (0, 3)
    assert "corpus and corpus:topic are functions of topic: df 0" in result.notes
    # Levels that are crossed in the data have (2 - 1) times (6 - 1) degrees of freedom.
    design = {row[0]: row[1:] for row in result.tables()["design"].rows()}
    assert design["corpus"] == (2, 1, 0)


def test_gaps_are_told() -> None:
    table = scores(5, 4, names=("topic", "system"))[1:]
    holed = table.with_columns(
        value=pl.when(pl.col("topic") == "topic4").then(None).otherwise(pl.col("value"))
    )
    for scored, left_out in ((table, 0), (holed, 4)):
        result = mohs.anova(scored, "~ topic + system")
        rank = (5 if not left_out else 4) + 3
        told = f"{19 - left_out} observations, rank {rank}; sums of squares are of type"
        assert any(told in note for note in result.notes)
        assert ("4 observations have no value" in result.notes) == bool(left_out)
        assert result.intervals == "noncentral"


def test_intervals_by_topics_are_those_of_topics_drawn_one_by_one() -> None:
    table = scores(6, 3, 2, names=("topic", "system", "corpus"))
    terms = model("z19-1").terms
    result = mohs.anova(table, model="z19-1")
    assert result.intervals == "bootstrap"
    # The same draws, made by laying out every topic drawn as a topic of its own.
    parts = result.parts
    counts = np.array([3, 0, 1, 1, 0, 1])
    drawn = uncertainty.topics_drawn(parts, np.repeat(np.arange(6), counts))
    expected = decompose(drawn, terms, 2)
    squares, left = uncertainty.squares_drawn(parts, parts.balance, counts[None] * 1.0)
    assert left[0] == pytest.approx(expected.residual_ss)
    for sets, ss in zip(parts.balance.own, expected.ss, strict=True):
        assert sum(squares[each][0] for each in sets) == pytest.approx(ss)
    low, high = bootstrap(parts, 2, seed=0)
    assert np.isnan(low[1])  # topics
    assert (low[[0, 2, 3, 4]] <= high[[0, 2, 3, 4]]).all()
    assert np.array_equal(result.low, low, equal_nan=True)
    assert not np.array_equal(bootstrap(parts, 2, seed=1)[0], low, equal_nan=True)


def test_intervals_of_a_non_central_f_hold_the_estimate() -> None:
    parts = mohs.anova(
        scores(30, 4, names=("topic", "system")), "~ topic + system"
    ).parts
    low, high = noncentral(parts)
    # An F at either bound has 2.5% of the distribution beyond it.
    for place in range(2):
        f = parts.ss[place] / parts.df[place] / parts.mse
        for bound, chance in ((low[place], 0.975), (high[place], 0.025)):
            centre = bound / (1 - bound) * 120
            reached = scipy.stats.ncf.cdf(f, parts.df[place], parts.residual_df, centre)
            assert reached == pytest.approx(chance, abs=1e-6)


def test_random_topics_change_the_error_term() -> None:
    table = scores(10, 3, 2, 2, names=("topic", "system", "corpus", "formulation"))
    result = mohs.anova(table, "~ topic*system*corpus", random="topic")
    found = rows(result)
    assert result.table.columns == COLUMNS + RANDOM
    assert found["system"]["error_term"] == "topic:system"
    assert found["system:corpus"]["error_term"] == "topic:system:corpus"
    assert found["topic:system:corpus"]["error_term"] == "Residual"
    ms = {term: row["ms"] for term, row in found.items()}
    assert found["system"]["f_random"] == pytest.approx(
        ms["system"] / ms["topic:system"]
    )
    assert found["system"]["df_error_random"] == 18
    # E(MS) of topics: residual, 2 ts c, 4 ts, 6 tc and 12 t; two are counted twice.
    parts = ms["topic:system"] + ms["topic:corpus"] - ms["topic:system:corpus"]
    assert found["topic"]["f_random"] == pytest.approx(ms["topic"] / parts)
    assert found["topic"]["error_term"].startswith("Satterthwaite: topic:system + ")
    assert found["topic"]["variance"] == pytest.approx((ms["topic"] - parts) / 12)
    assert found["system"]["variance"] is None
    assert found["Residual"]["variance"] == pytest.approx(ms["Residual"])
    told = "f and p speak of these 10 levels of topic alone"
    assert any(told in note for note in result.notes)


def test_sphericity_is_that_of_the_covariance_of_systems() -> None:
    table = scores(12, 4, names=("topic", "system"), seed=3)
    copies = pl.concat([table, table.with_columns(pl.col("value") + 0.1)])
    copies = copies.with_columns(run=pl.Series(["a", "b"]).gather([0] * 48 + [1] * 48))
    result = mohs.anova(copies, "~ topic*system", random="topic", intervals="none")
    wide = table.pivot("system", index="topic", values="value").drop("topic").to_numpy()
    covariance = np.cov(wide, rowvar=False)
    centred = covariance - covariance.mean(0) - covariance.mean(1)[:, None]
    centred += covariance.mean()
    epsilon = np.trace(centred) ** 2 / (3 * (centred**2).sum())
    (row,) = result.tables()["sphericity"].to_polars().iter_rows(named=True)
    assert row["term"] == "system"
    assert row["epsilon"] == pytest.approx(epsilon)
    p = scipy.stats.f.sf(row["f_random"], 3 * epsilon, 33 * epsilon)
    assert row["p_corrected"] == pytest.approx(p)


def test_systems_are_compared_with_gaps_as_without() -> None:
    whole = scores(9, 5, names=("topic", "system"), seed=5)
    asked = {"formula": "~ topic + system", "tukey": "system", "intervals": "none"}
    holed = whole[3:]
    found = mohs.anova(holed, **asked).comparisons
    # Dense least squares: effects of systems beside indicators of topics.
    topics = np.eye(9)[[int(name[5:]) for name in holed["topic"]]]
    systems = np.eye(5)[[int(name[6:]) for name in holed["system"]]]
    matrix = np.concatenate([topics, systems[:, 1:]], axis=1)
    effects, *_ = np.linalg.lstsq(matrix, holed["value"].to_numpy(), rcond=None)
    spread = np.linalg.inv(matrix.T @ matrix)[9:, 9:]
    left = holed["value"].to_numpy() - matrix @ effects
    mse = left @ left / (len(holed) - 13)
    pairs = {
        (row["left"], row["right"]): row
        for row in found.tables()["tukey"].to_polars().iter_rows(named=True)
    }
    for system in range(1, 5):
        names = (f"system{system}", "system0")
        row = pairs.get(names) or pairs[names[::-1]]
        assert abs(row["difference"]) == pytest.approx(abs(effects[8 + system]))
        error = math.sqrt(mse * spread[system - 1, system - 1] / 2)
        assert row["q"] == pytest.approx(abs(effects[8 + system]) / error)
        p = scipy.stats.studentized_range.sf(row["q"], 5, len(holed) - 13)
        assert row["p"] == pytest.approx(p, abs=1e-8)
        assert row["p_randomised"] is None


def test_shuffled_systems_differ_as_chance_would_have_it() -> None:
    random = np.random.default_rng(0)
    shares = []
    for _ in range(40):
        values = random.normal(size=60)
        table = scores(12, 5, names=("topic", "system")).with_columns(
            value=pl.Series(values)
        )
        parts = mohs.anova(table, "~ topic + system", intervals="none").parts
        shares.append(compare(parts, "system", 0).p_randomised.min())
    # The least p of all pairs is uniform where nothing differs: mean 1/2, and a
    # standard error of 1/sqrt(12 * 40) = .046.
    assert abs(np.mean(shares) - 0.5) < 4 * 0.046


def test_scales_that_cannot_be_used_are_refused_and_others_tried() -> None:
    table = scores(12, 5, names=("topic", "system"))
    result = mohs.anova(table, "~ topic + system", sensitivity=True)
    tables = result.tables()
    tried = tables["sensitivity"].to_polars()
    assert tried["scale"].unique(maintain_order=True).to_list() == [
        *("as given", "ranks within topic", "standardised within topic")
    ]
    assert any(note.startswith("logit is refused: values") for note in result.notes)
    same = tried.filter(scale="as given")
    assert same["f"].to_list() == result.table["f"].to_list()[:2]
    ranks = table.with_columns(value=pl.col("value").rank().over("topic"))
    expected = rows(mohs.anova(ranks, "~ topic + system", intervals="none"))
    found = tried.filter(scale="ranks within topic", term="system")
    assert found["f"].item() == pytest.approx(expected["system"]["f"])
    # All topics have the same mean rank, so nothing is said of them.
    assert tried.filter(scale="ranks within topic", term="topic")["f"].item() is None


def test_logits_are_drawn_in_from_their_ends() -> None:
    table = scores(8, 4, names=("topic", "system")).with_columns(
        value=(pl.col("value") - pl.col("value").min()) / 10
    )
    result = mohs.anova(table, "~ topic + system", sensitivity=True)
    shares = (pl.col("value") * 31 + 0.5) / 32
    logits = table.with_columns(value=(shares / (1 - shares)).log())
    expected = rows(mohs.anova(logits, "~ topic + system", intervals="none"))
    found = result.tables()["sensitivity"].to_polars()
    row = found.filter(scale="logit", term="system").row(0, named=True)
    assert row["f"] == pytest.approx(expected["system"]["f"])
    checks = dict(
        result.tables()["checks"].to_polars().select("check", "statistic").rows()
    )
    assert checks["share of zeros"] == 1 / 32
    left = (
        table["value"]
        - table.select(
            pl.col("value").mean().over("topic")
            + pl.col("value").mean().over("system")
            - pl.col("value").mean()
        ).to_series()
    )
    groups = [left.filter(table["system"] == name) for name in table["system"].unique()]
    expected_f = scipy.stats.levene(*groups, center="median").statistic
    assert checks["equal spread over system (Levene)"] == pytest.approx(expected_f)


def test_what_was_evaluated_can_be_analysed() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}, "3": {"c": 1, "d": 0}}
    runs = {
        "x": {"1": {"a": 2, "b": 1}, "2": {"a": 2, "b": 1}, "3": {"c": 1, "d": 3}},
        "y": {"1": {"a": 1, "b": 2}, "2": {"a": 2, "b": 1}, "3": {"c": 2, "d": 1}},
    }
    evaluated = mohs.evaluate(qrels, runs, measures=["AP", "RR"])
    result = mohs.anova(evaluated, "map ~ topic + system")
    assert result.measure == "AP"
    assert rows(result)["Total"]["df"] == 5


@pytest.mark.parametrize("gaps", [False, True])
def test_scores_that_add_up_exactly_leave_no_error(*, gaps: bool) -> None:
    table = pl.DataFrame(
        {
            "topic": ["1", "1", "2", "2", "3", "3"],
            "system": ["a", "b"] * 3,
            "value": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        }
    )[: 5 if gaps else 6]
    for intervals in ("noncentral", "bootstrap"):
        found = rows(mohs.anova(table, "~ topic + system", intervals=intervals))
        assert found["Residual"]["ss"] == 0
        assert (found["system"]["f"], found["system"]["p"]) == (math.inf, 0)
    with pytest.raises(InputError, match="the model fits every value"):
        mohs.anova(table, "~ topic + system", tukey="system")


def test_sphericity_without_copies_is_that_of_residuals() -> None:
    table = scores(12, 4, names=("topic", "system"), seed=3)
    result = mohs.anova(table, "~ topic + system", random="topic", intervals="none")
    (row,) = result.tables()["sphericity"].to_polars().iter_rows(named=True)
    wide = table.pivot("system", index="topic", values="value").drop("topic").to_numpy()
    covariance = np.cov(wide - wide.mean(axis=1)[:, None], rowvar=False)
    epsilon = np.trace(covariance) ** 2 / (3 * (covariance**2).sum())
    assert row["term"] == "system"
    assert row["epsilon"] == pytest.approx(epsilon)


def test_what_a_design_lacks_is_told_in_words() -> None:
    table = scores(6, 4, names=("topic", "system"))
    # The first two systems answered the first three topics, the others the rest.
    early = pl.col("topic").is_in(["topic0", "topic1", "topic2"])
    old = pl.col("system").is_in(["system0", "system1"])
    result = mohs.anova(table.filter(early == old), "~ topic + system")
    assert "12 of 24 combinations of topic and system have no value" not in result.notes
    assert any(
        note.startswith("topic and system fall into 2 parts") for note in result.notes
    )
    crossed = mohs.anova(table.filter(early | old), "~ topic*system - topic:system")
    assert not any("fall into" in note for note in crossed.notes)
    doubled = pl.concat([table[1:], table[1:].with_columns(pl.col("value") + 0.5)])
    doubled = doubled.with_columns(
        copy=pl.Series(["a", "b"]).gather([0] * 23 + [1] * 23)
    )
    whole = mohs.anova(doubled, "~ topic*system")
    assert "1 of 24 combinations of topic and system have no value" in whole.notes


@pytest.mark.parametrize("name", ["group", "mean", "level"])
def test_levels_of_a_factor_keep_their_names(name: str) -> None:
    table = scores(6, 3, names=("topic", name)).with_columns(system=pl.col(name))
    result = mohs.anova(table, f"~ topic + {name}", tukey=name)
    groups = result.tables()["groups"].to_polars()
    assert sorted(groups["level"]) == [f"{name}{code}" for code in range(3)]


def test_measures_are_matched_in_any_spelling() -> None:
    result = mohs.anova(SMALL, "`map` ~ topic + system", measure="ap", intervals="none")
    assert result.measure == "AP"


def test_random_factors_are_refused_where_they_mean_nothing() -> None:
    table = scores(5, 4, names=("topic", "system"))[1:]
    doubled = pl.concat([table, table.with_columns(pl.col("value") * 2)])
    doubled = doubled.with_columns(
        copy=pl.Series(["a", "b"]).gather([0] * 19 + [1] * 19)
    )
    with pytest.raises(InputError, match="type 3 has no error terms for --random"):
        mohs.anova(doubled, "~ topic + system", random="topic", type=3)
