"""Options that several commands share."""

from __future__ import annotations

import argparse
from typing import Any

INPUTS = """\
QRELS and RUN are files in TREC format; a RUN may also be a folder (its files, not those
in folders below) or a quoted pattern ('runs/**/*.run'); - reads standard input, once.
Compressed files (gz, bz2, zst, lz4) are recognised by their content.
"""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add judgments and runs, in the order of trec_eval."""
    parser.add_argument("qrels", metavar="QRELS", help="judgments")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="runs")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add what decides how judgments and runs are read."""
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--ties",
        choices=("docid", "docid-asc", "rank"),
        default="docid",
        help="order of equal scores: document id descending as in trec_eval (default), "
        "ascending, or the rank column",
    )
    group.add_argument(
        "--precision",
        choices=("double", "single"),
        default="double",
        help="compare scores as doubles (default), or in single precision as "
        "trec_eval 9 and pytrec_eval do",
    )
    group.add_argument(
        "--duplicates",
        choices=("error", "first", "last"),
        default="error",
        help="a document twice in one topic: an error (default), or keep the "
        "best-ranked copy, or the copy read last",
    )
    group.add_argument(
        "--system-from",
        choices=("file", "tag"),
        default="file",
        help="name systems after their file (default) or their run tag",
    )
    group.add_argument(
        "--corpus",
        metavar="RULE",
        action="append",
        default=[],
        help="a sub-corpus: NAME=REGEX (searched for in document ids), shards:N, or a "
        "file of documents and corpora; may be repeated",
    )
    add_formulation(group)
    add_limit(group)


def add_formulation(group: Any) -> None:  # noqa: ANN401 (a parser or a group of one)
    """Add how the ids of queries are split."""
    group.add_argument(
        "--formulation",
        metavar="REGEX|FILE",
        type=nonempty,
        help="how to split query ids into the groups topic and formulation, or a file "
        "of query, topic and formulation",
    )


def add_scores(parser: argparse.ArgumentParser) -> Any:  # noqa: ANN401 (a group)
    """Add what decides which scores of a table count, and how it is read.

    Returns the group that this stands in.
    """
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--where",
        metavar="COLUMN=VALUE[,VALUE]",
        action="append",
        default=[],
        help="keep only these observations (COLUMN!=VALUE: all others); may be "
        "repeated, and all must hold",
    )
    group.add_argument(
        "--rename",
        metavar="NEW=OLD",
        action="append",
        default=[],
        help="read a column under another name; may be repeated",
    )
    group.add_argument(
        "--measure",
        metavar="MEASURE",
        help="keep only this measure, in whatever spelling",
    )
    group.add_argument(
        "--orient",
        choices=("topics", "systems"),
        help="what is in the rows of a matrix, if its first column does not say",
    )
    return group


def add_limit(group: Any) -> None:  # noqa: ANN401 (a parser or a group of one)
    """Add what an archive may unpack to."""
    group.add_argument(
        "--max-bytes",
        metavar="N",
        type=whole,
        help="the most that a compressed file may unpack to (default 64 GiB)",
    )


def add_seed(parser: argparse.ArgumentParser) -> Any:  # noqa: ANN401 (a group)
    """Add the seed, and return the group that it stands in."""
    group = parser.add_argument_group("work")
    group.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of all draws (default 0)"
    )
    return group


def add_work(parser: argparse.ArgumentParser) -> Any:  # noqa: ANN401 (a group)
    """Add seed and workers, and return the group that they stand in."""
    group = add_seed(parser)
    group.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        help="threads; all processors unless given, and the result is the same",
    )
    return group


def add_cluster(group: Any) -> None:  # noqa: ANN401 (a parser or a group of one)
    """Add the cluster that does long work."""
    group.add_argument(
        "--dask",
        metavar="ADDRESS",
        type=nonempty,
        help="let a Dask cluster do the work, named by its scheduler's address; the"
        " result is the same",
    )


_MOST = 1 << 62  # fits what counts ranks, bytes and threads


def nonempty(text: str) -> str:
    """Read a name, which is not empty, for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected a name, found ''")
    return text


def whole(text: str) -> int:
    """Read a whole number above 0, for argparse."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= _MOST:
        problem = f"expected a whole number from 1 to 2**62, found {text!r}"
        raise argparse.ArgumentTypeError(problem)
    return value


def files_of(source: str) -> dict[str, None]:
    """Return the files of a table of scores; standard input cannot be read again."""
    from mohs.files import STANDARD_INPUT
    from mohs.trec.inputs import expand_path

    found = [] if source == STANDARD_INPUT else expand_path(source)
    return dict.fromkeys(each.path for each in found if each.path is not None)


def scores(args: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_scores` gave, as keywords of the library."""
    return {
        "where": args.where,
        "rename": args.rename,
        "measure": args.measure,
        "orient": args.orient,
    }


def reading(args: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_reading` and `add_work` gave, as keywords of the library."""
    return {
        "ties": args.ties,
        "precision": args.precision,
        "duplicates": args.duplicates,
        "system_from": args.system_from,
        "corpus": args.corpus,
        "formulation": args.formulation,
        "max_bytes": args.max_bytes,
        "seed": args.seed,
        "workers": args.workers,
    }
