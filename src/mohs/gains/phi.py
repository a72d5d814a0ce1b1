"""φ: from a score, such as sales or clicks, to a relevance between 0 and 1 [1]_.

Typical items are worth nothing, the best are worth 1: φ follows a monotone curve
through a few control points, which come from the scores themselves.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mohs.gains.control import (
    Fitting,
    check_scores,
    find_knots,
    own_knots,
    restored,
    transformed,
)
from mohs.gains.hermite import between, slopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mohs.gains.control import Knots, Points, Transform

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

# A share of the range above the fence from which on φ tells little apart, and what is
# then reported: how many items have a φ above this.
_HEAVY, _SOME = 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Phi:
    """One relevance function: scores in, φ out; beyond the ends it stays level.

    ``knots`` are the control points, transformed if ``transform`` says so; ``notes``
    are sentences about the scores that it was made from.

    Examples
    --------
    >>> phi = Phi.over(np.array([0.0, 1.0, 2.0, 3.0, 10.0]))
    >>> phi.points
    ((0.0, 0.0), (2.0, 0.0), (6.0, 0.6), (10.0, 1.0))
    >>> phi(np.array([-5.0, 2.0, 6.0, 99.0])).tolist()
    [0.0, 0.0, 0.6, 1.0]
    """

    knots: Points
    transform: Transform = "none"
    notes: tuple[str, ...] = ()

    @classmethod
    def over(cls, scores: Floats, fitting: Fitting | None = None) -> Phi:
        """Make φ of scores (n,).

        Raises
        ------
        InputError
            If there are no scores, or one is not finite.
        """
        lists = np.zeros(len(scores), np.int64)
        curves = Curves.over(scores, lists, 1, fitting or Fitting())
        [phi] = curves.each()
        return replace(phi, notes=(*remarks(curves, phi(scores), lists),))

    @property
    def points(self) -> Points:
        """The control points in units of the scores."""
        x, y = np.array(self.knots).T
        there = restored(x, self.transform)
        return tuple(zip(there.tolist(), y.tolist(), strict=True))

    def __call__(self, scores: Floats, /) -> Floats:
        """Return φ of each score, same shape; NaN of NaN."""
        x, y = np.array(self.knots).T[:, np.newaxis]
        flat = np.ravel(transformed(scores, self.transform))
        values = _evaluate(x, y, np.array([len(self.knots)]), flat, None)
        return values.reshape(np.shape(scores))


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Relevance functions of L lists of scores."""

    knots: Knots
    transform: Transform

    @classmethod
    def over(
        cls, scores: Floats, lists: Counts, count: int, fitting: Fitting
    ) -> Curves:
        """Make φ of every list; ``lists`` (N,) says which a score (N,) belongs to."""
        if fitting.points:
            return cls(
                own_knots(fitting.points, fitting.transform, count), fitting.transform
            )
        check_scores(scores, fitting.transform)
        seen = transformed(scores, fitting.transform)
        return cls(find_knots(seen, lists, count, fitting), fitting.transform)

    def __call__(self, scores: Floats, lists: Counts, /) -> Floats:
        """Return φ of each score (N,), by the function of its list (N,)."""
        seen = transformed(scores, self.transform)
        several = lists if len(self.knots.sizes) > 1 else None
        return _evaluate(self.knots.x, self.knots.y, self.knots.sizes, seen, several)

    def each(self) -> Iterator[Phi]:
        """Yield the function of every list."""
        knots = self.knots
        for x, y, size in zip(knots.x, knots.y, knots.sizes, strict=True):
            pairs = zip(x[:size].tolist(), y[:size].tolist(), strict=True)
            yield Phi(tuple(pairs), self.transform)


def _evaluate(
    x: Floats, y: Floats, sizes: Counts, scores: Floats, lists: Counts | None
) -> Floats:
    """Evaluate curves (L, K) at scores (N,); without ``lists`` there is one curve."""
    if x.shape[1] == 1:
        x, y = np.repeat(x, 2, axis=1), np.repeat(y, 2, axis=1)
    here = _picker(lists)
    last = np.maximum(sizes - 1, 0)
    lowest, highest = x[:, 0], x[np.arange(len(x)), last]
    # A place where nothing is told apart still needs a way to go.
    ways = np.where(np.diff(x) > 0, np.diff(x), 1.0)
    bends = _bends(x, y, sizes)
    inside = np.clip(scores, here(lowest), here(highest))
    piece = np.zeros(len(scores), np.int64)
    for column in range(1, x.shape[1] - 1):
        inner = np.where(column < last, x[:, column], np.inf)
        piece += inside >= here(inner)
    place = piece if lists is None else piece + lists * ways.shape[1]
    ends = y[:, :-1], np.where(np.isnan(y[:, 1:]), y[:, :-1], y[:, 1:])
    start, stop = (each.reshape(-1)[place] for each in ends)
    share = (inside - x[:, :-1].reshape(-1)[place]) / ways.reshape(-1)[place]
    first, second = (each.reshape(-1)[place] for each in bends)
    values = between(share, (start, stop), (first, second))
    top = y[np.arange(len(y)), last]
    return np.where(scores >= here(highest), here(top), values)


def _picker(lists: Counts | None) -> Callable[[Floats], Floats]:
    """Return what finds each score the figure of its list."""
    if lists is None:
        return lambda figures: figures[0]
    return lambda figures: figures[lists]


def _bends(x: Floats, y: Floats, sizes: Counts) -> tuple[Floats, Floats]:
    """Return the slopes at both ends of every piece, times its length: (L, K - 1)."""
    left, right = np.zeros((2, len(x), x.shape[1] - 1))
    for size in np.unique(sizes[sizes > 1]).tolist():
        rows = sizes == size
        whole = x[rows, :size]
        steps = np.diff(whole) / (whole[:, -1:] - whole[:, :1])
        found = slopes(steps, y[rows, :size])
        left[rows, : size - 1] = found[:, :-1] * steps
        right[rows, : size - 1] = found[:, 1:] * steps
    return left, right


def remarks(curves: Curves, phi: Floats, lists: Counts) -> Iterator[str]:
    """Yield what to know of curves and of the φ (N,) that they give.

    Examples
    --------
    >>> Phi.over(np.array([5.0, 5.0])).notes
    ('all scores are equal, so φ is 0 everywhere',)
    """
    knots = curves.knots
    if knots.flat.any():
        yield f"{_in(knots.flat)}all scores are equal, so φ is 0 everywhere"
    if knots.barren.any():
        yield f"{_in(knots.barren)}no score is positive, so φ is 0 everywhere"
    if knots.unfenced.any():
        yield (
            f"{_in(knots.unfenced)}the upper fence is not above the median, so it has"
            " no control point"
        )
    heavy = knots.alpha > _HEAVY
    if heavy.any():
        share = np.mean(phi[heavy[lists]] > _SOME)
        other = "" if curves.transform == "log" else "the transform log, or "
        yield (
            f"{_in(heavy)}the tail is heavy: only {share:.2%} of items have φ above"
            f" {_SOME}; consider {other}control points of your own"
        )


def _in(lists: NDArray[np.bool_]) -> str:
    """Say in how many lists something is so, if there are several."""
    return f"in {lists.sum()} of {len(lists)} lists, " if len(lists) > 1 else ""
