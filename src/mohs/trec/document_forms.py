"""The forms in which files hold documents, each read record by record.

What a form yields is the line, the id and the text of each document, or what is wrong
with it; no more than the record at hand is in memory.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Encoding: TypeAlias = Literal["utf-8", "latin-1"]

# What fields are called, the likeliest first.
IDS = ("docno", "id", "_id", "doc_id", "docid")
TEXTS = ("text", "title", "body", "contents", "content", "abstract")

# What one record may take, so that a file of another kind does not fill the memory.
LONGEST = 1 << 28

_TABS = "lines read 'docno<TAB>text'"
_PAIRED = "put each document between <DOC> and </DOC>"

# None of these looks at a place twice, however hostile the text.
_DOC = re.compile(r"<doc(?:\s[^<>]*)?>", re.IGNORECASE)
_END = re.compile(rb"</doc>", re.IGNORECASE)
_TAG = re.compile(
    r"<!\[CDATA\[|\]\]>|<(/?)([a-z][\w.:-]*+)[^<>]*+>|<[!?][^<>]*+>", re.IGNORECASE
)
# What a server said about a web page is no text of it.
_NO_TEXT = frozenset({"docno", "dochdr"})


class Document(NamedTuple):
    """A document: the line it starts in, its id and its text."""

    line: int
    id: str
    text: str


class Fault(NamedTuple):
    """What is wrong with a record, and what to do."""

    line: int
    problem: str
    remedy: str


Found: TypeAlias = Document | Fault


@dataclass(frozen=True, slots=True)
class Choice:
    """Which fields are the text, all if none are named, and how bytes become text."""

    fields: tuple[str, ...] | None = None
    encoding: Encoding = "utf-8"


def form_of(head: bytes) -> Callable[[Iterable[bytes], Choice], Iterator[Found]]:
    """Return what reads a file that starts with these bytes.

    Examples
    --------
    >>> form_of(b"<DOC>") is marked
    True
    """
    return {b"{": json_lines, b"<": marked}.get(head.lstrip()[:1], tab_lines)


def json_lines(pieces: Iterable[bytes], choice: Choice) -> Iterator[Found]:
    """Yield documents from one JSON object a line."""
    for number, line in _lines(pieces):
        text = _text(number, line, choice)
        if isinstance(text, Fault):
            yield text
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            yield of_record(number, record, choice)
        else:
            remedy = 'write lines such as {"docno": "d1", "text": "..."}'
            yield Fault(number, "expected a JSON object", remedy)


def tab_lines(pieces: Iterable[bytes], choice: Choice) -> Iterator[Found]:
    """Yield documents from lines of an id, a tab, and texts between tabs."""
    header: Sequence[str] | None = None
    for position, (number, line) in enumerate(_lines(pieces)):
        text = _text(number, line, choice)
        if isinstance(text, Fault):
            yield text
            continue
        cells = text.split("\t")
        if position == 0 and (header := _header(cells)):
            continue
        if header is None and choice.fields is not None:
            yield Fault(number, "no header says which field is which", "add one")
            return
        yield _of_cells(number, cells, header, choice)


def marked(pieces: Iterable[bytes], choice: Choice) -> Iterator[Found]:
    """Yield documents from TREC's files, where each is between <DOC> and </DOC>."""
    for number, block, ended in _blocks(pieces):
        text = _text(number, block, choice)
        if isinstance(text, Fault):
            yield text
            continue
        starts = list(_DOC.finditer(text))
        outside = text[: starts[0].start()] if starts else text
        line = number + outside.count("\n")
        plain = _TAG.sub("", outside)
        if len(starts) != ended:
            problem = "<DOC> without </DOC>" if starts else "</DOC> without <DOC>"
            yield Fault(line, problem, _PAIRED)
        elif plain and not plain.isspace():
            yield Fault(line, "there is text outside of <DOC>", _PAIRED)
        elif ended:
            body = text[starts[0].end() : -len("</doc>")]
            yield _of_body(line, body, choice)


