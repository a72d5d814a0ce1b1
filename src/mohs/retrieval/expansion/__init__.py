"""Query expansion: terms of the best documents of a first search join the query.

Importing a module of formulas registers its expansions; a new family joins here.
Without an expansion, there is no second search.
"""

from __future__ import annotations

from mohs.retrieval.expansion import axiomatic, randomness, relevance
from mohs.retrieval.expansion.definition import (
    EXPANSIONS,
    Expansion,
    Feedback,
    Query,
    expansion,
    others,
)

FAMILIES = (randomness, relevance, axiomatic)

__all__ = [
    "EXPANSIONS",
    "FAMILIES",
    "Expansion",
    "Feedback",
    "Query",
    "expansion",
    "others",
]
