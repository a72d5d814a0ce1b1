"""Rankings as run files of TREC."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mohs.errors import InputError
from mohs.measures.caveats import shown
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


def check_ids(topics: Sequence[Topic]) -> None:
    """Refuse queries whose lines in a run would be read as those of others.

    Raises
    ------
    InputError
        If ids have blanks or start a comment, or two queries are called the same.

    Examples
    --------
    >>> from mohs.trec.topics import Topic
    >>> check_ids([Topic("1", "2_3", "gold"), Topic("1_2", "3", "talc")])
    Traceback (most recent call last):
    mohs.errors.InputError: runs would call several queries 1_2_3; change their ids
    """
    names = Counter(map(query_id, topics))
    if odd := [
        repr(each) for each in names if "#" in each[:1] or each.split() != [each]
    ]:
        raise InputError(
            f"runs cannot hold queries called {shown(odd)}, since blanks set fields"
            " apart and # starts a comment; change their ids"
        )
    if twice := [name for name, count in names.items() if count > 1]:
        raise InputError(
            f"runs would call several queries {shown(twice)}; change their ids"
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
