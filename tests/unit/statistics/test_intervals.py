import numpy as np
import pytest

from mohs.statistics.intervals import bootstrap_mean, bootstrap_median
from mohs.statistics.streams import stream

VALUES = np.random.default_rng(5).random(41)
DRAWN = VALUES[np.random.default_rng(6).integers(0, 41, (100_000, 41))]
TAILS = (0.025, 0.975)


def test_a_mean_is_bounded_as_by_many_draws() -> None:
    expected = np.quantile(DRAWN.mean(axis=1), TAILS)
    # An end moves by about 0.003 from one set of 2000 draws to the next.
    found = bootstrap_mean(VALUES, stream(0, "test"))
    assert found == pytest.approx(expected, abs=0.012)


def test_draws_in_blocks_give_an_interval_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mohs.statistics.intervals._BLOCK", 41 * 7)
    expected = np.quantile(DRAWN.mean(axis=1), TAILS)
    found = bootstrap_mean(VALUES, stream(0, "test"))
    assert found == pytest.approx(expected, abs=0.012)


@pytest.mark.parametrize("size", [1, 2, 5, 41])
def test_a_median_is_bounded_as_by_many_draws(size: int) -> None:
    values = VALUES[:size]
    places = np.random.default_rng(6).integers(0, size, (100_000, size))
    expected = np.quantile(np.median(values[places], axis=1), TAILS)
    assert bootstrap_median(values) == pytest.approx(expected, abs=1e-15)


def test_the_median_of_an_even_number_is_bounded_from_outside() -> None:
    values = VALUES[:10]
    places = np.random.default_rng(6).integers(0, 10, (100_000, 10))
    low, high = np.quantile(np.median(values[places], axis=1), TAILS)
    found = bootstrap_median(values)
    assert found[0] <= low
    assert high <= found[1]
    assert {*found} <= {*values.tolist()}
