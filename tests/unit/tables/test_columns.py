import numpy as np
import pytest

from mohs.tables import Factor, Integers, Table, natural_key


def test_a_factor_knows_its_levels_in_order_of_appearance() -> None:
    factor = Factor.of(["b", "a", None, "b"])
    assert factor.levels == ("b", "a")
    assert factor.codes.tolist() == [0, 1, -1, 0]
    assert factor.texts() == ["b", "a", None, "b"]


def test_a_factor_keeps_only_used_levels_in_natural_order() -> None:
    factor = Factor(("t10", "unused", "t9"), np.array([0, 2, -1, 0], dtype=np.int32))
    arranged = factor.arranged()
    assert arranged.levels == ("t9", "t10")
    assert arranged.texts() == ["t10", "t9", None, "t10"]


@pytest.mark.parametrize("rows", [[2, 0], [True, False, True]])
def test_rows_are_taken_from_every_kind_of_column(rows: list[int]) -> None:
    table = Table(
        {
            "factor": Factor.of(["a", None, "b"]),
            "text": ("x", None, "z"),
            "float": np.array([0.5, np.nan, 1.5]),
            "int": np.array([1, 2, 3]),
            "bool": np.array([True, False, True]),
            "gaps": Integers(np.array([7, 0, 9]), np.array([True, False, True])),
        }
    )
    ends = [("a", "x", 0.5, 1, True, 7), ("b", "z", 1.5, 3, True, 9)]
    wanted = ends if rows[0] is True else ends[::-1]
    assert list(table.take(np.array(rows)).rows()) == wanted
    middle = (None, None, None, 2, False, None)
    assert list(table.rows()) == [ends[0], middle, ends[1]]


def test_columns_of_different_lengths_make_no_table() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        Table({"a": ("x",), "b": np.array([1.0, 2.0])})


def test_arrays_of_any_width_are_kept_as_one_kind_and_read_only() -> None:
    table = Table({"n": np.array([1], dtype=np.int32), "x": np.array([1], np.float32)})
    assert [each.dtype for each in table.columns.values()] == [np.int64, np.float64]
    with pytest.raises(ValueError, match="read-only"):
        table["n"][0] = 2
    with pytest.raises(TypeError, match="no column can hold"):
        Table({"t": np.array(["a"])})


def test_natural_order_compares_numbers_as_numbers() -> None:
    names = ["s10", "s9", "S1", "", "10", "9", "09", "b" + "9" * 5000]
    assert sorted(names, key=natural_key) == [
        "",
        "09",
        "9",
        "10",
        "S1",
        "b" + "9" * 5000,
        "s9",
        "s10",
    ]
