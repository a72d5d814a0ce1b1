import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from mohs.errors import InputError
from mohs.tables import Factor, Integers, Table
from mohs.tables.frames import as_polars, from_polars, is_frame

MIXED = Table(
    {
        "factor": Factor.of(["a", None, "b"]),
        "text": ("x", None, "z"),
        "float": np.array([0.5, np.nan, np.inf]),
        "int": np.array([1, 2, 3]),
        "bool": np.array([True, False, True]),
        "gaps": Integers(np.array([7, 0, 9]), np.array([True, False, True])),
    }
)
ROWS = list(MIXED.rows())


class Stranger:
    """A frame of which nothing is known but that it streams."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.stream = frame.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.stream.__arrow_c_stream__(requested_schema)


FRAMES = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pyarrow": lambda frame: frame.to_arrow(),
    "stranger": Stranger,
    "pandas": lambda _: MIXED.to_pandas(),
    "pandas with arrow types": lambda frame: frame.to_arrow().to_pandas(
        types_mapper=pd.ArrowDtype
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_table_survives_the_way_through_a_frame(kind: str) -> None:
    frame = FRAMES[kind](MIXED.to_polars())
    assert is_frame(frame)
    back = from_polars(as_polars(frame))
    assert back.names == MIXED.names
    assert list(back.rows()) == ROWS


def test_what_is_missing_is_null_in_polars() -> None:
    assert MIXED.to_polars().null_count().row(0) == (1, 1, 1, 0, 0, 1)
    assert MIXED.to_polars().schema["factor"] == pl.String


def test_pandas_gets_whole_numbers_with_gaps() -> None:
    frame = MIXED.to_pandas()
    assert frame["gaps"].tolist() == [7, pd.NA, 9]
    assert frame["float"].isna().tolist() == [False, True, False]
    assert frame["text"].isna().tolist() == [False, True, False]
    frame.loc[0, "int"] = 5
    assert MIXED["int"].tolist() == [1, 2, 3]


def test_a_named_index_becomes_a_column() -> None:
    frame = pd.DataFrame({"a": [0.5]}, index=pd.Index(["401"], name="topic"))
    assert as_polars(frame).to_dict(as_series=False) == {"topic": ["401"], "a": [0.5]}
    unnamed = pd.DataFrame({"a": [0.5]}, index=["401"])
    assert as_polars(unnamed).columns == ["", "a"]
    counted = pd.DataFrame({"a": [0.5]})
    assert as_polars(counted).columns == ["a"]


def test_categories_are_text() -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"])})
    factor = from_polars(as_polars(frame))["a"]
    assert isinstance(factor, Factor)
    assert factor.texts() == ["x", "y", "x"]


def test_a_column_of_text_and_numbers_is_refused() -> None:
    with pytest.raises(InputError, match="'topic' mixes text and numbers"):
        as_polars(pd.DataFrame({"topic": [401, "402"]}))
    with pytest.raises(InputError, match="two columns of one name"):
        as_polars(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize("value", [None, "path", {"a": 1}, [1], np.zeros(2)])
def test_other_things_are_no_frames(value: object) -> None:
    assert not is_frame(value)


def test_no_frame_library_is_loaded_to_recognise_frames_or_to_write_csv() -> None:
    code = (
        "import sys, numpy as np\n"
        "from mohs.tables import FORMS, Table\n"
        "from mohs.tables.frames import is_frame\n"
        "assert not is_frame({})\n"
        "FORMS['.csv'](Table({'a': np.array([1.0])}))\n"
        "print({'polars', 'pandas', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"set()\n"


def test_arrow_tables_need_no_copy_of_their_text() -> None:
    table = pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()})
    factor = from_polars(as_polars(table))["a"]
    assert isinstance(factor, Factor)
    assert factor.levels == ("x", "y")
