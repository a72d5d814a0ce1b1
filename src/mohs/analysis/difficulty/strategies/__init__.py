"""What others take for a hard topic, each strategy by its paper's own rule."""

from __future__ import annotations

from mohs.analysis.difficulty.strategies import effectiveness, prediction
from mohs.analysis.difficulty.strategies.definition import (
    DEPTH,
    STRATEGIES,
    Strategy,
    chosen,
    consult,
    depth_of,
    opinions,
)
from mohs.analysis.difficulty.strategies.evidence import Evidence, evidence_of

__all__ = [
    "DEPTH",
    "STRATEGIES",
    "Evidence",
    "Strategy",
    "chosen",
    "consult",
    "depth_of",
    "effectiveness",
    "evidence_of",
    "opinions",
    "prediction",
]
