"""From the files of others to those that papers read: contents in, content out."""

from __future__ import annotations

import csv
import gzip
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of 144 slices of 20 minutes, those that end after one, six, 24 and 48 hours.
SLICES = (3, 18, 72, 144)
PLATFORMS = ("Facebook", "GooglePlus", "LinkedIn")


def in_rows(contents: Sequence[bytes]) -> bytes:
    r"""Turn a matrix with systems in rows to topics in rows, systems in order of name.

    Examples
    --------
    >>> print(in_rows([b"AP,401,402\nb,0.5,0.1\na,0.2,0.3\n"]).decode())
    topic,a,b
    401,0.2,0.5
    402,0.3,0.1
    <BLANKLINE>
    """
    (_, *topics), *rows = _rows(contents[0])
    rows.sort(key=lambda row: row[0])
    names = [row[0] for row in rows]
    columns = zip(topics, *(row[1:] for row in rows), strict=True)
    return _text([["topic", *names], *columns])


def packed(contents: Sequence[bytes]) -> bytes:
    """Compress a file, the same each time."""
    return gzip.compress(contents[0], mtime=0)


def social_feedback(contents: Sequence[bytes]) -> bytes:
    r"""Put what the platforms count side by side, for items that all of them know.

    Examples
    --------
    >>> head = ",".join(["IDLink", *(f"TS{n}" for n in range(1, 145))])
    >>> table = f"{head}\n7,{','.join(map(str, range(1, 145)))}\n".encode()
    >>> print(social_feedback([table] * 3).decode().splitlines()[1])
    7,3,18,72,144,3,18,72,144,3,18,72,144
    """
    found = [_slices(content) for content in contents]
    shared = [item for item in found[0] if all(item in each for each in found)]
    names = [f"{platform}_TS{at}" for platform in PLATFORMS for at in SLICES]
    rows = (
        [item, *(value for each in found for value in each[item])] for item in shared
    )
    return _text([["IDLink", *names], *rows])


def _slices(content: bytes) -> dict[str, list[str]]:
    head, *rows = _rows(content)
    item = head.index("IDLink")
    places = [head.index(f"TS{at}") for at in SLICES]
    return {row[item]: [row[place] for place in places] for row in rows}


def _rows(content: bytes) -> list[list[str]]:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return [row for row in csv.reader(text) if row]


def _text(rows: Sequence[Sequence[str]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()
