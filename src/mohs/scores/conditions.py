"""Which observations to keep, and what to call their columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mohs.errors import InputError

Where: TypeAlias = str | Sequence[str] | Mapping[str, str | Sequence[str]]
Renames: TypeAlias = str | Sequence[str] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """A column must have one of some values, or none of them if ``negated``."""

    column: str
    values: frozenset[str]
    negated: bool = False

    def allows(self, value: str) -> bool:
        """Return whether an observation with this value is kept."""
        return (value in self.values) != self.negated


_CONDITION = re.compile(r"(?P<column>[^=!]+)(?P<sign>!?=)(?P<values>.*)", re.DOTALL)


def parse_conditions(where: Where) -> tuple[Condition, ...]:
    """Return the conditions that texts or a mapping stand for.

    A value that holds a comma is written in double quotes.

    Examples
    --------
    >>> parse_conditions("corpus=FT")
    (Condition(column='corpus', values=frozenset({'FT'}), negated=False),)
    >>> [sorted(each.values) for each in parse_conditions(['run!=a,"b,c"'])]
    [['a', 'b,c']]
    """
    if isinstance(where, Mapping):
        return tuple(
            Condition(name, frozenset([values] if isinstance(values, str) else values))
            for name, values in where.items()
        )
    texts = [where] if isinstance(where, str) else where
    return tuple(map(_parse_condition, texts))


def _parse_condition(text: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if not found:
        expected = "expected COLUMN=VALUE[,VALUE...] or COLUMN!=VALUE[,VALUE...]"
        raise InputError(f"--where {text}: {expected}")
    try:
        values = next(csv.reader([found["values"]]), None) or [""]
    except csv.Error as error:
        raise InputError(f"--where {text}: {error}") from None
    return Condition(found["column"], frozenset(values), found["sign"] == "!=")


def parse_renames(names: Renames) -> Mapping[str, str]:
    """Return new names and the old ones they stand for.

    Examples
    --------
    >>> parse_renames(["corpus=collection"])
    {'corpus': 'collection'}
    """
    if isinstance(names, Mapping):
        return names
    texts = [names] if isinstance(names, str) else names
    pairs = [text.partition("=") for text in texts]
    for new, sign, old in pairs:
        if not (new and sign and old):
            raise InputError(f"--rename {new}{sign}{old}: expected NEW=OLD")
    return {new: old for new, _, old in pairs}
