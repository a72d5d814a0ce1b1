"""Terrier in a process of its own, which answers what the tests ask.

Run as a program with the number of an open pipe, it takes calls from there, until the
pipe is closed. Texts come and go as UTF-16, because the way from Python strings to
Java's would mangle what lies beyond the first 65,536 characters.
"""

from __future__ import annotations

import sys
from functools import cache
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

VERSION, HELPER = "5.11", "0.0.8"


class Posting(NamedTuple):
    """One occurrence of a term in a document, and all that a model may look at."""

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
    """Find a Java class, by its name within org.terrier if it has no full one."""
    import pyterrier as pt

    full = name if name.startswith(("java.", "org.")) else f"org.terrier.{name}"
    return pt.java.autoclass(full)


def text_for_java(text: str) -> Any:  # noqa: ANN401
    return java("java.lang.String")(text.encode("utf-16-le"), "UTF-16LE")


def tokenise(texts: Sequence[str], tokeniser: str = "EnglishTokeniser") -> list[Any]:
    """Split texts by a tokeniser of org.terrier.indexing.tokenisation."""
    split = java(f"indexing.tokenisation.{tokeniser}")()
    return [list(split.getTokens(text_for_java(text))) for text in texts]


def stem(stemmer: str, words: Sequence[str]) -> list[str]:
    """Stem by a class of org.terrier.terms, say PorterStemmer; None where it drops."""
    if stemmer == "LovinsStemmer":
        return [_lovins(word) for word in words]
    made = java(f"terms.{stemmer}")
    try:
        stem = made().stem
    except Exception:  # noqa: BLE001 (the Snowball ones want to know what comes next)
        stem = made(java("terms.NoOp")(None)).stem
    return [stem(word) for word in words]


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


CALLS: dict[str, Callable[..., Any]] = {
    call.__name__: call for call in (tokenise, stem, stops, score)
}


def serve(pipe: Connection) -> None:
    """Answer calls until the other side hangs up; the first is to say what started."""
    _answer(pipe, start, ())
    while True:
        try:
            name, arguments = pipe.recv()
        except EOFError:
            return
        _answer(pipe, CALLS[name], arguments)


def _answer(pipe: Connection, call: Callable[..., Any], arguments: Any) -> None:  # noqa: ANN401
    try:
        pipe.send((call(*arguments), None))
    except Exception as error:  # noqa: BLE001 (raised again where it was asked)
        pipe.send((None, f"{type(error).__name__}: {error}"))


def start() -> str:
    """Start Java with the pinned Terrier, which must have been fetched before."""
    import pyterrier as pt

    pt.java.mavenresolver.offline()
    pt.terrier.set_version(VERSION)
    pt.terrier.set_helper_version(HELPER)
    pt.java.init()
    return str(pt.terrier.version())


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
