"""Where results go: a file whose suffix picks the form, a terminal, or a pipe."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

from mohs.cli.options import nonempty
from mohs.errors import InputError
from mohs.files import (
    canonical_json,
    check_writable,
    in_utf8,
    write_bytes,
    write_folder,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mohs.files import Provenance, Source
    from mohs.tables import Result, Table

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_FOLDER_FORM = ".csv"
_THEME = "blue-orange"
_WORK = {"workers", "dask", "seed"}


def add_output(parser: argparse.ArgumentParser) -> Any:  # noqa: ANN401 (a group)
    """Add the options that say where the result goes, and return their group."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        type=nonempty,
        help="write to a file; its suffix picks the form (.csv .tsv .json .jsonl "
        ".parquet .md .tex .html), and a path that ends in / gets one file per table",
    )
    group.add_argument(
        "--meta",
        action="store_true",
        help="write beside the file how it was made (PATH.meta.json)",
    )
    return group


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


def add_chart(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options of a command that has a picture, and return their group."""
    group = parser.add_argument_group("picture")
    group.add_argument(
        "--chart",
        metavar="PATH",
        type=nonempty,
        help="draw the result into a file; its suffix picks the kind (.html .svg .png "
        ".pdf, or .json for Vega-Lite)",
    )
    group.add_argument(
        "--theme",
        metavar="NAME",
        default=_THEME,
        help="colours of the picture: blue-orange (default; colour-blind readers can "
        "tell them apart) or traffic-light",
    )
    return group


def check_chart(args: argparse.Namespace) -> None:
    """Refuse a picture that could not be written, before any work is done."""
    if args.theme != _THEME:
        from mohs.charts import THEMES

        THEMES[args.theme]
        if not args.chart:
            raise InputError("--theme colours a picture; name its file with --chart")
    if args.chart:
        from mohs.charts import check_picture

        check_picture(args.chart)
        if args.output and _same(args.output, args.chart):
            raise InputError(f"{args.chart}: is wanted for the table and the picture")


def check_show(args: argparse.Namespace, gallery: str) -> None:
    """Refuse what could not be shown, before any work is done.

    ``gallery`` is the module whose ``SHOWS`` has the pictures of the result.
    """
    if not args.show:
        return
    if not args.chart:
        raise InputError("--show says what a picture shows; name its file with --chart")
    importlib.import_module(gallery).SHOWS[args.show]


def draw(
    args: argparse.Namespace,
    result: Result,
    **options: Any,  # noqa: ANN401 (those of its chart)
) -> None:
    """Draw the result, if a picture of it is wanted."""
    if args.chart:
        from mohs.charts import save

        save(result, args.chart, theme=args.theme, **options)


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def how_made(
    command: str,
    asked: Mapping[str, Any],
    files: Mapping[str, bytes | Source | None],
) -> Provenance:
    """Record what a command was asked for, and the files it was given.

    Parameters
    ----------
    command
        Its name.
    asked
        The resolved request; what changes no result is left out.
    files
        Names, with the content of what cannot be read twice, or what is known of it.
    """
    from mohs import __version__
    from mohs.files import Provenance, Source, describe

    request = {key: _in_utf8(asked[key]) for key in asked.keys() - _WORK}
    # A corpus and a formulation may be named by a file, which decides as much.
    rules = (*asked.get("corpus", ()), asked.get("formulation"))
    named = {rule: None for rule in rules if rule and os.path.isfile(rule)}  # noqa: PTH113
    contents = {**files, **named}
    sources = tuple(
        found if isinstance(found, Source) else describe(name, found)
        for name, found in contents.items()
    )
    return Provenance(__version__, command, request, sources, asked.get("seed"))


def _in_utf8(value: Any) -> Any:  # noqa: ANN401 (an option, maybe a file's name)
    if isinstance(value, list | tuple):
        return [*map(_in_utf8, value)]
    return in_utf8(value) if isinstance(value, str) else value


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


def tell(notes: Iterable[str]) -> None:
    """Say on standard error what is to be known of a result."""
    for note in notes:
        print(f"mohs: note: {note}", file=sys.stderr)


def show_below(
    args: argparse.Namespace,
    tables: Mapping[str, Table],
    names: Sequence[str],
    *,
    piped: bool = False,
) -> None:
    """Show further tables of these names on a terminal.

    A pipe carries one table, or several if ``piped``.
    """
    found = [name for name in names if name in tables]
    if args.output or not found:
        return
    if not sys.stdout.isatty() and not piped:
        told = f"not shown: {', '.join(found)}; -o FOLDER/ writes every table"
        tell([told])
        return
    for name in found:
        print(f"\n{name}")
        _show(tables[name])


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
