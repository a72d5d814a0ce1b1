"""PDF files of one content in one form.

The converter numbers fonts, and lists what a page uses, in an order that differs from
one call to the next. Here the objects of a file are numbered in the order in which they
are reached from its root, so that the same picture is the same bytes.
"""

from __future__ import annotations

import itertools
import re

# Entries of dictionaries of fonts and forms, one to a line; any order means the same.
_ENTRIES = re.compile(rb"(?:^ +/[A-Za-z]+\d+ \d+ 0 R\n){2,}", re.MULTILINE)
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_PLACE = re.compile(rb"^(\d{10}) \d{5} n", re.MULTILINE)
_SIZE = re.compile(rb"/Size \d+")


def canonical(pdf: bytes) -> bytes:
    """Renumber the objects of a file by their place, and drop those out of reach."""
    index = int(pdf.rsplit(b"startxref", 1)[1].split()[0])
    table, _, tail = pdf[index:].partition(b"trailer")
    trailer = tail.partition(b"startxref")[0]
    places = [*sorted(map(int, _PLACE.findall(table))), index]
    objects = dict(_object(pdf[a:b]) for a, b in itertools.pairwise(places))
    order = _reached(trailer, objects)
    numbers = {old: new for new, old in enumerate(order, start=1)}
    parts = [pdf[: places[0]]]
    offsets = [places[0]]
    for old, new in numbers.items():
        head, stream = objects[old]
        parts.append(b"%d 0 obj%b%b" % (new, _renumbered(head, numbers), stream))
        offsets.append(offsets[-1] + len(parts[-1]))
    size = len(numbers) + 1
    lines = [b"%010d 00000 n\r\n" % offset for offset in offsets[:-1]]
    parts += [b"xref\n0 %d\n0000000000 65535 f\r\n" % size, *lines]
    parts += [b"trailer", _SIZE.sub(b"/Size %d" % size, _renumbered(trailer, numbers))]
    return b"".join([*parts, b"startxref\n%d\n%%%%EOF" % offsets[-1]])


def _object(text: bytes) -> tuple[int, tuple[bytes, bytes]]:
    """Return an object's number, and its dictionary and stream apart."""
    number, _, rest = text.partition(b" 0 obj")
    head, begin, stream = rest.partition(b"\nstream")
    ordered = _ENTRIES.sub(
        lambda found: b"".join(sorted(found[0].splitlines(keepends=True))), head
    )
    return int(number), (ordered, begin + stream)


def _reached(trailer: bytes, objects: dict[int, tuple[bytes, bytes]]) -> list[int]:
    """Return the objects in the order in which they are reached from the trailer."""
    order = dict.fromkeys(_references(trailer))
    waiting = [*order]
    for number in waiting:
        found = [each for each in _references(objects[number][0]) if each not in order]
        order.update(dict.fromkeys(found))
        waiting += dict.fromkeys(found)
    return waiting


def _references(text: bytes) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(text)]


def _renumbered(text: bytes, numbers: dict[int, int]) -> bytes:
    return _REFERENCE.sub(lambda found: b"%d 0 R" % numbers[int(found[1])], text)
