"""A second reader of judgments and runs, slow and plain, to hold the fast one against.

It follows the definitions to the letter: split lines, sort by score and then by id,
keep one copy of each document, count. It shares no code with the reader it checks.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from mohs.rankings import Rankings

DECIMAL = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WHOLE = re.compile(rb"[+-]?[0-9]+")
MARK = b"\xef\xbb\xbf"

Belongs = Callable[[str], bool]
Split = Callable[[str], "tuple[str, str] | None"]


class Row(NamedTuple):
    """A line that holds a record."""

    line: int
    topic: str
    document: str
    value: float
    rank: int = 0


@dataclass
class Text:
    """What a file says: its rows, and the lines that are wrong (0: the whole file)."""

    rows: list[Row] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    lines: int = 0
    tags: list[str] = field(default_factory=list)

    def topics(self) -> dict[str, list[Row]]:
        """Return the rows of each topic, in order of first appearance."""
        topics = defaultdict(list)
        for row in self.rows:
            topics[row.topic].append(row)
        return topics

    def twice(self, belongs: Belongs = bool) -> list[int]:
        """Return the lines of documents that were there before in their topic."""
        kept = [row for row in self.rows if belongs(row.document)]
        firsts = {(row.topic, row.document): row.line for row in reversed(kept)}
        return [r.line for r in kept if firsts[r.topic, r.document] != r.line]


def read(data: bytes, kind: str, *, ranks: bool = False) -> Text:
    """Read judgments or a run."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Text(faults=[1])
    lines = data.removeprefix(MARK).split(b"\n")
    text = Text(lines=len(lines) - (lines[-1] == b""))
    for number, line in enumerate(lines, 1):
        fields = line.split(maxsplit=5)
        if not fields or fields[0].startswith(b"#"):
            continue
        if kind == "judgments":
            fields[3:] = [b"0", *fields[3:], b""]
        if row := _row(number, fields, ranks=ranks):
            text.rows.append(row)
            tag = fields[5].strip().decode(errors="replace")
            text.tags += [tag] if tag and tag not in text.tags else []
        else:
            text.faults.append(number)
    if not text.rows and not text.faults:
        text.faults.append(0)
    return text


def _row(line: int, fields: list[bytes], *, ranks: bool) -> Row | None:
    if len(fields) != 6:
        return None
    topic, _, document, rank, value, tag = fields
    if b"\0" in b"".join(fields) or b"\r" in tag.strip() or topic.startswith(MARK):
        return None
    if not DECIMAL.fullmatch(value) or not math.isfinite(float(value)):
        return None
    if not WHOLE.fullmatch(rank) or abs(int(rank)) >= 1 << 31:
        if ranks:
            return None
        rank = b"0"
    try:
        return Row(line, topic.decode(), document.decode(), float(value), int(rank))
    except UnicodeDecodeError:
        return None


@dataclass(frozen=True)
class Rules:
    """How to rank; the words are those of the options."""

    ties: str = "docid"
    single: bool = False
    duplicates: str = "error"
    belongs: Belongs = bool
    split: Split | None = None
    floor: float = -math.inf
    top: int = 0

    def score(self, row: Row) -> float:
        """Return the score that is compared."""
        with np.errstate(over="ignore"):
            return float(np.float32(row.value)) if self.single else row.value

    def order(self, rows: Sequence[Row]) -> list[Row]:
        """Return one copy of every document that belongs, the best first."""
        kept = [row for row in rows if self.belongs(row.document)]
        if self.duplicates == "last":
            kept = list({row.document: row for row in kept}.values())
        ascending = self.ties == "docid-asc"
        kept.sort(key=lambda row: row.document.encode(), reverse=not ascending)
        if self.ties == "rank":
            kept.sort(key=lambda row: row.rank)
        kept.sort(key=lambda row: -self.score(row))
        seen: set[str] = set()
        return [r for r in kept if not (r.document in seen or seen.add(r.document))]

    def judge(self, judgments: Text) -> dict[str, dict[str, float]]:
        """Return the grades by topic and document, in order of first appearance."""
        grades: dict[str, dict[str, float]] = {}
        for row in judgments.rows:
            of_topic = grades.setdefault(row.topic, {})
            known = row.document in of_topic and self.duplicates != "last"
            if self.belongs(row.document) and not known:
                of_topic[row.document] = row.value
        return grades


