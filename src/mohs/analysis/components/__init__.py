"""What the parts of a system do: the effect of one component on every topic."""

from __future__ import annotations

from mohs.analysis.components.request import components
from mohs.analysis.components.result import Components

__all__ = ["Components", "components"]
