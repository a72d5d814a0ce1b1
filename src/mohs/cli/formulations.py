"""``mohs formulations``: say how freely the wording of queries orders topics."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mohs.cli.options import (
    add_cluster,
    add_formulation,
    add_limit,
    add_scores,
    add_work,
    files_of,
    nonempty,
    scores,
    whole,
)
from mohs.cli.output import (
    add_chart,
    add_output,
    check_chart,
    check_output,
    deliver,
    draw,
    how_made,
    show_below,
    tell,
)
from mohs.cli.progress import Progress
from mohs.errors import InputError

if TYPE_CHECKING:
    import argparse

    from mohs.files import Provenance

SUMMARY = "say how freely the wording of queries orders topics, beside chance"

EPILOG = """\
SCORES is a table of scores with a column formulation. For every random permutation of
the topics, every pair of system and corpus picks for each topic the formulation that
keeps most of that order; mean_best is the mean, over permutations, of Kendall's tau of
the best pair, and mean_pair that of all pairs. Many formulations reach a high tau by
chance alone. So the same is done with the labels of topics and formulations exchanged,
for all pairs alike: null_mean_best, its 5th and 95th percentile, and p, the share of
replicates at or below what was observed. Only a mean_best below null_low shows that
topics constrain the order.

--rule, for formulations that keep the order alike:
  greedy-low    the lowest score (default)
  greedy-first  the first formulation
  quantile      the score nearest to the quantile that the place in the order asks for
  local         the lowest, then change one topic at a time as long as one helps
  bound         the lowest, then the longest rising chain in the ten best pairs

Tables of -o FOLDER/: formulations (the one that a file gets); wording, what each topic
owes to its formulations, wording_by_pair and differences; by_formulations, tau and its
null for fewer of them; distribution of the best tau; and orders, some picks in full.

examples:
  mohs formulations scores.csv --measure AP
  mohs formulations scores.csv --rule local --null independent -o tables/
  mohs formulations grid.parquet --measure ap --rename formulation=query --pair model
  mohs formulations scores.csv --chart wording.html --show wording
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.usage = "%(prog)s SCORES [OPTIONS]"
    parser.add_argument("source", metavar="SCORES", help="a table of scores")
    _add_experiment(parser)
    group = add_scores(parser)
    add_formulation(group)
    add_limit(group)
    add_output(parser)
    add_chart(parser).add_argument(
        "--show",
        metavar="NAME",
        help="what the picture shows: distribution (of the best tau, beside chance;"
        " default), sizes (tau by number of formulations), orders (asked for and"
        " achieved) or wording (a dot per formulation, one row per topic)",
    )
    add_cluster(add_work(parser))


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("experiment")
    group.add_argument(
        "--permutations",
        metavar="N",
        type=whole,
        default=20_000,
        help="random orders of the topics (default 20000)",
    )
    group.add_argument(
        "--rule",
        metavar="NAME",
        default="greedy-low",
        help="what decides between formulations that keep the order alike, see below",
    )
    group.add_argument(
        "--null",
        choices=("joint", "independent"),
        default="joint",
        help="exchange labels for all pairs alike (default), or for comparison also in"
        " each pair by itself",
    )
    group.add_argument(
        "--replicates",
        metavar="N",
        type=whole,
        default=20,
        help="how often labels are exchanged (default 20)",
    )
    group.add_argument(
        "--pair",
        metavar="COLUMN",
        type=nonempty,
        action="append",
        default=[],
        help="a column that makes up a pair; may be repeated (default: system, and what"
        " varies within systems, such as corpus)",
    )


def run(args: argparse.Namespace) -> int:
    """Make the experiment, and show, write or draw the result."""
    check_output(args)
    check_chart(args)
    _check_show(args)
    from mohs.analysis.formulations import formulations

    asked = {
        "permutations": args.permutations,
        "rule": args.rule,
        "null": args.null,
        "replicates": args.replicates,
        "pair": args.pair,
        "formulation": args.formulation,
        "max_bytes": args.max_bytes,
        "seed": args.seed,
        "workers": args.workers,
        "dask": args.dask,
        **scores(args),
    }
    with Progress("permutations") as progress:
        result = formulations(args.source, **asked, progress=progress)
    tell(result.notes)
    print(f"mohs: reading: {result.reading}", file=sys.stderr)

    def made() -> Provenance:
        return how_made("formulations", asked, files_of(args.source))

    tables = result.tables()
    deliver(args, tables, made)
    if sys.stdout.isatty():
        show_below(args, tables, ["wording"])
    draw(args, result, **({"show": args.show} if args.show else {}))
    return 0


def _check_show(args: argparse.Namespace) -> None:
    """Refuse what could not be shown, before any work is done."""
    if not args.show:
        return
    if not args.chart:
        raise InputError("--show says what a picture shows; name its file with --chart")
    from mohs.charts.formulations import SHOWS

    SHOWS[args.show]
