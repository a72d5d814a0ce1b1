"""``mohs relevance``: turn numeric scores into relevance."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from mohs.cli.options import add_limit, whole
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
    from collections.abc import Iterator

    from mohs.analysis.relevance import Relevance
    from mohs.files import Provenance

SUMMARY = "turn scores (sales, clicks, ratings) into relevance, or into judgments"

EPILOG = """\
FILE is a table of items, CSV, TSV, JSON, JSONL or Parquet. The result is the same table
with a column phi: 0 up to the median of the scores, 1 at the highest, and between them
a monotone curve through control points, which standard error lists.

With -o FILE.qrels, the result is judgments whose grades are phi, for nDCG, DCG and ERR,
to which fractions count; most other measures see only grades from 1 on. nDCG_phi makes
its own phi, so it wants judgments that hold the scores.

Tables of -o FOLDER/: relevance (the one that a file gets) and points.

With --predicted, every list is a ranking, and nDCG by ad-hoc levels (by rank of the
true score, 2^level - 1) is compared with nDCG by phi (2^phi - 1). A ranking is
over-estimated where the former is higher. Tables: comparison (one row for a ranking and
a cut-off), cutoffs (which a terminal shows) and levels (by tenths of nDCG).

examples:
  mohs relevance movies.csv --column 'Worldwide Gross' --missing drop --chart phi.html
  mohs relevance news.csv --column Facebook_TS144 --missing-value -1 --missing drop \\
    --transform log -o relevance.csv
  mohs relevance clicks.tsv --column clicks --by query --document url -o clicks.qrels
  mohs relevance predictions.csv --predicted predicted --column actual --by list
