"""Many systems over collections: request, plan, work, and what is finished."""

from __future__ import annotations

from mohs.retrieval.grid.request import grid
from mohs.retrieval.grid.result import Grid

__all__ = ["Grid", "grid"]
