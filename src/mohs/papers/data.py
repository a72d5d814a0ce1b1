"""Public data by name: in a folder of the user's, in the cache, or on the network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mohs.errors import InputError, MissingExtraError
from mohs.papers.fetching import cache_folder, convert, fetch
from mohs.papers.sources import SOURCES

if TYPE_CHECKING:
    import os

    from mohs.papers.sources import Source


@dataclass(frozen=True, slots=True)
class Data:
    """What papers read, by the names of :data:`SOURCES`.

    A file is looked for in ``folder`` first, where it may also be converted from the
    originals, then in the ``cache``, and fetched into it if anyone may and ``download``
    allows it. Without a cache, nothing is converted or fetched. ``used`` remembers what
    was handed out, and ``failed`` why something was not.
    """

    folder: Path | None = None
    cache: Path | None = None
    download: bool = True
    used: list[Path] = field(default_factory=list, compare=False)
    failed: dict[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def at(
        cls,
        folder: str | os.PathLike[str] | None,
        *,
        cache: str | os.PathLike[str] | None = None,
        download: bool = True,
    ) -> Data:
        """Return the data in a folder and in the cache, that of the user's by default.

        Raises
        ------
        InputError
            If there is no such folder.
        """
        if folder is not None and not Path(folder).is_dir():
            raise InputError(f"{folder}: is no folder; name one with data in it")
        kept = cache_folder() if cache is None else Path(cache)
        return cls(None if folder is None else Path(folder), kept, download)

    def find(self, name: str) -> Path | None:
        """Return where a file or folder is, None if it is not to be had.

        Why not, and what to do about it, says `missing`.

        Examples
        --------
        >>> Data().find("trec8/runs")
        """
        source = SOURCES[name]
        found = self._at_hand(source)
        if found is None and source.addresses and self.cache is not None:
            found = self._made(source, self.cache)
        if found is not None and found not in self.used:
            self.used.append(found)
        return found

    def path(self, name: str) -> Path:
        """Return where a file or folder is.

        Raises
        ------
        InputError
            If it is not to be had, with what to do.
        """
        found = self.find(name)
        if found is None:
            raise InputError(self.missing(name))
        return found

    def missing(self, name: str) -> str:
        """Say what is missing, why, and what to put where.

        Examples
        --------
        >>> print(Data().missing("web2012/runs")[:79])
        web2012/runs is missing: runs on topics 151-200 of the TREC web track (github.c
        """
        source = SOURCES[name]
        told = f"{name} is missing: {source.about} ({source.origin}; {source.licence})."
        if source.addresses:
            return f"{told} {self._not_fetched(source)}"
        return (
            f"{told} To get it, {source.instruction}. It belongs into the folder of"
            f" --data, as {name}."
        )

    def read(self) -> tuple[Path, ...]:
        """Return every file that was handed out, those of folders one by one."""
        files: dict[Path, None] = {}
        for path in self.used:
            below = [path] if path.is_file() else sorted(path.rglob("*"))
            files |= dict.fromkeys(each for each in below if each.is_file())
        return tuple(files)

    def _at_hand(self, source: Source) -> Path | None:
        path = None if self.folder is None else self.folder / source.name
        return path if path is not None and path.exists() else None

    def _made(self, source: Source, cache: Path) -> Path | None:
        """Return a file that is converted or fetched, and remember why it is not."""
        if source.name in self.failed:
            return None
        try:
            if self.folder is not None:
                made = convert(source, self.folder, cache)
                if made is not None:
                    return made
            if self.download or (cache / source.name).exists():
                return fetch(source, cache)
        except (InputError, MissingExtraError) as error:
            self.failed[source.name] = str(error)
        return None

    def _not_fetched(self, source: Source) -> str:
        told = "It was not fetched, since that is switched off."
        if reason := self.failed.get(source.name):
            told = f"It could not be fetched ({reason})."
        urls = " and ".join(each.url for each in source.addresses)
        beside = PurePosixPath(source.name).parent
        return (
            f"{told} By hand: put {urls} into {beside}/ in the folder of --data, where"
            " it is converted when it is read."
        )
