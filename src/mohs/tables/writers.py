r"""Output forms: a table becomes the bytes of a file.

Each form is registered under the suffix that asks for it. Numbers keep full precision
(the shortest text that reads back as the same double), text is UTF-8, lines end in
``\n`` whatever the locale, and what is missing is an empty cell or null.
"""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from mohs.registry import Registry
from mohs.tables.cells import cells
from mohs.tables.markup import html_page, latex, markdown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from mohs.tables.columns import Table

Meta: TypeAlias = "Mapping[str, Any]"

_NO_META: Meta = {}


class Writer(Protocol):
    """Turns a table, and how it was made, into the bytes of a file."""

    def __call__(self, table: Table, meta: Meta, /) -> bytes:
        """Return the bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write tables; ``carries_meta`` if the file tells how it was made."""

    write: Writer
    carries_meta: bool = False

    def __call__(self, table: Table, meta: Meta = _NO_META) -> bytes:
        """Return the bytes of a file that holds the table."""
        return self.write(table, meta)


FORMS: Registry[Form] = Registry("output form")


def form_of(path: str | os.PathLike[str]) -> Form:
    """Return the form that a path's suffix asks for.

    Examples
    --------
    >>> form_of("scores.cvs")
    Traceback (most recent call last):
    mohs.errors.UnknownNameError: no output form named '.cvs'. Did you mean '.csv'? Known: .csv, .html, .json, .jsonl, .md, .parquet, .tex, .tsv.
    """  # noqa: E501
    return FORMS[PurePath(path).suffix.lower()]


def delimited(table: Table, delimiter: str) -> str:
    """Return the table as text with one line per row, quoted where that is needed."""
    quote = _quoter(delimiter)
    columns = [cells(column, quote, missing="") for column in table.columns.values()]
    lines = [delimiter.join(map(quote, table.names))]
    lines += map(delimiter.join, zip(*columns, strict=True))
    return "\n".join(lines) + "\n"


def _quoter(delimiter: str) -> Callable[[str], str]:
    special = f'"\r\n{delimiter}'

    def quote(text: str) -> str:
        # An empty text is quoted, to tell it from a missing one.
        if text and not any(mark in text for mark in special):
            return text
        return '"' + text.replace('"', '""') + '"'

    return quote


def _csv(table: Table, _meta: Meta) -> bytes:
    return delimited(table, ",").encode()


def _tsv(table: Table, _meta: Meta) -> bytes:
    return delimited(table, "\t").encode()


def _json(table: Table, meta: Meta) -> bytes:
    head = json.dumps(dict(meta), sort_keys=True, ensure_ascii=False, allow_nan=False)
    rows = ",\n".join(_objects(table))
    return f'{{"meta": {head},\n"rows": [\n{rows}\n]}}\n'.encode()


def _jsonl(table: Table, _meta: Meta) -> bytes:
    return "".join(f"{each}\n" for each in _objects(table)).encode()


def _objects(table: Table) -> list[str]:
    columns = [
        cells(column, _json_text, missing="null", number=_json_number)
        for column in table.columns.values()
    ]
    keys = [f"{_json_text(name)}: " for name in table.names]
    fields = [
        [key + cell for cell in each] for key, each in zip(keys, columns, strict=True)
    ]
    return [f"{{{', '.join(row)}}}" for row in zip(*fields, strict=True)]


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_number(value: float) -> str:
    return repr(value) if math.isfinite(value) else "null"


def _parquet(table: Table, meta: Meta) -> bytes:
    from mohs.files import canonical_json
    from mohs.tables.frames import to_polars

    file = io.BytesIO()
    notes = {"mohs": canonical_json(dict(meta))} if meta else None
    # A fixed size of row groups, since the default follows the number of threads.
    to_polars(table).write_parquet(file, row_group_size=1 << 18, metadata=notes)
    return file.getvalue()


FORMS.add(".csv")(Form(_csv))
FORMS.add(".tsv")(Form(_tsv))
FORMS.add(".json")(Form(_json, carries_meta=True))
FORMS.add(".jsonl")(Form(_jsonl))
FORMS.add(".parquet")(Form(_parquet, carries_meta=True))
FORMS.add(".md")(Form(lambda table, _: markdown(table).encode()))
FORMS.add(".tex")(Form(lambda table, _: latex(table).encode()))
FORMS.add(".html")(Form(lambda table, _: html_page(table).encode()))
