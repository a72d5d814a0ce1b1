"""Rankings seen through an option: cut at a depth, judged only, ties turned round.

Each returns new rankings and leaves its argument alone. trec_eval cuts before it drops
unjudged documents, so ``judged_only(at_depth(rankings, depth))`` is its ``-M -J``; the
ranks with ties turned round must be taken first: ``at_depth(mirror(rankings), depth)``.
What `Rankings.top` holds is of the rankings as they were, so it is left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.measures.cells import running

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.rankings import Rankings

_TOP = 10  # what Rankings.judged_top looks at


def at_depth(rankings: Rankings, depth: int) -> Rankings:
    """Forget every document ranked below `depth`.

    ``tied`` and ``judged_top`` stay, within the depth: they cannot be counted anew
    when the reader left entries out.

    Examples
    --------
    >>> from mohs.measures.example import listed
    >>> at_depth(listed([0, 1, None, 2]).rankings, 2).retrieved.tolist()
    [[2]]
    """
    if depth < 1:
        raise InputError(f"depth must be 1 or more, found {depth}")
    depth = min(depth, np.iinfo(rankings.retrieved.dtype).max)
    kept = rankings.ranks <= depth
    return replace(
        rankings,
        offsets=running(kept)[rankings.offsets],
        ranks=rankings.ranks[kept],
        judged=rankings.judged[kept],
        mirrored=rankings.mirrored[kept],
        retrieved=np.minimum(rankings.retrieved, depth),
        tied=np.minimum(rankings.tied, depth),
        judged_top=np.minimum(rankings.judged_top, depth),
        top=None,
    )


def judged_only(rankings: Rankings, *, scored: bool = False) -> Rankings:
    """Take unjudged documents out of the rankings, and count the ranks anew.

    A grade below zero is *in the pool, but not judged* to trec_eval and goes too; if
    judgments are ``scored``, it is a score like any other, and stays. The rankings must
    still hold their judged non-relevant documents.

    Examples
    --------
    >>> from mohs.measures.example import listed
    >>> judged_only(listed([0, None, -1, 2]).rankings).ranks.tolist()
    [1, 2]
    >>> judged_only(listed([0, None, -1, 2]).rankings, scored=True).ranks.tolist()
    [1, 2, 3]
    """
    kept = (rankings.judgments.grades[rankings.judged] >= 0) | scored
    offsets = running(kept)[rankings.offsets]
    counts = np.diff(offsets).reshape(rankings.retrieved.shape).astype(np.int32)
    ranks = _places(offsets)
    mirrored = rankings.mirrored[kept]
    if np.array_equal(mirrored, rankings.ranks[kept]):
        mirrored = ranks
    else:
        places = np.empty_like(ranks)
        places[_sorted(offsets, mirrored)] = ranks
        mirrored = places
    return replace(
        rankings,
        offsets=offsets,
        ranks=ranks,
        judged=rankings.judged[kept],
        mirrored=mirrored,
        retrieved=counts,
        tied=np.minimum(rankings.tied, counts),
        judged_top=np.minimum(counts, _TOP),
        top=None,
    )


def mirror(rankings: Rankings) -> Rankings:
    """Break ties the other way round; ranks and mirrored ranks change places.

    ``judged_top`` stays that of the original order.

    Examples
    --------
    >>> from mohs.measures.example import listed
    >>> rankings = listed([0, 1]).rankings
    >>> mirror(rankings) is rankings  # nothing is tied here
    True
    """
    if np.array_equal(rankings.ranks, rankings.mirrored):
        return rankings
    order = _sorted(rankings.offsets, rankings.mirrored)
    return replace(
        rankings,
        ranks=rankings.mirrored[order],
        judged=rankings.judged[order],
        mirrored=rankings.ranks[order],
        top=None,
    )


def _places(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return 1, 2, 3… for the entries of each cell: (N,)."""
    starts = np.repeat(offsets[:-1], np.diff(offsets))
    return (np.arange(1, offsets[-1] + 1) - starts).astype(np.int32)


def _sorted(offsets: NDArray[np.int64], ranks: NDArray[np.int32]) -> NDArray[np.int64]:
    """Order the entries by rank within each cell: (N,)."""
    cells = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    # One key, almost in order already: a stable sort of it is many times faster than
    # numpy.lexsort of two.
    return np.argsort((cells << 32) + ranks, kind="stable")
