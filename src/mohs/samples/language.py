"""The language of generated documents: what words there are, and how frequent.

Most words are made up of three syllables each. Function words are real, and so are the
words of queries, which turn up in any document now and then. The word of rank r has a
probability proportional to 1 / (r + 2.7), Zipf's law as Mandelbrot amended it [1]_.

References
----------
.. [1] Mandelbrot, "An informational theory of the statistical structure of language",
   in Communication Theory (W. Jackson, ed.), 1953.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.lexicon import ASPECTS, FUNCTION_WORDS, PLACES, THINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

VOCABULARY = 6000  # words of the background, the real ones included
SHIFT = 2.7
# Query words are neither the commonest words nor the rarest.
FIRST_REAL, EVERY = 150, 14
SYLLABLES = tuple(onset + vowel for onset in "bdflmnrstv" for vowel in "aeio")
CODAS = ("", "n", "", "r", "", "l")
# Coprime to the number of words that the syllables make, so none comes twice.
STRIDE = 104_729


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """Words and phrases, each with a number, and how frequent words are.

    ``texts`` are the words of the background by rank, then the phrases of queries as
    they stand and as they end in documents; ``cumulative`` (V,) are the probabilities
    of the words, summed up; ``phrases`` and ``inflected`` say which number a phrase has
    in its two forms.
    """

    texts: tuple[str, ...]
    cumulative: NDArray[np.float64]
    phrases: Mapping[str, int]
    inflected: Mapping[str, int]

    def background(self, uniform: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the word that each uniform number falls on."""
        return np.searchsorted(self.cumulative, uniform, side="right")


@cache
def language() -> Language:
    """Make up the language, which is the same in every collection.

    Examples
    --------
    >>> words = language()
    >>> words.texts[0], words.texts[words.phrases["harbour dredging"]]
    ('the', 'harbour dredging')
    """
    words = _words()
    phrases = tuple(dict.fromkeys(chain.from_iterable((*THINGS, *ASPECTS, *PLACES))))
    varied = frozenset(chain.from_iterable((*THINGS, *ASPECTS)))
    endings = tuple(_inflect(each) if each in varied else each for each in phrases)
    start = len(words)
    rates = 1 / (np.arange(len(words)) + 1 + SHIFT)
    cumulative = np.cumsum(rates / rates.sum())
    cumulative[-1] = 1.0
    cumulative.flags.writeable = False
    return Language(
        texts=(*words, *phrases, *endings),
        cumulative=cumulative,
        phrases={each: start + i for i, each in enumerate(phrases)},
        inflected={each: start + len(phrases) + i for i, each in enumerate(phrases)},
    )


def _words() -> tuple[str, ...]:
    """List the words of the background by rank."""
    phrases = chain.from_iterable((*THINGS, *ASPECTS, *PLACES))
    real = dict.fromkeys(word for phrase in phrases for word in phrase.split())
    left = iter(sorted(real.keys() - set(FUNCTION_WORDS), key=_mixed))
    made = (word for word in _made_up() if word not in real)
    words = list(FUNCTION_WORDS)
    for rank in range(len(words), VOCABULARY):
        is_real = rank >= FIRST_REAL and rank % EVERY == 0
        words.append((next(left, None) if is_real else None) or next(made))
    return tuple(words)


def _mixed(word: str) -> tuple[int, str]:
    """Put words in an order that has nothing to do with what they mean."""
    return sum(i * ord(letter) for i, letter in enumerate(word, 1)) % 101, word


def _made_up() -> Iterator[str]:
    number = len(SYLLABLES)
    total = number**3 * len(CODAS)
    for step in range(total):
        rest, coda = divmod(step * STRIDE % total, len(CODAS))
        rest, last = divmod(rest, number)
        first, middle = divmod(rest, number)
        yield SYLLABLES[first] + SYLLABLES[middle] + SYLLABLES[last] + CODAS[coda]


def _inflect(phrase: str) -> str:
    """Give the last word the other number, roughly.

    Examples
    --------
    >>> _inflect("court rulings"), _inflect("glacier"), _inflect("safety")
    ('court ruling', 'glaciers', 'safeties')
    """
    if phrase.endswith("ies"):
        return f"{phrase[:-3]}y"
    if phrase.endswith("y") and phrase[-2] not in "aeiou":
        return f"{phrase[:-1]}ies"
    if phrase.endswith("s"):
        return phrase if phrase.endswith("ss") else phrase[:-1]
    return f"{phrase}s"
