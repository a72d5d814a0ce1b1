"""Judgments and runs as people write them: right, but with odd white space and ids.

A text is made from bytes drawn by Hypothesis, or mutated by a fuzzer: each byte is one
choice, so that thousands of texts cost little and still shrink.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

TOPICS = ("1", "10", "001", "x", "1a", "é", "t-301")
DOCUMENTS = ("d", "d1", "d10", "d1-", "D1", "é", "z", "001", "NA", "文", "#3")
# As single-precision numbers, some of these are equal; as doubles, a few are.
SCORES = (
    *("1", "1.0", "1e0", "+1.", "1.00000001", "0.99999999", "100e-2"),
    *("2.5", "2.5000000001", "-3.5", "-.5", ".5E0", "0", "-0", "0.000"),
    *("16777216", "16777217", "16777218", "1e30", "1.0000000001e30", "-1e-30"),
    *("18.478604457593351234567890", "18.47860445759335", "0.1", "0.10000000000000001"),
)
GRADES = ("0", "1", "2", "3", "-1", "-2", "4", "+1", "00")
GAPS = (" ", "\t", "  ", " \t ", "\v", "\f")
ENDS = ("\n", "\r\n", " \n", "\t\r\n", "\n\n", "\n \t\n", "\n# a b c d e f\n")
# What does not belong into a text, or not everywhere.
JUNK = (
    *(b"\0", b"\r", b" ", b"\n", b"#", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\x85"),
    *(b"nan", b"-inf", b"1e999", b"0x1", b"1_0", b"1,5", b"e", b".", b"9" * 25, b"-"),
    *(b"\xc2\xa0", b"\xe2\x80\xa8", b"\x1c", b"\x0b", b"\xed\xa0\x80", b"1 1 "),
)
TAGS = ("tag", "a tag of words", "#", "é", "0")


class Choices:
    """Choices that bytes make; when they are used up, always the first."""

    def __init__(self, drawn: Iterable[int]) -> None:
        self.drawn: Iterator[int] = iter(drawn)

    def number(self, below: int) -> int:
        """Choose a number."""
        return next(self.drawn, 0) % below

    def of(self, options: Sequence[T]) -> T:
        """Choose one of several."""
        return options[self.number(len(options))]

    def often(self, plain: T, options: Sequence[T]) -> T:
        """Choose what is plain half of the time."""
        return plain if self.number(2) == 0 else self.of(options)


def judgments(choices: Choices) -> str:
    """Return judgments of some topics; no document is there twice."""
    lines = [
        ("judged", topic, choices.often("0", ("Q0", "-", "1")), document, grade)
        for topic in _some(choices, TOPICS)
        for document in _some(choices, DOCUMENTS)
        for grade in [choices.of(GRADES)]
    ]
    return _written(choices, lines)


def run(choices: Choices, *, tag: str = "") -> str:
    """Return the results of some topics; no document is there twice."""
    name = tag or choices.often("tag", TAGS)
    few = choices.of((SCORES, SCORES[:7], SCORES[15:18]))
    lines = [
        (
            *("run", topic, choices.often("Q0", ("0", "-"))),
            *(document, str(choices.number(100)), choices.of(few), name),
        )
        for topic in _some(choices, TOPICS)
        for document in _some(choices, DOCUMENTS)
    ]
    return _written(choices, lines)


def _some(choices: Choices, options: Sequence[str]) -> list[str]:
    first = choices.number(len(options))
    count = choices.number(len(options)) + 1
    return [options[(first + i) % len(options)] for i in range(count)]


def _written(choices: Choices, lines: list[tuple[str, ...]]) -> str:
    """Write lines: neatly, oddly spaced, or in any order."""
    lines = [line[1:] for line in lines]
    for _ in range(choices.of((0, 0, 1, 3, len(lines)))):
        lines.append(lines.pop(choices.number(len(lines))))
    if choices.number(3) == 0:
        return "".join(" ".join(line) + "\n" for line in lines)
    text = choices.often("", ("\ufeff", "# head\n", "\n", "#\n\n"))
    for line in lines:
        lead = choices.often("", ("", " ", "\t"))
        text += lead + choices.often(" ", GAPS).join(line) + choices.often("\n", ENDS)
    return text.removesuffix("\n") if choices.number(4) == 0 else text


def broken(choices: Choices, text: bytes) -> bytes:
    """Return a text with junk in it, and with parts of it left out or repeated."""
    data = bytearray(text)
    for _ in range(1 + choices.number(4)):
        place = (choices.number(256) * 256 + choices.number(256)) % (len(data) + 1)
        other = (choices.number(256) * 256 + choices.number(256)) % (len(data) + 1)
        length = choices.of((0, 1, 5, 40))
        data[place : place + choices.of((0, 0, length))] = choices.of(
            (choices.of(JUNK), data[other : other + length])
        )
    return bytes(data)
