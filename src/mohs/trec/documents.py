"""Documents: what is searched, read from files of many forms in small batches.

* JSON lines with an id and text;
* TREC's files, in which documents stand between ``<DOC>`` and ``</DOC>``;
* lines of an id, a tab, and the text, perhaps under a header;
* Parquet;
* data sets that ir_datasets knows by an id.

A file's form is told by its content. However large a collection is, only a batch of it
is in memory, and the ids.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mohs.errors import FormatError, InputError
from mohs.files import MAX_BYTES, read_pieces
from mohs.registry import check_choice
from mohs.tables.frames import as_polars, is_frame
from mohs.trec.document_forms import (
    LONGEST,
    Choice,
    Document,
    Encoding,
    Fault,
    TooLongError,
    find_id,
    form_of,
    of_record,
)
from mohs.trec.inputs import Input, expand_path, load_data_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from mohs.trec.document_forms import Found

# What a batch holds at most: documents, and characters but for the last document.
_DOCUMENTS = 4096
_CHARACTERS = 1 << 23

# Rows of Parquet files are fetched so many at a time.
_ROWS = 1 << 14

# So many faults are enough for a list.
_FAULTS = 100

_MARK = b"\xef\xbb\xbf"
_PARQUET = b"PAR1"

# Where documents come from: what to call it in messages, and what is found there.
_Origin: TypeAlias = "tuple[str, Iterator[Found]]"


@dataclass(frozen=True, slots=True)
class Documents:
    """A batch of documents: their ids, and their texts in the same order."""

    ids: list[str]
    texts: list[str]


def read_documents(
    source: Any,  # noqa: ANN401 (any of many kinds)
    *,
    fields: Sequence[str] | None = None,
    encoding: Encoding = "utf-8",
    max_bytes: int = MAX_BYTES,
) -> Iterator[Documents]:
    """Read a collection of documents, batch by batch.

    Parameters
    ----------
    source
        A file, compressed or not, ``-``, a folder, a glob pattern or an ir_datasets id;
        texts by id; a data frame; or a list of these, or of records with an id. Files
        of a folder or a pattern are taken in order of their names.
    fields
        Which fields, columns or tags are the text, joined in this order (those of a
        TREC file in the order in which they stand there). By default it is all that
        hold text but for the id, in the order of the file; of a TREC file all but
        ``<DOCNO>`` and ``<DOCHDR>``; of a data set what ir_datasets takes for it.
    encoding
        How files are encoded.
    max_bytes
        What an archive may unpack to.

    Yields
    ------
    Documents
        A few thousand at a time.

    Raises
    ------
    FormatError
        With every document of a file that cannot be used: without an id, with that of
        another, or without text. None that were read after the first are handed on.

    Examples
    --------
    >>> [batch] = read_documents({"d1": "a rose", "d2": "is a rose"})
    >>> batch
    Documents(ids=['d1', 'd2'], texts=['a rose', 'is a rose'])
    """
    check_choice("encoding", encoding, Encoding)
    if isinstance(fields, str):
        raise InputError(f"fields must be a list of names, not {fields!r}")
    choice = Choice(None if fields is None else tuple(fields), encoding)
    seen: set[str] = set()
    for name, found in _origins(source, choice, max_bytes):
        yield from _batches(name, found, seen)


def _origins(source: Any, choice: Choice, max_bytes: int) -> Iterator[_Origin]:  # noqa: ANN401
    if isinstance(source, str | os.PathLike):
        yield from _of_path(os.fspath(source), choice, max_bytes)
    elif isinstance(source, Mapping):
        records = ({"id": key, "text": text} for key, text in source.items())
        yield "documents", _numbered(records, choice)
    elif is_frame(source):
        yield "documents", _of_frame(as_polars(source).lazy(), "documents", choice)
    elif isinstance(source, Iterable):
        for are_records, group in groupby(source, _is_record):
            if are_records:
                yield "documents", _numbered(group, choice)
                continue
            for each in group:
                yield from _origins(each, choice, max_bytes)
    else:
        raise InputError(f"documents cannot be read from {type(source).__name__}")


def _of_path(path: str, choice: Choice, max_bytes: int) -> Iterator[_Origin]:
    try:
        inputs = list(expand_path(path))
    except FormatError:
        data_set = None if os.path.isdir(path) else load_data_set(path)  # noqa: PTH112
        if data_set is None:
            raise
        yield path, _of_data_set(data_set, path, choice)
        return
    for each in inputs:
        yield each.label, _of_file(each, choice, max_bytes)


def _of_file(found: Input, choice: Choice, max_bytes: int) -> Iterator[Found]:
    source = found.content if found.path is None else found.path
    if source is None:
        raise InputError(f"{found.label}: is no file")
    pieces = read_pieces(source, found.label, max_bytes=max_bytes)
    head = next(pieces, b"")
    if head.startswith(_PARQUET):
        yield from _of_parquet(found, chain([head], pieces), choice)
        return
    start = head.removeprefix(_MARK) if choice.encoding == "utf-8" else head
    try:
        yield from form_of(start)(chain([start], pieces), choice)
    except TooLongError as error:
        problem = f"a document of more than {LONGEST} bytes"
        remedy = "write one a line, or each between <DOC> and </DOC>"
        yield Fault(error.line, problem, remedy)


def _of_parquet(
    found: Input, pieces: Iterable[bytes], choice: Choice
) -> Iterator[Found]:
    import polars as pl

    try:
        if found.path is not None and _begins(found.path, _PARQUET):
            frame = pl.scan_parquet(found.path, glob=False)
        else:
            frame = pl.read_parquet(io.BytesIO(b"".join(pieces))).lazy()
        yield from _of_frame(frame, found.label, choice)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = str(error).partition("\n")[0]
        problem = f"is no sound Parquet file ({reason})"
        raise FormatError(found.label, 0, problem, "write it again") from None


def _begins(path: str, head: bytes) -> bool:
    with Path(path).open("rb") as file:
        return file.read(len(head)) == head


def _of_frame(frame: pl.LazyFrame, name: str, choice: Choice) -> Iterator[Found]:
    import polars as pl

    schema = frame.collect_schema()
    key = find_id(schema.names())
    texts = [
        each for each, kind in schema.items() if kind in (pl.String, pl.Categorical)
    ]
    fields = choice.fields or tuple(each for each in texts if each != key)
    if key is None or not any(each in schema for each in fields):
        missing = "ids" if key is None else " or ".join(choice.fields or ("texts",))
        remedy = f"its columns are {', '.join(schema.names()[:20])}"
        raise FormatError(name, 0, f"no column of {missing}", remedy)
    wanted = [key, *(each for each in fields if each in schema and each != key)]
    frame = frame.select(wanted)
    start = 0
    while (rows := frame.slice(start, _ROWS).collect()).height:
        for number, row in enumerate(rows.iter_rows(named=True), start=start + 1):
            yield of_record(number, row, Choice(fields))
        start += rows.height


def _of_data_set(data_set: Any, name: str, choice: Choice) -> Iterator[Found]:  # noqa: ANN401
    if not hasattr(data_set, "docs_iter"):
        problem = "this ir_datasets id has no documents"
        raise FormatError(name, 0, problem, "name one that has")
    for number, each in enumerate(data_set.docs_iter(), start=1):
        if choice.fields is None and hasattr(each, "default_text"):
            yield Document(number, each.doc_id, each.default_text())
        else:
            yield of_record(number, each._asdict(), choice)


def _is_record(item: object) -> bool:
    """Tell a document with its fields from a collection of texts by id."""
    return isinstance(item, Mapping) and find_id(item) is not None


def _numbered(records: Iterable[Mapping[str, Any]], choice: Choice) -> Iterator[Found]:
    for number, record in enumerate(records, start=1):
        yield of_record(number, record, choice)


def _batches(name: str, found: Iterator[Found], seen: set[str]) -> Iterator[Documents]:
    """Hand on what is sound, up to the first fault; then only look for more of them."""
    ids: list[str] = []
    texts: list[str] = []
    faults: list[FormatError] = []
    size, before = 0, len(seen)
    for each in found:
        checked = each if isinstance(each, Fault) else _checked(each, seen)
        if isinstance(checked, Fault):
            faults.append(FormatError(name, *checked))
            if len(faults) == _FAULTS:
                break
            continue
        seen.add(checked.id)
        if faults:
            continue
        ids.append(checked.id)
        texts.append(checked.text)
        size += len(checked.text)
        if len(ids) == _DOCUMENTS or size >= _CHARACTERS:
            yield Documents(ids, texts)
            ids, texts, size = [], [], 0
    if not faults and len(seen) == before:
        remedy = "give each document an id and a text"
        faults = [FormatError(name, 0, "holds no documents", remedy)]
    if faults:
        raise FormatError.gather(faults)
    if ids:
        yield Documents(ids, texts)


def _checked(document: Document, seen: set[str]) -> Found:
    """Return the document as it is to be known, or what is wrong with it."""
    line, given, text = document
    name = given.strip()
    if not name:
        return Fault(line, "a document without id", "give it one")
    if len(name.split()) > 1:
        remedy = "runs hold ids between blanks; use another character"
        return Fault(line, f"the id {name!r} has a blank in it", remedy)
    if name in seen:
        return Fault(line, f"document {name!r} is there already", "remove one of them")
    try:
        name.encode()
        text.encode()
    except UnicodeEncodeError:
        problem = f"document {name!r} holds half a character"
        return Fault(line, problem, "write the whole, or leave it out")
    return Document(line, name, text)
