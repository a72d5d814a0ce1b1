"""φ of scores, and nDCG by φ of rankings, and the time of either.

``python -m bench.items mohs|scipy scores|rankings [small]`` makes it of drawn scores
and prints seconds and peak memory as JSON. A process of its own, so that no peer warms
another's caches.
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

# Lists, and the items of each.
SIZES = {
    ("scores", False): (1, 1_000_000),
    ("rankings", False): (10_000, 100),
    ("scores", True): (1, 5000),
    ("rankings", True): (50, 100),
}
CUTOFF = 10


def with_mohs(scores: NDArray, predicted: NDArray | None) -> NDArray:
    """Return φ of one list, or nDCG by φ of every list (L, n)."""
    import numpy as np

    from mohs.gains.control import Fitting
    from mohs.gains.orders import places, shares
    from mohs.gains.phi import Curves, Phi

    if predicted is None:
        return Phi.over(scores[0])(scores[0])
    count, size = scores.shape
    lists = np.repeat(np.arange(count), size)
    flat = scores.ravel()
    phi = Curves.over(flat, lists, count, Fitting())(flat, lists)
    ranked = places(predicted.ravel(), lists, count)
    return shares(np.exp2(phi) - 1, ranked, lists, count, [CUTOFF])[:, 0]


def with_scipy(scores: NDArray, predicted: NDArray | None) -> NDArray:
    """Return the same, list by list, as one would write it with SciPy."""
    import numpy as np

    if predicted is None:
        return _interpolated(scores[0])
    discounts = np.log2(np.arange(2, CUTOFF + 2))
    values = np.empty(len(scores))
    for row, (true, ranking) in enumerate(zip(scores, predicted, strict=True)):
        gains = np.exp2(_interpolated(true)) - 1
        ranked = gains[np.argsort(-ranking, kind="stable")[:CUTOFF]]
        ideal = np.sort(gains)[::-1][:CUTOFF]
        values[row] = (ranked / discounts).sum() / (ideal / discounts).sum()
    return values


def _interpolated(scores: NDArray) -> NDArray:
    import numpy as np
    from scipy.interpolate import PchipInterpolator

    q1, median, q3 = np.quantile(scores, (0.25, 0.5, 0.75))
    low, high, fence = scores.min(), scores.max(), q3 + 1.5 * (q3 - q1)
    x, y = [low, median, high], [0.0, 0.0, 1.0]
    if high > fence:
        x, y = [low, median, fence, high], [0, 0, 1 - (high - fence) / (high - low), 1]
    return PchipInterpolator(x, y)(scores)


def drawn(kind: str, *, small: bool) -> tuple[NDArray, NDArray | None]:
    """Draw true scores and, for rankings, what ranks them: (L, n) each."""
    import numpy as np

    draw = np.random.default_rng(0)
    shape = SIZES[kind, small]
    scores = draw.lognormal(size=shape)
    return scores, draw.normal(size=shape) if kind == "rankings" else None


PEERS = {"mohs": with_mohs, "scipy": with_scipy}


def main() -> None:
    """Time one peer, after its imports."""
    peer, kind, *small = sys.argv[1:]
    items = drawn(kind, small=bool(small))
    PEERS[peer](*drawn(kind, small=True))
    start = time.perf_counter()
    PEERS[peer](*items)
    seconds = time.perf_counter() - start
    cost = {"seconds": seconds, "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
