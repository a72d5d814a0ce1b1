"""``mohs components``: say on which topics a part of a system helps."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mohs.cli.options import (
    add_formulation,
    add_limit,
    add_scores,
    add_seed,
    files_of,
    scores,
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

if TYPE_CHECKING:
    import argparse

    from mohs.files import Provenance

SUMMARY = "say on which topics a component of systems helps, and on which it harms"

EPILOG = """\
SCORES is a table of scores with a column for each component: stoplist, stemmer, model.
What is no component: topic, corpus, collection, formulation, team, and whatever varies
within a system. delta is the mean score with the level minus that without, for pairs of
systems that differ in the component alone; a positive delta helps. low and high bound
it for another draw of pairs, 95%.

Without --baseline, every component is compared with its level none, no, off, nostop,
nostem or the like, or else with its first. Several --baseline define one: systems that
have them all. --unmatched compares all systems with the component with all systems in
the baseline, as the figures of Zampieri et al. (SIGIR 2019) do.

Tables of -o FOLDER/: components (the one that a file gets); summary, how many topics
gain, lose and tie with each level, by how much, and Kendall's tau between difficulties
with it and without; and means. A terminal shows the summary too.

examples:
  mohs components scores.csv --measure AP --baseline stemmer=none
  mohs components grid.parquet --measure ap --where collection=T08 --chart effects.html
  mohs components runs.csv --baseline stemmer=none expansion=none --unmatched -o tables/
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.usage = "%(prog)s SCORES [OPTIONS]"
    parser.add_argument("source", metavar="SCORES", nargs="?", help="a table of scores")
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--baseline",
        metavar="COLUMN=LEVEL",
        nargs="+",
        action="extend",
        default=[],
        help="compare with systems that have this level of a component; several hold"
        " together",
    )
    group.add_argument(
        "--unmatched",
        action="store_true",
        help="compare means of all systems, not pairs that differ in one component",
    )
    group = add_scores(parser)
    add_formulation(group)
    add_limit(group)
    add_output(parser)
    add_chart(parser)
    add_seed(parser)


def run(args: argparse.Namespace) -> int:
    """Compare, and show, write or draw the result."""
    _find_source(args)
    check_output(args)
    check_chart(args)
    from mohs.analysis.components import components

    asked = {
        "baseline": args.baseline,
        "unmatched": args.unmatched,
        "formulation": args.formulation,
        "max_bytes": args.max_bytes,
        "seed": args.seed,
        **scores(args),
    }
    result = components(args.source, **asked)
    tell(result.notes)

    def made() -> Provenance:
        return how_made("components", asked, files_of(args.source))

    tables = result.tables()
    deliver(args, tables, made)
    if sys.stdout.isatty():
        show_below(args, tables, ["summary"])
    draw(args, result)
    return 0


def _find_source(args: argparse.Namespace) -> None:
    """Take back the scores if they stand behind the levels of --baseline."""
    if args.source is None and args.baseline:
        args.source = args.baseline.pop()
    if args.source is None:
        from mohs.errors import InputError

        raise InputError("name the SCORES; see mohs components --help")
