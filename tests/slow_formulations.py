"""The experiment on one pair, step by step as the definition says it, and slowly.

Topics are lists of scores, in the order in which they are to rise; what comes back are
the scores picked.
"""

from collections.abc import Callable, Sequence

import numpy as np

Topics = Sequence[Sequence[float]]


def sign(difference: float) -> int:
    return int(difference > 0) - int(difference < 0)


def concordance(picks: Sequence[float | None]) -> int:
    return sum(
        sign(later - earlier)
        for place, later in enumerate(picks)
        for earlier in picks[:place]
        if later is not None and earlier is not None
    )


def greedy(topics: Topics, choose: Callable[[list[float], int], float]) -> list[float]:
    picks: list[float] = []
    for place, scores in enumerate(topics):
        kept = [sum(sign(score - pick) for pick in picks) for score in scores]
        alike = [s for s, k in zip(scores, kept, strict=True) if k == max(kept)]
        picks.append(choose(alike, place))
    return picks


def greedy_low(topics: Topics) -> list[float]:
    return greedy(topics, lambda alike, _: min(alike))


def greedy_first(topics: Topics) -> list[float]:
    return greedy(topics, lambda alike, _: alike[0])


def quantile(topics: Topics) -> list[float]:
    everything = [score for scores in topics for score in scores]

    def nearest(alike: list[float], place: int) -> float:
        wanted = np.quantile(everything, (place + 0.5) / len(topics))
        return min(alike, key=lambda score: (abs(score - wanted), score))

    return greedy(topics, nearest)


def local(topics: Topics) -> list[float]:
    picks = greedy_low(topics)
    helped = True
    while helped:
        helped = False
        for place, scores in enumerate(topics):
            tried = [[*picks[:place], s, *picks[place + 1 :]] for s in sorted(scores)]
            best = max(tried, key=concordance)
            if concordance(best) > concordance(picks):
                picks, helped = best, True
    return picks


def chain(topics: Topics) -> list[float]:
    """Pick the longest rising chain that stays lowest, then all the others."""
    ends: list[list[tuple[int, float]]] = []  # the lowest chain of each length
    for place, scores in enumerate(topics):
        found = list(ends)
        for score in scores:
            fitting = [each for each in ends if each[-1][1] < score]
            longest = max(fitting, key=len, default=[])
            new = [*longest, (place, score)]
            if len(new) > len(found):
                found.append(new)
            elif score < found[len(new) - 1][-1][1]:
                found[len(new) - 1] = new
        ends = found
    picks: list[float | None] = [None] * len(topics)
    for place, score in ends[-1]:
        picks[place] = score
    for place, scores in enumerate(topics):
        if picks[place] is None:
            tried = [[*picks[:place], s, *picks[place + 1 :]] for s in sorted(scores)]
            picks = max(tried, key=concordance)
    return picks


RULES = {
    "greedy-low": greedy_low,
    "greedy-first": greedy_first,
    "quantile": quantile,
    "local": local,
}


def best_of(pairs: Sequence[Topics], rule: str) -> int:
    """Return the concordance of the best of several pairs."""
    if rule != "bound":
        return max(concordance(RULES[rule](topics)) for topics in pairs)
    sums = [concordance(greedy_low(topics)) for topics in pairs]
    order = sorted(range(len(pairs)), key=lambda pair: -sums[pair])
    chained = [concordance(chain(pairs[pair])) for pair in order[:10]]
    return max(*sums, *chained)
