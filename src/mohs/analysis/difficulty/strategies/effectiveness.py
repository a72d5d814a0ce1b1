"""Strategies that look at how well the systems did: a topic is hard if they did badly.

AAP is the mean of AP over the systems; any other measure may take the place of AP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.analysis.difficulty.strategies.class_rules import (
    equal_thirds,
    four_by_spread,
    median_split,
    two_of_each_end,
)
from mohs.analysis.difficulty.strategies.definition import strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mohs.analysis.difficulty.strategies.evidence import Evidence

    Floats = NDArray[np.float64]


@strategy(
    "eguchi2002",
    easy="high",
    needs="values",
    about="median {measure} of the systems",
    classes=equal_thirds,
)
def eguchi2002(evidence: Evidence) -> Floats:
    """Median AP of the systems; three classes of equal size [1]_.

    References
    ----------
    .. [1] Eguchi, Kuriyama and Kando, "Sensitivity of IR systems evaluation to topic
       difficulty", LREC 2002.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> eguchi2002(seen(values=[[0.1, 0.5], [0.2, 0.6], [0.6, 0.7]])).tolist()
    [0.2, 0.6]
    """
    if not len(evidence.values):
        return np.full(len(evidence.topics), np.nan)
    middle: Floats = np.median(evidence.values, axis=0)
    return middle


@strategy(
    "carterette2009",
    easy="high",
    needs="values",
    about="mean {measure} of the systems",
    classes=equal_thirds,
)
def carterette2009(evidence: Evidence) -> Floats:
    """AAP; three classes of equal size [1]_.

    References
    ----------
    .. [1] Carterette, Pavlu, Kanoulas, Aslam and Allan, "If I had a million queries",
       ECIR 2009.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> carterette2009(seen(values=[[0.25, 0.5], [0.75, 1.0]])).tolist()
    [0.5, 0.75]
    """
    return average(evidence)


@strategy(
    "damessie2016",
    easy="high",
    needs="values",
    about="mean {measure} of the systems",
    classes=two_of_each_end,
)
def damessie2016(evidence: Evidence) -> Floats:
    """AAP; the two highest topics are easy, the two lowest hard [1]_.

    References
    ----------
    .. [1] Damessie, Scholer, Järvelin and Culpepper, "The effect of document order and
       topic difficulty on assessor agreement", ICTIR 2016.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> damessie2016(seen(values=[[0.25, 0.5], [0.75, 1.0]])).tolist()
    [0.5, 0.75]
    """
    return average(evidence)


@strategy(
    "grivolla2005",
    easy="high",
    needs="values",
    about="mean {measure} of the systems",
    classes=median_split,
)
def grivolla2005(evidence: Evidence) -> Floats:
    """AAP; topics at or above the median are easy, the others hard [1]_.

    References
    ----------
    .. [1] Grivolla, Jourlin and De Mori, "Automatic classification of queries by
       expected retrieval performance", SIGIR 2005 workshop on predicting query
       difficulty.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> grivolla2005(seen(values=[[0.25, 0.5], [0.75, 1.0]])).tolist()
    [0.5, 0.75]
    """
    return average(evidence)


@strategy(
    "vercoustre2009",
    easy="high",
    needs="values",
    about="mean {measure} of the systems",
    classes=four_by_spread,
)
def vercoustre2009(evidence: Evidence) -> Floats:
    """AAP; four classes, cut at its mean and one standard deviation either side [1]_.

    References
    ----------
    .. [1] Vercoustre, Pehcevski and Naumovski, "Topic difficulty prediction in entity
       ranking", INEX 2008, LNCS 5631, 2009.

    Examples
    --------
    >>> from mohs.analysis.difficulty.strategies.example import seen
    >>> vercoustre2009(seen(values=[[0.25, 0.5], [0.75, 1.0]])).tolist()
    [0.5, 0.75]
    """
    return average(evidence)


def average(evidence: Evidence) -> Floats:
    """Return the mean over the systems for each topic (T,); NaN without systems."""
    if not len(evidence.values):
        return np.full(len(evidence.topics), np.nan)
    # Summed along rows of memory, the order of additions never depends on which other
    # topics there are.
    mean: Floats = np.ascontiguousarray(evidence.values.T).mean(axis=-1)
    return mean
