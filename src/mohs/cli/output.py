"""Where results go: a file whose suffix picks the form, a terminal, or a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from mohs.errors import InputError
from mohs.files import canonical_json, check_writable, write_bytes, write_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from mohs.files import Provenance
    from mohs.tables import Table

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_FOLDER_FORM = ".csv"


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the result goes."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="write to a file; its suffix picks the form (.csv .tsv .json .jsonl "
        ".parquet .md .tex .html), and a path that ends in / gets one file per table",
    )
    group.add_argument(
        "--meta",
        action="store_true",
        help="write beside the file how it was made (PATH.meta.json)",
    )


def check_output(args: argparse.Namespace) -> None:
    """Refuse an output that could not be written, before any work is done."""
    from mohs.tables import form_of

    if not args.output:
        if args.meta:
            raise InputError("--meta stands beside a file; name one with -o")
        return
    check_writable(args.output)
    if not _is_folder(args.output):
        form = form_of(args.output)
        if args.meta and not form.carries_meta:
            check_writable(_beside(args.output))


def deliver(
    args: argparse.Namespace,
    tables: Mapping[str, Table],
    provenance: Callable[[], Provenance],
    *,
    shown: str | None = None,
) -> None:
    """Write the result where the user wants it.

    Parameters
    ----------
    args
        What `add_output` gave.
    tables
        The tables by name; a file gets the first.
    provenance
        Says how the result was made; called only if it is to be kept, since it reads
        every input once more.
    shown
        The table for the terminal or the pipe, if not the first.
    """
    if not args.output:
        _show(tables[shown or next(iter(tables))])
    elif _is_folder(args.output):
        write_folder(args.output, _files(args, tables, provenance))
    else:
        _write(args, next(iter(tables.values())), provenance)


def _write(
    args: argparse.Namespace, table: Table, provenance: Callable[[], Provenance]
) -> None:
    from mohs.tables import form_of

    form = form_of(args.output)
    record = provenance().as_dict() if args.meta or form.carries_meta else {}
    write_bytes(args.output, form(table, record))
    if args.meta and not form.carries_meta:
        write_bytes(_beside(args.output), _text(record))


def _files(
    args: argparse.Namespace,
    tables: Mapping[str, Table],
    provenance: Callable[[], Provenance],
) -> dict[str, bytes]:
    from mohs.tables import FORMS

    form = FORMS[_FOLDER_FORM]
    files = {f"{name}{_FOLDER_FORM}": form(table) for name, table in tables.items()}
    if args.meta:
        files["meta.json"] = _text(provenance().as_dict())
    return files


def _show(table: Table) -> None:
    if sys.stdout.isatty():
        from mohs.tables.text import aligned

        width = shutil.get_terminal_size().columns
        print(aligned(table, columns=width, header=_bold if _has_colour() else str))
    else:
        from mohs.tables.writers import delimited

        sys.stdout.write(delimited(table, "\t"))


def _has_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _bold(text: str) -> str:
    return f"{_BOLD}{text}{_PLAIN}"


def _beside(path: str) -> str:
    return f"{path}.meta.json"


def _text(record: Mapping[str, object]) -> bytes:
    return (canonical_json(dict(record)) + "\n").encode()


def _is_folder(path: str) -> bool:
    return path.endswith(("/", os.sep))
