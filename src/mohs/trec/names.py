"""Names that files carry: of a run in its file's name, of a column in its header."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from mohs.files import in_utf8

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

COMPRESSIONS = (".gz", ".bz2", ".zst", ".lz4")
SUFFIXES = (".run", ".txt", ".trec", ".res", ".out", ".eval")
PREFIX = "input."

# What other programs call a column, the likeliest first.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "run", "run_id", "runid", "run_name", "system_id", "name"),
    "topic": ("topic", "qid", "query_id", "topic_id", "query"),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
    "document": ("document", "docno", "doc_id", "docid", "doc", "document_id"),
    "grade": ("grade", "relevance", "label", "rel", "judgment", "relevance_label"),
    "score": ("score", "sim", "value", "relevance_score"),
    "rank": ("rank",),
    "item": ("item", "item_id", "itemid", "id", "url"),
}


def system_name(path: str | os.PathLike[str]) -> str:
    """Return what the run in a file is called.

    One compression suffix goes, then the suffixes of runs and evaluations, then the
    prefix under which TREC publishes runs; a name never becomes empty.

    Examples
    --------
    >>> system_name("runs/input.ok8alx.gz")
    'ok8alx'
    >>> system_name("bm25.trec.run")
    'bm25'
    """
    name = _without(PurePath(path).name, COMPRESSIONS)
    while (shorter := _without(name, SUFFIXES)) != name:
        name = shorter
    return in_utf8(name.removeprefix(PREFIX) or name)


def _without(name: str, suffixes: Sequence[str]) -> str:
    for suffix in suffixes:
        if name.endswith(suffix):
            return name.removesuffix(suffix) or name
    return name


def find_column(kind: str, names: Sequence[str]) -> str | None:
    """Return which of some column names stands for a kind of column, if any.

    Examples
    --------
    >>> find_column("topic", ["name", "qid", "query", "value"])
    'qid'
    """
    spelled = {name.strip().casefold(): name for name in reversed(names)}
    for candidate in COLUMNS[kind]:
        if candidate in spelled:
            return spelled[candidate]
    return None
