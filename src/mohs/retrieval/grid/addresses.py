"""Files and stores at addresses with ``://``, which fsspec and its drivers reach.

An address of a file here, ``file:///...``, is but another spelling of its path. What
is elsewhere is copied to a temporary folder before it is used, since indexes are mapped
into memory and files are read more than once.
"""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import tarfile
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from mohs.errors import FormatError, InputError, MohsError
from mohs.files import Source
from mohs.retrieval.grid.store import OURS, FolderStore, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CHUNK = 1 << 20
_PATTERN = frozenset("*?[")
_DRAFT = re.compile(r"\.mohs-\w+-[0-9a-f]{32}\.tmp")


def is_address(text: object) -> bool:
    """Tell whether something is reached by fsspec.

    Examples
    --------
    >>> is_address("s3://bucket/docs.jsonl"), is_address("docs.jsonl")
    (True, False)
    """
    return isinstance(text, str) and "://" in text


def plain(text: str) -> str:
    """Return the path that an address of a local file stands for.

    Examples
    --------
    >>> plain("file:///data/docs.jsonl"), plain("s3://bucket/docs.jsonl")
    ('/data/docs.jsonl', 's3://bucket/docs.jsonl')
    """
    if not text.startswith("file://"):
        return text
    parts = urlsplit(text, allow_fragments=False)
    if parts.netloc not in ("", "localhost"):
        raise InputError(f"{text}: expected three slashes, as in file:///data/docs")
    return unquote(parts.path)


def store_at(place: str) -> Store:
    """Return the store in a folder or at an address."""
    place = plain(place)
    if is_address(place):
        return RemoteStore(place.rstrip("/"))
    return FolderStore(Path(place))


def _reach(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and what the file is called there.

    Raises
    ------
    InputError
        If fsspec is missing, or its driver, or the address is none.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise InputError(
            f"{address}: an address needs the package fsspec: pip install 'mohs[dask]'"
        ) from None
    with _reached(address):
        system, path = url_to_fs(address)
        return system, str(path)


@contextmanager
def _reached(address: str) -> Iterator[None]:
    """Put what drivers raise, which may be anything, into words."""
    try:
        yield
    except MohsError:
        raise
    except FileNotFoundError:
        raise FormatError(address, 0, "no such file", "check the spelling") from None
    except Exception as error:
        kind, text = type(error).__name__, str(error).partition("\n")[0]
        raise InputError(f"{address}: cannot be reached ({text or kind})") from error


def list_files(address: str) -> list[str]:
    """Return the addresses of all files that a file, a folder or a pattern means."""
    system, path = _reach(address)
    with _reached(address):
        if system.isdir(path):
            found = [each["name"] for each in system.ls(path) if each["type"] == "file"]
            found = [each for each in found if PurePosixPath(each).name[0] != "."]
        elif _PATTERN & set(path):
            found = [each for each in system.glob(path) if system.isfile(each)]
        else:
            found = [path] if system.exists(path) else []
        if not found:
            raise FormatError(address, 0, "no such file or folder, and no match")
        return sorted(system.unstrip_protocol(each) for each in found)


def describe_remote(address: str) -> Source:
    """Tell a file apart by its content, as it is fetched."""
    return fetch(address, None)


def fetch(address: str, target: Path | None) -> Source:
    """Copy a file here, and say what it holds."""
    system, path = _reach(address)
    hashed, size = hashlib.sha256(), 0
    copy = None if target is None else target.open("wb")
    try:
        with _reached(address), system.open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                hashed.update(chunk)
                size += len(chunk)
                if copy is not None:
                    copy.write(chunk)
    finally:
        if copy is not None:
            copy.close()
    return Source(PurePosixPath(path).name, size, hashed.hexdigest())


@contextmanager
def fetched(addresses: Sequence[str]) -> Iterator[tuple[list[Path], list[Source]]]:
    """Copy files here for a while."""
    with tempfile.TemporaryDirectory(prefix="mohs-") as folder:
        paths, sources = [], []
        for number, address in enumerate(addresses):
            within = Path(folder) / str(number)
            within.mkdir()
            # Whoever reads of a mistake in it wants to know the name.
            paths.append(within / PurePosixPath(address).name)
            sources.append(fetch(address, paths[-1]))
        yield paths, sources


@dataclass(frozen=True, slots=True)
class RemoteStore:
    """Finished work at an address; an index is one archive, and is used as a copy."""

    address: str

    def __str__(self) -> str:
        return self.address

    def absolute(self) -> RemoteStore:
        """Return the same for a program in another folder."""
        return self

    def check(self) -> None:
        """Make the folder, where there are such, or refuse it."""
        system, path = _reach(self.address)
        with _reached(self.address):
            system.makedirs(path, exist_ok=True)

    def get(self, key: str) -> bytes | None:
        """Return a finished cell."""
        system, path = self._file(f"{key}.cell")
        with _reached(self.address):
            try:
                return bytes(system.cat_file(path))
            except FileNotFoundError:
                return None

    def put(self, key: str, content: bytes) -> None:
        """Keep a finished cell; one that is cut short is known as such."""
        system, path = self._file(f"{key}.cell")
        with _reached(self.address):
            system.pipe_file(path, content)

    def drop(self, key: str) -> None:
        """Forget a cell."""
        system, path = self._file(f"{key}.cell")
        with _reached(self.address):
            system.rm_file(path)

    def find(self, key: str) -> Path | None:
        """Return the folder of a copy, fetched first if there is none."""
        here = _copies(self.address)
        if (folder := here.find(key)) is not None:
            return folder
        system, path = self._file(f"{key}.index")
        with _reached(self.address):
            if not system.exists(path):
                return None
            with (
                system.open(path, "rb") as file,
                tarfile.open(fileobj=file, mode="r|") as archive,
            ):
                return here.keep(key, partial(_unpack, archive))

    def keep(self, key: str, fill: Callable[[Path], None]) -> Path:
        """Let an index be written here, and put it there in one archive."""
        folder = _copies(self.address).keep(key, fill)
        system, path = self._file(f"{key}.index")
        _, draft = self._file(f".{folder.parent.name}-{key}.tmp")
        with _reached(self.address):
            with (
                system.open(draft, "wb") as file,
                tarfile.open(fileobj=file, mode="w|") as archive,
            ):
                for each in sorted(folder.iterdir()):
                    archive.add(each, each.name)
            system.mv(draft, path)
        return folder

    def clean(self) -> None:
        """Remove what was kept."""
        system, path = _reach(self.address)
        with _reached(self.address):
            for each in system.ls(path):
                name = PurePosixPath(each["name"]).name
                if OURS.fullmatch(name) or _DRAFT.fullmatch(name):
                    system.rm_file(each["name"])

    def _file(self, name: str) -> tuple[Any, str]:
        system, path = _reach(self.address)
        return system, f"{path.rstrip('/')}/{name}"


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    for member in archive:
        file = archive.extractfile(member)
        if file is not None:
            with (folder / PurePosixPath(member.name).name).open("wb") as copy:
                shutil.copyfileobj(file, copy, _CHUNK)


@cache
def _copies(address: str) -> FolderStore:  # noqa: ARG001 (one for each)
    """Return where copies of indexes are while this process lives."""
    folder = Path(tempfile.mkdtemp(prefix="mohs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return FolderStore(folder)
