"""Every ranking model: from counts to the weight of a term in a document.

Importing a module of formulas registers its models; a new family joins here. Names are
those of Terrier, and all logarithms without a base are to base 2.
"""

from __future__ import annotations

from mohs.retrieval.models import (
    hypergeometric,
    independence,
    information,
    language,
    okapi,
    randomness,
)
from mohs.retrieval.models.definition import MODELS, Model, model

FAMILIES = (okapi, randomness, hypergeometric, information, independence, language)

__all__ = ["FAMILIES", "MODELS", "Model", "model"]
