"""Agreement on public runs: coefficients against SciPy's, and counts that are known."""

import itertools
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats

import mohs
from mohs.analysis.agreement import Agreement
from mohs.charts import save

# SciPy divides the same whole numbers, or sums the same squares, in another order.
TOLERANCE = 1e-12

SETS = "all,best:30,worst:30,random:30"
# Topics of TREC-8 with a relevant document in the sub-corpus, out of 50.
CORPORA = {"FT": 49, "FR": 19, "FBIS": 43, "LA": 45}


@pytest.fixture(scope="module")
def data() -> Path:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    return Path(data)


@pytest.fixture(scope="module")
def sets(data: Path) -> Agreement:
    path = data / "matrices" / "trec8_ap.csv"
    return mohs.agree(path, measure="AP", sets=SETS, repeat=50, settle=0.9)


@pytest.fixture(scope="module")
def corpora(data: Path) -> Agreement:
    rules = ["FT=^FT", "FR=^FR94", "FBIS=^FBIS", "LA=^LA"]
    trec8 = data / "trec8"
    scores = mohs.evaluate(
        trec8 / "qrels.txt.gz", trec8 / "runs", measures=["AP"], corpus=rules
    )
    return mohs.agree(scores, by="corpus")


def means(data: Path) -> dict[str, np.ndarray]:
    """Return the difficulty of topics to the sets that are not drawn, by Polars."""
    frame = pl.read_csv(data / "matrices" / "trec8_ap.csv").drop("topic")
    order = sorted(frame.columns, key=lambda name: frame[name].mean())
    chosen = {"all": order, "best:30": order[-30:], "worst:30": order[:30]}
    return {
        name: frame.select(pl.mean_horizontal(systems)).to_series().to_numpy()
        for name, systems in chosen.items()
    }


def test_sets_agree_as_scipy_says(data: Path, sets: Agreement) -> None:
    assert len(sets.table) == 6
    found = {(row["left"], row["right"]): row for row in sets.table.to_dicts()}
    known = means(data)
    for left, right in itertools.combinations(known, 2):
        row, sides = found[left, right], (known[left], known[right])
        assert row["topics"] == 50
        expected = {
            "tau_b": scipy.stats.kendalltau(*sides),
            "spearman": scipy.stats.spearmanr(*sides),
            "pearson": scipy.stats.pearsonr(*sides),
        }
        for name, each in expected.items():
            assert row[name] == pytest.approx(each.statistic, abs=TOLERANCE)
        assert row["tau_ap_left"] == pytest.approx(from_the_top(*sides), abs=TOLERANCE)
        assert row["tau_ap_right"] == pytest.approx(
            from_the_top(*sides[::-1]), abs=TOLERANCE
        )
        assert row["low"] < row["tau_b"] < row["high"]
        assert row["p"] == 1 / 10_001
    assert found["all", "best:30"]["tau_b"] == pytest.approx(0.861, abs=0.001)


def from_the_top(left: np.ndarray, right: np.ndarray) -> float:
    """Return τ_AP by its definition."""
    walk = np.argsort(-left)
    shares = [
        (right[walk[:place]] > right[walk[place]]).mean()
        for place in range(1, len(walk))
    ]
    return 2 * np.mean(shares) - 1


def test_a_random_set_is_close_to_all(sets: Agreement) -> None:
    (row,) = sets.table.filter(left="all", right="random:30").to_dicts()
    assert 0.9 < row["tau_b"] < 0.95
    (settled,) = sets.tables()["settled"].to_polars().to_dicts()
    assert 20 <= settled["systems"] <= 50
    assert settled["of"] == 129


def texts(drawn: Agreement, path: Path) -> set[str]:
    save(drawn, path)
    found = ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 (our own)
    return {line for each in found for line in each.itertext()}


def test_the_sets_have_their_figure(sets: Agreement, tmp_path: Path) -> None:
    wanted = {*SETS.split(","), "0.86", "50 topics"}
    assert wanted <= texts(sets, tmp_path / "a.svg")


def test_topics_of_sub_corpora_are_counted(corpora: Agreement) -> None:
    counts = {side.name: len(side.matrix.topics) for side in corpora.sides}
    assert counts == CORPORA
    pairs = {(row["left"], row["right"]): row for row in corpora.table.to_dicts()}
    assert pairs["FBIS", "FT"]["topics"] == 42
    assert pairs["FR", "LA"]["topics"] == 17
    assert pairs["FBIS", "FT"]["overlap"] == 1


def test_the_sub_corpora_have_their_figure(corpora: Agreement, tmp_path: Path) -> None:
    wanted = {*CORPORA, "42 topics", "17 topics"}
    assert wanted <= texts(corpora, tmp_path / "a.svg")
