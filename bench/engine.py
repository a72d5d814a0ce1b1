"""A grid of systems on a real collection, from its texts to average precision.

``python -m bench.engine mohs|pyterrier FOLDER`` reads ``docs.jsonl.gz``, ``topics.tsv``
and ``qrels.txt`` in the folder, prints the seconds and the peak memory as JSON, and
with ``--values`` writes what every system reached. Indexing is part of the time, the
import of libraries and the start of Java are not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

from bench.calls import write_values
from bench.children import Job, measure, megabytes
from bench.figures import Figure, Goal, compare, difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

STOPLISTS = ("none", "terrier")
STEMMERS = ("none", "porter")
MODELS = (
    *("BM25", "DFRee", "DLH", "DPH", "DirichletLM", "Hiemstra_LM", "InL2", "PL2"),
    "TF_IDF",
)
EXPANSIONS = ("none", "Bo1", "KL", "RM3")
DEPTH = 1000

# Mean average precisions. Both sides break ties in their own way, and of terms that are
# equally good for the last place in a query, each takes others.
TOLERANCE = 0.01
# Terrier adds terms of weight 0 to these queries, and DirichletLM does not see weights.
BLIND = ("DirichletLM-Bo1", "DirichletLM-KL")

AP = dict[str, dict[str, float]]


def mohs(folder: Path, models: tuple[str, ...]) -> Callable[[], AP]:
    """Ask for the grid in one call."""
    from mohs.retrieval.grid import grid

    def call() -> AP:
        result = grid(
            folder / "docs.jsonl.gz",
            folder / "topics.tsv",
            qrels=folder / "qrels.txt",
            measures=["AP"],
            stoplists=STOPLISTS,
            stemmers=STEMMERS,
            models=models,
            expansions=EXPANSIONS,
            depth=DEPTH,
        )
        values: AP = {}
        rows = result.table.select(("system", "topic", "value")).iter_rows()
        for system, topic, value in rows:
            values.setdefault(system, {})[topic] = value
        return values

    return call


def pyterrier(folder: Path, models: tuple[str, ...]) -> Callable[[], AP]:
    """Script it: each first ranking serves all expansions, which see its top three."""
    import pandas as pd
    import pyterrier as pt

    from mohs.retrieval.terrier_process import start

    start(offline=True)
    expanders = {
        "Bo1": pt.rewrite.Bo1QueryExpansion,
        "KL": pt.rewrite.KLQueryExpansion,
        "RM3": pt.rewrite.RM3,
    }

    def call() -> AP:
        names = ["qid", "query"]
        topics = pd.read_csv(folder / "topics.tsv", sep="\t", names=names, dtype=str)
        topics = pt.rewrite.tokenise()(topics)
        names = ["qid", "iteration", "docno", "label"]
        types = {"qid": str, "docno": str}
        qrels = pd.read_csv(
            folder / "qrels.txt", sep=r"\s+", names=names, dtype=types
        ).drop(columns="iteration")
        values: AP = {}

        def score(system: str, ranked: pd.DataFrame) -> None:
            found = pt.Evaluate(ranked, qrels, metrics=["map"], perquery=True)
            values[system] = {topic: each["map"] for topic, each in found.items()}

        for stoplist, stemmer in product(STOPLISTS, STEMMERS):
            with tempfile.TemporaryDirectory() as where:
                indexer = pt.IterDictIndexer(
                    where, stemmer=stemmer, stopwords=stoplist, meta={"docno": 32}
                )
                index = pt.IndexFactory.of(indexer.index(_documents(folder)))
                for model in models:
                    retrieve = pt.terrier.Retriever(
                        index, wmodel=model, num_results=DEPTH
                    )
                    prefix, first = f"{stoplist}-{stemmer}-{model}", retrieve(topics)
                    score(f"{prefix}-none", first)
                    best = first[first["rank"] < 3]
                    for name, expander in expanders.items():
                        again = expander(index) >> retrieve
                        score(f"{prefix}-{name}", again(best))
        return values

    return call


def _documents(folder: Path) -> Iterator[Mapping[str, str]]:
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@dataclass(frozen=True, slots=True)
class Engine:
    """What the benchmarks of one run share."""

    work: Path
    rounds: int
    small: bool

    def benchmarks(self) -> dict[str, Callable[[], Iterator[Figure]]]:
        """Return the benchmark by the beginning of its figures' names."""
        return {"grid-vaswani": self.beside_pyterrier}

    def beside_pyterrier(self) -> Iterator[Figure]:
        """Compare the whole grid with PyTerrier, and the precisions it gives."""
        goal = Goal("ratio", 30)
        reason = _missing()
        if reason:
            yield Figure("grid-vaswani/call/pyterrier", "s", None, None, goal, reason)
            return
        folder = Path(os.environ["MOHS_DATA"], "collections", "vaswani")
        size = ("--small",) if self.small else ()
        values = {peer: self.work / f"grid-{peer}.csv" for peer in PEERS}
        jobs = {
            peer: Job(
                (
                    *(sys.executable, "-m", "bench.engine", peer, str(folder)),
                    *("--values", str(path), *size),
                ),
                timed_inside=True,
            )
            for peer, path in values.items()
        }
        # The peer takes minutes.
        costs = measure(jobs, 1 if not self.small else self.rounds)
        pair = costs["mohs"], costs["pyterrier"]
        yield compare("grid-vaswani/call/pyterrier", *pair, goal=goal)
        yield compare("grid-vaswani/call-memory/pyterrier", *pair, memory=True)
        yield difference(
            "grid-vaswani/call-values/pyterrier", *values.values(), TOLERANCE
        )


def _missing() -> str:
    if "MOHS_DATA" not in os.environ:
        return "MOHS_DATA is not set"
    return "" if find_spec("pyterrier") else "no pyterrier"


PEERS = {"mohs": mohs, "pyterrier": pyterrier}


def main() -> None:
    """Time one peer."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--values", type=Path)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    call = PEERS[args.peer](args.folder, MODELS[:1] if args.small else MODELS)
    start = time.perf_counter()
    found = call()
    seconds = time.perf_counter() - start
    cost = {"seconds": seconds, "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    if args.values:
        means = (
            (system, sum(each.values()) / len(each))
            for system, each in found.items()
            if not system.endswith(BLIND)
        )
        write_values(args.values, ((s, "all", "AP", mean) for s, mean in means))
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
