"""``mohs reproduce``: a paper's tables and figures, beside what it printed."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mohs.cli.options import nonempty
from mohs.cli.output import tell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mohs.papers import Reproduction

SUMMARY = "compute a paper's tables and figures, beside what it printed"

EPILOG = """\
papers:
{papers}

The folder receives index.html, which begins with what was printed beside what was
computed, the difference and its reason, and then has every table and figure under the
paper's own number; tables/ (CSV, LaTeX), figures/ (SVG, PDF), and meta.json, how it was
made. What cannot be computed is listed with its reason.

Data is looked for in the folder of --data, under the names that this command's page
in the documentation lists, and then in the cache. What anyone may fetch is fetched into
the cache (pip install 'mohs[papers]'), which MOHS_CACHE moves elsewhere. Of what is
missing, the page says what to put where.

examples:
  mohs reproduce m17
  mohs reproduce m17 --data data/ -o m17/
"""

_NAME, _WIDE = 11, 84


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EPILOG.format(papers="\n".join(_papers()))
    parser.add_argument("paper", metavar="PAPER", help="which of the papers below")
    group = parser.add_argument_group("data")
    group.add_argument(
        "--data", metavar="DIR", type=nonempty, help="a folder with data, used first"
    )
    group.add_argument(
        "--no-download",
        action="store_true",
        help="fetch nothing; use what is in the folder and in the cache",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=nonempty,
        help="a new or empty folder, or one that mohs reproduce wrote (default"
        " mohs-PAPER/)",
    )
    group.add_argument(
        "--force",
        action="store_true",
        help="write into a folder with other files in it; they stay",
    )
    parser.add_argument_group("work").add_argument(
        "--seed", metavar="N", type=int, default=0, help="of all draws (default 0)"
    )


def _papers() -> Iterator[str]:
    """Yield a line or more for every paper, its name first."""
    from mohs.papers import KNOWN

    for name, text in KNOWN.items():
        first = f"  {name:<{_NAME}}"
        yield textwrap.fill(
            text, _WIDE, initial_indent=first, subsequent_indent=" " * len(first)
        )


def run(args: argparse.Namespace) -> int:
    """Compute, write, and say how much matches."""
    from mohs.papers import known, reproduce
    from mohs.papers.page import PAGE, lent

    known(args.paper)
    target = Path(args.output or f"mohs-{args.paper}")
    with lent(target, args.paper, force=args.force) as write:
        result = reproduce(
            args.paper,
            data=args.data,
            seed=args.seed,
            download=not args.no_download,
        )
        write(result, shlex.join(_command(args)))
    print(_counted(result))
    print(target / PAGE)
    tell(result.notes)
    return 0


def _counted(result: Reproduction) -> str:
    found = Counter(each.verdict for each in result.comparisons)
    told = ", ".join(f"{count} {verdict}" for verdict, count in found.items())
    return f"{result.paper}: {told}"


def _command(args: argparse.Namespace) -> Iterator[str]:
    """Spell the command with everything that is not as it is by default."""
    yield from ("mohs", "reproduce", args.paper)
    if args.data:
        yield from ("--data", args.data)
    if args.no_download:
        yield "--no-download"
    if args.output:
        yield from ("--output", args.output)
    if args.seed:
        yield from ("--seed", str(args.seed))
