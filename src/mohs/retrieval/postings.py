"""What a ranking model sees of an index: counts, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Sizes of an index.

    ``documents`` are N, ``tokens`` the sum of all lengths, ``terms`` the distinct
    terms, and ``postings`` the pairs of a term and a document that holds it.

    Examples
    --------
    >>> Statistics(documents=4, tokens=10, terms=5, postings=8).average_length
    2.5
    """

    documents: int
    tokens: int
    terms: int
    postings: int

    @property
    def average_length(self) -> float:
        """Tokens for each document."""
        return self.tokens / self.documents


@dataclass(frozen=True, slots=True)
class Postings:
    """Terms in documents, as doubles whose shapes broadcast to (postings,).

    ``tf`` says how often the term is in the document, ``length`` how many tokens the
    document has, ``df`` how many documents hold the term, and ``cf`` how often it is in
    all of them together.
    """

    tf: Floats
    length: Floats
    df: Floats
    cf: Floats
    statistics: Statistics
