"""Hypergeometric models: a document as a sample of the collection, no parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_ECIR = "Amati, Frequentist and Bayesian approach to information retrieval, ECIR 2006"

# The share of a document that holds a single term over and over: at 1, the models have
# no value.
_ALMOST_ALL = 0.99999


@model("DLH", _ECIR)
def dlh(p: Postings) -> Floats:
    """Hypergeometric chance, approximated by the binomial; Laplace's after-effect."""
    rest = (p.length - p.tf) * np.log2(1 - _share(p))
    return (_information(p) + rest + _spread(p)) / (p.tf + 0.5)


@model("DLH13", "Macdonald et al., University of Glasgow at TREC 2005, TREC 2005")
def dlh13(p: Postings) -> Floats:
    """DLH without the chance of the other tokens."""
    return (_information(p) + _spread(p)) / (p.tf + 0.5)


@model(
    "DPH",
    "Amati et al., FUB, IASI-CNR and Tor Vergata at TREC 2007 Blog track, TREC 2007",
)
def dph(p: Postings) -> Floats:
    """DLH13 with Popper's normalisation, which a document full of the term loses by."""
    popper = (1 - _share(p)) ** 2 / (p.tf + 1)
    return popper * (_information(p) + _spread(p))


def _share(p: Postings) -> Floats:
    return np.where(p.tf < p.length, p.tf / p.length, _ALMOST_ALL)


def _information(p: Postings) -> Floats:
    expected = p.length / p.statistics.average_length * p.cf / p.statistics.documents
    return p.tf * np.log2(p.tf / expected)


def _spread(p: Postings) -> Floats:
    return 0.5 * np.log2(2 * np.pi * p.tf * (1 - _share(p)))
