"""Sets of systems: all, the best, the worst, drawn, or named.

A set is written as a word and, behind a colon, what the word needs: ``best:30``. What
it means depends on the scores that it is taken from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs.analysis.agreement.matrices import means_known
from mohs.errors import InputError, UnknownNameError
from mohs.files import decode, read_bytes
from mohs.registry import Registry
from mohs.statistics.correlation import ties_joined
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.analysis.agreement.matrices import Matrix

    Masks = NDArray[np.bool_]

RANDOM, FILE = "random", "file"
CHOSEN = ("best", "worst")
_DEFAULT = 30


@dataclass(frozen=True, slots=True)
class Roster:
    """Who may be in a set, and how sets are drawn.

    ``systems`` are those of all matrices of a request; ``repeats`` is how often a
    random set is drawn.
    """

    systems: frozenset[str]
    repeats: int
    seed: int


class Choose(Protocol):
    """Chooses systems of a matrix."""

    def __call__(self, given: str, matrix: Matrix, roster: Roster, /) -> Masks:
        """Return which systems are in the set, one row (R, S) for each draw of it."""
        ...


SETS: Registry[Choose] = Registry("set of systems")


@dataclass(frozen=True, slots=True)
class SystemSet:
    """A set as it is written: its kind, and what stands behind the colon."""

    text: str
    kind: str
    given: str

    def of(self, matrix: Matrix, roster: Roster) -> Masks:
        """Return which systems of a matrix are in the set, (R, S)."""
        masks = SETS[self.kind](self.given, matrix, roster)
        if not masks.any():
            where = f" of {matrix.name}" if matrix.name else ""
            raise InputError(f"--sets {self.text}: no system{where} is in this set")
        return masks


def read_sets(texts: Sequence[str] | str) -> tuple[SystemSet, ...]:
    """Read the sets that a text or several name.

    A comma parts two sets where the name of a kind follows.

    Raises
    ------
    UnknownNameError
        If there is no such kind.
    InputError
        If a set is named twice, or no set at all.

    Examples
    --------
    >>> [(each.kind, each.given) for each in read_sets("all,best:30,tag:^a{1,2}")]
    [('all', ''), ('best', '30'), ('tag', '^a{1,2}')]
    """
    listed = [texts] if isinstance(texts, str) else texts
    kinds = "|".join(map(re.escape, SETS.names()))
    parts = [
        part for text in listed for part in re.split(rf",\s*(?=(?:{kinds})\b)", text)
    ]
    sets = tuple(_read_set(part.strip()) for part in parts)
    names = [each.text for each in sets]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"--sets names {twice[0]} twice")
    if not sets:
        raise InputError("--sets names no set; all is the set of all systems")
    return sets


def _read_set(text: str) -> SystemSet:
    kind, _, given = text.partition(":")
    SETS[kind]
    return SystemSet(text, kind, given)


def files_in(texts: Sequence[str]) -> dict[str, None]:
    """Return the files that sets are read from."""
    return {each.given: None for each in read_sets(texts or "all") if each.kind == FILE}


def default_sets(matrix: Matrix) -> tuple[SystemSet, ...]:
    """Return all systems, and the best, worst and random ones: 30, or half of them."""
    count = min(_DEFAULT, max(len(matrix.systems) // 2, 1))
    return read_sets(["all", f"best:{count}", f"worst:{count}", f"random:{count}"])


@SETS.add("all")
def _all(given: str, matrix: Matrix, roster: Roster) -> Masks:  # noqa: ARG001
    if given:
        raise InputError(f"--sets all:{given}: nothing stands behind all")
    return np.ones((1, len(matrix.systems)), np.bool_)


@SETS.add("best")
def _best(given: str, matrix: Matrix, roster: Roster) -> Masks:  # noqa: ARG001
    return _extreme(-_means(matrix), _count("best", given, matrix))


@SETS.add("worst")
def _worst(given: str, matrix: Matrix, roster: Roster) -> Masks:  # noqa: ARG001
    return _extreme(_means(matrix), _count("worst", given, matrix))


@SETS.add(RANDOM)
def _random(given: str, matrix: Matrix, roster: Roster) -> Masks:
    count = _count(RANDOM, given, matrix)
    masks = np.zeros((roster.repeats, len(matrix.systems)), np.bool_)
    for number, mask in enumerate(masks):
        draws = stream(roster.seed, "agree", "random set", count, number)
        mask[draws.permutation(len(mask))[:count]] = True
    return masks


@SETS.add("tag")
def _tag(given: str, matrix: Matrix, roster: Roster) -> Masks:  # noqa: ARG001
    try:
        pattern = re.compile(given)
    except re.error as error:
        raise InputError(
            f"--sets tag:{given}: no regular expression: {error}"
        ) from None
    return np.array([[bool(pattern.search(name)) for name in matrix.systems]])


@SETS.add(FILE)
def _file(given: str, matrix: Matrix, roster: Roster) -> Masks:
    lines = map(str.strip, decode(read_bytes(given), given).splitlines())
    names = {line for line in lines if line and not line.startswith("#")}
    for name in sorted(names - roster.systems):
        raise UnknownNameError(f"system of {given}", name, roster.systems)
    return np.array([[name in names for name in matrix.systems]])


def _count(kind: str, given: str, matrix: Matrix) -> int:
    where = f" of {matrix.name}" if matrix.name else ""
    count = int(given) if given.isdecimal() else 0
    if 1 <= count <= len(matrix.systems):
        return count
    raise InputError(
        f"--sets {kind}:{given}: expected {kind}:N with N from 1 to"
        f" {len(matrix.systems)}, the number of systems{where}"
    )


def _means(matrix: Matrix) -> NDArray[np.float64]:
    return ties_joined(means_known(matrix.values.T))


def _extreme(means: NDArray[np.float64], count: int) -> Masks:
    """Choose the systems of the lowest means, the first of those that are equal."""
    mask = np.zeros((1, len(means)), np.bool_)
    mask[0, np.argsort(means, kind="stable")[:count]] = True
    return mask
