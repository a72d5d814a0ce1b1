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
    from types import ModuleType

    from mohs.papers.sources import Address, Source

CACHE = "MOHS_CACHE"
_PATIENCE = 30.0  # seconds until a server has to answer


def cache_folder() -> Path | None:
    """Return where fetched files are kept, None if nothing can be fetched."""
    if named := os.environ.get(CACHE):
        return Path(named)
    try:
        pooch = _pooch()
    except MissingExtraError:
        return None
    return Path(pooch.os_cache("mohs"))


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
    contents = [_fetched(each, source, cache).read_bytes() for each in source.addresses]
    content = source.convert(contents) if source.convert else contents[0]
    found = hashlib.sha256(content).hexdigest()
    if source.sha256 not in {None, found}:
        raise InputError(
            f"{source.name}: made of {source.addresses[0].url}, which is no longer what"
            f" it was (SHA-256 {found[:12]}… instead of {source.sha256[:12]}…)"
        )
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
            fname=Path(urlsplit(address.url).path).name,
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