"""

QRELS = ".qrels"
_SHOWN = 20

# Options that are keywords of the library.
_SHAPE = ("variant", "quartiles", "upper", "positives_only", "points", "transform")
_GAPS = ("pooled", "missing", "missing_value", "max_bytes")
_ITEMS = ("column", "by", *_GAPS)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.add_argument("source", metavar="FILE", help="items, one in every row")
    group = parser.add_argument_group("items")
    group.add_argument("--column", metavar="NAME", help="the column of scores")
    group.add_argument(
        "--by", metavar="COLUMN", help="the list of an item; each list has its own phi"
    )
    group.add_argument(
        "--pooled", action="store_true", help="make one phi of the scores of all lists"
    )
    group.add_argument(
        "--missing",
        choices=("drop", "zero", "error"),
        default="error",
        help="items without a score: an error (default), no phi (and no place in a"
        " ranking), or a phi of 0",
    )
    group.add_argument(
        "--missing-value",
        metavar="X",
        type=float,
        help="a score that means there is none, such as -1",
    )
    add_limit(group)
    _add_points(parser)
    _add_comparison(parser)
    group = add_output(parser)
    for kind in ("topic", "document"):
        group.add_argument(
            f"--{kind}", metavar="COLUMN", help=f"the {kind} in judgments ({QRELS})"
        )
    add_chart(parser)


def _add_points(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("control points")
    group.add_argument(
        "--variant",
        choices=("paper", "authors"),
        default="paper",
        help="as the paper says (default), or as its authors' program does: hinges,"
        " whisker and positive scores only",
    )
    group.add_argument(
        "--quartiles", choices=("type7", "hinges"), help="as R and NumPy, or Tukey's"
    )
    group.add_argument(
        "--upper",
        choices=("fence", "whisker"),
        help="from where on scores are extreme: Q3 + 1.5 IQR, or the last score within",
    )
    group.add_argument(
        "--positives-only",
        action=argparse.BooleanOptionalAction,
        help="compute all of it over scores above 0, and begin at 0",
    )
    group.add_argument(
        "--points",
        metavar="Y:PHI,...",
        type=points,
        default=(),
        help="control points of your own, such as 0:0,50:0.2,1000:1",
    )
    group.add_argument(
        "--transform",
        choices=("none", "log"),
        default="none",
        help="log: take the logarithm of 1 + score first, for heavy tails",
    )


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--predicted",
        metavar="COLUMN",
        help="compare nDCG by levels and by phi of lists (--by, or the column list)"
        " that this column ranks; true scores are in --column, or the column actual",
    )
    group.add_argument(
        "--cutoffs",
        metavar="K,...",
        type=ranks,
        help="how many items of a ranking count (default 5,10,15,20)",
    )
    group.add_argument(
        "--bands",
        metavar="RANK,...",
        type=ranks,
        help="the last rank of every ad-hoc level (default 10,25,50)",
    )


def ranks(text: str) -> list[int]:
    """Read whole numbers above 0, for argparse."""
    return [whole(each) for each in text.split(",")]


def points(text: str) -> list[tuple[float, float]]:
    """Read pairs of a score and its φ, for argparse."""
    try:
        pairs = [each.split(":") for each in text.split(",")]
        return [(float(score), float(phi)) for score, phi in pairs]
    except ValueError:
        problem = f"expected pairs such as 0:0,100:1, found {text!r}"
        raise argparse.ArgumentTypeError(problem) from None


def run(args: argparse.Namespace) -> int:
    """Turn scores into relevance, and show, write or draw the result."""
    judged = bool(args.output) and args.output.lower().endswith(QRELS)
    _check(args, judged=judged)
    if args.predicted:
        return _compare(args)
    from mohs.analysis.relevance import relevance

    asked = {name: getattr(args, name) for name in (*_ITEMS, *_SHAPE)}
    result = relevance(args.source, **asked)
    for line in _about(result):
        print(f"mohs: {line}", file=sys.stderr)

    def made() -> Provenance:
        return how_made("relevance", asked, result.items.files)

    if judged:
        _judge(args, result)
    else:
        deliver(args, result.tables(), made)
    draw(args, result)
    return 0


def _check(args: argparse.Namespace, *, judged: bool) -> None:
    """Refuse what could not be written, before any work is done."""
    from mohs.errors import InputError

    check_chart(args)
    if judged and args.predicted:
        raise InputError("--predicted compares rankings, which makes no judgments")
    for name in ("cutoffs", "bands"):
        if getattr(args, name) and not args.predicted:
            told = f"--{name} is for comparing rankings; name the column that ranks"
            raise InputError(f"{told} items with --predicted")
    if not judged:
        _check_table(args)
        if args.topic or args.document:
            raise InputError(f"--topic and --document are for judgments (-o X{QRELS})")
        return
    from mohs.files import check_writable

    if args.meta:
        raise InputError("--meta stands beside a table, not beside judgments")
    check_writable(args.output)


def _check_table(args: argparse.Namespace) -> None:
    from mohs.errors import UnknownNameError

    try:
        check_output(args)
    except UnknownNameError as error:
        from mohs.tables import FORMS

        known = (*FORMS.names(), *([] if args.predicted else [QRELS]))
        raise UnknownNameError("output form", error.name, known) from None


def _compare(args: argparse.Namespace) -> int:
    """Compare rankings by levels and by φ, and show, write or draw the result."""
    from mohs.analysis.relevance import compare
    from mohs.analysis.relevance.comparison import CUTOFFS
    from mohs.gains.bands import Bands
    from mohs.gains.control import Fitting

    shape = {name: getattr(args, name) for name in _SHAPE}
    asked = {
        "predicted": args.predicted,
        "actual": args.column or "actual",
        "by": args.by or "list",
        "cutoffs": args.cutoffs or [*CUTOFFS],
        "bands": args.bands or [*Bands().bounds],
        **{name: getattr(args, name) for name in _GAPS},
    }
    result = compare(args.source, **asked, fitting=Fitting.asked(**shape))
    tell(result.notes)

    def made() -> Provenance:
        return how_made("relevance", {**asked, **shape}, result.items.files)

    tables = result.tables()
    first, others = "comparison", ["cutoffs", "levels"]
    if sys.stdout.isatty():  # which thousands of rankings would not fit
        first, *others = others
    deliver(args, tables, made, shown=first)
    show_below(args, tables, others)
    draw(args, result)
    return 0


def _about(result: Relevance) -> Iterator[str]:
    """Yield the control points, and what to know of the scores."""
    for name, function in [*result.functions.items()][:_SHOWN]:
        listed = ", ".join(f"{score:.6g}:{phi:.6g}" for score, phi in function.points)
        yield f"control points{f' of {name}' if name else ''}: {listed}"
    more = len(result.functions) - _SHOWN
    if more > 0:
        yield f"and {more} more lists; -o FOLDER{os.sep} writes the points of all"
    for note in result.notes:
        yield f"note: {note}"


def _judge(args: argparse.Namespace, result: Relevance) -> None:
    from mohs.analysis.relevance.judgments import BIASED, judgments
    from mohs.files import write_bytes

    text = judgments(result, topic=args.topic, document=args.document)
    tell([BIASED])
    write_bytes(args.output, text)
