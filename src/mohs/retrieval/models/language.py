"""Language models: the chance that a document would utter the term, smoothed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_ZHAI = (
    "Zhai and Lafferty, A study of smoothing methods for language models applied to"
    " information retrieval, ACM TOIS 22(2), 2004"
)


def presence(weights: Floats) -> Floats:
    """Let a term count once, however the query weighs it."""
    return np.ones_like(weights)


@model("DirichletLM", _ZHAI, presence)
def dirichlet(p: Postings, *, mu: float = 2500.0) -> Floats:
    """Smoothing by mu tokens like those of the collection."""
    seen = np.log2(1 + p.tf / (mu * (p.cf / p.statistics.tokens)))
    return seen + np.log2(mu / (p.length + mu))


@model(
    "Hiemstra_LM",
    "Hiemstra, Using language models for information retrieval, PhD thesis, University"
    " of Twente, 2001, section 5.2.3",
)
def hiemstra(p: Postings, *, lambda_: float = 0.15) -> Floats:
    """Mixture of document and collection, lambda being the share of the document."""
    return _mixture(p, lambda_ / (1 - lambda_))


@model("JM", f"{_ZHAI}, after Jelinek and Mercer")
def jelinek_mercer(p: Postings, *, lambda_: float = 0.1) -> Floats:
    """Mixture of document and collection, lambda being the share of the collection."""
    return _mixture(p, (1 - lambda_) / lambda_)


def _mixture(p: Postings, odds: float) -> Floats:
    return np.log2(1 + odds * p.tf * p.statistics.tokens / (p.cf * p.length))
