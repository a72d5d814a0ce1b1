"""``mohs grid``: search collections by many systems, and score what they find."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from mohs.cli.options import add_cluster, nonempty, whole
from mohs.cli.output import add_output, check_output, deliver, how_made, tell
from mohs.cli.progress import Progress
from mohs.errors import InputError

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from mohs.files import Provenance
    from mohs.tables import Table

SUMMARY = "search by many systems, and score what each of them finds"

EPILOG = """\
DOCS holds documents: JSON lines with docno and text, TREC documents, TSV or
Parquet; a folder or a quoted pattern of such files; or the id of a data set in
ir_datasets. TOPICS holds a topic and its query on each line, or topic,
formulation and query under a header that says so; TREC topics and JSON lines
are read as well. Every stop list is combined with every stemmer, model and
expansion:

  --stoplists   smart (default), none, lucene, fox, ... or a file of words
  --stemmers    porter (default), none, krovetz, snowball, lovins, s, ...
  --models      BM25 (default), PL2, DPH, DirichletLM, ...; with parameters in
                quotes: 'BM25(b=0.4,k1=0.9)'
  --expansions  none (default), Bo1, KL, RM3, Axiomatic; 'Bo1(docs=10,terms=20)'
  --tokenisers  terrier (default; its rules for English), words, 'ngrams(n=4)'

A system in a collection is a cell. With --qrels its rankings are scored as they
are made; --runs writes them down. Finished cells stay in --store (by default
beside the output, in PATH.cells/), so that a grid that was stopped goes on
where it was; --clean removes them in the end.

examples:
  mohs grid docs.jsonl topics.tsv --qrels qrels.txt --models BM25,DPH -o out.csv
  mohs grid docs.jsonl topics.tsv --runs runs/ --stemmers none,porter
  mohs grid topics.tsv --docs news=news.jsonl --docs web=web/ \\
    --qrels qrels.txt --preset c21 -m AP -o grid.parquet
"""

_HELP = {
    "tokenisers": "how text is cut into tokens",
    "stoplists": "words that are left out",
    "stemmers": "which forms of a word count as one",
    "models": "how documents are ranked",
    "expansions": "how queries are widened",
}
_COMPONENTS = tuple(_HELP)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG
    parser.usage = "%(prog)s DOCS TOPICS [OPTIONS]"
    parser.add_argument(
        "inputs",
        metavar="DOCS TOPICS",
        nargs="+",
        type=nonempty,
        help="documents and topics; only topics where --docs names the documents",
    )
    group = parser.add_argument_group("collections")
    group.add_argument(
        "--docs",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="one of several collections, by name; may be repeated",
    )
    _add_systems(parser)
    _add_rankings(parser)
    add_output(parser)
    work = parser.add_argument_group("work")
    work.add_argument(
        "--store",
        metavar="DIR",
        type=nonempty,
        help="where finished cells are kept; several grids may share it",
    )
    work.add_argument(
        "--clean",
        action="store_true",
        help="empty the store of finished cells at the end",
    )
    work.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        help="cells that are done side by side; as many as there are processors unless"
        " given, and the result is the same",
    )
    add_cluster(work)


def _add_systems(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("systems")
    for kind in _COMPONENTS:
        group.add_argument(
            f"--{kind}",
            metavar="NAME,...",
            type=nonempty,
            action="append",
            help=f"{_HELP[kind]}; see below",
        )
    group.add_argument(
        "--preset",
        metavar="NAME",
        type=nonempty,
        help="the components of a paper: c21 (144 systems) or z19 (322); those that are"
        " given replace its own",
    )
    group.add_argument(
        "--engine",
        choices=("mohs", "terrier"),
        default="mohs",
        help="what searches: Mohs (default), or Terrier (needs Java and mohs[terrier])",
    )


def _add_rankings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rankings")
    group.add_argument(
        "--depth",
        metavar="N",
        type=whole,
        default=1000,
        help="documents that each ranking has at most (default 1000)",
    )
    group.add_argument("--qrels", metavar="QRELS", help="judgments to score by")
    group.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        action="append",
        help="what to score by; may be repeated (default AP, nDCG, nDCG@20, P@10, RR)",
    )
    group.add_argument(
        "--runs", metavar="DIR", type=nonempty, help="write every ranking as a run"
    )


def run(args: argparse.Namespace) -> int:
    """Do the grid, and show or write its scores."""
    check_output(args)
    documents, topics = _inputs(args)
    store = args.store or (args.output and f"{args.output.rstrip('/')}.cells")
    _check_places(args, store)
    from mohs.measures.evaluation import MEASURES
    from mohs.retrieval.grid import grid

    asked: dict[str, Any] = {
        **{kind: getattr(args, kind) for kind in _COMPONENTS},
        "preset": args.preset,
        "qrels": args.qrels,
        "measures": args.measure or MEASURES,
        "depth": args.depth,
        "engine": args.engine,
    }
    with Progress("cells") as progress:
        result = grid(
            documents,
            topics,
            **asked,
            runs=args.runs,
            store=store,
            workers=args.workers,
            dask=args.dask,
            progress=progress,
        )
    tell(result.notes)

    def made() -> Provenance:
        return how_made("grid", asked, result.files)

    tables = result.tables()
    if not args.output and sys.stdout.isatty() and "means" in tables:
        tables = {"means": _narrow(tables["means"])}
    deliver(args, tables, made)
    if args.clean and store:
        from mohs.retrieval.grid.addresses import store_at

        store_at(store).clean()
    return 0


def _narrow(means: Table) -> Table:
    """Leave out what the name of a system says as well, for a terminal."""
    from mohs.tables import Table

    kept = means.columns.keys() - {kind.removesuffix("s") for kind in _COMPONENTS}
    return Table({name: means[name] for name in means.columns if name in kept})


def _check_places(args: argparse.Namespace, store: str | None) -> None:
    """Refuse places that exclude each other, before any work is done."""
    if args.clean and not store:
        raise InputError("--clean removes finished cells, and none are kept without -o")
    taken: dict[str, str] = {}
    for option, path in (
        ("-o", args.output),
        ("--runs", args.runs),
        ("--store", store),
    ):
        place = os.path.realpath(path) if path else ""
        if place and place in taken:
            raise InputError(f"{path}: is wanted by {taken[place]} and by {option}")
        taken[place] = option


def _inputs(args: argparse.Namespace) -> tuple[Any, str]:
    """Tell documents and topics apart."""
    named = {}
    for each in args.docs:
        name, separator, path = each.partition("=")
        if not (separator and name and path):
            raise InputError(f"--docs {each}: expected NAME=PATH")
        if name in named:
            raise InputError(f"--docs {each}: there is another collection {name!r}")
        named[name] = path
    wanted = "TOPICS" if named else "DOCS TOPICS"
    if len(args.inputs) != len(wanted.split()):
        found = " ".join(args.inputs)
        raise InputError(f"expected {wanted}, found {found}; see mohs grid --help")
    return named or args.inputs[0], args.inputs[-1]
