"""Correlations against SciPy's."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from mohs.statistics.correlation import pearson, spearman, tau_b

# Both divide integers of the same size, or sum squares of ranks in another order.
TOLERANCE = 1e-12

PAIRS = {
    tau_b: scipy.stats.kendalltau,
    spearman: scipy.stats.spearmanr,
    pearson: scipy.stats.pearsonr,
}
every_measure = pytest.mark.parametrize("measure", PAIRS)
few_values = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0])


@every_measure
@given(st.lists(st.tuples(few_values, few_values), min_size=3, max_size=30))
def test_tied_values_correlate_as_in_scipy(measure, pairs: list) -> None:  # noqa: ANN001
    left, right = np.array(pairs).T
    assume(np.ptp(left) > 0 and np.ptp(right) > 0)
    expected = PAIRS[measure](left, right).statistic
    assert measure(left, right) == pytest.approx(expected, abs=TOLERANCE)


@every_measure
@pytest.mark.parametrize("size", [2, 17, 250, 3000])
def test_untied_values_correlate_as_in_scipy(measure, size: int) -> None:  # noqa: ANN001
    draws = np.random.default_rng(size)
    left = draws.standard_normal(size)
    right = left + draws.standard_normal(size)
    expected = PAIRS[measure](left, right).statistic
    assert measure(left, right) == pytest.approx(expected, abs=TOLERANCE)
