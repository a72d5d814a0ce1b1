"""Box statistics on paper and by law, and how much of an axis is shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mohs.charts.boxes import Box, Window

VALUES = arrays(
    np.float64,
    st.integers(1, 40),
    elements=st.floats(-100, 1, width=32) | st.just(np.nan),
)

# values, then: low, q1, median, q3, high, places of the outliers
BOXES = {
    "one": ([0.5], 0.5, 0.5, 0.5, 0.5, 0.5, []),
    "two": ([0.0, 1.0], 0.0, 0.25, 0.5, 0.75, 1.0, []),
    "all equal but one": ([2, 2, 2, 2, 2, 9], 2, 2, 2, 2, 2, [5]),
    "on the fence": ([0, 4, 4, 6, 8, 12], 0, 4, 5, 7.5, 12, []),
    "beyond it": ([-2, 4, 4, 6, 8, 13.0], 4, 4, 5, 7.5, 8, [0, 5]),
    "missing": ([np.nan, 1, 2, 3, np.nan, 40, 4], 1, 2, 3, 4, 4, [5]),
    "no value near": ([0, 10, 10, 10], 7.5, 7.5, 10, 10, 10, [0]),
}


@pytest.mark.parametrize("case", BOXES)
def test_boxes_on_paper(case: str) -> None:
    values, *numbers, outliers = BOXES[case]
    box = Box.of(np.array(values, np.float64))
    assert [box.low, box.q1, box.median, box.q3, box.high] == numbers
    assert box.outliers.tolist() == outliers


def test_nothing_has_no_box() -> None:
    assert Box.of(np.array([])) is None
    assert Box.of(np.array([np.nan, np.nan])) is None


@given(VALUES)
def test_every_value_is_within_the_whiskers_or_an_outlier(values: np.ndarray) -> None:
    box = Box.of(values)
    known = np.flatnonzero(~np.isnan(values))
    if box is None:
        assert len(known) == 0
        return
    assert box.low <= box.q1 <= box.median <= box.q3 <= box.high
    inside = known[(values[known] >= box.low) & (values[known] <= box.high)]
    assert sorted([*inside, *box.outliers]) == known.tolist()


def boxes(*groups: list[float]) -> list[Box]:
    return [Box.of(np.array(group, np.float64)) for group in groups]


def window(*groups: list[float]) -> Window:
    return Window.over(boxes(*groups), np.concatenate(groups, dtype=np.float64))


def test_a_window_shows_everything_that_fits() -> None:
    shown = window([-0.5, 0, 0.5], [0, 0.5, 1])
    assert (shown.low, shown.high) == pytest.approx((-0.53, 1.03))


def test_a_window_shows_zero_and_has_a_width() -> None:
    shown = window([0.25, 0.5])
    assert shown.low < 0
    assert shown.high > 0.5
    empty = Window.over([], np.empty(0))
    assert empty.low < 0 < empty.high


def test_a_box_far_from_all_others_does_not_squeeze_them() -> None:
    shown = window([-49, -48, -47], *([0, 0.5, 1], [-0.1, 0.4, 0.9]) * 3)
    assert -0.5 < shown.low < -0.1
    assert shown.side(-48) == -1
    assert shown.clamp(-48) == shown.low
    assert (shown.side(0.5), shown.clamp(0.5)) == (0, 0.5)


@given(st.lists(VALUES, max_size=5))
def test_a_window_cuts_no_more_than_it_must(groups: list[np.ndarray]) -> None:
    found = [box for box in map(Box.of, groups) if box]
    shown = Window.over(found, np.concatenate([np.empty(0), *groups]))
    assert shown.low < 0 < shown.high
    inside = [
        box for box in found if not shown.side(box.low) and not shown.side(box.high)
    ]
    assert len(inside) >= len(found) / 2
