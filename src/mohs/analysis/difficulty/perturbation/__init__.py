"""What happens to difficulty when topics, systems, labels or pools change."""

from __future__ import annotations

from mohs.analysis.difficulty.perturbation.steadiness import Stability, stability_of

__all__ = ["Stability", "stability_of"]
