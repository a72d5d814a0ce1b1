"""``mohs difficulty``: say how hard each topic is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.cli.options import INPUTS, add_inputs, add_reading, add_work, reading, whole
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
from mohs.cli.uses import SHOWN, add_uses, asked_uses, check_uses, put_to_use

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from mohs.analysis.difficulty import Difficulty
    from mohs.files import Provenance
    from mohs.tables import Table

SUMMARY = "say how hard each topic is: which systems beat a random re-ranker"

EPILOG = f"""\
{INPUTS}
difficulty is the share of systems that order a topic's pool better than chance: 1 is
the easiest topic, 0 the hardest. low and high bound it for another choice of systems,
chance_low and chance_high for gains shuffled over the pool's documents: within that
band a topic shows nothing that chance would not. Weak systems add documents without
gain to the pool and make a topic look easier.

Tables of -o FOLDER/: difficulty (the one that a file gets), adjusted (p-values adjusted
for the number of topics), systems (wins, scores and p-values of every system on every
topic), and with --strategy agreement and opposed; with --topic, systems, documents,
ranks and topic.

strategies of --strategy, and what a topic of a high value is:
  eguchi2002      easy  median AP of the systems
  carterette2009  easy  mean AP of the systems
  damessie2016    easy  mean AP of the systems
  grivolla2005    easy  mean AP of the systems
  vercoustre2009  easy  mean AP of the systems
  shtok2012       easy  NQC of the top 100 scores
  perez2010       easy  largest standard deviation of the top scores, up to 100
  aslam2007       hard  divergence of the systems' top 100 (bits)
shtok2012 and perez2010 take the geometric mean over systems.

examples:
  mohs difficulty qrels.txt runs/ -o difficulty.csv --chart difficulty.html
  mohs difficulty qrels.txt runs/ --topics topics.tsv --topic 401
  mohs difficulty qrels.txt runs/ --strategy all --teams teams.tsv -o results/
"""

# Tables that a terminal shows below the first, if they are there.
_FOLLOWING = ("agreement", "opposed")
_DRILLED = ("topic", "systems", "documents")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    add_inputs(parser)
    add_pool(parser)
    add_baseline(parser)
    _add_company(parser)
    add_uses(parser)
    add_reading(parser)
    add_output(parser)
    add_chart(parser)
    add_work(parser)


def add_pool(parser: argparse.ArgumentParser) -> None:
    """Add how pools are formed, and what their documents are worth."""
    group = parser.add_argument_group("pool")
    group.add_argument(
        "--depth",
        metavar="N",
        type=whole,
        default=20,
        help="how much of each ranking goes into the pool (default 20)",
    )
    group.add_argument(
        "--cutoff",
        metavar="K",
        type=whole,
        help="how much of each ranking is scored, at most --depth (the default)",
    )
    group.add_argument(
        "--pool",
        choices=("runs", "judged"),
        default="runs",
        help="what is re-ranked: the union of the runs' top documents (default), or "
        "all judged documents of the topic",
    )
    group.add_argument(
        "--unjudged",
        choices=("nonrelevant", "neutral", "condense"),
        default="nonrelevant",
        help="unjudged documents have no gain (default), enter no mean and no ideal "
        "(neutral), or are dropped before the cut (condense)",
    )
    group.add_argument(
        "--no-pad",
        dest="pad",
        action="store_false",
        help="leave rankings short that end above the cut-off; otherwise they are "
        "filled up with documents without gain",
    )
    group.add_argument(
        "--negative",
        choices=("zero", "keep"),
        default="zero",
        help="a grade below 0 has no gain (default), or keeps its sign",
    )
    group.add_argument(
        "--gain",
        metavar="NAME",
        default="linear",
        help="what a grade is worth: linear (default), exponential or binary; of "
        "judgments that hold scores, phi or adhoc",
    )
    group.add_argument(
        "--discount",
        metavar="NAME",
        default="log2",
        help="what a rank takes away: log2 (default), ln, zipf or none",
    )


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """Add what systems have to beat, and how sure that is."""
    group = parser.add_argument_group("difficulty (1 = easiest, 0 = hardest)")
    group.add_argument(
        "--baseline",
        metavar="random|RUN|VALUE",
        default="random",
        help="what systems have to beat: a random re-ranker (default), the system of "
        "this name, or this NDCG_std",
    )
    group.add_argument(
        "--interval",
        choices=("bootstrap", "wilson"),
        default="bootstrap",
        help="low and high: by bootstrap over systems (default), or wilson, which "
        "takes systems for independent: a lower bound on the uncertainty",
    )
    group.add_argument(
        "--teams",
        metavar="FILE",
        help="systems and their teams, which the bootstrap then draws together",
    )
    group.add_argument(
        "--permutations",
        metavar="N",
        type=whole,
        default=10_000,
        help="how often the gains of a pool are shuffled, up to 10**8 (default 10000)",
    )


def _add_company(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("beside it")
    group.add_argument(
        "--strategy",
        metavar="NAME|all",
        action="append",
        default=[],
        help="an older strategy, or all of them, in columns NAME and NAME_class; may "
        "be repeated",
    )
    group.add_argument(
        "--topics",
        metavar="FILE",
        help="what was asked, shown in a column query: lines of topic, tab and query, "
        "a TREC topic file, or JSON lines",
    )
    group.add_argument(
        "--topic",
        metavar="ID",
        help="show one topic in full: its systems and where they put its documents",
    )


def run(args: argparse.Namespace) -> int:
    """Rate the topics, and show, write or draw the result."""
    check_output(args)
    check_chart(args)
    check_uses(args)
    from mohs.analysis.difficulty import difficulty

    asked = _asked(args)
    result = difficulty(args.qrels, args.runs, **asked)
    tell(result.notes)

    def made() -> Provenance:
        files = result.files or {}
        if args.other_qrels:
            files = {**files, args.other_qrels: None}
        request = {**asked, "topic": args.topic, **asked_uses(args)}
        return how_made("difficulty", request, files)

    tables, following = _tables(args, result)
    tables = {**tables, **put_to_use(args, result, asked)}
    deliver(args, tables, made)
    show_below(args, tables, [*following, *SHOWN], piped=bool(args.topic))
    draw(args, result)
    return 0


def _tables(
    args: argparse.Namespace, result: Difficulty
) -> tuple[Mapping[str, Table], list[str]]:
    """Choose the tables, and those that a terminal shows below the first."""
    if args.topic:
        tables = result.drill(args.topic).tables()
        return tables, [name for name in _DRILLED if name != next(iter(tables))]
    tables = result.tables()
    return tables, [name for name in _FOLLOWING if name in tables]


def pooled(args: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_pool` and `add_baseline` gave, as keywords of the library."""
    return {
        "depth": args.depth,
        "cutoff": args.cutoff,
        "pool": args.pool,
        "unjudged": args.unjudged,
        "pad": args.pad,
        "gain": args.gain,
        "negative": args.negative,
        "discount": args.discount,
        "baseline": args.baseline,
        "teams": args.teams,
        "interval": args.interval,
        "permutations": args.permutations,
    }


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    return {
        **pooled(args),
        "strategies": args.strategy,
        "topics": args.topics,
        **reading(args),
    }
