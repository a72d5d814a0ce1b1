"""How hard is each topic: the share of systems that beat a random re-ranker."""

from __future__ import annotations

from mohs.analysis.difficulty.drilldown import DrillDown
from mohs.analysis.difficulty.request import difficulty
from mohs.analysis.difficulty.result import Difficulty, Part
from mohs.analysis.difficulty.solution import Solution, solve
from mohs.analysis.difficulty.strategies import STRATEGIES
from mohs.analysis.difficulty.subsets import TopicSubsets, topic_subsets
from mohs.analysis.difficulty.uses import choose_topics, stability, weigh
from mohs.analysis.difficulty.weights import WeightedMeans, weighted_means

__all__ = [
    "STRATEGIES",
    "Difficulty",
    "DrillDown",
    "Part",
    "Solution",
    "TopicSubsets",
    "WeightedMeans",
    "choose_topics",
    "difficulty",
    "solve",
    "stability",
    "topic_subsets",
    "weigh",
    "weighted_means",
]
