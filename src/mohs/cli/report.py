"""``mohs report``: put everything there is to say on one page."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from mohs.cli.difficulty import add_baseline, add_pool, pooled
from mohs.cli.options import (
    INPUTS,
    add_reading,
    add_scores,
    add_work,
    nonempty,
    reading,
)
from mohs.cli.output import tell
from mohs.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

SUMMARY = "put everything there is to say about topics and systems on one page"

EPILOG = f"""\
{INPUTS}
The page is one file that needs no other, and no network: what check found; a summary in
five sentences; how hard every topic is, and what systems and documents have to do with
it; which systems differ; other strategies; the analysis of variance; sub-corpora with
--corpus, and formulations with --formulation; and how all of it was computed. A click
on a topic shows its query (--topics), its systems, and the ranks of its judged
documents. Every table can be taken along as CSV or LaTeX. From --scores alone, the page
says what scores can tell.

Systems are compared by AP unless --measure names another measure. Input is read several
times, so it has to be in files.

examples:
  mohs report qrels.txt runs/ --topics topics.tsv
  mohs report qrels.txt runs/ --corpus FT=^FT --corpus LA=^LA -o trec8.html
  mohs report --scores scores.csv --measure AP
"""

PAGE = "report.html"
_NO_STRATEGY = "none"
# What has no part in how a page is computed, or is not said by an option.
_UNSAID = {"help", "output", "workers", "debug", "qrels", "runs"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.usage = (
        "%(prog)s [OPTIONS] QRELS RUN...\n       %(prog)s [OPTIONS] --scores SCORES"
    )
    parser.epilog = EPILOG
    parser.set_defaults(spelled=parser)
    parser.add_argument("qrels", metavar="QRELS", nargs="?", help="judgments")
    parser.add_argument("runs", metavar="RUN", nargs="*", default=[], help="runs")
    _add_page(parser)
    add_pool(parser)
    add_baseline(parser)
    add_reading(parser)
    add_scores(parser).add_argument(
        "--scores", metavar="SCORES", help="a table of scores instead of judgments"
    )
    add_work(parser)


def _add_page(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("page")
    group.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        type=nonempty,
        default=PAGE,
        help=f"the file to write (default {PAGE})",
    )
    group.add_argument("--title", metavar="TEXT", help="of the page")
    group.add_argument(
        "--topics",
        metavar="FILE",
        help="what was asked: lines of topic, tab and query, a TREC topic file, or JSON"
        " lines",
    )
    group.add_argument(
        "--truth",
        metavar="FILE",
        help="topics and their known difficulty (1 = easiest), as mohs sample writes"
        " them, to compare with",
    )
    group.add_argument(
        "--strategy",
        metavar="NAME|all|none",
        action="append",
        default=[],
        help="older strategies to put beside the difficulty (default all)",
    )
    group.add_argument(
        "--formula",
        metavar="FORMULA",
        help="the model of the scores, as for mohs anova (default: topics, systems, and"
        " sub-corpora or formulations where there are any)",
    )
    group.add_argument(
        "--theme",
        metavar="NAME",
        default="blue-orange",
        help="colours: blue-orange (default) or traffic-light",
    )


def run(args: argparse.Namespace) -> int:
    """Analyse everything, write the page, and say where it is."""
    from mohs.charts.themes import THEMES
    from mohs.files import check_writable

    check_writable(args.output)
    THEMES[args.theme]
    _check_sources(args)
    from mohs.reporting import report

    result = report(
        args.qrels,
        args.runs,
        scores=args.scores,
        measure=args.measure,
        formula=args.formula,
        topics=args.topics,
        strategies=_strategies(args),
        truth=args.truth,
        title=args.title,
        theme=args.theme,
        command=shlex.join(_command(args)),
        **_options(args),
    )
    tell(result.notes)
    result.save(args.output)
    print(args.output)
    return 0


def _check_sources(args: argparse.Namespace) -> None:
    """Refuse both sources, or neither, and options that are about the other one."""
    if args.scores is None:
        if not args.qrels or not args.runs:
            raise InputError(
                "name judgments and runs, or --scores with a table of them"
            )
        misplaced = {"--where": args.where, "--rename": args.rename}
        misplaced["--orient"] = args.orient
        about = "--scores, which were not given"
    else:
        if args.qrels:
            raise InputError(
                f"{args.qrels}: name either judgments and runs or --scores"
            )
        misplaced = {"--topics": args.topics, "--truth": args.truth}
        misplaced |= {"--corpus": args.corpus, "--strategy": args.strategy}
        about = "judgments and runs, which were not given"
    for option, given in misplaced.items():
        if given:
            raise InputError(f"{option} is about {about}")


def _strategies(args: argparse.Namespace) -> list[str]:
    asked = args.strategy or ["all"]
    return [name for name in asked if name != _NO_STRATEGY]


def _options(args: argparse.Namespace) -> dict[str, Any]:
    if args.scores is None:
        return {**pooled(args), **reading(args)}
    return {
        "where": args.where,
        "rename": args.rename,
        "orient": args.orient,
        "formulation": args.formulation,
        "seed": args.seed,
        **({} if args.max_bytes is None else {"max_bytes": args.max_bytes}),
    }


def _command(args: argparse.Namespace) -> Iterator[str]:
    """Spell the command with everything that is not as it is by default."""
    yield from ("mohs", "report")
    yield from [args.qrels, *args.runs] if args.qrels else []
    for action in args.spelled._actions:  # noqa: SLF001 (argparse has no other way)
        value = getattr(args, action.dest, action.default)
        if action.dest in _UNSAID or value == action.default:
            continue
        option = action.option_strings[-1]
        if isinstance(value, bool):
            yield option
        elif isinstance(value, list):
            yield from (word for each in value for word in (option, str(each)))
        else:
            yield from (option, str(value))
