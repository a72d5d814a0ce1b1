"""Query formulations: whether their choice can put topics in any order."""

from __future__ import annotations

from mohs.analysis.formulations.request import formulations
from mohs.analysis.formulations.result import Formulations

__all__ = ["Formulations", "formulations"]
