"""Numbers as people write them, and why a text is none."""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

# C writes what is not a number with either sign.
MISSING = frozenset({"", "na", "nan", "-nan", "+nan"})

_FINITE = "write a finite number, or NA where it is missing"
_NUMBER = "write a number such as 0.5, or NA where it is missing"

_MOST = 1 << 62

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


def read_numbers(texts: Sequence[str]) -> tuple[NDArray[np.float64], Mapping[int, str]]:
    """Return the numbers that texts stand for, and what is wrong with the others.

    An empty text, ``NA`` and ``nan`` are missing and become NaN. Problems are keyed by
    the place of the text; its number is NaN too.

    Examples
    --------
    >>> values, problems = read_numbers(["0.5", "NA", "0,5"])
    >>> values.tolist(), dict(problems)
    ([0.5, nan, nan], {2: "'0,5' has a decimal comma; write 0.5"})
    """
    try:
        values = np.array(list(map(float, texts)), dtype=np.float64)
    except ValueError:
        return _one_by_one(texts)
    # Python also takes 1_000 and digits of other scripts for numbers.
    together = "".join(texts)
    if np.isinf(values).any() or "_" in together or not together.isascii():
        return _one_by_one(texts)
    return values, {}


def whole(value: Any, option: str, *, least: int = 1) -> int:  # noqa: ANN401
    """Return an option that has to be a whole number.

    Raises
    ------
    InputError
        If it is none, too small, or too large for what counts ranks and bytes.

    Examples
    --------
    >>> whole(np.int32(20), "depth")
    20
    >>> whole(2.5, "depth")
    Traceback (most recent call last):
    mohs.errors.InputError: depth: expected a whole number from 1 to 2**62, found 2.5
    """
    try:
        number = least - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= _MOST:
        expected = f"expected a whole number from {least} to 2**62"
        raise InputError(f"{option}: {expected}, found {value!r}")
    return number


def is_number(text: str) -> bool:
    """Return whether a text is a number or says that one is missing."""
    return text.strip().casefold() in MISSING or _problem(text) is None


def _one_by_one(
    texts: Sequence[str],
) -> tuple[NDArray[np.float64], Mapping[int, str]]:
    values = np.full(len(texts), np.nan)
    problems: dict[int, str] = {}
    for place, text in enumerate(texts):
        if text.strip().casefold() in MISSING:
            continue
        if problem := _problem(text):
            problems[place] = problem
        else:
            values[place] = float(text.strip())  # float() strips less
    return values, problems


def _problem(text: str) -> str | None:
    stripped = text.strip()
    if _DECIMAL.fullmatch(stripped):
        if math.isfinite(float(stripped)):
            return None
        return f"{stripped!r} is larger than any double; {_FINITE}"
    if _COMMA.fullmatch(stripped):
        return f"{stripped!r} has a decimal comma; write {stripped.replace(',', '.')}"
    if _INFINITE.fullmatch(stripped):
        return f"{stripped!r} is infinite; {_FINITE}"
    return f"{stripped!r} is not a number; {_NUMBER}"
