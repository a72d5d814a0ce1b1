"""Control points: where φ is fixed, before a curve is laid through them [1]_.

By default φ is 0 at the lowest score and at the median, and 1 at the highest; if some
score lies above the upper fence U of the box plot, U has a point too, as far below 1 as
the share of the range that lies above it.

References
----------
.. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017;
   Ribeiro, "Utility-based regression", PhD thesis, University of Porto, 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from mohs.errors import InputError
from mohs.gains.summaries import Ordered, Quartiles, Summary, Upper, summarise
from mohs.registry import check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Points = tuple[tuple[float, float], ...]

Variant = Literal["paper", "authors"]
Transform = Literal["none", "log"]

# Of the range; closer points would have a slope that no double holds.
_CLOSEST = 1e-300


@dataclass(frozen=True, slots=True)
class Fitting:
    """How control points are found.

    ``quartiles`` are of type 7 or Tukey's hinges; ``upper`` is the fence, or the
    whisker: the highest score within it. With ``positives_only`` all is computed over
    scores above 0 and the first point is at 0. ``points`` are the user's own, of which
    the others then decide nothing; ``transform`` is applied to scores and points first.

    Examples
    --------
    >>> Fitting.asked(variant="authors", upper="fence").quartiles
    'hinges'
    """

    quartiles: Quartiles = "type7"
    upper: Upper = "fence"
    positives_only: bool = False
    points: Points = ()
    transform: Transform = "none"

    @classmethod
    def asked(  # noqa: PLR0913 (the options of a command)
        cls,
        *,
        variant: Variant = "paper",
        quartiles: Quartiles | None = None,
        upper: Upper | None = None,
        positives_only: bool | None = None,
        points: Sequence[Sequence[float]] = (),
        transform: Transform = "none",
    ) -> Fitting:
        """Resolve options as users give them; one that is given overrides the variant.

        Raises
        ------
        InputError
            If the points are of no use.
        """
        check_choice("variant", variant, Variant)
        authors = variant == "authors"
        resolved = cls(
            quartiles or ("hinges" if authors else "type7"),
            upper or ("whisker" if authors else "fence"),
            authors if positives_only is None else bool(positives_only),
            check_points(points),
            transform,
        )
        check_choice("quartiles", resolved.quartiles, Quartiles)
        check_choice("upper", resolved.upper, Upper)
        check_choice("transform", transform, Transform)
        return resolved


@dataclass(frozen=True, slots=True, eq=False)
class Knots:
    """Control points of L lists, and what is peculiar about these.

    ``x`` and ``y`` (L, K) hold ``sizes`` (L,) points each, from the left, NaN behind
    them. ``flat`` (L,) says that all scores are equal, ``barren`` (L,) that none is
    positive though only those count, ``unfenced`` (L,) that scores lie above the fence,
    but the fence not above the median; ``alpha`` (L,) is the share of the range above
    the fence, 0 if no score lies there.
    """

    x: Floats
    y: Floats
    sizes: Counts
    flat: NDArray[np.bool_]
    barren: NDArray[np.bool_]
    unfenced: NDArray[np.bool_]
    alpha: Floats


def check_points(points: Sequence[Sequence[float]]) -> Points:
    """Refuse control points that no monotone curve from 0 to 1 can pass.

    Examples
    --------
    >>> check_points([(0, 0), (10, 1)])
    ((0.0, 0.0), (10.0, 1.0))
    >>> check_points([(0, 0), (10, 2)])
    Traceback (most recent call last):
    mohs.errors.InputError: control points: φ is from 0 to 1, found 2 at 10
    """
    if not points:
        return ()
    pairs = tuple((float(y), float(phi)) for y, phi in points)
    for y, phi in pairs:
        if not np.isfinite(y):
            raise _unfit(f"a score is a finite number, found {y:g}")
        if not 0 <= phi <= 1:
            raise _unfit(f"φ is from 0 to 1, found {phi:g} at {y:g}")
    if len(pairs) < 2:
        raise _unfit("give two or more, such as 0:0,100:1")
    for (y, _), (following, _) in pairwise(pairs):
        if not following > y:
            raise _unfit(f"scores must increase, found {following:g} after {y:g}")
    rises = np.diff([phi for _, phi in pairs])
    if (rises > 0).any() and (rises < 0).any():
        raise _unfit("φ must be monotone: only rise, or only fall")
    return pairs


def _unfit(problem: str) -> InputError:
    return InputError(f"control points: {problem}")


def transformed(scores: Floats, transform: Transform) -> Floats:
    """Return the scores, or the natural logarithm of 1 + score; below 0 counts as 0."""
    return np.log1p(np.maximum(scores, 0.0)) if transform == "log" else scores


def restored(scores: Floats, transform: Transform) -> Floats:
    """Take a transform back."""
    return np.expm1(scores) if transform == "log" else scores


def check_scores(scores: Floats, transform: Transform) -> None:
    """Refuse scores that φ cannot be made from.

    Raises
    ------
    InputError
        If there are none, or one is not finite, or has no logarithm.
    """
    if not len(scores):
        raise InputError("there are no scores; φ needs one or more")
    if np.isnan(scores).any():
        count = int(np.isnan(scores).sum())
        raise InputError(
            f"{count} of {len(scores)} scores are missing; drop them, or take them for"
            " irrelevant with missing='zero'"
        )
    if not np.isfinite(scores).all():
        raise InputError("a score is infinite; every score must be a finite number")
    if transform == "log" and scores.min() < 0:
        raise InputError(
            f"a score is {scores.min():g}, which has no logarithm (of 1 + score); use"
            " the scores as they are, or make them 0 or more"
        )
    with np.errstate(over="ignore"):
        span = scores.max() - scores.min()
    if not np.isfinite(span):
        raise InputError("scores lie further apart than any double; divide them first")


def find_knots(scores: Floats, lists: Counts, count: int, fitting: Fitting) -> Knots:
    """Find the control points of lists of scores.

    Parameters
    ----------
    scores
        Of all lists, (N,), transformed already.
    lists
        Which list each belongs to, (N,), of ``count``.
    count
        L, the number of lists.
    fitting
        How; its own points are for `own_knots`.
    """
    ordered = Ordered.of(scores, lists, count)
    flat = ordered.at(ordered.sizes * 0) == ordered.at(ordered.sizes - 1)
    if fitting.positives_only:
        ordered = Ordered.of(scores[scores > 0], lists[scores > 0], count)
    barren = (ordered.sizes == 0) & ~flat
    found = summarise(ordered, fitting.quartiles, fitting.upper)
    first = np.zeros(count) if fitting.positives_only else found.low
    return _arrange(found, first, flat, barren)


def _arrange(
    found: Summary,
    first: Floats,
    flat: NDArray[np.bool_],
    barren: NDArray[np.bool_],
) -> Knots:
    """Choose among the four control points, and move them to the left."""
    none = flat | barren
    span = np.where(none, 1.0, found.high - first)
    x = np.column_stack((first, found.median, found.upper, found.high))
    whole = np.where(none | (found.high == found.low), 1.0, found.high - found.low)
    alpha = np.where(found.exceeded, (found.high - found.upper) / whole, 0.0)
    heights = np.zeros_like(x)
    heights[:, 2], heights[:, 3] = 1.0 - alpha, 1.0
    low, median, upper, high = x.T
    closest = _CLOSEST * span
    fenced = found.exceeded & (upper - median > closest) & (high - upper > closest)
    kept = np.column_stack(
        (median - low > closest, high - median > closest, fenced, ~none)
    )
    kept[none] = [True, False, False, False]
    x[none, 0] = np.where(np.isnan(first), 0.0, first)[none]
    heights[none] = 0.0
    order = np.argsort(~kept, axis=1, kind="stable")
    x, y = (np.where(kept, each, np.nan) for each in (x, heights))
    return Knots(
        np.take_along_axis(x, order, 1),
        np.take_along_axis(y, order, 1),
        kept.sum(axis=1),
        flat,
        barren,
        unfenced=found.exceeded & (found.upper <= found.median) & ~none,
        alpha=alpha,
    )


def own_knots(points: Points, transform: Transform, count: int) -> Knots:
    """Give every list the control points that the user named."""
    x, y = np.array(points).T
    if transform == "log" and x[0] < 0:
        raise _unfit(f"a score of {x[0]:g} has no logarithm (of 1 + score)")
    x = transformed(x, transform)
    if (np.diff(x) <= _CLOSEST * (x[-1] - x[0])).any():
        raise _unfit("two scores are too close to be told apart")
    never = np.zeros(count, np.bool_)
    return Knots(
        np.tile(x, (count, 1)),
        np.tile(y, (count, 1)),
        np.full(count, len(x)),
        never,
        never,
        never,
        np.zeros(count),
    )
