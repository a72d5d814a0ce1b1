"""``mohs check``: find everything that is wrong with judgments and runs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from mohs.cli.options import INPUTS, add_inputs, add_reading, add_work, reading
from mohs.cli.output import add_output, check_output, deliver, how_made

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from mohs.analysis.inspection import Finding, Inspection, Severity

SUMMARY = "find everything that is wrong with judgments and runs"

EPILOG = f"""\
{INPUTS}
Each finding is an error (the input is refused), a warning (a result may mislead) or a
note, and says what to do. The exit code is 1 if there are errors, otherwise 0. A
terminal shows some of a kind and counts the rest; a pipe and -o get all of them.

example:
  mohs check qrels.txt runs/ -o problems.csv
"""

DONE, FOUND = 0, 1

# How many findings with one remedy a terminal shows.
_SHOWN: Mapping[Severity, int] = {"error": 20, "warning": 20, "note": 3}


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

    asked = {"level": args.level, **reading(args)}
    result = check(args.qrels, args.runs, **asked)
    if args.output or not sys.stdout.isatty():
        # What cannot be read has been found, and has no content to tell it by.
        files = {
            name: content
            for name, content in result.files.items()
            if content is not None or os.access(name, os.R_OK)
        }
        deliver(args, result.tables(), lambda: how_made("check", asked, files))
    else:
        for line in _lines(result):
            print(line)
    sys.stdout.flush()
    print(result.summary(), file=sys.stderr)
    return FOUND if result.count("error") else DONE


def _lines(result: Inspection) -> Iterator[str]:
    """Lay findings out for reading, the gravest first, those of a kind together."""
    from mohs.tables.cells import printable

    gap = max(map(len, _SHOWN))
    kinds: dict[tuple[Severity, str], list[Finding]] = {}
    for each in result.findings:
        kinds.setdefault((each.severity, each.remedy), []).append(each)
    for (severity, remedy), found in kinds.items():
        shown = _spread(found, _SHOWN[severity])
        for each in shown:
            where = f"{each.file}:{each.line}" if each.line else each.file
            yield printable(f"{severity:{gap}}  {where}: {each.problem}")
        more = len(found) - len(shown)
        left = f" ({more:,} more; -o PATH lists them)" if more else ""
        yield printable(f"{'':{gap}}  {remedy}{left}")


def _spread(findings: Sequence[Finding], size: int) -> list[Finding]:
    """Choose a few findings, from as many files as possible."""
    seen: Counter[str] = Counter()
    turns = []
    for place, each in enumerate(findings):
        turns.append((seen[each.file], place))
        seen[each.file] += 1
    return [findings[place] for place in sorted(p for _, p in sorted(turns)[:size])]
