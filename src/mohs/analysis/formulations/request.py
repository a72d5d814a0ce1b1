"""The public face: scores of formulations, and the experiment on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, get_args

from mohs.analysis.formulations.experiment import (
    Rule,
    Work,
    draw_labels,
    draw_orders,
    solve,
)
from mohs.analysis.formulations.nulls import NULLS, Null
from mohs.analysis.formulations.panel import Panel
from mohs.analysis.formulations.result import Formulations, Sampled
from mohs.errors import InputError, UnknownNameError
from mohs.files import MAX_BYTES
from mohs.measures.reading import read_scores

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from mohs.analysis.formulations.experiment import Orders
    from mohs.scores import Renames, Where
    from mohs.scores.layouts import Orient

RULES: tuple[str, ...] = get_args(Rule)

# Permutations of a replicate, and of one with fewer formulations.
_FEWER, _FEWEST = 1000, 100
# Numbers of formulations that are tried, then every fifth.
_SIZES = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is drawn: permutations, and replicates of which nulls."""

    permutations: int
    nulls: tuple[str, ...]
    replicates: int
    seed: int


def formulations(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    *,
    permutations: int = 20_000,
    rule: str = "greedy-low",
    null: str = "joint",
    replicates: int = 20,
    pair: Sequence[str] | str = (),
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    max_bytes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Formulations:
    """Find out how freely the choice of formulations orders the topics.

    Parameters
    ----------
    source
        Scores, as for `read_scores`, with a column ``formulation``; or what `evaluate`
        returned.
    permutations
        Random orders of the topics that are tried.
    rule
        What decides between formulations that keep the order alike: ``greedy-low``,
        ``greedy-first``, ``quantile``, ``local`` or ``bound``.
    null
        ``joint`` exchanges the labels of all pairs alike; ``independent`` adds, for
        comparison only, a null that does so in every pair by itself.
    replicates
        How often labels are exchanged anew.
    pair
        The columns that make up a pair of system and corpus; by default the system, and
        what varies within both systems and formulations.
    seed
        Of all draws.
    workers
        Threads; all processors unless given, and the result is the same.
    dask
        The address of the scheduler of a Dask cluster that does the work, with the same
        result; needs the package distributed.
    where, rename, measure, orient, formulation, max_bytes
        What of the scores counts and how they are read, as in `read_scores`.
    progress
        Called with the number of permutations tried, those of nulls included, and of
        all of them.

    Returns
    -------
    Formulations
        ``.table`` has a row for each null, and ``.reading`` says what it shows.

    Raises
    ------
    InputError
        If topics cannot be ordered, or no pair knows them all.
    UnknownNameError
        If there is no such rule, null or column.

    Examples
    --------
    >>> import polars as pl
    >>> scores = pl.DataFrame({
    ...     "system": ["bm25"] * 4,
    ...     "topic": ["1", "1", "2", "2"],
    ...     "formulation": ["a", "b", "a", "b"],
    ...     "measure": ["AP"] * 4,
    ...     "value": [0.1, 0.6, 0.2, 0.4],
    ... })
    >>> found = formulations(scores, permutations=100, replicates=19)
    >>> found.reached.mean_best
    1.0
    """
    asked = _checked(permutations, rule, null, replicates, seed)
    scores = read_scores(
        source,
        where=where,
        rename=rename,
        measure=measure,
        orient=orient,
        formulation=formulation,
        max_bytes=MAX_BYTES if max_bytes is None else max_bytes,
    ).of_measure()
    panel = Panel.of(scores, [pair] if isinstance(pair, str) else pair)
    told = progress and _counting(progress, _all(panel, asked))
    work = Work(cast("Rule", rule), workers, dask, told=told)
    orders = draw_orders(permutations, len(panel.topics), seed, "permutations")
    [reached] = solve([(panel, orders)], work)
    return Formulations(
        scores.measures[0],
        work.rule,
        panel,
        orders,
        reached,
        tuple(_null(panel, name, asked, work) for name in asked.nulls),
        tuple(_sampled(panel, size, asked, work) for size in _sizes(panel)),
        (*scores.notes, *_about(panel, asked, named="formulation" in scores.factors)),
    )


def _all(panel: Panel, asked: Asked) -> int:
    """Count the permutations that will be tried."""
    nulls = len(asked.nulls) * min(asked.permutations, _FEWER)
    sampled = 2 * len(_sizes(panel)) * min(asked.permutations, _FEWEST)
    return asked.permutations + asked.replicates * (nulls + sampled)


def _counting(
    progress: Callable[[int, int], None], total: int
) -> Callable[[int], None]:
    """Return what adds up how many are done."""
    done = 0

    def told(count: int) -> None:
        nonlocal done
        done += count
        progress(done, total)

    return told


def _checked(
    permutations: int, rule: str, null: str, replicates: int, seed: int
) -> Asked:
    if rule not in RULES:
        raise UnknownNameError("rule", rule, RULES)
    NULLS[null]
    for name, count in (("permutations", permutations), ("replicates", replicates)):
        if count < 1:
            raise InputError(f"{name} must be 1 or more, found {count}")
    names = ("joint",) if null == "joint" else ("joint", null)
    return Asked(permutations, names, replicates, seed)


def _null(panel: Panel, name: str, asked: Asked, work: Work) -> Null:
    """Try other orders on a panel whose labels are exchanged, again and again."""
    size = min(asked.permutations, _FEWER)

    def problems() -> Iterator[tuple[Panel, Orders]]:
        for number in range(asked.replicates):
            orders = _drawn(panel, size, asked, f"{name} permutations", number)
            yield NULLS[name](panel, asked.seed, number), orders

    return Null(name, solve(problems(), work))


def _sampled(panel: Panel, size: int, asked: Asked, work: Work) -> Sampled:
    """Do with some formulations of each topic, drawn anew for every replicate."""
    count = min(asked.permutations, _FEWEST)

    def problems(*, exchanged: bool) -> Iterator[tuple[Panel, Orders]]:
        for number in range(asked.replicates):
            purpose = (f"{size} formulations", number)
            labels = draw_labels(len(panel.formulations), asked.seed, *purpose)
            some = NULLS["joint"](panel, asked.seed, *purpose) if exchanged else panel
            kind = f"null permutations of {size}" if exchanged else f"of {size}"
            orders = _drawn(panel, count, asked, kind, number)
            yield some.sampled(labels, size), orders

    observed = Null("observed", solve(problems(exchanged=False), work))
    null = Null("joint", solve(problems(exchanged=True), work))
    return Sampled(size, count, observed.mean, null)


def _drawn(panel: Panel, size: int, asked: Asked, *purpose: str | int) -> Orders:
    return draw_orders(size, len(panel.topics), asked.seed, *purpose)


def _sizes(panel: Panel) -> list[int]:
    """Return the numbers of formulations that are tried, up to the most there are."""
    most = int(panel.sizes.max())
    step = max(5, most // 20)
    return sorted(
        {*(size for size in _SIZES if size < most), *range(10, most, step), most}
    )


def _about(panel: Panel, asked: Asked, *, named: bool) -> Iterator[str]:
    """Say what the experiment was made on."""
    if not named:
        yield (
            "the scores have no column formulation, so every topic has one; split the"
            " ids with --formulation, or name a column with --rename formulation=COLUMN"
        )
    if panel.left_out:
        told = "pair of system and corpus does" if panel.left_out == 1 else "pairs do"
        yield f"{panel.left_out:,} {told} not have every topic, and are left out"
    least, most = int(panel.sizes.min()), int(panel.sizes.max())
    if least < most:
        yield f"topics have from {least} to {most} formulations"
    if most > 1 and (panel.ranks >= 0).sum() == len(panel.pairs) * len(panel.topics):
        yield (
            "every pair has one formulation of each topic; if a system's name holds the"
            " formulation, name with --pair the columns that make up a pair"
        )
    fewer = min(asked.permutations, _FEWER)
    yield (
        f"{asked.replicates} replicates of the null use {fewer:,} permutations each,"
        f" and {min(asked.permutations, _FEWEST)} with fewer formulations"
    )
