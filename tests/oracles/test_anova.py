"""Analyses of variance against R, NIST, and tables that were published.

R runs once, over all designs. Sums of squares are found in other orders of additions,
from values of about one: a relative error of 1e-9 is far above rounding, and far below
any other way of sharing a sum out.
"""

import csv
import math
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats

import mohs
from mohs.analysis.anova.effects import partial_omega_squared
from mohs.statistics.tails import f_tail

TOLERANCE = 1e-9

# F and df of table 2 of Culpepper et al. (TOIS 2021), and its partial omega squared.
CULPEPPER = {
    "topic": (22370.77, 24, 0.7682),
    "formulation(topic)": (799.25, 350, 0.6330),
    "system": (213.41, 143, 0.1579),
    "corpus": (5742.72, 2, 0.0662),
    "system:topic": (21.88, 3432, 0.3067),
    "system:formulation": (1.67, 50050, 0.1713),
    "system:corpus": (34.72, 286, 0.0562),
    "topic:corpus": (6956.96, 48, 0.6733),
    "formulation:corpus": (261.72, 700, 0.5298),
    "topic:system:corpus": (10.86, 6864, 0.2946),
}
CULPEPPER_SCORES = 162_000

# Of a grid of points over TREC-8 (collection T08, AP, lexical units without n-grams).
GRID = {
    "topic": (820.990, 3713.9, 0.90096),
    "stoplist": (9.8900, 548.06, 0.09862),
    "lug": (4.1642, 230.76, 0.04393),
    "model": (5.1648, 76.32, 0.05347),
    "stoplist:model": (17.0099, 62.84, 0.15649),
}
LEXICAL_UNITS = "lug=nostem,wkporter,porter,krovetz,lovins"

# Least log relative error of F; the doubles of the last three allow no more than 4.17.
NIST = {"AtmWtAg": 10, "SiRstv": 10} | {
    f"SmLs0{number}": 10 if number < 7 else 4.1 for number in range(1, 10)
}

# Formulas, and the share of observations that a design keeps.
MODELS = {
    "crossed": ("topic + system", 1.0),
    "crossed, gaps": ("topic + system", 0.7),
    "interaction, gaps": ("topic + stop * stem", 0.8),
    "three ways, gaps": ("topic * stop + stop * stem", 0.85),
    "nested": ("topic/formulation + system", 1.0),
    "nested, gaps": ("topic/formulation + system + topic:system", 0.9),
}


@pytest.mark.parametrize("term", CULPEPPER)
def test_published_effects_follow_from_their_f(term: str) -> None:
    f, df, printed = CULPEPPER[term]
    # F is printed with two decimals, the effect with four.
    low, high = partial_omega_squared(
        np.array([f - 0.005, f + 0.005]), df, CULPEPPER_SCORES
    )
    assert low - 5e-5 <= printed <= high + 5e-5


@pytest.mark.parametrize("name", NIST)
def test_certified_values_of_one_way_designs(name: str) -> None:
    folder = Path(scipy.stats.__file__).parent / "tests" / "data" / "nist_anova"
    lines = (folder / f"{name}.dat").read_text("ascii").splitlines()
    certified = next(line for line in lines[40:] if line.startswith("Between"))
    rows = [line.split() for line in lines[60:] if line.strip()]
    table = pl.DataFrame(
        {
            "system": [row[0] for row in rows],
            "topic": [str(place) for place in range(len(rows))],
            "value": [float(row[1]) for row in rows],
        }
    )
    found = mohs.anova(table, "~ system", intervals="none").table["f"][0]
    expected = float(certified.split()[-1])
    error = abs(found - expected) / expected
    assert -math.log10(max(error, 1e-17)) >= NIST[name]


