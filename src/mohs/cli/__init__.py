"""The command line: the only place that prints.

Every command is a module with a ``SUMMARY``, ``configure(parser)`` and ``run(args)``,
which returns the exit code. Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import importlib
import io
import os
import re
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from mohs.errors import MohsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMANDS = (
    "evaluate",
    "difficulty",
    "anova",
    "agree",
    "components",
    "formulations",
    "relevance",
    "grid",
    "check",
    "overview",
    "report",
    "reproduce",
    "sample",
    "demo",
)

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
DEBUG = "--debug"
_SHOWN = 20
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
# Values that begin as a negative number does, and are none that argparse knows.
_AWKWARD = re.compile(r"-(?=\.?\d)(?!(\d+|\d*\.\d+)$)")
_LONG = re.compile(r"--[^=]+$")
_PATIENCE = 0.2  # seconds between an interrupt and the end


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
    parser.add_argument(DEBUG, action="store_true", help=argparse.SUPPRESS)
    return parser


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Build the parsers of all commands, for the documentation."""
    return {name: parser_of(name) for name in COMMANDS}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _open_channels()
    _speak_utf8()
    words = list(sys.argv[1:] if argv is None else argv)
    interrupts: list[int] = []
    try:
        with _listening(interrupts):
            if not words or words[0].startswith("-"):
                _greet(words)
                return DONE if words else WRONG
            code = _run(words[0], words[1:])
    except SystemExit as leaving:  # argparse has said what there was to say
        return leaving.code if isinstance(leaving.code, int) else WRONG
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        _close_output()  # Whoever read it has seen enough.
        return DONE
    except BaseException as error:
        # An import in C that is interrupted may fail with an error of its own, and a
        # panic in Rust is no Exception.
        if not interrupts and DEBUG in words:
            raise
        code = INTERRUPTED if interrupts else _failed(error)
    if code == INTERRUPTED:
        _forget_interrupt()
    return code


def _forget_interrupt() -> None:
    """Let the exit code stand.

    Python notes an interrupt that leaves text being executed, as SciPy's imports do,
    and ends itself by that signal in the end although it was caught. It forgets the
    interrupt when other text is executed.
    """
    exec("")  # noqa: S102 (nothing)


@contextmanager
def _listening(interrupts: list[int]) -> Iterator[None]:
    """Note interrupts, and leave soon after one whatever is under way."""

    def note(number: int, _: object) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    expected = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not expected or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, note)
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    left = threading.Event()
    threading.Thread(target=_leave_soon, args=(heard, left), daemon=True).start()
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(-1)
        os.close(told)
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_soon(heard: int, left: threading.Event) -> None:
    """Wait for an interrupt, and end a program that then does not end by itself.

    A system call that blocks, or a long computation in C, sees no KeyboardInterrupt.
    """
    while (number := os.read(heard, 1)) not in (b"", bytes([signal.SIGINT])):
        pass
    os.close(heard)
    if number and not left.wait(_PATIENCE):
        os._exit(INTERRUPTED)


def _run(name: str, words: Sequence[str]) -> int:
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {close[0]!r}? See" if close else "see"
        _complain(f"mohs: no command {name!r}; {hint} mohs --help")
        return WRONG
    args = parser_of(name).parse_intermixed_args(_joined(words))
    try:
        code = command(name).run(args)
        sys.stdout.flush()
    except MohsError as error:
        if args.debug:
            raise
        _report(error.problems())
        return WRONG
    return code


def _joined(words: Sequence[str]) -> list[str]:
    """Join an option and a value such as -5:0, which argparse takes for an option."""
    found: list[str] = []
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if "--" not in words[:place] and _AWKWARD.match(word) and _LONG.match(before):
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found


def _close_output() -> None:
    # Nothing may be flushed to it when Python ends.
    if not isinstance(sys.stdout, _Closed):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: BaseException) -> int:
    """Say what went wrong that is no mistake in the input."""
    if isinstance(error, OSError) and error.errno in _UNWRITABLE:
        _close_output()
        _complain(f"mohs: the output cannot be written ({error.strerror})")
        return WRONG
    kind = type(error).__name__
    _complain(
        f"mohs: our own fault, please report it: {kind}: {error} ({DEBUG} shows where)"
    )
    return FAILED


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


class _Closed(io.TextIOBase):
    """Stands for a standard output that was closed before we came."""

    def write(self, _: str, /) -> int:
        """Say that this cannot be done."""
        raise OSError(errno.EBADF, "it is closed")


def _open_channels() -> None:
    """Put something in place of closed channels, for which Python has None."""
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        # Messages would go to standard output otherwise.
        sys.stderr = io.StringIO()


def _speak_utf8() -> None:
    """Write UTF-8 and plain line ends whatever the locale says."""
    for channel in (sys.stdout, sys.stderr):
        if hasattr(channel, "reconfigure"):
            channel.reconfigure(
                encoding="utf-8", errors="backslashreplace", newline="\n"
            )
