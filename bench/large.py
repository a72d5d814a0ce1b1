"""One system on a large collection: its index made up, and the time of its rankings.

``python -m bench.large make FOLDER [small]`` makes an index of documents that hold 250
distinct terms each, whose frequencies follow Zipf's law, and keeps it.
``python -m bench.large mohs|scipy FOLDER [small]`` answers 250 topics in 5
formulations by BM25 from there and prints seconds and peak memory as JSON; with
``values PATH`` it writes the scores as well. ``task`` instead of a peer answers as many
queries as a paper has by one model, without expansion and with three. A process of its
own, for the memory's sake.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING, Any

from bench.children import megabytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ranked = tuple[NDArray, NDArray]

TERMS = 250  # of each document
TOPICS, FORMULATIONS, WORDS = 250, 5, 4
# Culpepper et al. 2021 have 3,402 queries.
PAPER = -(-3402 // FORMULATIONS)
EXPANSIONS = "Bo1", "KL", "RM3"
DEPTH = 1000
CORES = 2
BATCH = 50  # queries that the peer answers at a time


@dataclass(frozen=True, slots=True)
class Size:
    """Documents, and distinct terms of all of them together."""

    documents: int
    vocabulary: int


SIZES = {False: Size(500_000, 200_000), True: Size(2000, 5000)}


def groups(size: Size) -> list[tuple[int, int, NDArray]]:
    """Cut the vocabulary: every document holds one term of each group.

    Yields the first term of a group, the end, and the cumulated chances of its terms.
    Frequent terms are by themselves, the others together with the next ones.
    """
    import numpy as np

    chances = 1 / np.arange(1, size.vocabulary + 1)
    found = []
    start = 0
    for left in range(TERMS, 0, -1):
        rest = chances[start:].sum()
        share = np.cumsum(chances[start:]) / rest * left
        end = start + max(1, int(np.searchsorted(share, 1.0, side="right")))
        end = size.vocabulary if left == 1 else min(end, size.vocabulary - left + 1)
        within = np.cumsum(chances[start:end])
        found.append((start, end, within / within[-1]))
        start = end
    return found


def make(folder: Path, size: Size) -> None:
    """Draw an index, group by group, and write it."""
    import numpy as np

    from mohs.retrieval.index import Index, Names, Sparse, save

    draw = np.random.default_rng(0)
    count = size.documents
    cells = np.empty(count * TERMS, np.int32)
    counts = np.empty(count * TERMS, np.int32)
    held = np.empty((count, TERMS), np.int32)
    often = np.empty((count, TERMS), np.int32)
    lengths = np.zeros(count, np.int32)
    df = np.zeros(size.vocabulary, np.int64)
    cf = np.zeros(size.vocabulary, np.int64)
    for number, (start, end, chances) in enumerate(groups(size)):
        terms = np.searchsorted(chances, draw.random(count), side="right")
        tf = draw.geometric(0.7, count).astype(np.int32)
        lengths += tf
        held[:, number], often[:, number] = start + terms, tf
        order = np.argsort(terms.astype(np.uint16), kind="stable")
        where = slice(number * count, (number + 1) * count)
        cells[where], counts[where] = order, tf[order]
        df[start:end] = np.bincount(terms, minlength=end - start)
        cf[start:end] = np.bincount(terms, tf, end - start)
    rows = np.arange(count + 1) * TERMS
    index = Index(
        documents=Names.of(f"d{number:07}" for number in range(count)),
        vocabulary=Names.of(f"t{number:07}" for number in range(size.vocabulary)),
        places=np.arange(count, dtype=np.int32)[::-1].copy(),
        lengths=lengths,
        df=df,
        cf=cf,
        inverted=Sparse(np.concatenate([[0], np.cumsum(df)]), cells, counts),
        forward=Sparse(rows, held.ravel(), often.ravel()),
    )
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    save(index, part)
    part.rename(folder)


def queries(size: Size, topics: int = TOPICS) -> list[NDArray]:
    """Draw the terms of every query, rare as often as frequent ones in logarithms."""
    import numpy as np

    draw = np.random.default_rng(1)
    # Whatever is in every document, a stop list leaves out.
    low, high = np.log(30), np.log(size.vocabulary)
    found = []
    for _ in range(topics):
        words = np.unique(np.exp(draw.uniform(low, high, 2 * WORDS)).astype(np.int32))
        for _ in range(FORMULATIONS):
            chosen = draw.choice(words, min(WORDS, len(words)), replace=False)
            found.append(np.sort(chosen))
    return found


def with_mohs(folder: Path, asked: list[NDArray]) -> list[Ranked]:
    """Map the index, and rank."""
    import numpy as np

    from mohs.retrieval.expansion import Query
    from mohs.retrieval.index import load
    from mohs.retrieval.search import search
    from mohs.retrieval.spelling import parse

    found = search(
        load(folder),
        parse("BM25"),
        [Query(terms, np.ones(len(terms))) for terms in asked],
        depth=DEPTH,
        threads=CORES,
    )
    rows = [found.of(number) for number in range(len(asked))]
    return [(found.documents[row], found.scores[row]) for row in rows]


def with_scipy(folder: Path, asked: list[NDArray]) -> list[Ranked]:
    """Do the same as one would with a sparse product and a partition."""
    import numpy as np
    from scipy.sparse import csr_array

    def array(name: str) -> NDArray:
        return np.load(folder / f"{name}.npy", mmap_mode="r")

    starts, lengths, df = array("inverted-starts"), array("lengths"), array("df")
    used = np.unique(np.concatenate(asked))
    rows = [slice(starts[term], starts[term + 1]) for term in used]
    documents = np.concatenate([array("inverted-cells")[row] for row in rows])
    tf = np.concatenate([array("inverted-counts")[row] for row in rows]).astype(float)
    sizes = df[used]
    pivot = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    rarity = np.log2((len(lengths) - sizes + 0.5) / (sizes + 0.5))
    weights = np.repeat(rarity, sizes) * 2.2 * tf / (tf + pivot[documents])
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    postings = csr_array((weights, documents, bounds), (len(used), len(lengths)))
    places = [np.searchsorted(used, terms) for terms in asked]
    bounds = np.concatenate([[0], np.cumsum([len(each) for each in places])])
    ones = np.ones(bounds[-1])
    words = csr_array((ones, np.concatenate(places), bounds), (len(asked), len(used)))
    found = []
    for start in range(0, len(asked), BATCH):
        product = (words[start : start + BATCH] @ postings).tocsr()
        for row in range(product.shape[0]):
            scores = product.data[product.indptr[row] : product.indptr[row + 1]]
            best = np.arange(len(scores))
            if len(scores) > DEPTH:
                best = np.argpartition(-scores, DEPTH - 1)[:DEPTH]
            best = best[np.argsort(-scores[best], kind="stable")]
            found.append((product.indices[product.indptr[row] + best], scores[best]))
    return found


def many_systems(folder: Path, asked: list[NDArray]) -> list[Ranked]:
    """Do the cells of one model: without expansion, and with three."""
    import numpy as np

    from mohs.retrieval.expansion import Query
    from mohs.retrieval.index import load
    from mohs.retrieval.search import expand, search
    from mohs.retrieval.spelling import parse
    from mohs.retrieval.weighing import Weights

    index, model = load(folder), parse("PL2")
    weights = Weights.of(index, model)
    shared: dict[str, Any] = {"depth": DEPTH, "threads": CORES, "weights": weights}
    plain = [Query(terms, np.ones(len(terms))) for terms in asked]
    first = search(index, model, plain, **shared)
    for name in EXPANSIONS:
        grown = expand(index, parse(name), plain, first)
        search(index, model, grown, **shared)
    return []


PEERS = {"task": many_systems, "mohs": with_mohs, "scipy": with_scipy}


def main() -> None:
    """Make the index, or time a peer on it, after its imports."""
    what, name, *others = sys.argv[1:]
    folder, size = Path(name), SIZES["small" in others]
    if what == "make":
        if not folder.is_dir():
            make(folder, size)
        return
    asked = queries(size, PAPER if what == "task" else TOPICS)
    PEERS[what](folder, asked[:2])
    start = time.perf_counter()
    found = PEERS[what](folder, asked)
    seconds = time.perf_counter() - start
    cost = {"seconds": seconds, "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    if "values" in others:
        import numpy as np

        np.save(others[-1], np.concatenate([scores for _, scores in found]))
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
