"""Published score tables, read by us and by data frame libraries.

Values must be the same doubles: both sides read the same decimals, and rounding a
decimal correctly leaves one answer.
"""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import mohs
from mohs.scores import to_cube

MATRICES = ["trec8_ap.csv", "web2014_ndcg20.csv"]


@pytest.fixture(scope="module")
def data() -> Path:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    return Path(data)


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_equals_what_pandas_reads(data: Path, name: str) -> None:
    path = data / "matrices" / name
    frame = pd.read_csv(path, index_col="topic", dtype=str).map(float)
    cube = to_cube(mohs.read_scores(path), ("topic", "system")).require_complete()
    assert cube.axes["topic"] == tuple(map(str, frame.index))
    assert sorted(cube.axes["system"]) == sorted(frame.columns)
    assert np.array_equal(cube.values, frame[list(cube.axes["system"])])


def test_a_part_of_a_grid_equals_what_polars_reads(data: Path) -> None:
    path = data / "grid-of-points" / "jasist2017.parquet"
    read = mohs.read_scores(
        path, where="corpus=T07", rename="corpus=collection", measure="AP"
    )
    wanted = pl.scan_parquet(path).filter(collection="T07", measure="ap").collect()
    assert len(read) == 4284 * 50
    assert set(read.factors) == {*wanted.columns} - {
        "measure",
        "value",
        "collection",
    } | {"corpus"}
    both = read.table.join(wanted, on=["system", "topic"], how="full", validate="1:1")
    assert (both["value"] == both["value_right"]).all()
    assert (both["model"] == both["model_right"]).all()
    cube = to_cube(read)
    assert cube.values.shape == (4284, 50)
    assert cube.missing == 0


def test_values_that_are_missing_are_counted(data: Path) -> None:
    path = data / "grid-of-points" / "jasist2017.parquet"
    read = mohs.read_scores(path, measure="twist")
    assert len(read) == 4284 * 200
    assert read.missing == 2
    assert (read.values < 0).sum() == 302


def test_a_table_of_several_collections_is_no_matrix(data: Path) -> None:
    path = data / "grid-of-points" / "sigir2016.parquet"
    read = mohs.read_scores(path, measure="ap")
    cube = to_cube(read, ("collection", "topic", "system"))
    # Topics differ between collections, so three of four cells are empty.
    assert cube.values.shape == (4, 200, 560)
    assert cube.missing == 3 * 200 * 560


def test_query_variations_become_formulations(data: Path) -> None:
    path = data / "formulations" / "robust04_uqv_ql_ap.tsv"
    columns = ["formulation=variation", "value=ap1000"]
    read = mohs.read_scores(path, rename=columns, measure="AP")
    assert len(read) == 3175
    assert list(read.factors) == ["system", "topic", "formulation", "query"]
    assert read.systems == ("robust04_uqv_ql_ap.tsv",)
