"""BM25 and its kin: a frequency that saturates, times how rare the term is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.models.definition import model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.retrieval.postings import Postings

    Floats = NDArray[np.float64]

_OKAPI = "Robertson et al., Okapi at TREC-3, TREC 1994"


def saturating(weights: Floats, *, k3: float = 8.0) -> Floats:
    """Let a term that a query repeats count less with each repetition."""
    return (k3 + 1) * weights / (k3 + weights)


@model("BM25", _OKAPI, saturating)
def bm25(p: Postings, *, k1: float = 1.2, b: float = 0.75) -> Floats:
    """Robertson's weight; negative for terms in more than half of the documents."""
    return robertson(p) * (k1 + 1) * p.tf / (k1 * _pivot(p, b) + p.tf)


@model(
    "BM25Plus",
    "Lv and Zhai, Lower-bounding term frequency normalization, CIKM 2011",
    saturating,
)
def bm25_plus(
    p: Postings, *, k1: float = 1.2, b: float = 0.75, delta: float = 1.0
) -> Floats:
    """BM25 in which a term counts at least delta, however long the document."""
    saturated = (k1 + 1) * p.tf / (k1 * _pivot(p, b) + p.tf)
    return (saturated + delta) * np.log2((p.statistics.documents + 1) / p.df)


@model(
    "BM25L",
    "Lv and Zhai, When documents are very long, BM25 fails!, SIGIR 2011",
    saturating,
)
def bm25_long(
    p: Postings, *, k1: float = 1.2, b: float = 0.75, delta: float = 0.5
) -> Floats:
    """BM25 whose normalised frequency is shifted, in favour of long documents."""
    shifted = p.tf / _pivot(p, b) + delta
    rarity = np.log2((p.statistics.documents + 1) / (p.df + 0.5))
    return rarity * (k1 + 1) * shifted / (k1 + shifted)


@model("TF_IDF", f"{_OKAPI}; Spärck Jones, Journal of Documentation 28(1), 1972")
def tf_idf(p: Postings, *, k1: float = 1.2, b: float = 0.75) -> Floats:
    """Robertson's frequency times Spärck Jones's rarity, which is never negative."""
    rarity = np.log2(p.statistics.documents / p.df + 1)
    return k1 * p.tf / (p.tf + k1 * _pivot(p, b)) * rarity


@model("LemurTF_IDF", "Zhai, Notes on the Lemur TFIDF model, 2001")
def lemur_tf_idf(p: Postings, *, k1: float = 1.2, b: float = 0.75) -> Floats:
    """Robertson's frequency times squared rarity; 0 for a term that all hold."""
    rarity = np.log2(p.statistics.documents / p.df)
    return k1 * p.tf / (p.tf + k1 * _pivot(p, b)) * rarity * rarity


def _pivot(p: Postings, b: float) -> Floats:
    return 1 - b + b * p.length / p.statistics.average_length


def robertson(p: Postings) -> Floats:
    """Weigh a term by how rare it is, without relevance judgments."""
    return np.log2((p.statistics.documents - p.df + 0.5) / (p.df + 0.5))