def rankings(judgments: Text, runs: Sequence[Text], rules: Rules) -> dict[str, Any]:
    """Return what the fields of Rankings should hold, as lists."""
    grades = rules.judge(judgments)
    judgable = [(topic, document) for topic in grades for document in grades[topic]]
    places = {pair: place for place, pair in enumerate(judgable)}
    listed = [grade > rules.floor for of in grades.values() for grade in of.values()]
    queries = _queries(list(grades), runs, rules.split)
    out: dict[str, Any] = defaultdict(list)
    out["topics"] = [query for _, query in queries]
    out["groups"] = [group for group, _ in queries]
    out["offsets"] = [0]
    for run in runs:
        rows = run.topics()
        for group, query in queries:
            topic = list(grades)[group]
            order = rules.order(rows.get(query, []))
            judged = [places.get((topic, row.document)) for row in order]
            turned = _turned(order, rules)
            pairs = zip(judged, turned, strict=True)
            for rank, (place, mirrored) in enumerate(pairs, 1):
                if place is not None and listed[place]:
                    out["ranks"].append(rank)
                    out["judged"].append(place)
                    out["mirrored"].append(mirrored)
            out["offsets"].append(len(out["ranks"]))
            out["retrieved"].append(len(order))
            out["tied"].append(sum(size for size in _ties(order, rules) if size > 1))
            out["judged_top"].append(sum(p is not None for p in judged[:10]))
            best = order[: rules.top]
            out["top"].append([(rules.score(row), row.document) for row in best])
    return dict(out)


def _queries(
    judged: list[str], runs: Sequence[Text], split: Split | None
) -> list[tuple[int, str]]:
    """Return who is a topic of the result, with the number of the topic judging it."""
    seen = dict.fromkeys(topic for run in runs for topic in run.topics())
    kept = [t for t in judged if t in seen or split is None or split(t) is not None]
    queries = [(judged.index(topic), topic) for topic in kept]
    for query in seen:
        lender = (split(query) or ("",))[0] if split else ""
        if query not in judged and lender in judged:
            queries.append((judged.index(lender), query))
    return sorted(queries, key=lambda pair: (pair[0], pair[1].encode()))


def _ties(order: list[Row], rules: Rules) -> list[int]:
    return [len(list(group)) for _, group in groupby(order, key=rules.score)]


def _turned(order: list[Row], rules: Rules) -> list[int]:
    """Return the rank of each row with every group of ties turned round."""
    turned: list[int] = []
    for size in _ties(order, rules):
        first = len(turned) + 1
        turned += reversed(range(first, first + size))
    return turned


def laid_out(found: Rankings) -> dict[str, Any]:
    """Return the fields of Rankings as `rankings` does."""
    names = ("groups", "offsets", "ranks", "judged", "mirrored")
    cells = ("retrieved", "tied", "judged_top")
    out = {name: getattr(found, name).tolist() for name in names}
    out |= {name: getattr(found, name).reshape(-1).tolist() for name in cells}
    out["topics"] = list(found.topics)
    out["top"] = [[]] * found.retrieved.size
    if found.top is not None:
        documents = [*found.judgments.documents, *found.top.unjudged]
        names = [documents[place] for place in found.top.documents.tolist()]
        pairs = list(zip(found.top.scores.tolist(), names, strict=True))
        starts = found.top.offsets.tolist()
        out["top"] = [pairs[a:b] for a, b in pairwise(starts)]
    return out
