"""Formulations: several queries for one topic, told apart by their ids.

A rule splits the id of a query into topic and formulation: a regular expression with
these two groups, or a file that lists the queries.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mohs.errors import FormatError, InputError
from mohs.files import decode, read_bytes
from mohs.trec.evaluations import split_line
from mohs.trec.names import find_column

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    Rule: TypeAlias = Callable[[str], tuple[str, str] | None]

_FIELDS = 3
_SHOWN = 5


def read_rule(source: str | os.PathLike[str]) -> Rule:
    r"""Return what splits query ids: a file if there is one, else a pattern.

    Raises
    ------
    InputError
        If the pattern is no pattern or lacks a group, or the file is malformed.

    Examples
    --------
    >>> read_rule(r"(?P<topic>\d+)-(?P<formulation>\w+)")("301-a")
    ('301', 'a')
    """
    if not isinstance(source, str) or _is_file(source):
        return _listed(decode(read_bytes(source), str(source)), str(source)).get
    try:
        pattern = re.compile(source)
    except re.error as error:
        problem = f"--formulation {source}: neither a file nor a pattern ({error})"
        raise InputError(problem) from None
    if not {"topic", "formulation"} <= pattern.groupindex.keys():
        raise InputError(
            f"--formulation {source}: needs the groups (?P<topic>...) and"
            " (?P<formulation>...), or the name of a file that exists"
        )

    def split(query: str) -> tuple[str, str] | None:
        found = pattern.fullmatch(query)
        if found is None:
            return None
        topic, formulation = found["topic"], found["formulation"]
        if topic is None or formulation is None:
            problem = f"a group of the pattern takes no part in {query!r}"
            remedy = "make both groups match whenever the pattern does"
            raise InputError(f"--formulation {source}: {problem}; {remedy}")
        return topic, formulation

    return split


def split_queries(queries: Iterable[str], rule: Rule) -> list[tuple[str, str]]:
    """Return the topic and the formulation of every query.

    Raises
    ------
    InputError
        If the rule does not cover a query, or does not tell two apart.
    """
    named = {query: rule(query) for query in queries}
    missed = [query for query, parts in named.items() if parts is None]
    if missed:
        shown = ", ".join(map(repr, missed[:_SHOWN]))
        more = f" and {len(missed) - _SHOWN} more" if len(missed) > _SHOWN else ""
        raise InputError(f"--formulation does not cover the queries {shown}{more}")
    pairs = [parts for parts in named.values() if parts is not None]
    first: dict[tuple[str, str], str] = {}
    for query, parts in zip(named, pairs, strict=True):
        if (other := first.setdefault(parts, query)) != query:
            topic, formulation = parts
            problem = f"takes the queries {other!r} and {query!r} for one"
            same = f"topic {topic!r}, formulation {formulation!r}"
            raise InputError(f"--formulation {problem} ({same}); tell them apart")
    return pairs


def _is_file(source: str) -> bool:
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def _listed(text: str, name: str) -> Mapping[str, tuple[str, str]]:
    expected = "lines read 'query topic formulation'"
    rows = []
    faults = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append((number, fields := _split(line)))
        except csv.Error as error:
            faults.append(
                FormatError(name, number, f"is malformed ({error})", expected)
            )
            continue
        if len(fields) != _FIELDS:
            problem = f"expected 3 fields, found {len(fields)}"
            faults.append(FormatError(name, number, problem, expected))
    if faults:
        raise FormatError.gather(faults)
    return _mapped(rows, name)


def _mapped(
    rows: list[tuple[int, list[str]]], name: str
) -> Mapping[str, tuple[str, str]]:
    places = (0, 1, 2)
    if rows and "formulation" in (header := [f.casefold() for f in rows[0][1]]):
        places = _places(header, name)
        rows = rows[1:]
    listed: dict[str, tuple[str, str]] = {}
    queries: dict[tuple[str, str], str] = {}
    faults = []
    for number, fields in rows:
        query, topic, formulation = (fields[place] for place in places)
        pair = topic, formulation
        if listed.setdefault(query, pair) != pair:
            problem = f"query {query!r} has another topic or formulation above"
            faults.append(FormatError(name, number, problem, "keep one of the lines"))
        elif (other := queries.setdefault(pair, query)) != query:
            problem = f"query {query!r} has topic and formulation of {other!r} above"
            remedy = "give every query a formulation of its own"
            faults.append(FormatError(name, number, problem, remedy))
    if faults:
        raise FormatError.gather(faults)
    return listed


def _places(header: list[str], name: str) -> tuple[int, int, int]:
    others = [field for field in header if field not in ("topic", "formulation")]
    query = find_column("topic", others)
    if query is None or "topic" not in header:
        problem = f"expected the columns query, topic, formulation, found {header}"
        raise FormatError(name, 1, problem)
    return header.index(query), header.index("topic"), header.index("formulation")


def _split(line: str) -> list[str]:
    return (
        split_line(line)
        if "," not in line or "\t" in line
        else next(csv.reader([line]))
    )
