"""Divergence from randomness: the bits that chance would need for so many occurrences.

The letters of a name are the model of chance, the after-effect of having seen the term
(L: Laplace, B: Bernoulli, C: Bernoulli over a natural logarithm), and normalisation 2
of frequencies by length.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model
from mohs.retrieval.models.okapi import robertson, saturating

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_AMATI = (
    "Amati and van Rijsbergen, Probabilistic models of information retrieval based on"
    " measuring the divergence from randomness, ACM TOIS 20(4), 2002"
)
_THESIS = "Amati, PhD thesis, University of Glasgow, 2003"

_BITS = math.log2(math.e)


@model("BB2", _AMATI)
def bb2(p: Postings, *, c: float = 1.0) -> Floats:
    """Bose-Einstein statistics by Stirling's formula, Bernoulli's after-effect.

    A rare term in a short document may have a frequency tfn above that in the whole
    collection, F; chance then sees F occurrences.
    """
    tfn, n = _normalised(p, c), p.statistics.documents
    seen, many = np.minimum(tfn, p.cf), n + p.cf - 1
    chance: Floats = _stirling(many, many - seen - 1) - _stirling(p.cf, p.cf - seen)
    chance = chance - np.log2(n - 1.0) - _BITS
    return _bernoulli(p, tfn) * chance


@model("IFB2", _AMATI)
def ifb2(p: Postings, *, c: float = 1.0) -> Floats:
    """Inverse frequency of the term, Bernoulli's after-effect."""
    tfn = _normalised(p, c)
    return _bernoulli(p, tfn) * tfn * _rarity(p, p.cf)


@model("InB2", _AMATI)
def inb2(p: Postings, *, c: float = 1.0) -> Floats:
    """Inverse document frequency, Bernoulli's after-effect."""
    tfn = _normalised(p, c)
    return _bernoulli(p, tfn) * tfn * _rarity(p, p.df)


@model("InL2", _AMATI)
def inl2(p: Postings, *, c: float = 1.0) -> Floats:
    """Inverse document frequency, Laplace's after-effect."""
    tfn = _normalised(p, c)
    return tfn / (tfn + 1) * _rarity(p, p.df)


@model("In_expB2", _AMATI)
def in_expb2(p: Postings, *, c: float = 1.0) -> Floats:
    """Inverse expected document frequency, Bernoulli's after-effect."""
    tfn = _normalised(p, c)
    return _bernoulli(p, tfn) * tfn * _rarity(p, _expected(p))


@model("In_expC2", f"{_THESIS}; as in Terrier")
def in_expc2(p: Postings, *, c: float = 1.0) -> Floats:
    """In_expB2 whose frequencies are normalised by a natural logarithm."""
    tfn = p.tf * np.log(1 + c * p.statistics.average_length / p.length)
    return _bernoulli(p, tfn) * tfn * _rarity(p, _expected(p))


@model("PL2", _AMATI)
def pl2(p: Postings, *, c: float = 1.0) -> Floats:
    """Poisson's chance by Stirling's formula, Laplace's after-effect."""
    tfn, mean = _normalised(p, c), p.cf / p.statistics.documents
    chance = (
        tfn * np.log2(tfn / mean)
        + (mean - tfn) * _BITS
        + 0.5 * np.log2(2 * np.pi * tfn)
    )
    return chance / (tfn + 1)


def nearly_linear(weights: Floats) -> Floats:
    """Saturate like BM25, but late: k3 is 1000."""
    return saturating(weights, k3=1000.0)


@model("DFR_BM25", f"{_THESIS}; as in Terrier", nearly_linear)
def dfr_bm25(p: Postings, *, c: float = 1.0) -> Floats:
    """BM25's rarity over frequencies of normalisation 2."""
    tfn = _normalised(p, c)
    return tfn / (tfn + 1.2) * robertson(p)


def _normalised(p: Postings, c: float) -> Floats:
    return p.tf * np.log2(1 + c * p.statistics.average_length / p.length)


def _bernoulli(p: Postings, tfn: Floats) -> Floats:
    return (p.cf + 1) / (p.df * (tfn + 1))


def _rarity(p: Postings, frequency: Floats) -> Floats:
    return np.log2((p.statistics.documents + 1) / (frequency + 0.5))


def _expected(p: Postings) -> Floats:
    n = p.statistics.documents
    return -n * np.expm1(-p.cf / n)


def _stirling(n: Floats, m: Floats) -> Floats:
    # The factorial of 0 is 1, which Stirling's formula misses infinitely.
    nothing = 0.5 * np.log2(2 * np.pi * n) + n * np.log2(n)
    some = (m + 0.5) * np.log2(n / m) + (n - m) * np.log2(n)
    return np.where(m == 0, nothing, some)
