"""What must hold whatever bytes a reader is given: no crash, no wrong acceptance.

Every check here takes bytes of any kind. What is accepted has to be what a second,
plain reader finds; everything else has to be refused with the file and the line.
A fuzzer looks for bytes that break a check, and a test holds the checks to cases once
found and to those that Hypothesis draws.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import html
import io
import json
import math
import re
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import lz4.frame
import zstandard

import odd_texts
from mohs.errors import FormatError, MohsError
from mohs.files import unpack
from mohs.rankings.reading import describe_judgments, describe_runs
from mohs.scores.reading import read_scores
from mohs.tables import FORMS
from mohs.trec.documents import read_documents
from mohs.trec.topics import Topic, read_topics
from odd_texts import Choices, broken
from readers import agree, texts
from reference import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mohs.scores import Scores

QRELS = "".join(
    f"{topic} 0 {document} {grade}\n"
    for topic in odd_texts.TOPICS
    for grade, document in enumerate(odd_texts.DOCUMENTS)
).encode()
RUN = "".join(
    f"{topic} Q0 {document} 1 {score} tag\n"
    for topic in odd_texts.TOPICS
    for score, document in enumerate(odd_texts.DOCUMENTS)
).encode()

# Archives of a few bytes may unpack to very many.
LIMIT = 1 << 20


def runs(data: bytes) -> None:
    """Read a run, or one made of right lines and then broken."""
    rules, made, rest = _led(data)
    qrels, run = QRELS, rest
    if made:
        choices = Choices(rest)
        qrels, (run,) = texts(choices, 1)
        run = broken(choices, run)
    _worded(describe_runs(agree(qrels, run, rules)))


def judgments(data: bytes) -> None:
    """Read judgments, or some made of right lines and then broken."""
    rules, made, rest = _led(data)
    qrels, run = rest, RUN
    if made:
        choices = Choices(rest)
        qrels, (run,) = texts(choices, 1)
        qrels = broken(choices, qrels)
    _worded(describe_judgments(agree(qrels, run, rules).judgments))


def _led(data: bytes) -> tuple[Rules, bool, bytes]:
    """Take the rules, and whether to make a text, from the first bytes."""
    choices = Choices(data[:4])
    rules = Rules(
        ties=choices.of(("docid", "docid-asc", "rank")),
        duplicates=choices.of(("error", "first", "last")),
        single=choices.of((False, True)),
        top=3,
    )
    return rules, choices.of((False, True)), data[4:]


def _worded(faults: list[FormatError]) -> None:
    for fault in faults:
        assert fault.path
        assert fault.problem
        assert fault.remedy or "more problems" in fault.problem
        assert "{text" not in str(fault)


def archives(data: bytes) -> None:
    """Unpack an archive as the programs do whose archives these are.

    The first byte says which kind, whether in two members, and whether to break it.
    """
    choices = Choices(data[:1])
    pack, read = choices.of(PACKS)
    data = data[1:]
    packed = pack(data)
    if data[:1] > b"\x80":
        packed = pack(data[:5]) + pack(data[5:])
    if data[1:2] > b"\x80":
        packed = broken(Choices(data[::-1]), packed)
    try:
        found = unpack(packed, "archive", max_bytes=LIMIT)
    except FormatError as fault:
        _worded([fault])
        assert data[1:2] > b"\x80"
        return
    if found == packed:
        # Taken for text, which it may be only if it does not begin as an archive.
        assert packed[:10] != pack(data)[:10]
    elif found != data:
        # Not all that was packed, as when a member was cut out whole.
        assert found == read(packed)


def _unpacked_zst(data: bytes) -> bytes:
    reader = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
    return reader.read(LIMIT)


def _unpacked_lz4(data: bytes) -> bytes:
    return lz4.frame.open(io.BytesIO(data)).read()


PACKS: Sequence[tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = (
    (partial(gzip.compress, mtime=0), gzip.decompress),
    (bz2.compress, bz2.decompress),
    # With the checksums that their programs write: without, not all damage shows.
    (zstandard.ZstdCompressor(write_checksum=True).compress, _unpacked_zst),
    (partial(lz4.frame.compress, content_checksum=True), _unpacked_lz4),
)


def score_tables(data: bytes) -> None:
    """Read scores from a file of any form."""
    try:
        found = read_scores(_file(data, "scores"))
    except MohsError:
        return
    rows = list(found.tables()["scores"].rows())
    values = [row[-1] for row in rows if row[-1] is not None]
    assert all(math.isfinite(value) for value in values)
    assert len({row[:-1] for row in rows}) == len(rows)
    assert not {"", "all"} & {*found.topics}
    assert "" not in found.systems
    if (plain := _plain_scores(data)) is not None:
        assert sorted(_named(found), key=repr) == sorted(plain, key=repr)
    for form in (".csv", ".json", ".parquet"):
        again = read_scores(_file(FORMS[form](found.tables()["scores"]), "again"))
        assert list(again.tables()["scores"].rows()) == rows


def _named(found: Scores) -> list[tuple[str, str, float | None]]:
    rows = found.tables()["scores"].rows()
    return [(system, topic, value) for system, topic, _, value in rows]


def _plain_scores(data: bytes) -> list[tuple[str, str, float | None]] | None:
    """Return systems, topics and values of the plainest form, else nothing."""
    if not data.startswith(b"system,topic,value\n"):
        return None
    lines = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
    rows = [row for row in lines if row][1:]
    assert all(len(row) == 3 for row in rows)
    return [
        (system, topic, None if _is_missing(value) else float(value.strip()))
        for system, topic, value in rows
        if topic != "all"
    ]


def _is_missing(text: str) -> bool:
    return text.strip().casefold() in ("", "na", "nan", "+nan", "-nan")


def topics(data: bytes) -> None:
    """Read a topic file of any form."""
    try:
        found = read_topics(_file(data, "topics"))
    except FormatError as fault:
        _worded([fault])
        return
    assert all(each.topic for each in found)
    keys = {(each.topic, each.formulation) for each in found}
    assert len(keys) == len(found) > 0
    text = data.decode("utf-8-sig")
    plain = {"{": _topics_in_json, "<": _topics_in_tags}
    plain.get(text.lstrip()[:1], _topics_in_lines)(text, found)


def _topics_in_lines(text: str, found: Sequence[Topic]) -> None:
    if "\t" not in next(line for line in text.split("\n") if line.strip()):
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        fields = [{cell.strip() for cell in row} for row in rows if any(row)][1:]
        for each, row in zip(found, fields, strict=True):
            assert {each.topic, each.query, each.formulation or each.topic} <= row
        return
    rows = [line.split("\t") for line in text.split("\n") if line.strip()]
    cells = [[cell.strip() for cell in row] for row in rows]
    headed = len(cells) - len(found)
    assert headed in (0, 1)
    for row, each in zip(cells[headed:], found, strict=True):
        assert {each.topic, each.query, each.formulation or row[0]} <= set(row)
        assert headed or (each.topic, each.query) == tuple(row[:2])


def _topics_in_json(text: str, found: Sequence[Topic]) -> None:
    lines = [json.loads(line) for line in text.split("\n") if line.strip()]
    for record, each in zip(lines, found, strict=True):
        assert each.query in record.values()
        ids = {str(value).strip() for value in record.values()}
        assert {each.topic, each.formulation or each.topic} <= ids


def _topics_in_tags(text: str, found: Sequence[Topic]) -> None:
    if not re.search(r"(?i)<(topic|query)\b|/>", text):
        bodies = re.split(r"(?i)<top\b[^<>]*>", text)[1:]
        for body, each in zip(bodies, found, strict=True):
            words = " ".join(html.unescape(body).split())
            assert each.topic in words
            assert each.query in words


def documents(data: bytes) -> None:
    """Read a collection of any form."""
    try:
        batches = list(read_documents(_file(data, "documents")))
    except FormatError as fault:
        _worded([fault])
        return
    ids = [name for batch in batches for name in batch.ids]
    texts = [text for batch in batches for text in batch.texts]
    assert len(set(ids)) == len(ids) == len(texts) > 0
    assert all(name.split() == [name] for name in ids)
    if data[:4] == b"PAR1":
        return
    text = data.decode("utf-8-sig")
    plain = {"{": _documents_in_json, "<": _documents_in_tags}
    plain.get(text.lstrip()[:1], _documents_in_lines)(text, ids, texts)


def _documents_in_json(text: str, ids: list[str], texts: list[str]) -> None:
    lines = [json.loads(line) for line in text.split("\n") if line.strip()]
    for record, name, found in zip(lines, ids, texts, strict=True):
        values = [value for value in record.values() if isinstance(value, str | int)]
        assert name in {str(value).strip() for value in values}
        assert set(found.split("\n")) <= {
            line for value in [*values, ""] for line in str(value).split("\n")
        }


def _documents_in_tags(text: str, ids: list[str], texts: list[str]) -> None:
    bodies = re.split(r"(?i)</doc>", text)[:-1]
    for body, name, found in zip(bodies, ids, texts, strict=True):
        for part in (name, found):
            left = iter(html.unescape(body))
            assert all(each in left for each in part if not each.isspace())


def _documents_in_lines(text: str, ids: list[str], texts: list[str]) -> None:
    rows = [line.removesuffix("\r") for line in text.split("\n") if line.strip()]
    cells = [row.split("\t") for row in rows]
    headed = len(cells) - len(ids)
    assert headed in (0, 1)
    for row, name, found in zip(cells[headed:], ids, texts, strict=True):
        assert name in {cell.strip() for cell in row}
        assert set(found.split("\n")) <= {*row, ""}


def _file(data: bytes, name: str) -> Path:
    # One folder for all, since a fuzzer asks thousands of times a second.
    path = Path(_folder().name) / name
    path.write_bytes(data)
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


CHECKS: Mapping[str, Callable[[bytes], None]] = {
    "runs": runs,
    "judgments": judgments,
    "archives": archives,
    "score-tables": score_tables,
    "topics": topics,
    "documents": documents,
}

PLAIN = b"\0\0\0\0"
MADE = b"\0\0\0\1"
SCORES = b"system,topic,value\na,1,0.5\nb,1,NA\na,2,1e-3\n"

# What a fuzzer starts from: something sound of every form.
SEEDS: Mapping[str, Sequence[bytes]] = {
    "runs": (PLAIN + RUN, PLAIN + RUN[:200], MADE + bytes(range(200))),
    "judgments": (PLAIN + QRELS, PLAIN + QRELS[:99], MADE + bytes(range(200))),
    "archives": tuple(bytes([kind]) + RUN[:99] for kind in range(4)),
    "score-tables": (
        SCORES,
        SCORES.replace(b",", b"\t"),
        b"topic;a;b\n1;0.5;NA\n2;;1\n",
        b"system,topic,measure,value,corpus\na,1,AP,0.5,x\na,1,P@5,1,x\n",
        b"map\t1\t0.5\nP_10\t1\t0.1\nmap\tall\t0.5\n",
        b"1 AP 0.5\n2 AP 0.25\nall AP 0.375\n",
        b"name,qid,measure,value\nBM25,1,map,0.5\n",
        b'[{"system": "a", "topic": "1", "value": 0.5}]',
        b'{"system": "a", "topic": 1, "value": null}\n{"system": "a", "topic": "2"}\n',
        b'{"a": {"1": 0.5, "2": 0.25}}',
        b'{"meta": {}, "rows": [{"topic": "1", "value": 1}]}',
    ),
    "topics": (
        b"301\tcrime\n302\tpolio\n",
        b"topic\tformulation\tquery\n1\ta\tcats\n1\tb\ta cat\n",
        b'topic,variant,query\n1,a,"cats, dogs"\n1,b,x\n',
        b"<top>\n<num> Number: 401\n<title> Topic: a &amp; b\n</top>\n",
        b'<topic number="151" type="x">\n<query>403b</query>\n</topic>\n',
        b"<queries><query><id>1</id><title>x</title></query></queries>",
        b'{"qid": 7, "text": "x"}\n{"topic": "8", "formulation": 2, "query": "y"}\n',
    ),
    "documents": (
        b'{"docno": "d1", "text": "a rose"}\n{"docno": 2, "title": "x", "text": ""}\n',
        b'{"_id": "d1", "contents": "a", "n": 1, "b": null}\r\n',
        b"d1\ta rose\nd2\tis\ta rose\n",
        b"id\ttitle\ttext\nd1\ta\tb\n",
        b"<DOC>\n<DOCNO> d1 </DOCNO>\n<TEXT>a &amp; b</TEXT>\n</DOC>\n",
        b"<x><doc><docno>d1</docno><!-- c --><dochdr>h</dochdr>t</doc></x>",
    ),
}
