"""Options of ``mohs difficulty`` that put its result to use, each with its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from mohs.cli.options import whole
from mohs.cli.output import tell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from mohs.analysis.difficulty import Difficulty
    from mohs.tables import Result, Table

T = TypeVar("T")

# Tables that are shown; the others are for a folder.
SHOWN = ("stability", "weighted", "weighted_order", "subsets")

# Options that say more of a use; without it there is nothing that they could change.
_BELONGING = {
    "repeats": "stability",
    "other_qrels": "stability",
    "weights": "weighted",
}
_REPEATS = 100
_WEIGHTS = "1 - difficulty"


def add_uses(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("uses, each with tables of its own")
    group.add_argument(
        "--stability",
        action="store_true",
        help="try how far difficulty, and each --strategy, stay the same when topics, "
        "systems, labels or pools change; takes some seconds (table stability)",
    )
    group.add_argument(
        "--repeats",
        metavar="N",
        type=whole,
        help="random halves of topics and of systems that --stability tries "
        f"(default {_REPEATS})",
    )
    group.add_argument(
        "--other-qrels",
        metavar="QRELS",
        help="judgments of the same topics by others, for --stability",
    )
    group.add_argument(
        "--weighted",
        metavar="MEASURE",
        help="means of this measure in which hard topics count more, and what becomes "
        "of the systems' order (tables weighted, weighted_order, weights)",
    )
    group.add_argument(
        "--weights",
        metavar="FORMULA",
        help="the weight of a topic for --weighted, by + - * / ** and columns of the "
        f"result (default '{_WEIGHTS}')",
    )
    group.add_argument(
        "--subsets",
        metavar="MEASURE",
        help="how well so many topics keep the order of systems by this measure: "
        "chosen to keep it, to upset it, and at random (table subsets)",
    )


def asked_uses(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was asked for, and nothing that changes no table."""
    asked: dict[str, Any] = {}
    if args.stability:
        asked |= {"stability": True, "repeats": _given(args.repeats, _REPEATS)}
        asked |= {"other_qrels": args.other_qrels} if args.other_qrels else {}
    if args.weighted:
        asked |= {"weighted": args.weighted, "weights": _given(args.weights, _WEIGHTS)}
    if args.subsets:
        asked |= {"subsets": args.subsets}
    return asked


def _given(value: T | None, default: T) -> T:
    return default if value is None else value


def check_uses(args: argparse.Namespace) -> None:
    """Refuse what cannot be done, before the work starts."""
    from mohs.analysis.difficulty.formula import read_formula
    from mohs.analysis.difficulty.strategies.evidence import single
    from mohs.errors import InputError

    for option, use in _BELONGING.items():
        if getattr(args, option) is not None and not getattr(args, use):
            name = option.replace("_", "-")
            raise InputError(
                f"--{name} says how to do --{use}; add --{use}, or leave it out"
            )
    for measure in (args.weighted, args.subsets):
        if measure:
            single(measure)
    asked = asked_uses(args)
    if args.weighted:
        read_formula(asked["weights"])
    if asked and args.topic:
        name = next(iter(asked)).replace("_", "-")
        raise InputError(f"--topic shows one topic alone; leave out --{name}")
    if asked and args.output and not args.output.endswith("/"):
        name = next(iter(asked)).replace("_", "-")
        raise InputError(
            f"--{name} makes a table of its own, and {args.output} holds one; "
            "write to a folder: -o FOLDER/"
        )
    if args.other_qrels and "-" in args.runs:
        raise InputError(
            "--other-qrels reads the runs twice, which standard input cannot be"
        )


def put_to_use(
    args: argparse.Namespace, result: Difficulty, given: Mapping[str, Any]
) -> dict[str, Table]:
    """Return the tables of all uses; ``given`` is what the difficulty was asked."""
    tables: dict[str, Table] = {}
    for use in _uses(args, result, given):
        tables |= use.tables()
        tell(getattr(use, "notes", ()))
    return tables


def _uses(
    args: argparse.Namespace, result: Difficulty, given: Mapping[str, Any]
) -> Iterator[Result]:
    from mohs.analysis.difficulty import choose_topics, difficulty, stability, weigh

    asked = asked_uses(args)
    if args.stability:
        other = None
        if args.other_qrels:
            quick = {**given, "permutations": 0}
            other = difficulty(args.other_qrels, args.runs, **quick)
        yield stability(result, repeats=asked["repeats"], other=other)
    if args.weighted:
        yield weigh(result, args.weighted, weights=asked["weights"])
    if args.subsets:
        yield choose_topics(result, args.subsets)
