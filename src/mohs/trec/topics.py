"""Topic files: what was asked, in the forms in which collections give it.

* lines of an id, a tab, and the query, or columns between tabs or commas under a header
  that has ``topic``, ``query`` and perhaps ``formulation``;
* TREC topic files, where ``<top>`` holds ``<num>`` and ``<title>``, and their children
  in XML, where a ``<topic>`` or ``<query>`` has a number or an id, and either perhaps a
  ``<formulation>``;
* JSON lines.
"""

from __future__ import annotations

import csv
import html
import io
import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mohs.errors import FormatError, InputError
from mohs.files import MAX_BYTES, decode, read_bytes
from mohs.tables.frames import as_polars, is_frame
from mohs.trec.formulations import split_queries
from mohs.trec.inputs import load_data_set
from mohs.trec.names import find_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from mohs.trec.formulations import Rule

_TEXTS = ("query", "title", "text", "question")
_IDS = ("num", "number", "id", "qid", "topic_id", "query_id")
_FORMULATIONS = ("formulation", "variation", "variant")

# None of these looks at a place twice, however hostile the text.
_TAG = re.compile(r"<(/?)(top|topic|query)\b([^<>]*)>", re.IGNORECASE)
_FIELD = re.compile(r"<(\w+)[^<>]*>([^<]*)")
_ATTRIBUTE = re.compile(r"""\b(\w+)\s*=\s*["']([^"']*)["']""")
# What TREC writes in front of a number or a title.
_LABEL = re.compile(r"\A(number|topic|title)\s*:\s*", re.IGNORECASE)


_TABBED = "'topic<TAB>query'"


class Topic(NamedTuple):
    """One query: its topic, its formulation if it is one of several, and its text."""

    topic: str
    formulation: str | None
    query: str


# The line it starts in, and the topic.
_Placed: TypeAlias = tuple[int, Topic]


def read_topics(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES
) -> tuple[Topic, ...]:
    """Read a topic file, whichever form it has.

    Parameters
    ----------
    path
        The file, compressed or not; where there is none, the id of a data set.
    max_bytes
        What an archive may unpack to.

    Raises
    ------
    FormatError
        With every line or topic that cannot be used.
    """
    name = str(path)
    if not os.path.exists(name) and (found := load_data_set(name)):  # noqa: PTH110
        return _of_data_set(found, name)
    text = decode(read_bytes(path, max_bytes=max_bytes), name)
    start = text.lstrip()[:1]
    if start == "<":
        found, faults = _marked(text, name)
    elif start == "{":
        found, faults = _objects(text, name)
    else:
        found, faults = _lines(text, name)
    faults += _doubtful(found, name)
    if not found and not faults:
        faults = [FormatError(name, 0, "holds no topics", "give each an id and a text")]
    if faults:
        raise FormatError.gather(sorted(faults, key=lambda fault: fault.line))
    return tuple(topic for _, topic in found)


def topics_of(source: Any) -> tuple[Topic, ...]:  # noqa: ANN401 (a dict or any frame)
    """Take topics from memory.

    Parameters
    ----------
    source
        Queries by topic, or by topic and formulation; or a data frame with columns such
        as ``topic``, ``query`` and perhaps ``formulation``.

    Raises
    ------
    InputError
        If it is none of these.
    FormatError
        With every topic that cannot be used.

    Examples
    --------
    >>> topics_of({"1": "gold", "2": {"a": "talc", "b": "soft stone"}})[1]
    Topic(topic='2', formulation='a', query='talc')
    """
    if isinstance(source, Mapping):
        rows = [
            (topic, formulation, query)
            for topic, asked in source.items()
            for formulation, query in (
                asked.items() if isinstance(asked, Mapping) else [(None, asked)]
            )
        ]
    elif is_frame(source):
        rows = _rows_of_frame(as_polars(source))
    else:
        problem = f"topics cannot be read from {type(source).__name__}"
        raise InputError(f"{problem}; give a file, a data frame, or queries by topic")
    name = "topics"
    found, faults = [], []
    for number, row in enumerate(rows, start=1):
        try:
            found.append((number, _of_row(*row)))
        except ValueError:
            problem = f"expected a text to each id, found {row[2]!r:.40} to {row[0]!r}"
            remedy = "give ids and queries as texts"
            faults.append(FormatError(name, number, problem, remedy))
    faults += _doubtful(found, name)
    if faults:
        raise FormatError.gather(sorted(faults, key=lambda fault: fault.line))
    return tuple(topic for _, topic in found)


