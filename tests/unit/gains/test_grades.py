import numpy as np
import pytest

from mohs.errors import InputError, UnknownNameError
from mohs.gains.grades import GAINS, Binary, gain_of

GRADES = [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0]

TABLE = {
    "linear": [0, 0, 0.5, 1, 2, 3],
    "exponential": [0, 0, 2**0.5 - 1, 1, 3, 7],
    "binary": [0, 0, 0, 1, 1, 1],
}


@pytest.mark.parametrize("name", TABLE)
def test_gains_of_some_grades(name: str) -> None:
    gains = GAINS[name]()(np.array(GRADES))
    assert gains.tolist() == pytest.approx(TABLE[name])


@pytest.mark.parametrize("threshold", [0, -1, float("nan")])
def test_a_threshold_that_gives_a_gain_to_grade_zero_is_refused(
    threshold: float,
) -> None:
    with pytest.raises(InputError, match="threshold must be above 0"):
        Binary(threshold)


def test_a_grade_that_no_gain_can_be_made_of_is_refused() -> None:
    assert np.isfinite(GAINS["exponential"]()(np.full(9, 1000.0)).sum())
    with pytest.raises(InputError, match="the grade 2000, too high for an exponential"):
        GAINS["exponential"]()(np.array([1.0, 2000.0]))


def test_another_way_with_negative_grades_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="negative named 'Keep'"):
        gain_of("linear", "Keep")


def test_an_unknown_gain_names_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'exponential'"):
        GAINS["exponental"]
