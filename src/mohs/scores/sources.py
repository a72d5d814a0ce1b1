"""One source at a time: told apart by what it holds, and read into a part.

Parquet, JSON, text of evaluation programs and delimited text are recognised by their
first bytes, never by the name of a file.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mohs.errors import FormatError, InputError
from mohs.files import STANDARD_INPUT, decode, unpack
from mohs.scores.layouts import KINDS, Long, Part, layout_of
from mohs.scores.nested import RUN, nested_part
from mohs.scores.records import check_rows, nowhere, read_json, row_names, rows_sheet
from mohs.scores.sheets import Delimited, delimiter_of, read_sheet
from mohs.tables import Factor
from mohs.tables.frames import as_polars, is_frame
from mohs.trec.evaluations import (
    ALL,
    looks_like_evaluation,
    read_evaluation,
    split_line,
)
from mohs.trec.inputs import collected, expand_path
from mohs.trec.names import find_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from mohs.scores.request import Request
    from mohs.scores.sheets import Lines
    from mohs.trec.inputs import Input

_PARQUET = b"PAR1"
_JSON = (b"{", b"[")
_MARK = b"\xef\xbb\xbf"


def parts_of(source: Any, request: Request) -> Iterator[Part]:  # noqa: ANN401
    """Yield the observations of everything a source stands for."""
    if isinstance(source, str | os.PathLike):
        found = expand_path(os.fspath(source))
        yield from collected(lambda each: _file_part(each, request), found)
    elif is_frame(source):
        yield _frame_part(as_polars(source), request)
    elif isinstance(source, Mapping):
        yield nested_part(source, "scores", is_measure=request.is_measure)
    elif isinstance(source, Iterable):
        listed = list(source)
        if sum(each == STANDARD_INPUT for each in listed if isinstance(each, str)) > 1:
            raise InputError("standard input (-) can be read only once")
        if listed and hasattr(listed[0], "_fields"):
            rows = [dict(zip(row._fields, row, strict=True)) for row in listed]
            yield _rows_part(rows, "scores", RUN, nowhere, request)
        else:
            for parts in collected(lambda each: [*parts_of(each, request)], listed):
                yield from parts
    else:
        raise InputError(f"scores cannot be read from {type(source).__name__}")


def _file_part(found: Input, request: Request) -> Part:
    path = found.path
    if path is not None and _begins(path, _PARQUET):
        return _parquet_part(path, found, request)
    source = found.source
    if not isinstance(source, str | bytes):
        raise InputError(f"{found.label}: no scores")
    data = unpack(source, found.label, max_bytes=request.max_bytes)
    if data.startswith(_PARQUET):
        return _parquet_part(io.BytesIO(data), found, request)
    start = data.removeprefix(_MARK).lstrip()
    if not start:
        remedy = "begin with a header such as system,topic,measure,value"
        raise FormatError(found.label, 0, "is empty", remedy)
    if start.startswith(_JSON):
        return _json_part(data, found, request)
    return _text_part(data, start, found, request)


def _begins(path: str, magic: bytes) -> bool:
    # A pipe can be read only once, so its first bytes are not looked at here.
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False


def _text_part(data: bytes, start: bytes, found: Input, request: Request) -> Part:
    line = decode(start.split(b"\n", 1)[0], found.label)
    fields = split_line(line)
    delimiter = delimiter_of(line)
    # Blanks may follow the commas of a header.
    words = [*fields, *line.split(delimiter)]
    named = any(find_column(kind, words) for kind in KINDS)
    means = ALL in fields[1:2]
    unnamed = looks_like_evaluation(fields) and (means or not named)
    if unnamed and request.orient is None:
        return _evaluation_part(data, found, request)
    text = Delimited(data, found.label, delimiter)
    names = request.renamed(text.header(), found.label)
    layout = layout_of(names, found.label, orient=request.orient)
    numeric = layout.numeric(names)
    return layout.observations(
        read_sheet(text, names, numeric=numeric, system=found.name or RUN)
    )


def _evaluation_part(data: bytes, found: Input, request: Request) -> Part:
    text = decode(data, found.label)
    read = read_evaluation(text, found.label, is_measure=request.is_measure)
    run = found.name or read.tag or RUN
    size = len(read.values)
    return Part(
        found.label,
        {"system": Factor.constant(run, size), "topic": read.topics},
        read.measures,
        read.values,
        lambda rows: read.lines[list(rows)].tolist(),
        run=run,
    )


def _json_part(data: bytes, found: Input, request: Request) -> Part:
    value, lines = read_json(data, found.label)
    if isinstance(value, Mapping):
        if any(isinstance(inner, Mapping) for inner in value.values()):
            return nested_part(value, found.label, is_measure=request.is_measure)
        value = [value]
    return _rows_part(value, found.label, found.name or RUN, lines, request)


def _rows_part(
    rows: Sequence[Any], source: str, system: str, lines: Lines, request: Request
) -> Part:
    check_rows(rows, source, lines)
    names = row_names(rows)
    renamed = request.renamed(names, source)
    layout = layout_of(renamed, source, orient=request.orient)
    new = dict(zip(names, renamed, strict=True))
    return layout.observations(
        rows_sheet(
            [{new[str(name)]: value for name, value in row.items()} for row in rows],
            source,
            numeric=layout.numeric(renamed),
            system=system,
            lines=lines,
        )
    )


def _frame_part(frame: pl.DataFrame, request: Request) -> Part:
    from mohs.scores.frames import frame_sheet

    names = request.renamed(frame.columns, "frame")
    layout = layout_of(names, "frame", orient=request.orient)
    renamed = frame.rename(dict(zip(frame.columns, names, strict=True)))
    return layout.observations(
        frame_sheet(
            renamed,
            "frame",
            numeric=layout.numeric(names),
            system=RUN,
            lines=lambda rows: [row + 1 for row in rows],
        )
    )


def _parquet_part(file: str | io.BytesIO, found: Input, request: Request) -> Part:
    from mohs.scores.frames import frame_sheet, scan, wanted_rows

    frame = scan(file, found.label)
    columns = frame.collect_schema().names()
    names = request.renamed(columns, found.label)
    layout = layout_of(names, found.label, orient=request.orient)
    names = layout.house_names(names)
    frame = frame.rename(dict(zip(columns, names, strict=True)))
    layout = layout_of(names, found.label, orient=request.orient)
    decidable = set(names) if isinstance(layout, Long) else set()
    rows, known = wanted_rows(frame, decidable - {"value"}, request, found.label)
    sheet = frame_sheet(
        rows,
        found.label,
        numeric=layout.numeric(names),
        system=found.name or RUN,
        lines=nowhere,
    )
    return replace(layout.observations(sheet), known=known)
