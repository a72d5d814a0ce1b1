"""Papers: their tables and figures as Mohs computes them, beside what was printed.

One module for each paper; `data` finds and fetches what they read, and `page` writes
what they yield. A paper's module is loaded when that paper is asked for.
"""

from __future__ import annotations

from mohs.papers.definition import Comparison, Exhibit, Reproduction
from mohs.papers.request import KNOWN, known, reproduce

__all__ = ["KNOWN", "Comparison", "Exhibit", "Reproduction", "known", "reproduce"]
