"""Every error Mohs raises on purpose.

* MohsError
  x InputError (is a ValueError)
    + FormatError
  x UnknownNameError (is a LookupError)
  x MissingExtraError (is an ImportError)
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Known names that an error lists: all of a registry, not all systems of a grid.
_LISTED = 40


class MohsError(Exception):
    """Base class; the command line catches this and nothing else."""

    def problems(self) -> Sequence[str]:
        """Return one line for every problem, the most important first."""
        return (str(self),)

    def __reduce__(self) -> tuple[Any, ...]:
        # As it is, not through __init__, which takes other things than the message.
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[MohsError], args: tuple[str, ...], state: dict[str, Any]) -> Any:  # noqa: ANN401 (of that kind)
    """Make an error anew that came from another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(MohsError, ValueError):
    """A file, a frame or an argument cannot be used."""


class FormatError(InputError):
    """Lines of a file are malformed; every problem is gathered."""

    def __init__(self, path: str, line: int, problem: str, remedy: str = "") -> None:
        where = f"{path}:{line}" if line else path
        super().__init__(f"{where}: {problem}" + (f"; {remedy}" if remedy else ""))
        self.path = path
        self.line = line
        self.problem = problem
        self.remedy = remedy
        self.others: tuple[str, ...] = ()

    @classmethod
    def gather(cls, faults: Sequence[FormatError]) -> FormatError:
        """Return the first of several faults, which remembers the others.

        The first fault of every file comes before the second of any, so that a short
        list names as many files as it can.
        """
        leaders = {fault.path: fault for fault in reversed(faults)}
        others = [fault for fault in faults if leaders[fault.path] is not fault]
        first, *rest = [*reversed(leaders.values()), *others]
        remembered = [text for fault in (first, *rest) for text in fault.others]
        first.others = (*map(str, rest), *remembered)
        return first

    def problems(self) -> Sequence[str]:
        """Return one line for every problem, in file order."""
        return (str(self), *self.others)


class UnknownNameError(MohsError, LookupError):
    """A registry holds nothing under this name."""

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        suggestion: str | None = None,
    ) -> None:
        names = sorted(known)
        close = [suggestion] if suggestion else difflib.get_close_matches(name, names)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(names[:_LISTED])
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        super().__init__(f"no {kind} named {name!r}.{hint} Known: {listed}{more}.")
        self.name = name


class MissingExtraError(MohsError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'mohs[{extra}]'")
        self.extra = extra
