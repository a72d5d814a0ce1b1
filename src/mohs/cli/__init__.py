"""The command line: the only place that prints.

Every command is a module with a ``SUMMARY``, ``configure(parser)`` and ``run(args)``,
which returns the exit code. Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from mohs.errors import MohsError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("evaluate", "difficulty", "check", "overview", "sample", "demo")

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
_SHOWN = 20


class Command(Protocol):
    """What the module of a command offers."""

    SUMMARY: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do the work, and return the exit code."""
        ...


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Leave with one line on standard error."""
        self.exit(WRONG, f"{self.prog}: {message}; see {self.prog} --help\n")


def command(name: str) -> Command:
    """Load a command."""
    return cast("Command", importlib.import_module(f"mohs.cli.{name}"))


def parser_of(name: str) -> Parser:
    """Build the parser of a command."""
    module = command(name)
    parser = Parser(
        prog=f"mohs {name}",
        description=f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.configure(parser)
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    return parser


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Build the parsers of all commands, for the documentation."""
    return {name: parser_of(name) for name in COMMANDS}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _speak_utf8()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if not words or words[0].startswith("-"):
            _greet(words)
            return DONE if words else WRONG
        return _run(words[0], words[1:])
    except SystemExit as leaving:  # argparse has said what there was to say
        return leaving.code if isinstance(leaving.code, int) else WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be flushed to it now.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _run(name: str, words: Sequence[str]) -> int:
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        _complain(f"mohs: no command {name!r}; {hint}See mohs --help")
        return WRONG
    args = parser_of(name).parse_args(words)
    try:
        code = command(name).run(args)
        sys.stdout.flush()
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except MohsError as error:
        if args.debug:
            raise
        _report(error.problems())
        return WRONG
    except Exception as error:
        if args.debug:
            raise
        kind = type(error).__name__
        _complain(
            f"mohs: our own fault, please report it: {kind}: {error} "
            "(--debug shows where)"
        )
        return FAILED
    return code


def _greet(words: Sequence[str]) -> None:
    """Answer ``mohs --help`` and ``mohs --version``."""
    width = max(map(len, COMMANDS))
    listed = (f"  {name:<{width}}  {command(name).SUMMARY}" for name in COMMANDS)
    parser = Parser(
        prog="mohs",
        usage="mohs COMMAND [OPTIONS] ARGUMENTS",
        description="Which topics are hard, how sure we are, and why.",
        epilog="commands:\n" + "\n".join(listed) + "\n\n"
        "mohs COMMAND --help explains a command and shows an example.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    args = parser.parse_args(list(words))
    if args.version:
        from mohs import __version__

        print(f"mohs {__version__}")
    elif not words:
        parser.print_usage(sys.stderr)


def _report(problems: Sequence[str]) -> None:
    for problem in problems[:_SHOWN]:
        _complain(f"mohs: {problem}")
    if len(problems) > _SHOWN:
        _complain(f"mohs: and {len(problems) - _SHOWN} more problems")


def _complain(line: str) -> None:
    print(" ".join(line.splitlines()), file=sys.stderr)


def _speak_utf8() -> None:
    """Write UTF-8 and plain line ends whatever the locale says."""
    for channel in (sys.stdout, sys.stderr):
        if hasattr(channel, "reconfigure"):
            channel.reconfigure(
                encoding="utf-8", errors="backslashreplace", newline="\n"
            )
