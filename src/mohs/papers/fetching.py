"""Fetching what anyone may fetch, once: into the cache, whole and verified.

Pooch does the work: it writes to a temporary file first, compares hashes, and keeps
what it has. What was fetched stays even if the next file cannot be; a file that broke
off is fetched anew.
"""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mohs.errors import InputError, MissingExtraError
from mohs.files import make_folder, write_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from mohs.papers.sources import Address, Source

CACHE = "MOHS_CACHE"
_PATIENCE = 30.0  # seconds until a server has to answer


def cache_folder() -> Path:
    """Return where fetched files are kept: in MOHS_CACHE, or in the user's cache.

    Examples
    --------
    >>> cache_folder().name == "mohs" or CACHE in os.environ
    True
    """
    if named := os.environ.get(CACHE):
        return Path(named)
    kept = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(kept, "mohs")


def fetch(source: Source, cache: Path) -> Path:
    """Return the file of a source in the cache, fetched and converted if need be.

    Raises
    ------
    InputError
        If there is no network, or what came is not what was expected.
    MissingExtraError
        If Pooch is not installed.
    """
    target = cache / source.name
    if target.exists():
        return target
    return _kept(
        source, [_fetched(each, source, cache) for each in source.addresses], cache
    )


def convert(source: Source, folder: Path, cache: Path) -> Path | None:
    """Return a file made of those that someone else fetched into a folder of data.

    They lie where the file itself would. None if they are not there.

    Raises
    ------
    InputError
        If they are not what was expected.
    """
    beside = (folder / source.name).parent
    found = [beside / name_of(each) for each in source.addresses]
    if not found or not all(each.is_file() for each in found):
        return None
    return _kept(source, found, cache)


def name_of(address: Address) -> str:
    """Return the name that a file has where it is fetched from."""
    return Path(urlsplit(address.url).path).name


def _kept(source: Source, files: Sequence[Path], cache: Path) -> Path:
    """Convert files, and keep what comes out in the cache."""
    contents = [each.read_bytes() for each in files]
    try:
        content = source.convert(contents) if source.convert else contents[0]
    except (ValueError, LookupError):
        names = ", ".join(each.name for each in files)
        told = f"{source.name}: cannot be made of {names}"
        raise InputError(f"{told}, which are not laid out as expected") from None
    found = hashlib.sha256(content).hexdigest()
    if source.sha256 not in {None, found}:
        raise InputError(
            f"{source.name}: {files[0].name} is no longer what it was (SHA-256 of what"
            f" is made of it: {found[:12]}… instead of {source.sha256[:12]}…)"
        )
    target = cache / source.name
    make_folder(target.parent)
    write_bytes(target, content)
    return target


def _fetched(address: Address, source: Source, cache: Path) -> Path:
    pooch = _pooch()
    folder = cache / "fetched" / Path(source.name).stem
    known = None if address.sha256 is None else f"sha256:{address.sha256}"
    try:
        got = pooch.retrieve(
            address.url,
            known_hash=known,
            fname=name_of(address),
            path=make_folder(folder),
            downloader=pooch.HTTPDownloader(timeout=_PATIENCE, progressbar=False),
        )
    except OSError as error:
        # All that Requests raises is an OSError, and knows what was asked for.
        if not hasattr(error, "request"):
            raise
        response = getattr(error, "response", None)
        told = "cannot be reached"
        if response is not None:
            told = f"the server answers {response.status_code}"
        raise InputError(f"{address.url}: {told}") from None
    except ValueError:
        raise InputError(
            f"{address.url}: is no longer what it was (its SHA-256 differs)"
        ) from None
    return Path(got)


def _pooch() -> ModuleType:
    try:
        import pooch
    except ImportError:
        raise MissingExtraError("fetching public data", "papers") from None
    found: ModuleType = pooch
    # The library never prints, and what was fetched is told by what is read.
    found.get_logger().setLevel(logging.ERROR)
    return found
