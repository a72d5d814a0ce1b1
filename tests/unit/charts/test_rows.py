"""Rows of charts: legible at any number."""

import math

import pytest

from mohs.charts.rows import letters, number, precision, step, tall

NUMBERS = {0.1 + 0.2: 0.3, -0.0: 0.0, 1e-20: 1e-20, math.inf: None, -math.inf: None}
PRECISIONS = {(0.25, -0.5): ".3f", (9.9,): ".3f", (12.0, 1.0): ".2f", (-1234.0,): ".0f"}


def test_rows_shrink_but_stay_legible() -> None:
    heights = [step(rows) for rows in (1, 60, 130, 200, 1000)]
    assert heights == [18, 18, 14.5, 11, 11]
    assert [letters(rows) for rows in (1, 60, 130, 1000)] == [11, 11, 11, 8.5]
    assert tall(10) == pytest.approx(18 * 10.6)


@pytest.mark.parametrize("value", NUMBERS)
def test_numbers_hold_no_noise(value: float) -> None:
    assert number(value) == NUMBERS[value]


@pytest.mark.parametrize("values", PRECISIONS)
def test_columns_of_numbers_have_four_digits(
    values: tuple[float, ...],
) -> None:
    assert precision(values) == PRECISIONS[values]
