"""Stop lists: words that are left out, known by name or read from a file.

Words are compared as the tokeniser gives them, before they are stemmed. The well-known
lists are not ours: each is taken from a package that carries it, or from Terrier.
"""

from __future__ import annotations

import importlib.util
import os
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mohs.errors import FormatError, InputError, MissingExtraError, UnknownNameError
from mohs.files import decode, read_bytes
from mohs.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Words: TypeAlias = frozenset[str]

STOPLISTS: Registry[Callable[[], Words]] = Registry("stop list")

_IN_JAR = "stopword-list.txt"
_ARTIFACT = "org.terrier:terrier-core:5.11"


def stop_words(source: str | os.PathLike[str]) -> Words:
    """Return the words of a stop list by its name, or of a file by its path.

    A name goes before a file of the same name; write ``./smart`` for the file.

    Parameters
    ----------
    source
        A name, or a text file of one word a line, compressed or not. What follows ``#``
        or ``|`` is a comment.

    Raises
    ------
    UnknownNameError
        If there is neither such a list nor such a file.
    FormatError
        If the file cannot be read, or holds no words or several in one line.
    MissingExtraError
        If the package that carries the list is not installed.

    Examples
    --------
    >>> stop_words("none")
    frozenset()
    """
    name = os.fspath(source)
    if name in STOPLISTS.names():
        return STOPLISTS[name]()
    if os.path.exists(name):  # noqa: PTH110 (any text is a path to ask for)
        return _of_file(name)
    known = (*STOPLISTS.names(), "or the path of a file")
    raise UnknownNameError("stop list", name, known)


def _of_file(path: str) -> frozenset[str]:
    words, faults = [], []
    for number, line in enumerate(decode(read_bytes(path), path).split("\n"), start=1):
        found = line.split("#")[0].split("|")[0].split()
        if len(found) > 1:
            problem = f"expected one word, found {len(found)}"
            remedy = "write one word a line, and comments behind # or |"
            faults.append(FormatError(path, number, problem, remedy))
        words += found
    if not words:
        faults.append(FormatError(path, 0, "holds no words", "write one word a line"))
    if faults:
        raise FormatError.gather(faults)
    return frozenset(words)


@STOPLISTS.add("none")
def none() -> Words:
    """No words at all."""
    return frozenset()


@STOPLISTS.add("terrier")
def terrier() -> Words:
    """Read the 733 words of Terrier from its jar, where Maven or PyTerrier put it.

    Raises
    ------
    InputError
        If it is not there.
    """
    for jar in _jars(Path.home()):
        with suppress(OSError, KeyError, zipfile.BadZipFile):
            with zipfile.ZipFile(jar) as archive:
                text = archive.read(_IN_JAR).decode("utf-8")
            return frozenset(text.split())
    raise InputError(
        "the stop list 'terrier' is read from Terrier's jar, which is not there; fetch "
        f"it by: mvn dependency:get -Dartifact={_ARTIFACT} -Dtransitive=false"
    )


def _jars(home: Path) -> list[Path]:
    """List the jars that may hold the list, the likeliest first."""
    kept = home / ".m2" / "repository" / "org" / "terrier"
    names = ("terrier-assemblies", "terrier-core")
    jars = [jar for name in names for jar in (kept / name).glob(f"*/{name}-*.jar")]
    # Of several versions the newest, as far as names tell; the list is the same in all.
    return sorted([*jars, *(home / ".pyterrier").glob("terrier-*.jar")], reverse=True)


@STOPLISTS.add("snowball")
def snowball() -> Words:
    """Snowball's English list of 174 words, short forms with apostrophes among them."""
    _check_extra("stopwords", "snowball")
    from stopwords import get_stopwords

    return _clean(get_stopwords("en"))


@STOPLISTS.add("lucene")
def lucene() -> Words:
    """Lucene's default list for English of 33 words."""
    _check_extra("bm25s", "lucene")
    from bm25s.stopwords import STOPWORDS_EN

    return _clean(STOPWORDS_EN)


@STOPLISTS.add("smart")
def smart() -> Words:
    """SMART's list of 570 words."""
    from RAKE import SmartStopList

    return _clean(SmartStopList())


@STOPLISTS.add("fox")
def fox() -> Words:
    """Fox's list [1]_ as python-rake has it, of 425 words where the paper has 421.

    References
    ----------
    .. [1] C. Fox, "A stop list for general text", SIGIR Forum 24(1-2), 1990.
    """
    from RAKE import FoxStopList

    return _clean(FoxStopList())


@STOPLISTS.add("mysql")
def mysql() -> Words:
    """MySQL's list for its MyISAM search indexes, of 542 words."""
    from RAKE import MySQLStopList

    return _clean(MySQLStopList())


def _clean(words: Iterable[str]) -> Words:
    return frozenset(word for each in words if (word := each.strip().lower()))


def _check_extra(module: str, name: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(f"the stop list {name!r}", "retrieval")