def test_a_grid_of_points() -> None:
    folder = os.environ.get("MOHS_DATA")
    if not folder:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    result = mohs.anova(
        Path(folder) / "grid-of-points" / "sigir2016.parquet",
        "~ topic + stoplist*lug*model",
        where=["collection=T08", LEXICAL_UNITS],
        measure="ap",
        intervals="none",
    )
    rows = {row["term"]: row for row in result.table.iter_rows(named=True)}
    assert rows["Total"]["df"] + 1 == 20_000
    for term, (ss, f, effect) in GRID.items():
        assert rows[term]["ss"] == pytest.approx(ss, abs=5e-4 if ss > 100 else 5e-5)
        assert rows[term]["f"] == pytest.approx(f, abs=0.05 if f > 1000 else 0.005)
        assert rows[term]["omega2_partial"] == pytest.approx(effect, abs=5e-6)


def _design(share: float, *, unique: bool) -> pl.DataFrame:
    """Make up scores of 8 topics, 3 formulations, 3 stop lists and 4 stemmers."""
    draws = np.random.default_rng(int(share * 100))
    shape = (8, 3, 3, 4)
    topic, formulation, stop, stem = (each.ravel() for each in np.indices(shape))
    values = draws.normal(size=topic.size) + 0.8 * draws.normal(size=8)[topic]
    values += draws.normal(size=(3, 4))[stop, stem]
    labels = topic * 3 + formulation if unique else formulation
    table = pl.DataFrame(
        {
            "system": [f"s{a}{b}" for a, b in zip(stop, stem, strict=True)],
            "topic": [f"t{each}" for each in topic],
            "formulation": [f"f{each}" for each in labels],
            "stop": [f"p{each}" for each in stop],
            "stem": [f"m{each}" for each in stem],
            "value": values,
        }
    )
    return table.filter(pl.Series(draws.random(len(table)) < share))


_SCRIPT = """
suppressMessages(library(car))
designs <- read.csv("designs.csv", header = FALSE, col.names = c("name", "model"))
found <- data.frame()
keep <- function(name, type, table) {
  rows <- data.frame(name = name, type = type, term = rownames(table),
                     ss = table[["Sum Sq"]], df = table[["Df"]],
                     f = table[["F value"]], p = table[["Pr(>F)"]])
  found <<- rbind(found, rows)
}
for (i in seq_len(nrow(designs))) {
  name <- designs$name[i]
  scores <- read.csv(sprintf("%d.csv", i - 1), stringsAsFactors = TRUE)
  model <- as.formula(paste("value ~", designs$model[i]))
  keep(name, 1, anova(lm(model, scores)))
  keep(name, 2, Anova(lm(model, scores), type = 2))
  if (!grepl("nested", name)) {
    options(contrasts = c("contr.sum", "contr.poly"))
    keep(name, 3, Anova(lm(model, scores), type = 3))
    options(contrasts = c("contr.treatment", "contr.poly"))
  }
}
write.csv(format(found, digits = 17), "found.csv", row.names = FALSE)
scores <- read.csv("0.csv", stringsAsFactors = TRUE)
tukey <- TukeyHSD(aov(value ~ topic + system, scores), "system")$system
write.csv(format(as.data.frame(tukey), digits = 17), "tukey.csv")
errors <- summary(aov(value ~ stop * stem + Error(topic / (stop * stem)), scores))
tests <- do.call(rbind, lapply(errors[-1], function(e) as.data.frame(e[[1]])))
write.csv(format(tests, digits = 17), "errors.csv")
"""

Row = dict[str, str]


@pytest.fixture(scope="module")
def designs() -> Mapping[str, pl.DataFrame]:
    return {
        name: _design(share, unique="nested" not in name)
        for name, (_, share) in MODELS.items()
    }


