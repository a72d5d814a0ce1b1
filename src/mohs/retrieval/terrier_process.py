"""The process that Terrier lives in: ``python -m mohs.retrieval.terrier_process``.

It takes calls from standard input and answers on what was standard output, one pickle
each, until its input ends. Everything that Java and PyTerrier print goes to standard
error. Terrier keeps its settings in one place for a whole process, and a process with
a Java in it cannot be forked safely; neither must befall the program that asks.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

VERSION = "5.11"
HELPER = "0.0.8"

# How deep a first search goes, whatever the depth of the second.
_FIRST = 1000

# Tokens hold nothing but letters and digits, so a query of tokens has no operators.
_CONTROLS = {
    "terrierql": "on",
    "parsecontrols": "off",
    "parseql": "on",
    "applypipeline": "on",
    "localmatching": "on",
    "filters": "off",
    "decorate": "off",
}


# Documents by their number, from 0 in the order of indexing, best first, and scores.
# Plain tuples, because what this program defines cannot be unpickled elsewhere.
Ranking = tuple["NDArray[np.int32]", "NDArray[np.float64]"]
Terms = list[tuple[str, float]]
# Name, feedback documents, terms, and the share that RM3 leaves to the query.
Expansion = tuple[str, int, int, float]


def start(*, offline: bool = False) -> str:
    """Start Java with Terrier, whose jars come from Maven Central the first time."""
    import pyterrier as pt

    if offline:
        pt.java.mavenresolver.offline()
    pt.terrier.set_version(VERSION)
    pt.terrier.set_helper_version(HELPER)
    pt.java.init()
    return str(pt.terrier.version())


def index(texts: str, folder: str, stops: str | Sequence[str], stemmer: str) -> int:
    """Index a file of texts into a new folder and return how many there are.

    Each line of the file is one text as a JSON string. ``stops`` is "terrier", "none"
    or the words themselves; ``stemmer`` is a class of Terrier's, or "none".
    """
    import pyterrier as pt

    indexer = pt.IterDictIndexer(
        folder,
        stemmer=stemmer,
        stopwords=stops if isinstance(stops, str) else list(stops),
        tokeniser="english",
    )
    reference = indexer.index(_numbered(texts))
    opened = pt.IndexFactory.of(reference)
    return int(opened.getCollectionStatistics().getNumberOfDocuments())


def _numbered(texts: str) -> Iterator[dict[str, str]]:
    with Path(texts).open(encoding="ascii") as file:
        for i, line in enumerate(file):
            yield {"docno": str(i), "text": json.loads(line)}


def search(
    folder: str,
    queries: Sequence[str],
    controls: Mapping[str, str],
    depth: int,
    expansion: Expansion | None = None,
) -> list[Ranking]:
    """Rank documents for each of several texts; ``controls`` has the model."""
    searcher = _Searcher(folder, controls)
    if expansion is None:
        return searcher.rank([searcher.tokens(query) for query in queries], depth)
    terms = searcher.expand(queries, expansion)
    again = [" ".join(f"{term}^{weight:.9f}" for term, weight in q) for q in terms]
    return searcher.rank(again, depth, applypipeline="off")


def expand(
    folder: str,
    queries: Sequence[str],
    controls: Mapping[str, str],
    expansion: Expansion,
) -> list[Terms]:
    """Return the terms and weights of expanded queries, empty if nothing is found."""
    return _Searcher(folder, controls).expand(queries, expansion)


class _Searcher:
    def __init__(self, folder: str, controls: Mapping[str, str]) -> None:
        import pyterrier as pt

        # Sets the properties that a retrieval by PyTerrier sets.
        self._index = pt.IndexFactory.of(folder + "/data.properties")
        self._retriever = pt.terrier.Retriever(self._index)
        self._controls = dict(controls)
        self._tokeniser = pt.java.autoclass(
            "org.terrier.indexing.tokenisation.EnglishTokeniser"
        )()

    def tokens(self, text: str) -> str:
        return " ".join(self._tokeniser.getTokens(java_text(text)))

    def rank(
        self, queries: Sequence[str], depth: int, **controls: str
    ) -> list[Ranking]:
        settled = _CONTROLS | self._controls | {"end": str(depth - 1)} | controls
        return [self._rank(query, settled) for query in queries]

    def _rank(self, query: str, controls: Mapping[str, str]) -> Ranking:
        import pyterrier as pt

        if not query:
            return np.zeros(0, np.int32), np.zeros(0)
        manager = self._retriever.manager
        request = manager.newSearchRequest("query", query)
        for name, value in controls.items():
            request.setControl(name, value)
        manager.runSearchRequest(request)
        found = pt.java.cast("org.terrier.querying.Request", request).getResultSet()
        size = found.getResultSize()
        return (
            np.array(found.getDocids()[:size], np.int32),
            np.array(found.getScores()[:size], np.float64),
        )

    def expand(self, queries: Sequence[str], expansion: Expansion) -> list[Terms]:
        import pandas as pd

        tokens = [self.tokens(query) for query in queries]
        first = self.rank(tokens, max(_FIRST, expansion[1]))
        # RM3 sees the scores of all that was found in proportion.
        size = None if expansion[0] == "RM3" else expansion[1]
        frames = [
            pd.DataFrame(
                {
                    "qid": str(number),
                    "query": query,
                    "docid": documents[:size],
                    "score": scores[:size],
                }
            )
            for number, (query, (documents, scores)) in enumerate(
                zip(tokens, first, strict=True)
            )
            if len(documents)
        ]
        terms: list[Terms] = [[] for _ in queries]
        if frames:
            expander = _expander(self._index, expansion)
            expanded = expander.transform(pd.concat(frames, ignore_index=True))
            for number, query in zip(expanded["qid"], expanded["query"], strict=True):
                # The first word is a control.
                parts = (part.rpartition("^") for part in query.split()[1:])
                terms[int(number)] = [
                    (term, float(weight)) for term, _, weight in parts
                ]
        return terms


def _expander(opened: Any, expansion: Expansion) -> Any:  # noqa: ANN401
    import pyterrier as pt

    name, documents, terms, share = expansion
    sizes = {"fb_docs": documents, "fb_terms": terms}
    if name == "RM3":
        expander = pt.rewrite.RM3(opened, fb_lambda=share, **sizes)
        # PyTerrier asks for other sizes in a way that Terrier does not hear.
        expander.qe = pt.terrier.J.RM3(terms, documents, opened)
        return expander
    return {"Bo1": pt.rewrite.Bo1QueryExpansion, "KL": pt.rewrite.KLQueryExpansion}[
        name
    ](opened, **sizes)


def java_text(text: str) -> Any:  # noqa: ANN401
    """Hand a text over as UTF-16; the direct way mangles characters of four bytes."""
    import pyterrier as pt

    java_string = pt.java.autoclass("java.lang.String")
    return java_string(text.encode("utf-16-le"), "UTF-16LE")


CALLS: dict[str, Callable[..., Any]] = {
    "start": start,
    "index": index,
    "search": search,
    "expand": expand,
}


def serve(calls: Mapping[str, Callable[..., Any]]) -> None:
    """Answer calls, as pairs of a result and what went wrong."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")  # PyTerrier's own, about its libraries
    while (request := _receive(sys.stdin.buffer)) is not None:
        name, arguments, options = request
        try:
            answer: tuple[Any, str | None] = (calls[name](*arguments, **options), None)
        except Exception as error:  # noqa: BLE001 (told to the process that asked)
            answer = (None, f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _receive(stream: BinaryIO) -> Any:  # noqa: ANN401
    try:
        return pickle.load(stream)  # noqa: S301 (from the process that started this)
    except EOFError:
        return None


if __name__ == "__main__":
    serve(CALLS)
