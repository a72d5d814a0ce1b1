"""Information gained by one more occurrence of a term, free of parameters; and LGD.

Three probabilities recur: of the term in the document as it is, in the document with
one occurrence more, and in the collection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_ECIR = "Amati, Frequentist and Bayesian approach to information retrieval, ECIR 2006"
_MICROBLOG = (
    "Amati et al., FUB, IASI-CNR, UNIVAQ at TREC 2011 Microblog track, TREC 2011"
)


@model("DFRee", f"{_ECIR}; as in Terrier")
def dfree(p: Postings) -> Floats:
    """Mean of the information of one more token in the document and the collection."""
    here, more, everywhere = _probabilities(p)
    growth = np.log2(more / here)
    gained = (p.tf + 1) * np.log2(more / everywhere)
    gained = gained - p.tf * np.log2(here / everywhere)
    return p.tf * growth * (gained + 0.5 * growth)


@model("DFReeKLIM", f"{_MICROBLOG}; as in Terrier")
def dfreeklim(p: Postings) -> Floats:
    """Information of one more token, times that of the document over the collection."""
    here, more, everywhere = _probabilities(p)
    return p.tf * np.log2(more / here) * np.log2(here / everywhere)


@model("Js_KLs", f"{_ECIR}; as in Terrier")
def js_kls(p: Postings) -> Floats:
    """Jeffreys' divergence of one more token, times Kullback and Leibler's."""
    here, more, everywhere = _probabilities(p)
    added = np.log2((p.tf + 1) / p.tf)
    jeffreys = p.length / (p.length + 1) * (1 - here) * added
    return p.tf * jeffreys * (np.log2(more / everywhere) + p.tf * added)


@model("XSqrA_M", f"{_ECIR}; as in Terrier")
def xsqra_m(p: Postings) -> Floats:
    """Pearson's divergence of one more token, times the information it adds."""
    here, more, everywhere = _probabilities(p)
    pearson = (1 - here) ** 2 / (p.tf + 1)
    gained = (p.tf + 1) * np.log2(more / everywhere)
    gained = gained - p.tf * np.log2(here / everywhere)
    return p.tf * pearson * (gained + 0.5 * np.log2(more / here))


@model(
    "LGD",
    "Clinchant and Gaussier, Bridging language modeling and divergence from randomness"
    " approaches: a log-logistic model for IR, ICTIR 2009",
)
def lgd(p: Postings, *, c: float = 1.0) -> Floats:
    """Surprise at a frequency if frequencies followed a log-logistic law."""
    tfn = p.tf * np.log2(1 + c * p.statistics.average_length / p.length)
    mean = p.df / p.statistics.documents
    return np.log2((mean + tfn) / mean)


def _probabilities(p: Postings) -> tuple[Floats, Floats, Floats]:
    more = (p.tf + 1) / (p.length + 1)
    return p.tf / p.length, more, p.cf / p.statistics.tokens
