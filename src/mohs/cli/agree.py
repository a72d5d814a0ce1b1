"""``mohs agree``: say whether two views find the same topics hard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mohs.cli.options import (
    add_formulation,
    add_limit,
    add_scores,
    add_seed,
    files_of,
    scores,
    whole,
)
from mohs.cli.output import (
    add_chart,
    add_output,
    check_chart,
    check_output,
    check_show,
    deliver,
    draw,
    how_made,
    show_below,
    tell,
)

if TYPE_CHECKING:
    import argparse

    from mohs.files import Provenance

SUMMARY = "say whether systems, corpora or measures find the same topics hard"

EPILOG = """\
SCORES is a table of scores. A topic's difficulty to a set of systems is the mean of
their scores: average average precision where the measure is AP. It is compared, topic
by topic, between every two sets of one table; with --by, between every two levels of a
column; with two tables, between the first (left) and the second (right).

  all          all systems
  best:N       the N systems of the highest mean; worst:N of the lowest
  random:N     N systems drawn at random, --repeat times; figures are means over draws
  tag:REGEX    systems in whose name the pattern is found
  file:PATH    systems that a file names, one a line

overlap is the share of the smaller set's systems that are in the other one too. low and
high bound tau_b for other topics, p is the chance that unrelated difficulties are as
far from 0. tau_ap counts disagreement about easy topics most: left walks the left
order, right the right one; with ties there is none.

Tables of -o FOLDER/: agree (the one that a file gets); topics: mean, median and share
of systems above a score, for every topic and set; settled and settling (with --settle).

examples:
  mohs agree scores.csv --measure AP
  mohs agree scores.csv --measure AP --sets all,best:30,worst:30,random:30 -o tables/
  mohs agree scores.csv --measure AP --by corpus --chart corpora.html
  mohs agree robust.csv core.csv --measure AP --settle 0.9
"""

# Tables that a terminal shows below the first, if they are there.
_FOLLOWING = ("settled", "settling")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.usage = "%(prog)s SCORES [SCORES] [OPTIONS]"
    parser.add_argument("source", metavar="SCORES", help="a table of scores")
    parser.add_argument(
        "other", metavar="SCORES", nargs="?", help="another, on the same topics"
    )
    _add_comparison(parser)
    group = add_scores(parser)
    add_formulation(group)
    add_limit(group)
    add_output(parser)
    add_chart(parser).add_argument(
        "--show",
        metavar="NAME",
        help="what the picture shows: scatter (every topic; default up to 15 pairs) or "
        "heat (tau_b of every pair)",
    )
    add_seed(parser)


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--sets",
        metavar="SET,...",
        action="append",
        help="sets of systems, see below (default: all; and where nothing else is "
        "compared, also the best, the worst and random ones: 30 or half of them)",
    )
    group.add_argument(
        "--by",
        metavar="COLUMN",
        help="compare the levels of a column, such as corpus or measure",
    )
    group.add_argument(
        "--repeat",
        metavar="N",
        type=whole,
        default=200,
        help="how often systems are drawn at random (default 200)",
    )
    group.add_argument(
        "--above",
        metavar="SCORE",
        type=float,
        default=0.0,
        help="count for every topic the systems that score more than this (default 0)",
    )
    group.add_argument(
        "--settle",
        metavar="TAU",
        type=float,
        help="find how many systems, drawn at random, order the topics as all do, up "
        "to this tau_b, such as 0.9",
    )


def run(args: argparse.Namespace) -> int:
    """Compare difficulties, and show, write or draw the result."""
    check_output(args)
    check_chart(args)
    check_show(args, "mohs.charts.agreement")
    from mohs.analysis.agreement import agree
    from mohs.analysis.agreement.sets import files_in

    asked = {
        "sets": args.sets,
        "by": args.by,
        "repeat": args.repeat,
        "above": args.above,
        "settle": args.settle,
        "formulation": args.formulation,
        "max_bytes": args.max_bytes,
        "seed": args.seed,
        **scores(args),
    }
    result = agree(args.source, args.other, **asked)
    tell(result.notes)

    def made() -> Provenance:
        tables = [args.source, args.other] if args.other else [args.source]
        files = {path: None for each in tables for path in files_of(each)}
        return how_made("agree", asked, {**files, **files_in(args.sets or [])})

    tables = result.tables()
    deliver(args, tables, made)
    show_below(args, tables, _FOLLOWING)
    draw(args, result, **({"show": args.show} if args.show else {}))
    return 0
