"""Rankings as run files of TREC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.retrieval.grid.scoring import query_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mohs.retrieval.grid.spec import System
    from mohs.retrieval.search import Found
    from mohs.trec.topics import Topic


def run_path(folder: Path, corpus: str, system: System) -> Path:
    """Return where the run of a system stands: in a folder for each collection."""
    return (
        folder / corpus / f"{system.name}.run"
        if corpus
        else folder / f"{system.name}.run"
    )


def as_run(
    topics: Sequence[Topic], documents: Sequence[str], found: Found, tag: str
) -> bytes:
    """Write rankings as a run; scores keep every digit, so that no order is lost.

    Parameters
    ----------
    topics
        What was asked, query by query.
    documents
        Ids of the collection.
    found
        What was found.
    tag
        The name of the system.
    """
    lines = []
    for number, topic in enumerate(topics):
        where, query = found.of(number), query_id(topic)
        pairs = zip(
            found.documents[where].tolist(), found.scores[where].tolist(), strict=True
        )
        lines += [
            f"{query} Q0 {documents[document]} {rank} {score!r} {tag}\n"
            for rank, (document, score) in enumerate(pairs, 1)
        ]
    return "".join(lines).encode()
