"""Parts of systems that users registered themselves.

What such a part computes is known by its name only, and its code may change under it.
So nothing that was made with it is kept for a later time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.measures.definition import MEASURES
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.grid.spec import NONE
from mohs.retrieval.models import MODELS
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.tokenisers import TOKENISERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mohs.measures.spelling import Measure
    from mohs.retrieval.grid.spec import Analysis, System


def own_parts(system: System) -> list[str]:
    """Name the parts of a system that are not ours.

    Examples
    --------
    >>> from mohs.retrieval.grid.spec import TOKENISER, Analysis, System
    >>> from mohs.retrieval.spelling import parse
    >>> own_parts(System(Analysis(TOKENISER, NONE, parse("s")), parse("BM25"), NONE))
    []
    """
    model = MODELS[system.model.name]
    parts: dict[str, object] = {f"model {model.name}": model.formula}
    if system.expansion != NONE:
        expansion = EXPANSIONS[system.expansion.name]
        parts[f"expansion {expansion.name}"] = expansion.formula
    return [*own_analysis(system.analysis), *_own(parts)]


def own_analysis(analysis: Analysis) -> list[str]:
    """Name what is not ours of that which turns text into terms."""
    tokeniser, stemmer = analysis.tokeniser.name, analysis.stemmer.name
    return _own(
        {
            f"tokeniser {tokeniser}": TOKENISERS[tokeniser],
            f"stemmer {stemmer}": STEMMERS[stemmer],
        }
    )


def own_measures(measures: Iterable[Measure]) -> list[str]:
    """Name the measures that are not ours."""
    return _own({f"measure {m.name}": MEASURES[m.name].formula for m in measures})


def _own(parts: Mapping[str, object]) -> list[str]:
    return [
        name
        for name, made in parts.items()
        if str(getattr(made, "__module__", "")).partition(".")[0] != "mohs"
    ]
