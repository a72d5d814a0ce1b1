"""Finished work on disk, under names made from everything that it was made from.

A name is a hash of the inputs' content, the components and what computes them, so a
changed input or parameter has another name, and nothing stale is ever taken up again.
A cell is a file, an index a folder, and either appears whole or not at all, whoever
else writes the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

from mohs._core import __version__
from mohs.errors import InputError
from mohs.files import canonical_json, make_folder, write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

# Raised whenever what is computed, or how it is laid out, changes.
_FORMAT = 3

_CELL, _INDEX = ".cell", ".index"
OURS = re.compile(r"[0-9a-f]{32}\.(cell|index)")
# Indexes that are being written, and files.
_DRAFT = re.compile(r"\.[0-9a-f]{32}\.\d+-[0-9a-f]{8}|\.mohs-\d+-[0-9a-f]{16}\.tmp")
# Nobody takes longer to write down what is made, so whoever began a draft is dead.
_ABANDONED = 24 * 60 * 60


@cache
def versions() -> Mapping[str, str]:
    """Say which programs compute: what they make may differ in its last digits."""
    names = "numpy", "PyStemmer", "KrovetzStemmer"
    found = {"mohs": __version__, "format": str(_FORMAT)}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def digest(kind: str, **parts: object) -> str:
    """Return the name of something that is made from its parts alone.

    Examples
    --------
    >>> digest("index", stemmer="porter") == digest("index", stemmer="s")
    False
    """
    made = {"kind": kind, "versions": dict(versions()), **parts}
    return hashlib.sha256(canonical_json(made).encode()).hexdigest()[:32]


class Store(Protocol):
    """Keeps finished cells and indexes."""

    def absolute(self) -> Store:
        """Return the same for a program in another folder."""
        ...

    def check(self) -> None:
        """Make room, or refuse the place."""
        ...

    def get(self, key: str) -> bytes | None:
        """Return a finished cell."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep a finished cell."""
        ...

    def drop(self, key: str) -> None:
        """Forget a cell."""
        ...

    def find(self, key: str) -> Path | None:
        """Return a folder here with the files of a finished index."""
        ...

    def keep(self, key: str, fill: Callable[[Path], None]) -> Path:
        """Let an index be written into a folder, keep it, and return the folder."""
        ...

    def clean(self) -> None:
        """Remove everything that was kept, and nothing else."""
        ...


@dataclass(frozen=True, slots=True)
class FolderStore:
    """A folder of finished work, which may hold other things as well."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def absolute(self) -> FolderStore:
        """Return the same for a program in another folder."""
        return FolderStore(self.folder.absolute())

    def check(self) -> None:
        """Make the folder, or refuse it, and remove what others left half written."""
        make_folder(self.folder)
        for path in self._matching(_DRAFT):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    _remove(path)

    def get(self, key: str) -> bytes | None:
        """Return a finished cell."""
        try:
            return (self.folder / f"{key}{_CELL}").read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(self.folder, "read", error) from None

    def put(self, key: str, content: bytes) -> None:
        """Keep a finished cell."""
        write_bytes(self.folder / f"{key}{_CELL}", content)

    def drop(self, key: str) -> None:
        """Forget a cell."""
        (self.folder / f"{key}{_CELL}").unlink(missing_ok=True)

    def find(self, key: str) -> Path | None:
        """Return the folder of a finished index."""
        path = self.folder / f"{key}{_INDEX}"
        return path if path.is_dir() else None

    def keep(self, key: str, fill: Callable[[Path], None]) -> Path:
        """Let an index be written into a folder that gets its name when it is whole."""
        target = self.folder / f"{key}{_INDEX}"
        try:
            with self._draft(key) as draft:
                fill(draft)
                for path in (*draft.iterdir(), draft):
                    _flush(path)
                # Whoever came first made the same; a folder that is not empty stays.
                with suppress(OSError):
                    draft.rename(target)
            _flush(self.folder)
        except OSError as error:
            raise _failed(self.folder, "written", error) from None
        if not target.is_dir():
            raise InputError(f"{target}: could not be written; look at the folder")
        return target

    @contextmanager
    def _draft(self, key: str) -> Iterator[Path]:
        draft = self.folder / f".{key}.{os.getpid()}-{os.urandom(4).hex()}"
        draft.mkdir(parents=True)
        try:
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def clean(self) -> None:
        """Remove what was kept, and the folder if nothing else is in it."""
        for pattern in (OURS, _DRAFT):
            for path in self._matching(pattern):
                _remove(path)
        with suppress(OSError):
            self.folder.rmdir()

    def _matching(self, pattern: re.Pattern[str]) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return [each for each in self.folder.iterdir() if pattern.fullmatch(each.name)]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _failed(path: Path, what: str, error: OSError) -> InputError:
    reason = (error.strerror or str(error)).lower()
    return InputError(f"{path}: cannot be {what} ({reason})")


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
