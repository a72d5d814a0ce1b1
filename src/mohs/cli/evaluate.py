"""``mohs evaluate``: score runs by judgments."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mohs.cli.options import INPUTS, add_inputs, add_reading, add_work, reading, whole
from mohs.cli.output import add_output, check_output, deliver, how_made, tell

if TYPE_CHECKING:
    import argparse

SUMMARY = "score runs by judgments"

# The sets of measures with which trec_eval prints the run's tag.
_NAMED = {"official", "set", "all_trec"}

EPILOG = f"""\
{INPUTS}
Without -o the means of every system are shown, with -q every topic; -o always writes
every topic. What is missing, tied or unjudged is said on standard error.

examples:
  mohs evaluate qrels.txt runs/ -m AP -m nDCG@20 -o scores.csv
  mohs evaluate --format trec_eval -q -m map -m P.10 qrels.txt bm25.run
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    add_inputs(parser)
    group = parser.add_argument_group("measures")
    group.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        action="append",
        help="in the spelling of ir_measures or of trec_eval; may be repeated "
        "(default AP, nDCG, nDCG@20, P@10, RR)",
    )
    group.add_argument(
        "-q", "--per-topic", action="store_true", help="show every topic, not the means"
    )
    group.add_argument(
        "-l",
        "--level",
        metavar="LEVEL",
        type=float,
        default=1,
        help="the lowest grade that is relevant (default 1)",
    )
    group.add_argument(
        "-M",
        "--depth",
        metavar="DEPTH",
        type=whole,
        help="count only the first DEPTH documents of each ranking",
    )
    group.add_argument(
        "-J",
        "--judged-only",
        action="store_true",
        help="drop unjudged documents before anything else",
    )
    group.add_argument(
        "--no-complete",
        dest="complete",
        action="store_false",
        help="average over the topics a run retrieved; otherwise a judged topic that "
        "it lacks scores 0, as with trec_eval -c",
    )
    group.add_argument(
        "-c", dest="complete", action="store_true", help="the default, as in trec_eval"
    )
    group.add_argument(
        "--gain",
        metavar="NAME",
        default="linear",
        help="what a grade is worth in nDCG, DCG, Q and gRBP: linear (default), "
        "exponential or binary; of judgments that are scores, phi or adhoc, in ERR too",
    )
    group.add_argument(
        "--negative",
        choices=("zero", "keep"),
        default="zero",
        help="a grade below 0 has no gain (default), or keeps it in nDCG and DCG",
    )
    group.add_argument(
        "--format",
        choices=("table", "trec_eval"),
        default="table",
        help="trec_eval: print one run just as trec_eval -c does (with --no-complete "
        "as it does without -c)",
    )
    add_reading(parser)
    add_output(parser)
    add_work(parser)


def run(args: argparse.Namespace) -> int:
    """Score the runs and show or write the result."""
    if args.format == "trec_eval":
        return _as_trec_eval(args)
    check_output(args)
    from mohs.measures.evaluation import MEASURES, evaluate

    asked = {
        "measures": args.measure or list(MEASURES),
        "level": args.level,
        "depth": args.depth,
        "judged_only": args.judged_only,
        "complete": args.complete,
        "gain": args.gain,
        "negative": args.negative,
        **reading(args),
    }
    result = evaluate(args.qrels, args.runs, **asked)
    tell(result.notes)
    # The scores of many runs take memory, so they are laid out only to be seen.
    each = args.per_topic or args.output
    deliver(
        args,
        result.tables() if each else {"means": result.means},
        lambda: how_made("evaluate", asked, result.files),
    )
    return 0


def _as_trec_eval(args: argparse.Namespace) -> int:
    """Print what trec_eval prints."""
    from mohs.errors import InputError
    from mohs.files import check_writable, write_bytes
    from mohs.gains.scales import any_gain_of
    from mohs.measures import parse, trec_eval_text
    from mohs.measures.evaluation import check_overlap, notes_on
    from mohs.rankings import Reading, read_runs

    if args.meta:
        raise InputError("--meta goes with a table, not with --format trec_eval")
    if args.output:
        check_writable(args.output)
    given = reading(args)
    if given.pop("corpus") or args.formulation:
        raise InputError("--format trec_eval knows no --corpus and no --formulation")
    workers, _ = given.pop("workers"), given.pop("seed")
    rankings = read_runs(
        args.qrels, args.runs, reading=Reading.asked(**given), workers=workers
    )
    if len(rankings.systems) > 1:
        named = ", ".join(rankings.labels)
        raise InputError(f"--format trec_eval takes one run, found {named}")
    check_overlap(rankings)
    names = args.measure or ["official"]
    measures = [each for name in names for each in parse(name)]
    gain = any_gain_of(args.gain, args.negative)
    tag = next(iter(rankings.accounts[0].tags), rankings.systems[0])
    text = trec_eval_text(
        measures,
        rankings,
        runid=tag if _NAMED & {name.lower() for name in names} else None,
        level=args.level,
        gain=gain,
        depth=args.depth,
        judged=args.judged_only,
        each=args.per_topic,
        complete=args.complete,
    )
    tell(notes_on(rankings, measures, level=args.level, gain=gain))
    if args.output:
        write_bytes(args.output, text.encode())
    else:
        sys.stdout.write(text)
    return 0
