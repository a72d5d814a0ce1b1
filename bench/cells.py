"""The time of grids of many cells, so that a thousand can be compared with ten.

``python -m bench.cells N FOLDER [small]`` answers the topics of a generated collection
by N systems on an index that is there already, keeps every cell, and prints seconds and
peak memory as JSON. A process of its own, for the memory's sake.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from bench.children import megabytes

CORES = 2
# Five models with a parameter that takes as many values as are wanted, so that grids of
# all sizes have the same mix of cells.
MODELS = "BM25(k1={})", "PL2(c={})", "InL2(c={})", "LGD(c={})", "DFR_BM25(c={})"
EXPANSIONS = "none", "Bo1"
COLLECTIONS: dict[bool, dict[str, Any]] = {
    False: {"documents": 5000, "topics": 50, "formulations": 2, "words": 60},
    True: {"documents": 200, "topics": 5, "formulations": 2, "words": 20},
}
SMALLEST = len(MODELS) * len(EXPANSIONS)


def collect(folder: Path, *, small: bool) -> None:
    """Make the collection, unless it is there."""
    from mohs.samples import sample

    sample(folder, systems=1, depth=20, **COLLECTIONS[small], force=True)


def asked(cells: int) -> dict[str, Any]:
    """Ask for so many systems, a multiple of ten."""
    values = [f"{1 + number / 1000:g}" for number in range(cells // SMALLEST)]
    models = [model.format(value) for value in values for model in MODELS]
    return {"models": models, "expansions": list(EXPANSIONS), "stoplists": "none"}


def main() -> None:
    """Time one grid, after its imports and its index."""
    import mohs

    cells, folder = int(sys.argv[1]), Path(sys.argv[2])
    files = folder / "documents.jsonl", folder / "topics.tsv"
    given: dict[str, Any] = {"qrels": folder / "qrels.txt", "workers": CORES}
    with tempfile.TemporaryDirectory() as store:
        mohs.grid(*files, models="DPH", stoplists="none", store=store, **given)
        start = time.perf_counter()
        found = mohs.grid(*files, store=store, **asked(cells), **given)
        seconds = time.perf_counter() - start
        assert len(found.systems) == cells  # noqa: S101 (our own mistake)
    cost = {"seconds": seconds, "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
