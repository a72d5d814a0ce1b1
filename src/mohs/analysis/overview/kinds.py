"""What a file holds, told by its first line of data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from mohs.trec.numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind: TypeAlias = Literal["judgments", "run", "other"]

_JUDGMENT, _RUN = 4, 6
_MARK = b"\xef\xbb\xbf"


def kind_of(data: bytes) -> Kind:
    r"""Return what unpacked bytes hold, as far as their first line of data tells.

    Examples
    --------
    >>> kind_of(b"# pool\n401 0 FT911-1 1\n"), kind_of(b"401 Q0 FT911-1 1 2.5 bm25\n")
    ('judgments', 'run')
    >>> kind_of(b"system\ttopic\tmeasure\tvalue\n")
    'other'
    """
    line = next(_lines(data.removeprefix(_MARK)), b"")
    fields = line.decode("utf-8", "replace").split()
    if len(fields) == _JUDGMENT and is_number(fields[3]):
        return "judgments"
    if len(fields) >= _RUN and is_number(fields[4]):
        return "run"
    return "other"


def _lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines that hold data, without splitting all of the text."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].strip()
        if line and not line.startswith(b"#"):
            yield line
        start = end + 1
