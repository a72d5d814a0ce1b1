"""Terrier's process for the tests: it answers what the engine never asks for, too."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mohs.retrieval.terrier_process import CALLS, java_text, serve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Posting(NamedTuple):
    """A term in a document, and all that a model may look at."""

    tf: int
    length: int
    df: int
    cf: int
    documents: int
    tokens: int
    terms: int
    postings: int
    weight: float = 1.0  # of the term in the query


@cache
def java(name: str) -> Any:  # noqa: ANN401
    """Find a class of Terrier's, by its name within org.terrier."""
    import pyterrier as pt

    return pt.java.autoclass(f"org.terrier.{name}")


def tokenise(texts: Sequence[str], tokeniser: str) -> list[list[str]]:
    """Split texts by a tokeniser of org.terrier.indexing.tokenisation."""
    split = java(f"indexing.tokenisation.{tokeniser}")()
    return [list(split.getTokens(java_text(text))) for text in texts]


def stem(stemmer: str, words: Sequence[str]) -> list[str]:
    """Stem by a class of org.terrier.terms, or by Lovins, which Snowball brings."""
    if stemmer == "LovinsStemmer":
        return [_lovins(word) for word in words]
    made = java(f"terms.{stemmer}")(java("terms.NoOp")(None))
    return [made.stem(word) for word in words]


def _lovins(word: str) -> str:
    program = java("tartarus.snowball.ext.LovinsStemmer")()
    program.setCurrent(word)
    program.stem()
    return program.getCurrent()


def stops(words: Sequence[str]) -> list[bool]:
    """Say which words are on Terrier's own list."""
    terms = java("terms.Stopwords")(java("terms.NoOp")(None))
    return [bool(terms.isStopword(word)) for word in words]


def score(
    model: str, postings: Sequence[Posting], controls: Mapping[str, float]
) -> list[float]:
    """Score single postings, the model's parameters named as in Terrier's controls."""
    weigh = java(f"matching.models.{model}")
    request = java("querying.Request")()
    for name, value in controls.items():
        request.setControl(name, repr(value))
    return [_score(weigh(), request, Posting(*posting)) for posting in postings]


def _score(model: Any, request: Any, posting: Posting) -> float:  # noqa: ANN401
    entry = java("structures.BasicLexiconEntry")()
    entry.setStatistics(posting.df, posting.cf)
    collection = java("structures.CollectionStatistics")(
        posting.documents, posting.terms, posting.tokens, posting.postings, [0], [""]
    )
    model.setCollectionStatistics(collection)
    model.setEntryStatistics(entry)
    model.setKeyFrequency(posting.weight)
    model.setRequest(request)
    model.prepare()
    return float(model.score(float(posting.tf), float(posting.length)))


if __name__ == "__main__":
    serve({**CALLS, "tokenise": tokenise, "stem": stem, "stops": stops, "score": score})