def _rows_of_frame(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    columns = _columns(frame.columns)
    if columns is None:
        problem = f"found columns {', '.join(frame.columns[:9])}"
        raise FormatError("topics", 0, problem, "call two of them topic and query")
    lists = [
        None if at is None else frame[frame.columns[at]].to_list() for at in columns
    ]
    none = [None] * frame.height
    return list(zip(*(each or none for each in lists), strict=True))


def _of_row(topic: Any, formulation: Any, query: Any) -> Topic:  # noqa: ANN401
    if not isinstance(query, str):
        raise ValueError(query)  # noqa: TRY004 (what half a character raises)
    query.encode()  # Half a character, as JSON may have, is a ValueError.
    return Topic(_id(topic), None if formulation is None else _id(formulation), query)


def _of_data_set(data_set: Any, name: str) -> tuple[Topic, ...]:  # noqa: ANN401
    if not hasattr(data_set, "queries_iter"):
        raise FormatError(name, 0, "this ir_datasets id has no topics", "name another")
    return tuple(
        Topic(query.query_id, None, query.default_text())
        for query in data_set.queries_iter()
    )


def _doubtful(found: Sequence[_Placed], name: str) -> list[FormatError]:
    """Find topics without an id, and those that are there twice."""
    faults = []
    seen: dict[tuple[str, str | None], int] = {}
    for line, topic in found:
        key = topic.topic, topic.formulation
        if not topic.topic:
            faults.append(FormatError(name, line, "a topic without id", "give it one"))
        elif key in seen:
            of = "" if topic.formulation is None else f" of formulation {key[1]!r}"
            problem = f"topic {key[0]!r}{of} is there already, in line {seen[key]}"
            remedy = "remove one, or tell them apart by a column formulation"
            faults.append(FormatError(name, line, problem, remedy))
        seen.setdefault(key, line)
    return faults


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


def find_texts(
    topics: Sequence[Topic], queries: Sequence[str], rule: Rule | None = None
) -> tuple[str | None, ...]:
    r"""Return the text of each query id, None where it is not known.

    Parameters
    ----------
    topics
        What was asked.
    queries
        Ids of topics, or with a ``rule`` those of formulations.
    rule
        What splits ids into topic and formulation. The text of another formulation is
        never taken for that of a query, the text of its topic is.

    Examples
    --------
    >>> from mohs.trec.formulations import read_rule
    >>> topics = [Topic("1", "a", "cats"), Topic("2", None, "dogs")]
    >>> rule = read_rule(r"(?P<topic>\d)(?P<formulation>.)")
    >>> find_texts(topics, ["1a", "1b", "2b"], rule)
    ('cats', None, 'dogs')
    """
    if rule is None:
        texts = texts_of(topics)
        return tuple(texts.get(query) for query in queries)
    asked: dict[tuple[str, str | None], str] = {each[:2]: each.query for each in topics}
    keys = zip(queries, split_queries(queries, rule), strict=True)
    # A topic file may also name the queries as the runs do.
    return tuple(
        asked.get(pair, asked.get((query, None), asked.get((pair[0], None))))
        for query, pair in keys
    )


def _lines(text: str, name: str) -> tuple[list[_Placed], list[FormatError]]:
    try:
        rows, separator = _rows(text)
    except csv.Error as error:
        return [], [FormatError(name, 0, f"is no sound CSV ({error})", "mend quotes")]
    places: Sequence[int | None] = (0, None, 1)
    width, exact = 2, False
    if rows and (named := _columns(rows[0][1])):
        places, width, exact, rows = named, len(rows[0][1]), True, rows[1:]
    topics, faults = [], []
    for number, fields in rows:
        if len(fields) < width or (exact and len(fields) > width):
            problem = f"expected {width} fields between {separator}s"
            remedy = f"lines read {'as the header' if exact else _TABBED}"
            problem += f", found {len(fields)}"
            faults.append(FormatError(name, number, problem, remedy))
        else:
            cells = (None if at is None else fields[at].strip() for at in places)
            topics.append((number, Topic(*cells)))  # type: ignore[arg-type]
    return topics, faults


def _rows(text: str) -> tuple[list[tuple[int, list[str]]], str]:
    """Return lines in fields, and between what; commas count only under a header."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    if "\t" not in first and _columns(next(csv.reader([first]), [])):
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        return [(reader.line_num, row) for row in reader if any(row)], "comma"
    lines = enumerate(text.split("\n"), start=1)
    return [(number, line.split("\t")) for number, line in lines if line.strip()], "tab"


def _columns(header: Sequence[str]) -> tuple[int, int | None, int] | None:
    """Return where topic, formulation and text stand; None if this is no header."""
    names = [each.strip().casefold() for each in header]
    for place in reversed(range(len(names))):
        others = [*names[:place], "", *names[place + 1 :]]
        ids = [each for each in (find_column("topic", others), *_IDS) if each in others]
        if names[place] in _TEXTS and ids:
            kinds = [each for each in _FORMULATIONS if each in others]
            formulation = others.index(kinds[0]) if kinds else None
            return others.index(ids[0]), formulation, place
    return None


def _objects(text: str, name: str) -> tuple[list[_Placed], list[FormatError]]:
    topics, faults = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            topics.append((number, _of_object(json.loads(line))))
        except (ValueError, KeyError, RecursionError):
            problem = "expected an object with an id (topic) and a text (query)"
            remedy = (
                'write lines such as {"topic": "401", "query": "foreign minorities"}'
            )
            faults.append(FormatError(name, number, problem, remedy))
    return topics, faults


def _of_object(record: Any) -> Topic:  # noqa: ANN401 (any JSON)
    if not isinstance(record, dict):
        raise ValueError(record)  # noqa: TRY004 (what json raises too)
    query = record[_first(_TEXTS, record)]
    formulation = next((record[each] for each in _FORMULATIONS if each in record), None)
    return _of_row(record[_first(("topic", *_IDS), record)], formulation, query)


def _id(value: object) -> str:
    """Return an id as text; numbers with a point and the like are none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(value)  # noqa: TRY004
    text = str(value).strip()
    text.encode()
    return text


def _first(names: Sequence[str], record: Mapping[str, Any]) -> str:
    found = [name for name in names if name in record]
    if not found:
        raise KeyError(names)
    return found[0]


def _marked(text: str, name: str) -> tuple[list[_Placed], list[FormatError]]:
    topics, faults = [], []
    for line, kind, block in _blocks(text):
        topic = _of_block(*block) if block else None
        if topic:
            topics.append((line, topic))
        elif block:
            remedy = "give it a <num> and a <title>"
            problem = "a topic without number or title"
            faults.append(FormatError(name, line, problem, remedy))
        else:
            problem = f"<{kind}> and </{kind}> do not match"
            faults.append(
                FormatError(name, line, problem, "close each before the next")
            )
    return topics, faults


def _blocks(text: str) -> Iterator[tuple[int, str, tuple[str, str] | None]]:
    """Yield line, kind, and head and body of every topic; None where it has no end."""
    opened: tuple[int, re.Match[str]] | None = None
    line, at = 1, 0
    for tag in _TAG.finditer(text):
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        closes, kind, head = tag.groups()
        kind = kind.lower()
        if opened and opened[1][2].lower() != kind:
            continue  # A part of a topic may be called as other topics are.
        if closes and opened:
            start, first = opened
            yield start, kind, (first[3], text[first.end() : tag.start()])
            opened = None
        elif head.endswith("/"):
            yield line, kind, (head, "")
        else:
            if opened or closes:
                yield (opened[0] if opened else line), kind, None
            opened = None if closes else (line, tag)
    if opened:
        yield opened[0], opened[1][2].lower(), None


def _of_block(head: str, body: str) -> Topic | None:
    fields: dict[str, str] = {}
    for key, value in (*_ATTRIBUTE.findall(head), *_FIELD.findall(body)):
        fields.setdefault(key.casefold(), _plain(value))
    number = next((fields[key] for key in _IDS if fields.get(key)), None)
    text = next((fields[key] for key in ("title", *_TEXTS) if key in fields), None)
    formulation = next((fields[key] for key in _FORMULATIONS if fields.get(key)), None)
    return Topic(number, formulation, text) if number and text is not None else None


def _plain(text: str) -> str:
    return " ".join(_LABEL.sub("", html.unescape(text).strip(), count=1).split())
