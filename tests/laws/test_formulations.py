"""What must never move the experiment: rows, threads, portions, the hash seed."""

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mohs
from mohs.analysis.formulations import experiment
from mohs.analysis.formulations.request import RULES

FEW = {"permutations": 60, "replicates": 3, "null": "independent"}
NAMES = ["system", "corpus", "topic", "formulation", "value"]


def scores(seed: int) -> pl.DataFrame:
    """Draw scores with ties and gaps, in two corpora, of topics of unequal size."""
    random = np.random.default_rng(seed)
    rows = [
        (system, corpus, topic, f"{wording}", random.integers(0, 20) / 20)
        for system in ("a", "b", "c", "d")
        for corpus in ("FT", "LA")
        for topic in map(str, range(1, 7))
        for wording in range(1 + int(topic) % 4)
        if wording == 0 or random.random() < 0.9
    ]
    return pl.DataFrame(rows, NAMES, orient="row").with_columns(measure=pl.lit("AP"))


def texts(table: pl.DataFrame, **options: Any) -> dict[str, str]:  # noqa: ANN401
    result = mohs.formulations(table, **FEW | options)
    tables = {n: t.to_polars().write_csv() for n, t in result.tables().items()}
    return tables | {"reading": result.reading}


@pytest.mark.parametrize("rule", RULES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_row_order_and_threads_change_no_byte(rule: str, seed: int) -> None:
    table = scores(seed)
    shuffled = table.sample(fraction=1, shuffle=True, seed=seed)
    expected = texts(table, rule=rule, workers=1)
    assert texts(shuffled, rule=rule, workers=2) == expected


@pytest.mark.parametrize("portion", [1, 7, 60])
def test_portions_change_no_byte(portion: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = texts(scores(5))
    monkeypatch.setattr(experiment, "PORTION", portion)
    assert texts(scores(5)) == expected


def test_the_seed_changes_draws_and_a_number_of_permutations_the_rest_only() -> None:
    table = scores(5)
    assert texts(table, seed=1) != texts(table)
    more, fewer = (
        mohs.formulations(table, permutations=count, replicates=2) for count in (90, 60)
    )
    np.testing.assert_array_equal(more.reached.best[:60], fewer.reached.best)


def test_increasing_functions_of_scores_change_nothing_but_descriptions() -> None:
    table = scores(7)
    changed = table.with_columns(pl.col("value") ** 3 + 1)
    for name in ("formulations", "by_formulations", "distribution"):
        assert texts(changed)[name] == texts(table)[name]


def test_the_hash_seed_changes_no_byte() -> None:
    code = (
        "from test_formulations import scores, texts;print(*texts(scores(3)).values())"
    )
    found = set()
    for seed in ("0", "1"):
        path = os.pathsep.join([*sys.path, os.path.dirname(__file__)])  # noqa: PTH120
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        )
        found.add(hashlib.sha256(done.stdout).hexdigest())
        assert b"greedy-low" in done.stdout
    assert len(found) == 1
