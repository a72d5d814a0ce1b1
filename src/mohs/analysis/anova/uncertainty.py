"""Intervals of partial omega squared: from the tails of F, or from topics drawn anew.

Where the design is balanced, and topics are one of its axes, a draw of topics changes
nothing but how often each is counted. All sums of squares then follow from the inner
products of topics' contrasts, so thousands of draws cost little more than one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from mohs.analysis.anova.decomposition import decompose
from mohs.analysis.anova.design import Design, compact
from mohs.analysis.anova.effects import partial_omega_squared
from mohs.analysis.anova.grids import centred
from mohs.errors import InputError
from mohs.statistics.streams import stream
from mohs.statistics.tails import noncentrality

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.analysis.anova.decomposition import Balance, Decomposition
    from mohs.analysis.anova.grids import Grid
    from mohs.analysis.anova.margins import Type

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Bounds = tuple[Floats, Floats]
    Space = frozenset[str]

Intervals = Literal["bootstrap", "noncentral", "none"]

TOPIC = "topic"
_BAND = (0.025, 0.975)
_DRAWS = 2000
_DRAWS_WITH_GAPS = 200  # each is an analysis of its own


def noncentral(parts: Decomposition) -> Bounds:
    """Bound partial omega squared of K terms where the model and its errors hold.

    The bounds are those of the non-centrality λ, as λ / (λ + N).
    """
    bounds = np.full((2, len(parts.terms)), np.nan)
    count = len(parts.design)
    for place in np.flatnonzero(parts.df).tolist():
        if np.isfinite(parts.f[place]):
            f = float(parts.f[place])
            found = np.array(noncentrality(f, parts.df[place], parts.residual_df))
            bounds[:, place] = found / (found + count)
    return bounds[0], bounds[1]


def bootstrap(parts: Decomposition, type_: Type, seed: int) -> Bounds:
    """Bound partial omega squared of K terms for another draw of topics.

    A topic drawn twice counts as two topics. There is no interval for the topics
    themselves.
    """
    if TOPIC not in parts.design.levels:
        raise InputError(
            "the bootstrap draws topics, and the formula has none; use --intervals"
            " noncentral"
        )
    random = stream(seed, "anova", "bootstrap")
    if parts.balance and not parts.nesting.parents[TOPIC]:
        drawn = _with_balance(parts, parts.balance, random)
    else:
        drawn = _with_gaps(parts, type_, random)
    drawn[:, [set(term) == {TOPIC} for term in parts.terms]] = np.nan
    bounds = np.full((2, len(parts.terms)), np.nan)
    known = ~np.isnan(drawn).all(axis=0) & ~parts.aliased
    bounds[:, known] = np.nanquantile(drawn[:, known], _BAND, axis=0)
    return bounds[0], bounds[1]


def _with_balance(
    parts: Decomposition, balance: Balance, random: np.random.Generator
) -> Floats:
    """Return partial omega squared of every term in every draw, (draws, K)."""
    count = balance.grid.levels([TOPIC])
    drawn = random.multinomial(count, np.full(count, 1 / count), _DRAWS)
    squares, left = squares_drawn(parts, balance, drawn.astype(np.float64))
    ss = [sum(map(squares.__getitem__, sets), np.zeros(_DRAWS)) for sets in balance.own]
    df = parts.df[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.stack(ss) / df / (left / parts.residual_df)
        return partial_omega_squared(f, df, len(parts.design)).T


def squares_drawn(
    parts: Decomposition, balance: Balance, drawn: Floats
) -> tuple[Mapping[Space, Floats], Floats]:
    """Return the sums of squares of all effects, and what they leave, for each draw.

    ``drawn`` (B, T) says how often each topic counts.
    """
    count = drawn.shape[1]
    topics = parts.design.codes[TOPIC]
    values = parts.design.values
    sums = np.bincount(topics, values)
    left = drawn @ np.bincount(topics, values**2) - (drawn @ sums) ** 2 / len(values)
    squares: dict[Space, Floats] = {}
    for factors in sorted({each - {TOPIC} for each in balance.covered}, key=sorted):
        products = inner_products(balance.grid, factors)
        common = np.einsum("bi,bi->b", drawn @ products, drawn) / count
        squares[factors] = common
        squares[factors | {TOPIC}] = drawn @ np.diagonal(products) - common
    for effect in sorted(balance.covered, key=sorted):
        left = left - squares[effect]
    return squares, np.maximum(left, 0.0)


def inner_products(grid: Grid, factors: Space) -> Floats:
    """Return the products of topics' contrasts over some factors, (T, T).

    They are scaled so that they add up to sums of squares of observations.
    """
    kept = [*factors, TOPIC]
    gone = tuple(place for place, name in enumerate(grid.axes) if name not in kept)
    contrasts = centred(grid.means.mean(axis=gone, keepdims=True), factors, grid.axes)
    rows = np.moveaxis(contrasts, grid.axes.index(TOPIC), 0)
    rows = rows.reshape(len(rows), -1)
    products: Floats = rows @ rows.T * (grid.size / rows.size)
    return products


def _with_gaps(
    parts: Decomposition, type_: Type, random: np.random.Generator
) -> Floats:
    count = parts.design.size(TOPIC)
    drawn = np.full((_DRAWS_WITH_GAPS, len(parts.terms)), np.nan)
    for row in drawn:
        design = topics_drawn(parts, random.integers(0, count, count))
        found = decompose(design, parts.terms, type_)
        if found.residual_df:
            row[:] = partial_omega_squared(found.f, found.df, len(design))
    return drawn


def topics_drawn(parts: Decomposition, topics: Counts) -> Design:
    """Return the observations of some topics, each as a topic of its own."""
    design = parts.design
    order = np.argsort(design.codes[TOPIC], kind="stable")
    ends = np.cumsum(np.bincount(design.codes[TOPIC]))
    starts = ends - np.bincount(design.codes[TOPIC])
    rows = [order[starts[topic] : ends[topic]] for topic in topics.tolist()]
    copies = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    chosen = np.concatenate(rows)
    levels, codes = {}, {}
    for name, each in design.codes.items():
        found = each[chosen]
        if name == TOPIC or TOPIC in parts.nesting.parents[name]:
            found = found + copies * design.size(name)
        found, size = compact(found, int(found.max()) + 1)
        codes[name], levels[name] = found, tuple(map(str, range(size)))
    return Design(design.values[chosen], levels, codes)
