"""``mohs check``: find everything that is wrong with judgments and runs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from mohs.cli.options import INPUTS, add_inputs, add_reading, add_work, reading
from mohs.cli.output import add_output, check_output, deliver

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from mohs.analysis.inspection import Finding, Inspection
    from mohs.files import Provenance

SUMMARY = "find everything that is wrong with judgments and runs"

EPILOG = f"""\
{INPUTS}
Each finding is an error (the input is refused), a warning (a result may mislead) or a
note, and says what to do. The exit code is 1 if there are errors, otherwise 0. A
terminal shows at most 20 findings of a kind; a pipe and -o get all of them.

example:
  mohs check qrels.txt runs/ -o problems.csv
"""

DONE, FOUND = 0, 1
_SHOWN = 20


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    add_inputs(parser)
    parser.add_argument(
        "-l",
        "--level",
        metavar="LEVEL",
        type=float,
        default=1,
        help="the lowest grade that is relevant (default 1)",
    )
    add_reading(parser)
    add_output(parser)
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    """Inspect the files, show what was found, and sum it up."""
    check_output(args)
    from mohs.analysis.inspection import check

    result = check(args.qrels, args.runs, level=args.level, **reading(args))
    if args.output or not sys.stdout.isatty():
        deliver(args, result.tables(), lambda: _provenance(args, result))
    else:
        for line in _lines(result):
            print(line)
    sys.stdout.flush()
    print(result.summary(), file=sys.stderr)
    return FOUND if result.count("error") else DONE


def _lines(result: Inspection) -> Iterator[str]:
    """Lay findings out for reading, the gravest first."""
    from mohs.analysis.inspection import SEVERITIES
    from mohs.tables.cells import printable

    gap = max(map(len, SEVERITIES))
    for severity in SEVERITIES:
        found = [each for each in result.findings if each.severity == severity]
        for remedy, group in groupby(_spread(found), lambda each: each.remedy):
            for each in group:
                where = f"{each.file}:{each.line}" if each.line else each.file
                yield printable(f"{severity:{gap}}  {where}: {each.problem}")
            yield printable(f"{'':{gap}}  {remedy}")
        if len(found) > _SHOWN:
            left = f"{len(found) - _SHOWN:,} more of these; -o PATH keeps them all"
            yield f"{severity:{gap}}  {left}"


def _spread(findings: Sequence[Finding]) -> list[Finding]:
    """Choose a few findings, from as many files as possible."""
    seen: Counter[str] = Counter()
    turns = []
    for place, each in enumerate(findings):
        turns.append((seen[each.file], place))
        seen[each.file] += 1
    return [findings[place] for place in sorted(p for _, p in sorted(turns)[:_SHOWN])]


def _provenance(args: argparse.Namespace, result: Inspection) -> Provenance:
    from mohs import __version__
    from mohs.files import record

    without = ("workers", "seed")
    request = {k: v for k, v in reading(args).items() if k not in without}
    # What cannot be read has been found, and has no content to tell it by.
    readable = [path for path in result.files if os.access(path, os.R_OK)]
    return record(
        "check",
        {"level": args.level, **request},
        version=__version__,
        inputs=readable,
        seed=args.seed,
    )
