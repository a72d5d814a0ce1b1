"""Tokenisers: where a text is cut, and what of it counts as a word.

A tokeniser takes a text and returns its tokens. The built-in ones run in the core, one
text at a time or many at once, by the same rules; any other function of a text may be
registered beside them and is counted in Python.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mohs import _core
from mohs.errors import InputError, UnknownNameError
from mohs.registry import Registry
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Offsets = NDArray[np.int64]
    Integers = NDArray[np.int32]


class Tokeniser(Protocol):
    """Cuts a text into tokens."""

    def __call__(self, text: str, /) -> list[str]:
        """Return the tokens in order, as they are to be indexed."""
        ...


@dataclass(frozen=True, slots=True)
class Words:
    """Runs of characters of certain kinds, in lower case.

    By the ``rule`` ``words``, letters, numbers and marks of any script make a word, as
    Unicode classes them. By that called ``terrier``, only the letters A to Z and digits
    do, and what is longer than 20 characters, has more than 4 digits, or the same
    character more than 3 times in a row is dropped: Terrier's ``EnglishTokeniser``.

    Examples
    --------
    >>> Words("words")("Naïve café, 12345 DOGS!")
    ['naïve', 'café', '12345', 'dogs']
    >>> Words("terrier")("Naïve café, 12345 DOGS!")
    ['na', 've', 'caf', 'dogs']
    """

    rule: str

    def __call__(self, text: str, /) -> list[str]:
        """Return the words in order."""
        return _core.tokenise(_in_core(self), text)


@dataclass(frozen=True, slots=True)
class Ngrams:
    """All sequences of ``n`` characters within words; shorter words stay whole [1]_.

    Words are those of the rule ``words``.

    References
    ----------
    .. [1] P. McNamee and J. Mayfield, "Character n-gram tokenization for European
       language text retrieval", Information Retrieval 7, 2004. Theirs cross from word
       to word, these do not.

    Examples
    --------
    >>> Ngrams(4)("Hardness of ore")
    ['hard', 'ardn', 'rdne', 'dnes', 'ness', 'of', 'ore']
    """

    n: int = 4

    def __post_init__(self) -> None:
        whole(self.n, "n of ngrams")

    def __call__(self, text: str, /) -> list[str]:
        """Return the n-grams in order."""
        return _core.tokenise(_in_core(self), text)


def _in_core(tokeniser: Words | Ngrams) -> tuple[str, int]:
    if isinstance(tokeniser, Ngrams):
        return "ngrams", tokeniser.n
    return tokeniser.rule, 0


TOKENISERS: Registry[Tokeniser] = Registry("tokeniser")

TOKENISERS.add("terrier")(Words("terrier"))
TOKENISERS.add("words")(Words("words"))
TOKENISERS.add("ngrams")(Ngrams())


def tokeniser_of(name: str, /, **parameters: object) -> Tokeniser:
    """Return a tokeniser by its name, with other parameters than it has by default.

    Raises
    ------
    UnknownNameError
        If there is no such tokeniser, or it has no such parameter.
    InputError
        If it cannot work with a value.

    Examples
    --------
    >>> tokeniser_of("ngrams", n=3)
    Ngrams(n=3)
    """
    tokeniser = TOKENISERS[name]
    known = [each.name for each in fields(Ngrams)] if name == "ngrams" else []
    for parameter in parameters:
        if parameter not in known:
            raise UnknownNameError(f"parameter of {name}", parameter, known)
    return replace(tokeniser, **parameters) if parameters else tokeniser  # type: ignore[type-var]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each token is in each of B texts: a sparse matrix by rows.

    ``tokens`` are the distinct ones, in order of first appearance. Those of text ``i``
    are ``ids[indptr[i]:indptr[i + 1]]``, ascending, and as often there as ``counts``
    says in the same places; ``indptr`` has shape (B + 1,).
    """

    tokens: list[str]
    indptr: Offsets
    ids: Integers
    counts: Integers


def count_tokens(tokeniser: Tokeniser, texts: Sequence[str]) -> Counts:
    """Count the tokens of each text.

    Raises
    ------
    InputError
        If a tokeniser that is not built in returns something else than tokens.

    Examples
    --------
    >>> found = count_tokens(TOKENISERS["words"], ["a rose is a rose", "", "a dog"])
    >>> found.tokens, found.indptr.tolist()
    (['a', 'rose', 'is', 'dog'], [0, 3, 3, 5])
    >>> found.ids.tolist(), found.counts.tolist()
    ([0, 1, 2, 0, 3], [2, 2, 1, 1, 1])
    """
    if isinstance(tokeniser, Words | Ngrams):
        return Counts(*_core.count_tokens(_in_core(tokeniser), texts))
    numbers: dict[str, int] = {}
    indptr = [0]
    ids: list[int] = []
    counts: list[int] = []
    for text in texts:
        tally = Counter(tokeniser(text))
        row = sorted((numbers.setdefault(each, len(numbers)), each) for each in tally)
        ids += [number for number, _ in row]
        counts += [tally[each] for _, each in row]
        indptr.append(len(ids))
    _check_tokens(numbers)
    return Counts(
        list(numbers),
        np.array(indptr, dtype=np.int64),
        np.array(ids, dtype=np.int32),
        np.array(counts, dtype=np.int32),
    )


def _check_tokens(tokens: Sequence[object] | dict[str, int]) -> None:
    """Refuse what cannot be a term of an index."""
    for token in tokens:
        if not isinstance(token, str) or not token:
            problem = f"a tokeniser returned {token!r} among its tokens"
            raise InputError(f"{problem}; each has to be a text that is not empty")
        try:
            token.encode()
        except UnicodeEncodeError:
            problem = f"a tokeniser returned {token!r}, which is half a character"
            raise InputError(problem) from None
