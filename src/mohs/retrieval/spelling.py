"""Components of a system as values that read and print the same: ``BM25(b=0.4)``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

# A name may be the path of a file, with blanks in it.
_NAME = r"[^\s(),=]+(?: +[^\s(),=]+)*+"
_WRITTEN = re.compile(rf"\s*(?P<name>{_NAME})\s*(\((?P<given>[^()]*)\))?\s*")
_GIVEN = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<value>[^\s,=()]+)\s*")
_COMMA = re.compile(r",(?![^(]*\))")


@dataclass(frozen=True, slots=True)
class Component:
    """One component by its name, with the parameters that were spelled out.

    Examples
    --------
    >>> str(Component("BM25", (("b", 0.4), ("k1", 0.9))))
    'BM25(b=0.4,k1=0.9)'
    """

    name: str
    parameters: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        given = ",".join(
            f"{name}={value:g}" if value == float(f"{value:g}") else f"{name}={value!r}"
            for name, value in self.parameters
        )
        return self.name + (f"({given})" if given else "")


def parse(text: str) -> Component:
    """Read a component; parameters come in the order of their names.

    Raises
    ------
    InputError
        If the text is no name with parameters that are numbers.

    Examples
    --------
    >>> parse("BM25(k1=0.9, b=0.4)")
    Component(name='BM25', parameters=(('b', 0.4), ('k1', 0.9)))
    >>> str(parse("PL2"))
    'PL2'
    """
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise InputError(
            f"{text!r} is no component; write a name and perhaps parameters, such as"
            " BM25(b=0.4,k1=0.9)"
        )
    given = written["given"]
    pairs = [] if not given or not given.strip() else given.split(",")
    parameters = dict(_parameter(pair, text) for pair in pairs)
    if len(parameters) < len(pairs):
        raise InputError(f"{text!r} gives a parameter twice")
    return Component(written["name"], tuple(sorted(parameters.items())))


def _parameter(pair: str, text: str) -> tuple[str, float]:
    written = _GIVEN.fullmatch(pair)
    try:
        if written is not None:
            return written["name"], float(written["value"])
    except ValueError:
        pass
    raise InputError(f"{text!r}: {pair.strip()!r} is no parameter such as b=0.4")


def parse_list(
    texts: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> tuple[Component, ...]:
    """Read components set apart by commas, each but once.

    Examples
    --------
    >>> [str(each) for each in parse_list("BM25(b=0.4,k1=0.9),PL2,PL2")]
    ['BM25(b=0.4,k1=0.9)', 'PL2']
    """
    texts = [texts] if isinstance(texts, str | os.PathLike) else texts
    parts = [part for text in texts for part in _COMMA.split(str(text))]
    return tuple(dict.fromkeys(map(parse, parts)))
