"""From numeric scores to relevance: φ of items, and what it changes in nDCG."""

from __future__ import annotations

from mohs.analysis.relevance.comparison import Comparison, compare
from mohs.analysis.relevance.request import relevance
from mohs.analysis.relevance.result import Relevance

__all__ = ["Comparison", "Relevance", "compare", "relevance"]
