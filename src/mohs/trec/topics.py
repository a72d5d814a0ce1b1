"""Topic files: what was asked, in the forms in which collections give it.

* lines of an id, a tab, and the query, or under a header with the columns ``topic``,
  ``query`` and perhaps ``formulation``;
* TREC topic files, where ``<top>`` holds ``<num>`` and ``<title>``, and their children
  in XML, where a ``<topic>`` or ``<query>`` has a number or an id;
* JSON lines.
"""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from mohs.errors import FormatError
from mohs.files import MAX_BYTES, decode, read_bytes
from mohs.trec.names import find_column

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

_TEXTS = ("query", "title", "text", "question")
_IDS = ("num", "number", "id", "qid", "topic_id", "query_id")

_BLOCK = re.compile(
    r"<(?P<kind>top|topic|query)\b(?P<head>[^>]*)>(?P<body>.*?)</(?P=kind)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_FIELD = re.compile(r"<(\w+)[^>]*>([^<]*)")
_ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*["']([^"']*)["']""")
# What TREC writes in front of a number or a title.
_LABEL = re.compile(r"(number|topic|title)\s*:\s*", re.IGNORECASE)


class Topic(NamedTuple):
    """One query: its topic, its formulation if it is one of several, and its text."""

    topic: str
    formulation: str | None
    query: str


def read_topics(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES
) -> tuple[Topic, ...]:
    """Read a topic file, whichever form it has.

    Parameters
    ----------
    path
        The file, compressed or not.
    max_bytes
        What an archive may unpack to.

    Raises
    ------
    FormatError
        With every line or topic that cannot be used.
    """
    name = str(path)
    text = decode(read_bytes(path, max_bytes=max_bytes), name)
    start = text.lstrip()[:1]
    if start == "<":
        found, faults = _marked(text, name)
    elif start == "{":
        found, faults = _objects(text, name)
    else:
        found, faults = _lines(text, name)
    if not found and not faults:
        faults = [FormatError(name, 0, "holds no topics", "give each an id and a text")]
    if faults:
        raise FormatError.gather(faults)
    return tuple(found)


def texts_of(topics: Sequence[Topic]) -> Mapping[str, str]:
    """Return the text of every query id: of topics, and of ``topic_formulation``.

    A topic of several formulations is shown by its first.

    Examples
    --------
    >>> dict(texts_of([Topic("1", "a", "cats"), Topic("1", "b", "a cat")]))
    {'1_a': 'cats', '1': 'cats', '1_b': 'a cat'}
    """
    texts: dict[str, str] = {}
    for topic, formulation, query in topics:
        if formulation is not None:
            texts.setdefault(f"{topic}_{formulation}", query)
        texts.setdefault(topic, query)
    return texts


def _lines(text: str, name: str) -> tuple[list[Topic], list[FormatError]]:
    rows = [
        (number, [field.strip() for field in line.split("\t")])
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    places: Sequence[int | None] = (0, None, 1)
    if rows and (named := _columns([field.casefold() for field in rows[0][1]])):
        places, rows = named, rows[1:]
    width = max(place for place in places if place is not None) + 1
    faults = [
        FormatError(
            name, number, f"expected {width} fields between tabs, found {found}"
        )
        for number, fields in rows
        if (found := len(fields)) < width
    ]
    topics = [
        Topic(*(None if place is None else fields[place] for place in places))  # type: ignore[arg-type]
        for _, fields in rows
        if len(fields) >= width
    ]
    return topics, faults


def _columns(header: list[str]) -> Sequence[int | None] | None:
    """Return where topic, formulation and text stand; None if this is no header."""
    *others, last = header
    names = [each for each in (find_column("topic", others), *_IDS) if each in others]
    if last not in _TEXTS or not names:
        return None
    formulation = header.index("formulation") if "formulation" in others else None
    return header.index(names[0]), formulation, len(others)


def _objects(text: str, name: str) -> tuple[list[Topic], list[FormatError]]:
    topics, faults = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            topics.append(_of_object(json.loads(line)))
        except (ValueError, KeyError):
            problem = "expected an object with an id (topic) and a text (query)"
            faults.append(FormatError(name, number, problem))
    return topics, faults


def _of_object(record: Any) -> Topic:  # noqa: ANN401 (any JSON)
    if not isinstance(record, dict):
        raise ValueError(record)  # noqa: TRY004 (what json raises too)
    key = _first(("topic", *_IDS), record)
    text = _first(_TEXTS, record)
    formulation = record.get("formulation")
    return Topic(
        str(record[key]),
        None if formulation is None else str(formulation),
        str(record[text]),
    )


def _first(names: Sequence[str], record: Mapping[str, Any]) -> str:
    found = [name for name in names if name in record]
    if not found:
        raise KeyError(names)
    return found[0]


def _marked(text: str, name: str) -> tuple[list[Topic], list[FormatError]]:
    topics, faults = [], []
    for block in _BLOCK.finditer(text):
        topic = _of_block(block)
        if topic:
            topics.append(topic)
        else:
            line = text.count("\n", 0, block.start()) + 1
            faults.append(FormatError(name, line, "a topic without number or title"))
    return topics, faults


def _of_block(block: re.Match[str]) -> Topic | None:
    fields: dict[str, str] = {}
    for key, value in _fields(block):
        fields.setdefault(key.casefold(), _plain(value))
    number = next((fields[key] for key in _IDS if fields.get(key)), None)
    text = next((fields[key] for key in ("title", *_TEXTS) if key in fields), None)
    return Topic(number, None, text) if number and text is not None else None


def _fields(block: re.Match[str]) -> Iterator[tuple[str, str]]:
    yield from _ATTRIBUTE.findall(block["head"])
    yield from _FIELD.findall(block["body"])


def _plain(text: str) -> str:
    return " ".join(_LABEL.sub("", html.unescape(text).strip(), count=1).split())
