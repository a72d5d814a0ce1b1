"""The collections that are measured, generated once and kept in one folder.

Run as a process of its own (``python -m bench.data FOLDER``), because what a process
has imported counts as the least memory of every program it starts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

COPIES = 10

# 129 runs and a pool of about 86,000 documents are TREC-8's ad hoc track; 6,980 topics
# with 1.07 judgments each are the development queries of MS MARCO.
SPECS: dict[str, dict[str, Any]] = {
    "trec8": {
        "systems": 129,
        "topics": 50,
        "depth": 1000,
        "documents": 528_155,
        "relevant": 94.6,
        "grades": 1,
        "pool_depth": 100,
        "words": 0,
        "shared": 0.25,
    },
    "msmarco": {
        "systems": 1,
        "topics": 6980,
        "depth": 1000,
        "documents": 8_841_823,
        "relevant": 1.07,
        "grades": 1,
        "pool_depth": 0,
        "words": 0,
    },
}
SMALL: dict[str, dict[str, Any]] = {
    "trec8": {"systems": 6, "topics": 5},
    "msmarco": {"topics": 50},
}


@dataclass(frozen=True, slots=True)
class Collection:
    """Judgments and a folder of runs."""

    qrels: Path
    runs: Path

    def files(self) -> list[Path]:
        """Paths of the runs, in order of their names."""
        return sorted(self.runs.iterdir())

    def warm(self) -> None:
        """Read every file once, so that no program pays for the disk."""
        for path in (self.qrels, *self.files()):
            with path.open("rb", buffering=0) as file:
                while file.read(1 << 20):
                    pass


def collections(folder: Path) -> dict[str, Collection]:
    """Say where the collections of a prepared folder are."""
    trec8, msmarco = folder / "trec8", folder / "msmarco"
    qrels = trec8 / "qrels.txt"
    return {
        "trec8": Collection(qrels, trec8 / "runs"),
        "trec8-gz": Collection(qrels, folder / "trec8-gz"),
        "trec8-x10": Collection(qrels, folder / "trec8-x10"),
        "msmarco": Collection(msmarco / "qrels.txt", msmarco / "runs"),
        "msmarco-gz": Collection(msmarco / "qrels.txt", folder / "msmarco-gz"),
    }


def prepare(folder: Path, *, small: bool) -> None:
    """Make the collections that the folder lacks."""
    for name, spec in SPECS.items():
        _generate(folder / name, spec | SMALL[name] if small else spec)
    every = collections(folder)
    for name in SPECS:
        _once(every[f"{name}-gz"].runs, every[name], _pack)
    _once(every["trec8-x10"].runs, every["trec8"], _multiply)


def _generate(target: Path, spec: dict[str, Any]) -> None:
    from mohs.samples import SampleSpec, sample

    wanted = SampleSpec(**spec)
    try:
        marker = (target / ".mohs-sample.json").read_text(encoding="utf-8")
        made = SampleSpec(**json.loads(marker)["sample"])
    except (OSError, TypeError):
        made = None
    if made != wanted:
        sample(target, **spec, force=True)


def _once(
    target: Path, source: Collection, make: Callable[[Collection, Path], None]
) -> None:
    stamp = max(path.stat().st_mtime for path in source.files())
    if target.is_dir() and target.stat().st_mtime >= stamp:
        return
    shutil.rmtree(target, ignore_errors=True)
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    make(source, part)
    part.rename(target)


def _pack(source: Collection, target: Path) -> None:
    for path in source.files():
        with (
            path.open("rb") as plain,
            gzip.open(target / f"{path.name}.gz", "wb", compresslevel=6) as packed,
        ):
            shutil.copyfileobj(plain, packed)


def _multiply(source: Collection, target: Path) -> None:
    for path in source.files():
        for copy in range(COPIES):
            os.link(path, target / f"{path.stem}_{copy}.run")


def main() -> None:
    """Prepare the folder named on the command line."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    prepare(args.folder, small=args.small)


if __name__ == "__main__":
    main()
