"""How hard is each topic: the share of systems that beat a random re-ranker."""

from __future__ import annotations

from mohs.analysis.difficulty.drilldown import DrillDown
from mohs.analysis.difficulty.request import difficulty
from mohs.analysis.difficulty.result import Difficulty, Part
from mohs.analysis.difficulty.solution import Solution, solve

__all__ = ["Difficulty", "DrillDown", "Part", "Solution", "difficulty", "solve"]
