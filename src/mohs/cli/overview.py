"""``mohs overview``: count what collections consist of."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mohs.cli.options import (
    INPUTS,
    add_reading,
    add_scores,
    add_work,
    reading,
    scores,
)
from mohs.cli.output import add_output, check_output, deliver, how_made

if TYPE_CHECKING:
    import argparse

    from mohs.files import Provenance

SUMMARY = "count systems, topics and judgments, and the topics collections share"

EPILOG = f"""\
{INPUTS}
SCORES are tables of scores or what trec_eval -q prints; judgments are told from them by
their first line. There is a row for the collection and for each sub-corpus, or for each
table of scores and each level of its column corpus or collection; topics_in_common are
those that all systems of the row have. Topics that two rows have in common follow on a
terminal, or in a folder.

examples:
  mohs overview qrels.txt runs/ --corpus FT=^FT --corpus LA=^LA
  mohs overview trec7.csv trec8.csv -o counts/
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.usage = (
        "%(prog)s [OPTIONS] QRELS RUN...\n       %(prog)s [OPTIONS] SCORES..."
    )
    parser.epilog = EPILOG
    parser.add_argument(
        "source", metavar="QRELS|SCORES", help="judgments, or a table of scores"
    )
    parser.add_argument(
        "runs",
        metavar="RUN|SCORES",
        nargs="*",
        default=[],
        help="runs, or more tables of scores",
    )
    parser.add_argument(
        "-l",
        "--level",
        metavar="LEVEL",
        type=float,
        default=1,
        help="the lowest grade that is relevant (default 1)",
    )
    add_reading(parser)
    add_scores(parser)
    add_output(parser)
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    """Count, and show or write the counts."""
    check_output(args)
    from mohs.analysis.overview import overview

    asked = {"level": args.level, **scores(args), **reading(args)}
    result = overview(args.source, args.runs, **asked)
    for note in result.notes:
        print(f"mohs: note: {note}", file=sys.stderr)

    def made() -> Provenance:
        return how_made("overview", asked, result.files)

    deliver(args, result.tables(), made)
    if len(result.collections) > 1 and not args.output and sys.stdout.isatty():
        print()
        deliver(args, {"matrix": result.matrix()}, made)
    return 0
