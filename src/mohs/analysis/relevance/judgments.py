"""Judgments made of scores: a qrels file whose grades are φ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.tables import Factor
from mohs.trec.names import find_column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mohs.analysis.relevance.items import Items
    from mohs.analysis.relevance.result import Relevance

ONE = "1"  # the topic of items that belong to no list

BIASED = (
    "clicks and views are biased by position: what an earlier system ranked high has"
    " more of them; judgments made of them favour systems like it"
)


def judgments(
    result: Relevance, *, topic: str | None = None, document: str | None = None
) -> bytes:
    """Return the text of a qrels file; items without φ are not judged.

    Parameters
    ----------
    result
        What `relevance` found.
    topic
        The column of topics; the lists unless given, or a column called topic.
    document
        The column of documents; one called document or item unless given.

    Raises
    ------
    FormatError
        With every id that is missing, has blanks, or stands twice in a topic.

    Examples
    --------
    >>> from mohs.analysis.relevance import relevance
    >>> found = relevance({"item": ["a", "b", "c"], "sold": [0, 0, 9]})
    >>> print(judgments(found).decode(), end="")
    1 0 a 0.0
    1 0 b 0.0
    1 0 c 1.0
    """
    items = result.items
    documents = items.texts(document or _document(items))
    topics = _topics(result, topic)
    rows = np.flatnonzero(~np.isnan(result.phi)).tolist()
    if wrong := [*_wrong(topics, documents, rows)]:
        raise FormatError.gather(items.faults(wrong))
    pairs = topics.texts(), documents.texts()
    lines = (
        f"{pairs[0][row]} 0 {pairs[1][row]} {float(result.phi[row])!r}\n"
        for row in rows
    )
    return "".join(lines).encode()


def _document(items: Items) -> str:
    names = items.table.names
    if found := find_column("document", names) or find_column("item", names):
        return found
    listed = ", ".join(names)
    raise InputError(
        f"{items.source}: name the column of documents with --document; it has {listed}"
    )


def _topics(result: Relevance, topic: str | None) -> Factor:
    items = result.items
    name = topic or find_column("topic", items.table.names)
    if topic is None and result.lists.levels != ("",):
        return result.lists
    return items.texts(name) if name else Factor.constant(ONE, len(result.phi))


def _wrong(
    topics: Factor, documents: Factor, rows: list[int]
) -> Iterator[tuple[int, str]]:
    """Yield the rows that cannot be judgments, and why."""
    seen: set[tuple[int, int]] = set()
    for row in rows:
        for kind, factor in (("topic", topics), ("document", documents)):
            code = factor.codes[row]
            name = factor.levels[code] if code >= 0 else ""
            if not name:
                yield row, f"has no {kind}; every judgment needs one"
            elif len(name.split()) > 1 or name != name.strip():
                yield row, f"{kind} {name!r} has blanks; name another --{kind} column"
        pair = int(topics.codes[row]), int(documents.codes[row])
        if pair in seen and pair[1] >= 0:
            name = documents.levels[pair[1]]
            remedy = "keep one, or name the column of topics with --topic"
            yield row, f"{name!r} stands twice in a topic; {remedy}"
        seen.add(pair)
