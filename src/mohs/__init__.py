"""Find out which topics are hard, how sure we are, and why.

Everything a user needs is here, under the words of the commands; it is imported when it
is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mohs._core import __version__
    from mohs.analysis.agreement import agree
    from mohs.analysis.anova import anova
    from mohs.analysis.components import components
    from mohs.analysis.difficulty import difficulty
    from mohs.analysis.formulations import formulations
    from mohs.analysis.inspection import check
    from mohs.analysis.overview import overview
    from mohs.analysis.relevance import relevance
    from mohs.charts import chart
    from mohs.measures.evaluation import evaluate
    from mohs.measures.reading import read_scores
    from mohs.papers import reproduce
    from mohs.rankings import read_qrels, read_runs
    from mohs.reporting import report
    from mohs.retrieval.grid import grid
    from mohs.samples import sample

_HOMES = {
    "__version__": "mohs._core",
    "agree": "mohs.analysis.agreement",
    "anova": "mohs.analysis.anova",
    "chart": "mohs.charts",
    "check": "mohs.analysis.inspection",
    "components": "mohs.analysis.components",
    "difficulty": "mohs.analysis.difficulty",
    "evaluate": "mohs.measures.evaluation",
    "formulations": "mohs.analysis.formulations",
    "grid": "mohs.retrieval.grid",
    "overview": "mohs.analysis.overview",
    "read_qrels": "mohs.rankings",
    "read_runs": "mohs.rankings",
    "read_scores": "mohs.measures.reading",
    "relevance": "mohs.analysis.relevance",
    "report": "mohs.reporting",
    "reproduce": "mohs.papers",
    "sample": "mohs.samples",
}

__all__ = [
    "__version__",
    "agree",
    "anova",
    "chart",
    "check",
    "components",
    "difficulty",
    "evaluate",
    "formulations",
    "grid",
    "overview",
    "read_qrels",
    "read_runs",
    "read_scores",
    "relevance",
    "report",
    "reproduce",
    "sample",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 (functions of any kind)
    if name not in _HOMES:
        raise AttributeError(f"module 'mohs' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