@pytest.fixture(scope="module")
def answers(
    designs: Mapping[str, pl.DataFrame], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, list[Row]]:
    """Let R analyse all designs."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    folder = tmp_path_factory.mktemp("r")
    listed = [f'"{name}","{model}"' for name, (model, _) in MODELS.items()]
    (folder / "designs.csv").write_text("\n".join(listed) + "\n")
    for place, table in enumerate(designs.values()):
        table.write_csv(folder / f"{place}.csv")
    (folder / "script.R").write_text(_SCRIPT)
    command = [shutil.which("Rscript") or "", "script.R"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    names = ("found", "tukey", "errors")
    return {name: list(_rows(folder / f"{name}.csv")) for name in names}


def _rows(path: Path) -> Iterator[Row]:
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield {name: value.strip() for name, value in row.items()}


@pytest.mark.parametrize("type_", [1, 2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_sums_of_squares_are_those_of_r(
    designs: Mapping[str, pl.DataFrame],
    answers: Mapping[str, list[Row]],
    name: str,
    type_: int,
) -> None:
    model, _ = MODELS[name]
    expected = {
        row["term"]: row
        for row in answers["found"]
        if (row["name"], row["type"]) == (name, str(type_))
    }
    expected.pop("(Intercept)", None)
    if type_ == 3 and "nested" in name:
        # car refuses type III where a factor has no main effect; balanced designs have
        # one answer for all types.
        assert not expected
        if "gaps" in name:
            return
        expected = {
            row["term"]: row
            for row in answers["found"]
            if (row["name"], row["type"]) == (name, "2")
        }
    result = mohs.anova(designs[name], f"~ {model}", type=type_, intervals="none")
    rows = {row["term"]: row for row in result.table.iter_rows(named=True)}
    assert rows.pop("Total")["df"] == len(designs[name]) - 1
    rows["Residuals"] = rows.pop("Residual")
    assert rows.keys() == expected.keys()
    for term, row in rows.items():
        assert row["df"] == int(expected[term]["df"])
        assert row["ss"] == pytest.approx(float(expected[term]["ss"]), rel=TOLERANCE)
        if row["f"] is not None:
            assert row["f"] == pytest.approx(float(expected[term]["f"]), rel=TOLERANCE)
            assert row["p"] == pytest.approx(float(expected[term]["p"]), rel=1e-7)


def test_differences_of_systems_are_those_of_r(
    designs: Mapping[str, pl.DataFrame], answers: Mapping[str, list[Row]]
) -> None:
    result = mohs.anova(
        designs["crossed"], "~ topic + system", tukey="system", intervals="none"
    )
    assert result.comparisons is not None
    pairs = result.comparisons.tables()["tukey"].to_polars()
    found = {
        frozenset((row["left"], row["right"])): row
        for row in pairs.iter_rows(named=True)
    }
    assert len(found) == len(answers["tukey"])
    for row in answers["tukey"]:
        ours = found[frozenset(row[""].split("-"))]
        difference = abs(float(row["diff"]))
        half = (float(row["upr"]) - float(row["lwr"])) / 2
        assert abs(ours["difference"]) == pytest.approx(difference, abs=1e-12)
        # R's ptukey is exact to eight digits.
        assert (ours["high"] - ours["low"]) / 2 == pytest.approx(half, rel=1e-7)
        assert ours["p"] == pytest.approx(float(row["p adj"]), abs=1e-8)


def test_random_topics_have_the_error_terms_of_r(
    designs: Mapping[str, pl.DataFrame], answers: Mapping[str, list[Row]]
) -> None:
    result = mohs.anova(
        designs["crossed"], "~ topic*stop*stem", random="topic", intervals="none"
    )
    rows = {row["term"]: row for row in result.table.iter_rows(named=True)}
    tested = [row for row in answers["errors"] if row["F value"] != "NA"]
    assert len(tested) == 3
    for row in tested:
        term = row[""].split(".")[-1].strip()
        ours = rows[term]
        assert ours["error_term"] == f"topic:{term}"
        assert ours["f_random"] == pytest.approx(float(row["F value"]), rel=TOLERANCE)
        p = f_tail(float(row["F value"]), ours["df"], ours["df_error_random"])[0]
        assert float(row["Pr(>F)"]) == pytest.approx(p, rel=1e-7)
        assert ours["p_random"] == pytest.approx(p, rel=1e-9)
