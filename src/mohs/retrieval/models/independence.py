"""Divergence from independence: how far a frequency lies above what it would be then.

Frequencies at or below the expected one weigh nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_KOCABAS = (
    "Kocabas, Dincer and Karaoglan, A nonparametric term weighting method for"
    " information retrieval based on measuring the divergence from independence,"
    " Information Retrieval 17(2), 2014"
)


@model("DFIC", _KOCABAS)
def dfic(p: Postings) -> Floats:
    """Pearson's chi-squared distance from independence."""
    expected = _expected(p)
    return np.log2(_above(p, expected) ** 2 / expected + 1)


@model("DFIZ", _KOCABAS)
def dfiz(p: Postings) -> Floats:
    """Standardised distance from independence."""
    expected = _expected(p)
    return np.log2(_above(p, expected) / np.sqrt(expected) + 1)


def _expected(p: Postings) -> Floats:
    return p.cf * p.length / p.statistics.tokens


def _above(p: Postings, expected: Floats) -> Floats:
    return np.maximum(p.tf - expected, 0.0)
