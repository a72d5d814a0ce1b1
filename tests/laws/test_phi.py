"""Laws that φ obeys whatever the scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.gains.control import Fitting
from mohs.gains.phi import Phi

# Of single precision, since φ tells apart what differs by 1e-300 of the range.
finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
score = finite | st.integers(-5, 5).map(float)
scores = st.lists(score, min_size=1, max_size=60).map(np.array)
fittings = pytest.mark.parametrize(
    "fitting", [Fitting(), Fitting.asked(variant="authors")], ids=["paper", "authors"]
)


@fittings
@given(scores=scores, others=st.lists(score, max_size=20))
def test_it_is_monotone_and_within_0_and_1(
    fitting: Fitting, scores: np.ndarray, others: list[float]
) -> None:
    phi = Phi.over(scores, fitting)
    values = phi(np.sort(np.concatenate((scores, others))))
    assert (np.diff(values) >= 0).all()
    assert ((values >= 0) & (values <= 1)).all()


@given(scores=scores)
def test_it_is_0_up_to_the_median_and_1_at_the_maximum(scores: np.ndarray) -> None:
    phi, median, highest = Phi.over(scores), np.median(scores), scores.max()
    differ = scores.min() < highest
    assert phi(np.array([highest])).tolist() == [float(differ)]
    if median < highest:
        assert not phi(scores[scores <= median]).any()


# Whole numbers, times a power of two, are exact: no score slips across the fence.
@given(
    scores=st.lists(st.integers(-1000, 1000), min_size=1, max_size=60),
    power=st.integers(-20, 20),
    shift=st.integers(-1000, 1000),
)
def test_another_unit_and_another_zero_change_nothing(
    scores: list[int], power: int, shift: int
) -> None:
    plain = np.array(scores, dtype=float)
    moved = (plain + shift) * 2.0**power
    np.testing.assert_allclose(
        Phi.over(moved)(moved), Phi.over(plain)(plain), atol=1e-14
    )
