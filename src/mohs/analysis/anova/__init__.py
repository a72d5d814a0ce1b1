"""Why scores differ: analysis of variance at the scale of a grid of systems."""

from __future__ import annotations

from mohs.analysis.anova.formula import MODELS
from mohs.analysis.anova.request import anova
from mohs.analysis.anova.result import Anova

__all__ = ["MODELS", "Anova", "anova"]
