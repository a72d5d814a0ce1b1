"""Public data by name: in a folder of the user's, in the cache, or on the network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mohs.errors import InputError
from mohs.registry import Registry

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a folder that papers read, under the ``name`` that it has in a folder.

    ``about`` says in words what it is and where it is from, ``licence`` how it may be
    used, and ``instruction`` what to put where if it cannot be fetched. ``convert``
    turns the fetched file into the one that is read.
    """

    name: str
    about: str
    licence: str
    instruction: str = ""
    url: str | None = None
    sha256: str | None = None
    convert: Callable[[Path, Path], None] | None = None


SOURCES: Registry[Source] = Registry("data")


@dataclass(frozen=True, slots=True)
class Data:
    """What papers read, found by name; ``used`` remembers what was asked for."""

    folder: Path | None = None
    cache: Path | None = None
    download: bool = True
    used: list[Path] = field(default_factory=list, compare=False)

    @classmethod
    def at(
        cls, folder: str | os.PathLike[str] | None, *, download: bool = True
    ) -> Data:
        """Return the data in a folder, and in the cache.

        Raises
        ------
        InputError
            If there is no such folder.
        """
        if folder is not None and not Path(folder).is_dir():
            raise InputError(f"{folder}: is no folder with data")
        return cls(None if folder is None else Path(folder), None, download)

    def find(self, name: str) -> Path | None:
        """Return where a file or folder is, None if it is not to be had."""
        source = SOURCES[name]
        if self.folder is not None and (self.folder / source.name).exists():
            self.used.append(self.folder / source.name)
            return self.folder / source.name
        return None

    def path(self, name: str) -> Path:
        """Return where a file or folder is.

        Raises
        ------
        InputError
            If it is not there, with what to do.
        """
        found = self.find(name)
        if found is None:
            raise InputError(self.missing(name))
        return found

    def missing(self, name: str) -> str:
        """Say what is missing, and what to put where."""
        source = SOURCES[name]
        return f"{source.name} is missing ({source.about}); put it into --data DIR"

    def read(self) -> tuple[Path, ...]:
        """Return every file that was handed out, those of a folder one by one."""
        files: dict[Path, None] = {}
        for path in self.used:
            below = [path] if path.is_file() else sorted(path.rglob("*"))
            files |= dict.fromkeys(each for each in below if each.is_file())
        return tuple(files)


# Names are paths below the folder, without the ending.
for _source in (
    Source(
        "matrices/trec8_ap.csv",
        "average precision of the 129 ad hoc runs of TREC-8, from"
        " github.com/Miccighel/NewBestSub",
        "MIT",
    ),
    Source("matrices/web2014_ndcg20.csv", "nDCG@20 of 30 runs of TREC Web 2014", "MIT"),
    Source("trec8/qrels.txt.gz", "judgments of TREC-8", "TREC"),
    Source("trec8/runs", "official runs of TREC-8", "TREC"),
    Source("web2012/qrels.txt.gz", "judgments of TREC Web 2012", "TREC"),
    Source("web2012/runs", "runs of TREC Web 2012", "TREC"),
    Source("ehealth2018/qrels.txt.gz", "judgments of CLEF eHealth 2018", "CLEF"),
    Source("ehealth2018/runs", "runs of CLEF eHealth 2018", "CLEF"),
    Source(
        "grid-of-points/sigir2016.parquet", "grid of points, SIGIR 2016", "Apache-2.0"
    ),
    Source(
        "grid-of-points/jasist2017.parquet", "grid of points, JASIST 2017", "Apache-2.0"
    ),
    Source("items/news_popularity.csv", "News Popularity, UCI", "CC BY 4.0"),
):
    SOURCES.add(_source.name)(_source)
