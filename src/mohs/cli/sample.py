"""``mohs sample``: generate a collection whose topics have a known difficulty."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING

from mohs.cli.options import nonempty

if TYPE_CHECKING:
    from mohs.samples import Sample

SUMMARY = "generate a collection whose topics have a known difficulty"

EPILOG = """\
The folder receives qrels.txt, runs/<system>.run, documents.jsonl (docno and text),
topics.tsv (topic, formulation, query), truth.csv (topic and planted difficulty: 1 =
easiest, 0 = hardest), wordings.csv (topic, formulation and planted quality: the share
of plain mentions that a query matches) and systems.csv (system and planted quality:
1 = best). The same options always give the same files.

example: does a measure see the difficulty that was planted?
  mohs sample -o sample --systems 20 --topics 50 --seed 7
  mohs evaluate sample/qrels.txt sample/runs/ -m AP -q
  mohs evaluate sample/qrels.txt sample/runs/ --corpus GAZ=^GAZ --corpus HER=^HER
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's options, one for each field of the specification."""
    # NumPy comes with this import; the list of commands does without.
    from mohs.samples.spec import SampleSpec

    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=nonempty,
        required=True,
        help="a new or empty folder, or one that mohs sample wrote",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="write into a folder with other files in it; they stay",
    )
    for field in fields(SampleSpec):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            metavar="N",
            type=float if field.type == "float" else int,
            default=field.default,
            help=f"{field.metadata['help']} (default {field.default:g})",
        )


def run(args: argparse.Namespace) -> int:
    """Write the collection and say what to do with it."""
    from mohs.samples import SampleSpec, sample

    chosen = {field.name: getattr(args, field.name) for field in fields(SampleSpec)}
    made = sample(args.output, force=args.force, **chosen)
    print(_describe(made))
    return 0


def _describe(made: Sample) -> str:
    return (
        f"{made.directory}: {len(made.systems)} systems, {len(made.topics)} topics, "
        f"{made.judged.sum()} judged documents, {made.relevant.sum()} relevant\n"
        f"next: mohs evaluate {made.qrels} {made.runs[0].parent}"
    )
