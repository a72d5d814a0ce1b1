"""The experiment on formulations, and the time of it.

``python -m bench.orders mohs|core|numpy [small]`` makes it on noise and prints
seconds and peak memory as JSON. A process of its own, for the memory's sake.
"""

from __future__ import annotations

import json
import sys
import time
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

from bench.children import megabytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Permutations, pairs, topics and formulations, as in Culpepper et al., TOIS 2021.
FULL = 20_000, 432, 25, 15
SMALL = 400, 20, 10, 5
REPLICATES, CHUNK = 20, 64


def with_mohs(shape: tuple[int, int, int, int]) -> float:
    """Return the mean best tau of the whole, with its null of 20 times 1,000."""
    import numpy as np

    import mohs
    from mohs.scores import Scores
    from mohs.tables import Factor

    permutations, *sizes = shape
    pair, topic, wording = (each.ravel() for each in np.indices(sizes))
    names = [tuple(map(str, range(size))) for size in sizes]
    factors = {
        name: Factor(levels, codes)
        for name, levels, codes in zip(
            ("system", "topic", "formulation"),
            names,
            (pair, topic, wording),
            strict=True,
        )
    }
    ap = Factor.constant("AP", len(pair))
    scores = Scores(factors, ap, noise(shape).ravel())
    result = mohs.formulations(scores, permutations=permutations, replicates=REPLICATES)
    return result.reached.mean_best


def with_core(shape: tuple[int, int, int, int]) -> float:
    """Return the mean best tau, without any null."""
    from mohs.analysis.formulations.experiment import Work, solve
    from mohs.analysis.formulations.panel import laid_out

    _, pairs, topics, wordings = shape
    starts = tuple(range(0, topics * wordings + 1, wordings))
    names = tuple(map(str, range(topics * wordings)))
    values = noise(shape).reshape(pairs, -1)
    panel = laid_out(values, names[:topics], starts, names, [*map(str, range(pairs))])
    [reached] = solve([(panel, orders(shape))], Work("greedy-low"))
    return reached.mean_best


def with_numpy(shape: tuple[int, int, int, int]) -> float:
    """Return the same, for some permutations and all pairs at a time."""
    import numpy as np

    values = np.sort(noise(shape), axis=2).astype(np.float32)
    best = [
        _chunk(values, some)
        for some in np.array_split(orders(shape), shape[0] // CHUNK)
    ]
    return float(np.concatenate(best).mean())


def _chunk(values: NDArray, orders: NDArray) -> NDArray:
    """Return the best tau of some orders (P, T) over all pairs (K, T, F)."""
    import numpy as np

    size = orders.shape[1]
    picks = np.empty((size, len(orders), len(values)), np.float32)
    kept = np.zeros((len(orders), len(values)), np.int32)
    for place in range(size):
        scores = values[:, orders[:, place]].swapaxes(0, 1)  # (P, K, F), ascending
        top = scores[..., -1]
        before = picks[:place]
        below = before <= top
        # No score here ties with another, so that all picks are below or above.
        kept += 2 * below.sum(axis=0, dtype=np.int32) - place
        last = np.where(below, before, -1).max(axis=0, initial=-1)
        first = (scores <= last[..., None]).sum(axis=-1)
        picks[place] = np.take_along_axis(scores, first[..., None], axis=-1)[..., 0]
    return kept.max(axis=1) / (size * (size - 1) / 2)


def noise(shape: tuple[int, int, int, int]) -> NDArray:
    """Make up a score for each pair, topic and formulation."""
    import numpy as np

    # No more digits than single precision has, so that both see the same order.
    drawn = np.random.default_rng(0).random(shape[1:], np.float32)
    return drawn.astype(np.float64)


def orders(shape: tuple[int, int, int, int]) -> NDArray:
    """Draw the same orders for every peer."""
    import numpy as np

    drawn = np.random.default_rng(1).random((shape[0], shape[2]))
    return drawn.argsort(axis=1).astype(np.uint32)


PEERS = {"mohs": with_mohs, "core": with_core, "numpy": with_numpy}


def main() -> None:
    """Time one peer."""
    peer, *small = sys.argv[1:]
    start = time.perf_counter()
    PEERS[peer](SMALL if small else FULL)
    seconds = time.perf_counter() - start
    cost = {"seconds": seconds, "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
