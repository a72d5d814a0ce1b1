"""Effects on a grid of real systems, against a direct computation in pandas."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mohs

pytestmark = pytest.mark.skipif(
    "MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set"
)

# Sums of the same numbers in another order.
TOLERANCE = 1e-12
BASELINES = {"stoplist": "nostop", "lug": "nostem", "model": "BM25"}


@pytest.fixture(scope="module")
def path() -> Path:
    return Path(os.environ["MOHS_DATA"], "grid-of-points", "sigir2016.parquet")


@pytest.fixture(scope="module")
def scores(path: Path) -> pd.DataFrame:
    """560 systems on the 50 topics of TREC-8."""
    table = pd.read_parquet(path)
    return table[(table["collection"] == "T08") & (table["measure"] == "ap")]


@pytest.mark.parametrize("component", BASELINES)
def test_pairs(component: str, path: Path, scores: pd.DataFrame) -> None:
    base = BASELINES[component]
    result = mohs.components(
        path,
        where="collection=T08",
        measure="ap",
        baseline=f"{component}={base}",
    )
    others = [name for name in BASELINES if name != component]
    wide = scores.pivot_table(
        index=["topic", *others], columns=component, values="value"
    )
    pairs = wide.sub(wide[base], axis=0).drop(columns=base)
    expected = pairs.groupby("topic").mean().unstack()  # noqa: PD010 (a series)
    found = result.to_pandas().set_index(["level", "topic"])
    assert len(found) == len(expected) == 50 * (scores[component].nunique() - 1)
    delta = found["delta"].reindex(expected.index)
    np.testing.assert_allclose(delta, expected, rtol=0, atol=TOLERANCE)
    assert set(found["systems"]) == {560 // scores[component].nunique()}

    means = wide.groupby("topic").mean()
    summary = result.tables()["summary"].to_pandas().set_index("level")
    for level, row in summary.iterrows():
        assert row["gains"] == (expected[level] > TOLERANCE).sum()
        assert row["losses"] == (expected[level] < -TOLERANCE).sum()
        assert row["with"] == pytest.approx(means[level].mean(), abs=TOLERANCE)
        assert row["without"] == pytest.approx(means[base].mean(), abs=TOLERANCE)
        tau = stats.kendalltau(means[level], means[base]).statistic
        assert row["tau_b"] == pytest.approx(tau, abs=TOLERANCE)


def test_intervals_are_about_as_wide_as_theory_has_them(
    path: Path, scores: pd.DataFrame
) -> None:
    result = mohs.components(
        path, where="collection=T08", measure="ap", baseline="stoplist=nostop"
    )
    wide = scores.pivot_table(
        index=["topic", "lug", "model"], columns="stoplist", values="value"
    )
    spread = wide["indri"].sub(wide["nostop"]).groupby("topic").std()
    found = result.to_pandas().query("level == 'indri'").set_index("topic")
    widths = (found["high"] - found["low"]) / (2 * 1.96 * spread / np.sqrt(112))
    # The ends of 2,000 draws stray by some hundredths.
    assert 0.9 < widths.min() < widths.max() < 1.1
    assert widths.mean() == pytest.approx(1, abs=0.02)


def test_means_of_all_systems(path: Path, scores: pd.DataFrame) -> None:
    result = mohs.components(
        path,
        where="collection=T08",
        measure="ap",
        baseline=["stoplist=nostop", "lug=nostem"],
        unmatched=True,
    )
    bare = scores.query("stoplist == 'nostop' and lug == 'nostem'")
    without = bare.groupby("topic")["value"].mean()
    found = result.to_pandas().set_index(["component", "level", "topic"])["delta"]
    for component in ("stoplist", "lug"):
        for level, some in scores.groupby(component):
            if level != BASELINES[component]:
                expected = some.groupby("topic")["value"].mean() - without
                delta = found[component][level].reindex(expected.index)
                np.testing.assert_allclose(delta, expected, rtol=0, atol=TOLERANCE)
