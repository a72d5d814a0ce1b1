"""Stemmers: which forms of a word are taken for one term.

A stemmer takes the distinct words of a collection in lower case and returns a stem for
each, so that a vocabulary is stemmed in one go. Any such function may be registered.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Protocol

from mohs import _core
from mohs.errors import MissingExtraError
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence


class Stemmer(Protocol):
    """Stems words."""

    def __call__(self, words: Sequence[str], /) -> list[str]:
        """Return the stem of each word."""
        ...


STEMMERS: Registry[Stemmer] = Registry("stemmer")


@STEMMERS.add("none")
def none(words: Sequence[str], /) -> list[str]:
    """Words as they are.

    Examples
    --------
    >>> none(["minerals"])
    ['minerals']
    """
    return list(words)


@STEMMERS.add("porter")
def porter(words: Sequence[str], /) -> list[str]:
    """Porter's stemmer [1]_ in the form of his own programs, which Terrier has, too.

    They depart from the paper in three things: words of one or two letters stay, the
    suffix ``bli`` is taken for ``abli``, and ``logi`` becomes ``log``. The stemmer that
    the Snowball project calls ``porter`` is the one of the paper.

    References
    ----------
    .. [1] M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.

    Examples
    --------
    >>> porter(["generalizations", "archaeology", "is"])
    ['gener', 'archaeolog', 'is']
    """
    return _core.porter_stems(words, weak=False)


@STEMMERS.add("weak-porter")
def weak_porter(words: Sequence[str], /) -> list[str]:
    """Only the first two steps of `porter`, which take off -s, -ed and -ing.

    Examples
    --------
    >>> weak_porter(["generalizations", "matting", "ponies", "happy"])
    ['generalization', 'mat', 'poni', 'happy']
    """
    return _core.porter_stems(words, weak=True)


@STEMMERS.add("s")
def s(words: Sequence[str], /) -> list[str]:
    """Harman's S stemmer, which only takes plurals for singulars [1]_.

    References
    ----------
    .. [1] D. Harman, "How effective is suffixing?", JASIS 42(1), 1991, figure 1.

    Examples
    --------
    >>> s(["queries", "topics", "scores", "corpus", "glass", "is"])
    ['query', 'topic', 'score', 'corpus', 'glass', 'is']
    """
    return [_singular(word) for word in words]


def _singular(word: str) -> str:
    # The first rule that fits is the only one.
    if len(word) < 3:
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


@STEMMERS.add("snowball")
def snowball(words: Sequence[str], /) -> list[str]:
    """Snowball's English stemmer, also called Porter2 [1]_.

    References
    ----------
    .. [1] M. F. Porter and R. Boulton, "The English (Porter2) stemming algorithm",
       https://snowballstem.org/algorithms/english/stemmer.html

    Examples
    --------
    >>> snowball(["generalizations", "generously", "skis"])
    ['general', 'generous', 'ski']
    """
    _check_extra("Stemmer", "the stemmer 'snowball'", "retrieval")
    from Stemmer import Stemmer as Snowball

    stems: list[str] = Snowball("english").stemWords(words)
    return stems


@STEMMERS.add("lovins")
def lovins(words: Sequence[str], /) -> list[str]:
    """Lovins's stemmer, the first of all, which takes off the longest ending [1]_.

    References
    ----------
    .. [1] J. B. Lovins, "Development of a stemming algorithm", Mechanical Translation
       and Computational Linguistics 11, 1968.

    Examples
    --------
    >>> lovins(["generalizations", "magnesium", "matrices", "matrix"])
    ['general', 'magnes', 'matric', 'matric']
    """
    from mohs.retrieval.lovins import stem  # Its table is made only where it is wanted.

    return [stem(word) for word in words]


@STEMMERS.add("krovetz")
def krovetz(words: Sequence[str], /) -> list[str]:
    """Krovetz's stemmer, whose stems are mostly words of a dictionary [1]_.

    References
    ----------
    .. [1] R. Krovetz, "Viewing morphology as an inference process", SIGIR 1993.
    """
    _check_extra("krovetzstemmer", "the stemmer 'krovetz'", "krovetz")
    from krovetzstemmer import Stemmer as Krovetz

    stem = Krovetz().stem
    return [stem(word) for word in words]


def _check_extra(module: str, purpose: str, extra: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(purpose, extra)
