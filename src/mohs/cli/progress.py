"""How far long work is, on standard error, and on a terminal only."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_BAR = 30  # characters
_OFTEN = 0.1  # seconds between two looks


class Progress:
    """A bar that is drawn as work is done, and gone at the end.

    Examples
    --------
    >>> describe("cells", 36, 144, seconds=30.0)
    '[=======                       ] 36 of 144 cells, 1 min 30 s left'
    """

    def __init__(self, things: str) -> None:
        self._things = things
        self._start = time.monotonic()
        self._drawn = 0.0
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Tell how many things are done, and of how many."""
        now = time.monotonic()
        if self._shown and now - self._drawn >= _OFTEN:
            self._drawn = now
            line = describe(self._things, done, total, seconds=now - self._start)
            width = shutil.get_terminal_size().columns
            print(f"\r{line[: width - 1]}\x1b[K", end="", file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def describe(things: str, done: int, total: int, *, seconds: float) -> str:
    """Draw a bar, and say how long the rest takes if it goes on like this."""
    bar = "=" * (_BAR * done // max(total, 1))
    line = f"[{bar:<{_BAR}}] {done:,} of {total:,} {things}"
    if not 0 < done < total:
        return line
    left = round(seconds / done * (total - done))
    minutes, seconds = divmod(left, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{line}, {hours} h {minutes} min left"
    return (
        f"{line}, {minutes} min {seconds} s left"
        if minutes
        else f"{line}, {left} s left"
    )
