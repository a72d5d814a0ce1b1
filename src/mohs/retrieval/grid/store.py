"""Finished work on disk, under names made from everything that it was made from.

A name is a hash of the inputs' content, the components and the version of Mohs, so a
changed input or parameter has another name, and nothing stale is ever taken up again.
A folder appears whole or not at all, whoever else writes the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mohs._core import __version__
from mohs.errors import InputError
from mohs.files import canonical_json, make_folder, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Raised whenever what is computed, or how it is laid out, changes.
_FORMAT = 1


def digest(kind: str, **parts: object) -> str:
    """Return the name of something that is made from its parts alone.

    Examples
    --------
    >>> digest("index", stemmer="porter") == digest("index", stemmer="s")
    False
    """
    made = {"kind": kind, "mohs": __version__, "format": _FORMAT, **parts}
    return hashlib.sha256(canonical_json(made).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of finished work."""

    folder: Path

    def find(self, key: str) -> Path | None:
        """Return where something finished stands."""
        path = self.folder / key
        return path if path.is_dir() else None

    @contextmanager
    def making(self, key: str) -> Iterator[Path]:
        """Give a fresh folder to fill; it gets its name when nothing failed."""
        draft = self.folder / f".{key}.{os.getpid()}-{os.urandom(4).hex()}"
        draft.mkdir(parents=True)
        try:
            yield draft
            self._settle(draft, self.folder / key)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _settle(self, draft: Path, target: Path) -> None:
        for path in (*draft.iterdir(), draft):
            _flush(path)
        # Whoever came first made the same; a folder that is not empty stays.
        with suppress(OSError):
            draft.rename(target)
        if not target.is_dir():
            raise InputError(f"{target}: could not be written; look at the folder")
        _flush(self.folder)

    def get(self, key: str) -> bytes | None:
        """Return a finished file's content."""
        try:
            return (self.folder / key).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, key: str, content: bytes) -> None:
        """Keep a finished file."""
        write_bytes(self.folder / key, content)

    def check(self) -> None:
        """Make the folder, or refuse it."""
        make_folder(self.folder)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
