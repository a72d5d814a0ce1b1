"""What is wrong with a file of runs or judgments, in words.

The Rust core finds faults and says where they are; here each gets its sentence and its
remedy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from mohs.errors import FormatError
from mohs.files import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mohs._core import Account, Fault

Kind: TypeAlias = Literal["judgments", "run"]

FIELDS: Mapping[Kind, str] = {"judgments": "4", "run": "at least 6"}
# The number of fields that the other kind of file has.
SWAPPED: Mapping[Kind, str] = {"judgments": "6", "run": "4"}
LAYOUTS: Mapping[Kind, str] = {
    "judgments": "topic iteration document grade",
    "run": "topic Q0 document rank score tag",
}
NUMBERS: Mapping[Kind, str] = {"judgments": "grade", "run": "score"}


class _Wording(NamedTuple):
    problem: str
    remedy: str


# {text} is what was found, {number} what the file's numbers are called.
WORDINGS: Mapping[str, _Wording] = {
    "fields": _Wording(
        "expected {fields} fields, found {text}", "lines read '{layout}'"
    ),
    "number": _Wording(
        "{number} is not a number: {text!r}", "write a decimal number such as 12.5"
    ),
    "nan": _Wording(
        "{number} is not a number: {text!r}", "drop the line or give it a number"
    ),
    "infinite": _Wording("{number} is not finite: {text!r}", "give it a finite number"),
    "rank": _Wording(
        "rank is not a whole number: {text!r}", "mend it or leave --ties rank out"
    ),
    "duplicate": _Wording(
        "document {text!r} is there twice in one topic",
        "remove a copy or choose one with --duplicates first|last",
    ),
    "utf8": _Wording("{text!r} is not UTF-8", "save the file as UTF-8"),
    "binary": _Wording("this is no text in UTF-8", "save the file as plain text"),
    "line-ends": _Wording(
        "lines end in carriage returns alone", r"end them in \n, as with tr '\r' '\n'"
    ),
    "mark": _Wording(
        "a byte-order mark stands within the text",
        "remove it, or put the files together without their marks",
    ),
    "empty": _Wording("the file is empty", "lines read '{layout}'"),
    **{code: _Wording(*words) for code, words in UNREADABLE.items()},
}


def describe_fault(fault: Fault, name: str, kind: Kind) -> FormatError:
    """Put a fault of the core into words.

    Examples
    --------
    >>> str(describe_fault((2, "fields", "5"), "a.run", "run"))
    "a.run:2: expected at least 6 fields, found 5; lines read 'topic Q0 document rank score tag'"
    """  # noqa: E501
    line, code, text = fault
    problem, remedy = WORDINGS[code]
    if code == "fields" and text == SWAPPED[kind]:
        remedy += "; judgments come first, then runs"
    words = {"fields": FIELDS[kind], "layout": LAYOUTS[kind], "number": NUMBERS[kind]}
    if code == "number" and "," in text:
        remedy = "write a decimal point, not a comma"
    return FormatError(
        name, line, problem.format(text=text, **words), remedy.format(**words)
    )


def describe_faults(account: Account, name: str, kind: Kind) -> list[FormatError]:
    """Put all faults of an input into words, in the order of its lines."""
    faults = [describe_fault(fault, name, kind) for fault in account.faults]
    hidden = account.fault_count - len(faults)
    if hidden:
        problem = f"{hidden} more problems like these"
        faults.append(FormatError(name, 0, problem, "mend those listed, then look"))
    return faults
