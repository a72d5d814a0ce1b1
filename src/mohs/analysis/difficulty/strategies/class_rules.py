"""How values become classes, by the rules of the papers.

A rule takes how easy topics are, (T,) with the easiest highest and NaN where nothing is
known, and their ids; the latter only to part equal values the same way in every order
of the topics.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from mohs.tables import natural_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Classes: TypeAlias = "tuple[str | None, ...]"


class ClassRule(Protocol):
    """Puts topics into classes."""

    def __call__(self, ease: Floats, topics: Sequence[str], /) -> Classes:
        """Return the class of each topic (T,), None where it has none."""
        ...


def no_classes(ease: Floats, topics: Sequence[str]) -> Classes:
    """Leave topics without classes, where a paper gives none."""
    del topics
    return (None,) * len(ease)


def equal_thirds(ease: Floats, topics: Sequence[str]) -> Classes:
    """Make three classes of equal size; what remains goes to the easier ones.

    Of equal values, the topic that comes first by its id is taken for the easier.

    Examples
    --------
    >>> equal_thirds(np.array([0.1, 0.4, 0.2, 0.3]), ("1", "2", "3", "4"))
    ('hard', 'easy', 'medium', 'easy')
    """
    order = _easiest_first(ease, topics)
    size, rest = divmod(len(order), 3)
    sizes = [size + (rest > place) for place in range(3)]
    names = np.repeat(["easy", "medium", "hard"], sizes).tolist()
    return _named(ease, dict(zip(order, names, strict=True)))


def two_of_each_end(ease: Floats, topics: Sequence[str]) -> Classes:
    """Call the two easiest topics easy and the two hardest hard; the rest is open.

    Examples
    --------
    >>> two_of_each_end(np.array([0.1, 0.5, 0.2, 0.3, 0.4]), ("1", "2", "3", "4", "5"))
    ('hard', 'easy', 'hard', None, 'easy')
    """
    order = _easiest_first(ease, topics)
    if len(order) < 4:  # a topic would be both
        return no_classes(ease, topics)
    ends = dict.fromkeys(order[:2], "easy") | dict.fromkeys(order[-2:], "hard")
    return _named(ease, ends)


def median_split(ease: Floats, topics: Sequence[str]) -> Classes:
    """Call topics easy from the median upwards, the others hard.

    Examples
    --------
    >>> median_split(np.array([0.1, 0.5, 0.2]), ("1", "2", "3"))
    ('hard', 'easy', 'easy')
    """
    del topics
    known = ease[~np.isnan(ease)]
    if not len(known):
        return (None,) * len(ease)
    middle = np.median(known)
    return _cut(ease, lambda value: "easy" if value >= middle else "hard")


def four_by_spread(ease: Floats, topics: Sequence[str]) -> Classes:
    """Cut at the mean and one standard deviation (of the population) on either side.

    A value on a cut goes to the harder class. Without any spread there are no classes.

    Examples
    --------
    >>> ease = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    >>> four_by_spread(ease, ("1", "2", "3", "4", "5"))
    ('hard', 'moderately hard', 'moderately hard', 'moderately easy', 'easy')
    """
    known = ease[~np.isnan(ease)]
    if not len(known) or known.min() == known.max():
        return no_classes(ease, topics)
    # Exact sums, or the order of the topics could decide on which side of a cut they
    # are.
    mean = math.fsum(known.tolist()) / len(known)
    sd = math.sqrt(math.fsum(((known - mean) ** 2).tolist()) / len(known))
    names = ("hard", "moderately hard", "moderately easy", "easy")
    cuts = np.array([mean - sd, mean, mean + sd])
    return _cut(ease, lambda value: names[int((cuts < value).sum())])


def _easiest_first(ease: Floats, topics: Sequence[str]) -> list[int]:
    known = np.flatnonzero(~np.isnan(ease)).tolist()
    return sorted(known, key=lambda place: (-ease[place], natural_key(topics[place])))


def _named(ease: Floats, names: dict[int, str]) -> Classes:
    return tuple(names.get(place) for place in range(len(ease)))


def _cut(ease: Floats, name: Callable[[float], str]) -> Classes:
    return tuple(None if math.isnan(each) else name(each) for each in ease.tolist())
