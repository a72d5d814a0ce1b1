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
from mohs.cli.output import add_output, check_output, deliver, how_made, tell

if TYPE_CHECKING:
    import argparse

    from mohs.analysis.overview import Overview
    from mohs.files import Provenance
    from mohs.tables import Table

SUMMARY = "count systems, topics and judgments, and the topics collections share"

EPILOG = f"""\
{INPUTS}
SCORES are tables of scores or what trec_eval -q prints; judgments are told from them by
their first line. There is a row for the collection and for each sub-corpus, or for each
table of scores and each level of its column corpus or collection; topics_in_common are
those that all systems of the row have. On a terminal follow the topics that two rows
have in common, and the shares of sub-corpora in the documents judged and relevant.

With --baseline, the table is one of wins, ties and losses: on how many topics each
other system scores more than that one, as much, and less.

Tables of -o FOLDER/: collections, shared, composition (with --corpus), against and
against_topics (with --baseline).

examples:
  mohs overview qrels.txt runs/ --corpus FT=^FT --corpus LA=^LA
  mohs overview trec7.csv trec8.csv -o counts/
  mohs overview trec8.csv --measure AP --baseline bm25
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
    group = add_scores(parser)
    group.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help="count the topics on which every other system wins, ties and loses against"
        " this one",
    )
    group.add_argument(
        "--tie",
        metavar="X",
        type=float,
        help="the largest difference from the --baseline that is none (default 1e-12)",
    )
    add_output(parser)
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    """Count, and show or write the counts."""
    check_output(args)
    from mohs.analysis.overview import overview

    asked = {
        "level": args.level,
        "baseline": args.baseline,
        "tie": args.tie,
        **scores(args),
        **reading(args),
    }
    result = overview(args.source, args.runs, **asked)
    tell(result.notes)

    def made() -> Provenance:
        return how_made("overview", asked, result.files)

    tables = dict(result.tables())
    if args.baseline:  # It is what was asked for, so a file or a pipe gets it.
        tables = {"against": tables.pop("against"), **tables}
    deliver(args, tables, made)
    if not args.output and sys.stdout.isatty():
        for each in _following(result):
            print()
            deliver(args, {"": each}, made)
    return 0


def _following(result: Overview) -> list[Table]:
    """Return what a terminal shows below the first table."""
    if len(result.collections) == 1:
        return []
    tables = result.tables()
    composition = [tables["composition"]] if "composition" in tables else []
    return [result.matrix(), *composition]
