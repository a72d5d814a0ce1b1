"""Laws that every registered gain function obeys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.gains.grades import GAINS

grades = st.lists(st.floats(-10, 10), min_size=1, max_size=50)


@pytest.mark.parametrize("name", GAINS.names())
@given(grades=grades)
def test_a_lower_grade_never_gains_more(name: str, grades: list[float]) -> None:
    ordered = np.sort(np.array(grades))
    gains = GAINS[name]()(ordered)
    assert gains.shape == ordered.shape
    assert (np.diff(gains) >= 0).all()


@pytest.mark.parametrize("name", GAINS.names())
@given(grade=st.floats(-1e300, 0))
def test_grade_zero_and_below_gains_nothing(name: str, grade: float) -> None:
    assert GAINS[name]()(np.array([grade])).tolist() == [0.0]


@pytest.mark.parametrize("name", GAINS.names())
def test_the_highest_grade_gains_something(name: str) -> None:
    assert GAINS[name]()(np.array([4.0]))[0] > 0
