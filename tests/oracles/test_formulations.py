"""The experiment on real scores: what one formulation must give, and three commands."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mohs
from mohs.cli import main

pytestmark = pytest.mark.skipif(
    "MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set"
)

# Of 20,000 permutations beside 20 replicates of 1,000: four standard errors.
AGREEMENT = 0.012
STABLE = 0.01
SUMS = 1e-12
GRAMS = ",".join(f"{size}grams" for size in range(3, 11))
CHOSEN = ["collection=T08", "stoplist=indri", f"lug!={GRAMS}"]


@pytest.fixture(scope="module")
def grid() -> Path:
    return Path(os.environ["MOHS_DATA"], "grid-of-points", "jasist2017.parquet")


def test_one_formulation_gives_the_joint_null_and_not_the_independent(
    grid: Path,
) -> None:
    found = mohs.formulations(
        grid, measure="ap", where=[*CHOSEN, "query=short"], null="independent"
    )
    joint, independent = found.table.to_dicts()
    assert (joint["pairs"], joint["topics"], joint["formulations"]) == (102, 50, 1)
    assert joint["mean_best"] == pytest.approx(joint["null_mean_best"], abs=AGREEMENT)
    assert independent["null_low"] > joint["mean_best"] + 10 * AGREEMENT
    assert (independent["p"], found.constrained) == (None, False)


def test_three_query_fields_are_stable_over_seeds(grid: Path) -> None:
    tables = [
        mohs.formulations(
            grid,
            measure="ap",
            where=CHOSEN,
            rename="formulation=query",
            pair=["stoplist", "lug", "model"],
            null="independent",
            seed=seed,
            permutations=5000,
        ).table
        for seed in (1, 2)
    ]
    for name in ("mean_best", "mean_pair", "null_mean_best"):
        one, other = (table[name].to_numpy() for table in tables)
        np.testing.assert_allclose(one, other, rtol=0, atol=STABLE)
    joint, independent = tables[0]["null_mean_best"]
    observed = tables[0]["mean_best"][0]
    assert observed < joint - 5 * STABLE < independent - 5 * STABLE
    assert tables[0]["formulations"].to_list() == [3, 3]


def test_from_runs_with_three_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(os.environ["MOHS_DATA"], "formulations", "ehealth2016")
    monkeypatch.chdir(tmp_path)
    pattern = "(?P<topic>[0-9]{3})(?P<formulation>[0-9]{3})"
    for words in (
        ["evaluate", str(data / "qrels.txt.gz"), str(data / "runs"), "-m", "AP",
         "-o", "scores.csv", "--formulation", pattern],
        ["anova", "scores.csv", "--model", "c21-within", "-o", "anova.csv"],
        ["formulations", "scores.csv", "-o", "tables/"],
    ):  # fmt: skip
        assert main(words) == 0
    [row] = pd.read_csv("tables/formulations.csv").to_dict("records")
    assert (row["pairs"], row["topics"], row["formulations"]) == (5, 50, 6)
    assert row["null_low"] > row["mean_best"] > row["mean_pair"]

    scores = pd.read_csv("scores.csv", dtype={"topic": str, "formulation": str})
    cells = scores.groupby(["topic", "formulation"])["value"].mean()
    expected = cells.groupby("topic").agg(["mean", "max", "min", "std"])
    found = pd.read_csv("tables/wording.csv", dtype={"topic": str})
    found = found.set_index("topic")[["mean", "best", "worst", "sd"]]
    np.testing.assert_allclose(found, expected.loc[found.index], rtol=0, atol=SUMS)
    assert len(found) == 50
    terms = pd.read_csv("anova.csv").set_index("term")
    assert terms.loc["topic:formulation", "df"] == 250
