"""Sub-corpora: rules that say which documents belong to which part of a collection."""

from __future__ import annotations

import csv
import os
import re
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

from mohs import _core
from mohs.errors import FormatError, InputError
from mohs.files import decode, read_bytes
from mohs.trec.names import find_column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mohs._core import Rule

_SHARDS = re.compile(r"shards:(\d+)")
_FIELDS = 2

# Every corpus is ranked for itself.
_MOST = 1000
_DIGITS = 9


def read_corpora(rules: Sequence[str], *, seed: int = 0) -> Mapping[str, Rule]:
    """Read the rules of sub-corpora; a document may belong to several.

    Parameters
    ----------
    rules
        Each ``NAME=REGEX``, searched for in the document's id; or ``shards:N``, random
        parts; or the name of a file of documents and corpora.
    seed
        What the random parts depend on.

    Raises
    ------
    InputError
        If a rule is none of these, or two give one name.

    Examples
    --------
    >>> read_corpora(["FT=^FT", "shards:2"])
    {'FT': '^FT', 'shard1': (2, 0, 0), 'shard2': (2, 1, 0)}
    """
    corpora: dict[str, Rule] = {}
    for rule in rules:
        for name, documents in _read(rule, seed).items():
            if name in corpora:
                raise InputError(f"--corpus {rule}: there is a corpus {name!r} already")
            corpora[name] = documents
    return corpora


def _read(rule: str, seed: int) -> Mapping[str, Rule]:
    if os.path.isfile(rule):  # noqa: PTH113 (any text is a path to ask for)
        return _listed(rule)
    if shards := _SHARDS.fullmatch(rule):
        count = int(shards[1][:_DIGITS])
        if not 1 <= count <= _MOST:
            raise InputError(f"--corpus {rule}: expected 1 to {_MOST:,} shards")
        if not isinstance(seed, Integral):
            raise InputError(f"seed: expected a whole number, found {seed!r}")
        seed %= 1 << 64  # Python's numbers know no bounds.
        return {f"shard{i + 1}": (count, i, seed) for i in range(count)}
    name, equals, pattern = rule.partition("=")
    if not (equals and name and pattern):
        raise InputError(
            f"--corpus {rule}: expected NAME=REGEX, shards:N or a file that exists"
        )
    _check_pattern(rule, pattern)
    return {name: pattern}


def _check_pattern(rule: str, pattern: str) -> None:
    """Let the core, which searches for the pattern, say whether it is one."""
    try:
        _core.read_judgments(b"", duplicates="error", max_bytes=0, corpus=pattern)
    except ValueError as error:
        reason = str(error).splitlines()[-1].removeprefix("error: ")
        remedy = "mend the pattern; look-around and references back are not known"
        raise InputError(f"--corpus {rule}: no pattern ({reason}); {remedy}") from None


def _listed(path: str) -> Mapping[str, Rule]:
    text = decode(read_bytes(path), path)
    separator = "\t" if "\t" in text else "," if Path(path).suffix == ".csv" else None
    lines = enumerate(text.split("\n"), start=1)
    rows = [(number, _split(line, separator)) for number, line in lines if line.strip()]
    expected = "lines read 'document corpus'"
    faults = [
        FormatError(path, number, f"expected 2 fields, found {len(fields)}", expected)
        for number, fields in rows
        if len(fields) != _FIELDS
    ]
    if faults:
        raise FormatError.gather(faults)
    if rows and _is_header(rows[0][1]):
        rows = rows[1:]
    if not rows:
        raise FormatError(path, 0, "lists no documents", expected)
    listed: dict[str, list[str]] = {}
    for _, (document, corpus) in rows:
        listed.setdefault(corpus, []).append(document)
    return listed


def _is_header(fields: Sequence[str]) -> bool:
    document, corpus = fields
    return bool(find_column("document", [document])) and corpus.casefold() == "corpus"


def _split(line: str, separator: str | None) -> list[str]:
    if separator == ",":
        try:
            return [field.strip() for field in next(csv.reader([line.strip()]), [])]
        except csv.Error:  # A carriage return within, which is no field's end.
            return []
    return [field.strip() for field in line.split(separator)]
