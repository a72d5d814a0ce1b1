"""Analyses of variance beside statsmodels, on designs that it can hold."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

import mohs

# The same sums in another order.
TOLERANCE = 1e-9

TOPICS, SYSTEMS = 6, 4


def scores(kept: float) -> pd.DataFrame:
    """Make up scores of systems that share a model by twos, some of them missing."""
    draws = np.random.default_rng(5)
    rows = [
        (f"s{s}", f"t{t}", "xy"[s % 2], "pq"[s // 2], "AP", draws.normal(t + s / 3))
        for t in range(TOPICS)
        for s in range(SYSTEMS)
    ]
    table = pd.DataFrame(
        rows, columns=["system", "topic", "model", "stemmer", "measure", "value"]
    )
    return table[draws.random(len(table)) < kept]


@pytest.mark.parametrize("kept", [1.0, 0.8])
@pytest.mark.parametrize("kind", [1, 2])
def test_sums_of_squares_and_tests_are_those_of_statsmodels(
    kind: int, kept: float
) -> None:
    table = scores(kept)
    formula = "topic + model*stemmer"
    theirs = anova_lm(ols(f"value ~ {formula}", table).fit(), typ=kind)
    ours = mohs.anova(table, f"~ {formula}", type=kind, intervals="none").table
    for row in ours.filter(ours["term"] != "Total").to_dicts():
        found = theirs.loc[row["term"]]
        assert row["df"] == found["df"]
        assert row["ss"] == pytest.approx(found["sum_sq"], rel=TOLERANCE)
        if row["term"] != "Residual":
            assert row["f"] == pytest.approx(found["F"], rel=TOLERANCE)
            assert row["p"] == pytest.approx(found["PR(>F)"], rel=TOLERANCE)
