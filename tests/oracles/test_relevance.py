"""φ of real scores: films by what they earned, news by how often they were shared."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

import mohs

pytestmark = pytest.mark.skipif(
    "MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set"
)

UNPUBLISHED = {"missing": "drop", "missing_value": -1}
FENCE = "the upper fence is not above the median, so it has no control point"


def items(name: str) -> Path:
    return Path(os.environ["MOHS_DATA"], "items", name)


def test_films_by_earnings_are_mapped_as_scipy_does() -> None:
    found = mohs.relevance(
        items("movies.csv"), column="Worldwide Gross", missing="drop"
    )
    scores = found.table["Worldwide Gross"].drop_nulls().to_numpy()
    q1, median, q3 = np.quantile(scores, (0.25, 0.5, 0.75))
    fence = q3 + 1.5 * (q3 - q1)
    low, high = scores.min(), scores.max()
    x = [low, median, fence, high]
    y = [0, 0, 1 - (high - fence) / (high - low), 1]
    np.testing.assert_allclose(found.functions[""].points, [*zip(x, y, strict=True)])
    phi = found.table["phi"].drop_nulls().to_numpy()
    np.testing.assert_allclose(phi, PchipInterpolator(x, y)(scores), atol=4e-15)
    assert any("only 7.95% of items have φ above 0.1" in each for each in found.notes)


def test_the_median_of_shares_may_be_the_fence() -> None:
    found = mohs.relevance(
        items("news_popularity.csv"), column="LinkedIn_TS3", **UNPUBLISHED
    )
    assert found.functions[""].points == ((0.0, 0.0), (27.0, 1.0))
    assert found.notes[:2] == (
        "4059 of 7749 items have no score; they have no φ",
        FENCE,
    )


def test_a_logarithm_tames_the_tail_of_shares() -> None:
    path = items("news_popularity.csv")
    heavy, tamed = (
        mohs.relevance(path, column="Facebook_TS144", transform=each, **UNPUBLISHED)
        for each in ("none", "log")
    )
    some = [np.nanmean(each.phi > 0.1) for each in (heavy, tamed)]
    assert some[0] < 0.05
    assert some[1] > 0.2
    assert any("the tail is heavy" in note for note in heavy.notes)
    assert not any("the tail is heavy" in note for note in tamed.notes)