def of_record(line: int, record: Mapping[str, Any], choice: Choice) -> Found:
    """Make a document of named values; the text is all texts among them, in order."""
    key = find_id(record)
    if key is None:
        remedy = f"call its field {', '.join(IDS[:-1])} or {IDS[-1]}"
        return Fault(line, "a document without id", remedy)
    if isinstance(record[key], bool) or not isinstance(record[key], str | int):
        problem = f"the id is {_shown(record[key])}"
        return Fault(line, problem, "ids are texts or whole numbers")
    names = choice.fields or [
        name
        for name, value in record.items()
        if name != key and (isinstance(value, str) or name == TEXTS[0])
    ]
    values = [(name, record[name]) for name in names if name in record]
    if not values:
        wanted = " or ".join(choice.fields or ()) or "a text"
        remedy = f"its fields are {', '.join(map(str, list(record)[:9]))}"
        return Fault(line, f"a document without {wanted}", remedy)
    for name, value in values:
        if value is not None and not isinstance(value, str):
            problem = f"the field {name!r} is {_shown(value)}"
            return Fault(line, problem, "give it a text, or choose other fields")
    return Document(line, str(record[key]), "\n".join(v for _, v in values if v))


def find_id(names: Iterable[str]) -> str | None:
    """Return which of some fields holds the id, if any.

    Examples
    --------
    >>> find_id(["text", "_id"])
    '_id'
    """
    spelled = {str(name).casefold(): name for name in names}
    return next((spelled[name] for name in IDS if name in spelled), None)


def _shown(value: object) -> str:
    text = json.dumps(value, default=repr, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _header(cells: Sequence[str]) -> Sequence[str] | None:
    names = [cell.strip() for cell in cells]
    texts = {name.casefold() for name in names} & set(TEXTS)
    return names if find_id(names) and texts else None


def _of_cells(
    line: int, cells: Sequence[str], header: Sequence[str] | None, choice: Choice
) -> Found:
    if header is not None and len(cells) == len(header):
        return of_record(line, dict(zip(header, cells, strict=True)), choice)
    if header is not None or len(cells) < 2:
        wanted = "2 or more" if header is None else len(header)
        problem = f"expected {wanted} fields between tabs, found {len(cells)}"
        return Fault(line, problem, _TABS)
    return Document(line, cells[0], "\n".join(cells[1:]))


def _of_body(line: int, body: str, choice: Choice) -> Found:
    """Make a document of what is between <DOC> and </DOC>."""
    wanted = {name.casefold() for name in choice.fields or ()}
    ids: list[str] = []
    texts: list[str] = []
    inside: list[str] = []
    place = 0
    for tag in (*_TAG.finditer(body), None):
        text = html.unescape(body[place : tag.start() if tag else None])
        if "docno" in inside:
            ids.append(text.strip())
        elif not _NO_TEXT & {*inside} and (inside or not wanted):
            texts.append(text)
        if tag is None:
            break
        place = tag.end()
        name = (tag[2] or "").casefold()
        if tag[1] and name in inside:
            inside.remove(name)
        elif not tag[1] and name in wanted | _NO_TEXT:
            inside.append(name)
    if "docno" in inside or not any(ids):
        return Fault(line, "a document without <DOCNO>", "give it one, and close it")
    return Document(line, " ".join(filter(None, ids)), " ".join(texts))


def _lines(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of every line that is not blank."""
    number = 1
    held = [b""]
    for piece in pieces:
        first, *others = piece.split(b"\n")
        held.append(first)
        if sum(map(len, held)) > LONGEST:
            raise TooLongError(number)
        if not others:
            continue
        for line in (b"".join(held), *others[:-1]):
            if line and not line.isspace():
                yield number, line.removesuffix(b"\r")
            number += 1
        held = [others[-1]]
    if (line := b"".join(held)) and not line.isspace():
        yield number, line.removesuffix(b"\r")


def _blocks(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield line and content of what ends in </DOC>, and of what is left."""
    number, seen, held = 1, 0, bytearray()
    for piece in pieces:
        held += piece
        start = 0
        for end in [found.end() for found in _END.finditer(held, seen)]:
            block = bytes(held[start:end])
            yield number, block, True
            number += block.count(b"\n")
            start = end
        del held[:start]
        # The end of the next may have been cut in two.
        seen = max(0, len(held) - len(b"</doc>") + 1)
        if len(held) > LONGEST:
            raise TooLongError(number)
    yield number, bytes(held), False


class TooLongError(Exception):
    """A record is longer than any document."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _text(line: int, data: bytes, choice: Choice) -> str | Fault:
    try:
        return data.decode(choice.encoding)
    except UnicodeDecodeError as error:
        place = line + data.count(b"\n", 0, error.start)
        return Fault(place, "is not UTF-8", "save it as UTF-8, or say it is latin-1")
