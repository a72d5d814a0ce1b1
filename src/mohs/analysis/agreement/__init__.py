"""Does difficulty travel: between systems, corpora, measures and tables."""

from __future__ import annotations

from mohs.analysis.agreement.request import agree
from mohs.analysis.agreement.result import Agreement

__all__ = ["Agreement", "agree"]
