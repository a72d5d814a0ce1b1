"""Files that say one thing about each of many names, such as the team of a system."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from mohs.errors import FormatError
from mohs.files import MAX_BYTES, decode, read_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

_FIELDS = 2


def read_pairs(
    path: str | os.PathLike[str],
    columns: tuple[str, str],
    *,
    max_bytes: int = MAX_BYTES,
) -> Mapping[str, str]:
    """Read a file of two columns, separated by tabs, commas or blanks.

    Parameters
    ----------
    path
        The file, compressed or not.
    columns
        What the columns are called; a first line that says just this is a header.
    max_bytes
        What an archive may unpack to.

    Raises
    ------
    FormatError
        With every line of another number of fields, and every name that is there twice
        with different values.

    Examples
    --------
    >>> read_pairs("no-such.tsv", ("system", "team"))
    Traceback (most recent call last):
    mohs.errors.FormatError: no-such.tsv: no such file
    """
    text = decode(read_bytes(path, max_bytes=max_bytes), str(path))
    pairs: dict[str, str] = {}
    faults = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = _split(line)
        if number == 1 and tuple(field.casefold() for field in fields) == columns:
            continue
        if problem := _fault(fields, columns, pairs):
            faults.append(FormatError(str(path), number, problem))
        else:
            pairs[fields[0]] = fields[1]
    if faults:
        raise FormatError.gather(faults)
    return pairs


def _split(line: str) -> list[str]:
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    if "," in line:
        return [field.strip() for field in next(csv.reader([line]))]
    return line.split()


def _fault(
    fields: list[str], columns: tuple[str, str], known: Mapping[str, str]
) -> str | None:
    if len(fields) != _FIELDS:
        return f"expected 2 fields ({', '.join(columns)}), found {len(fields)}"
    if "" in fields:
        return f"no {columns[fields.index('')]} is given"
    name, value = fields
    if known.get(name, value) != value:
        return f"{columns[0]} {name!r} has the {columns[1]} {known[name]!r} above"
    return None
