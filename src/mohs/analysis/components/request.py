"""The public face: scores of systems that are made of components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.analysis.components.baselines import (
    asked_baselines,
    default_baselines,
    parse_baseline,
)
from mohs.analysis.components.effects import effects
from mohs.analysis.components.panel import Panel
from mohs.analysis.components.result import Components
from mohs.errors import InputError
from mohs.files import MAX_BYTES
from mohs.measures.reading import read_scores

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from mohs.analysis.components.baselines import Asked, Baseline
    from mohs.analysis.components.effects import Effect
    from mohs.scores import Renames, Where
    from mohs.scores.layouts import Orient


def components(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    *,
    baseline: Asked = (),
    unmatched: bool = False,
    seed: int = 0,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    max_bytes: int | None = None,
) -> Components:
    """Find out on which topics a component helps, and on which it harms.

    Parameters
    ----------
    source
        Scores, as for `read_scores`, with a column for each component of the systems;
        or what `evaluate` returned.
    baseline
        What to compare with: ``"stemmer=none"``, several of these, or a mapping from
        components to levels. Several define one baseline: its systems have them all.
        Only components that are named are looked at. By default every component is,
        each against its level ``none``, ``no``, ``nostem`` or the like, or its first.
    unmatched
        Compare the mean of all systems with the component with the mean of all systems
        in the baseline, instead of pairs that differ in the component alone.
    seed
        Of all draws.
    where, rename, measure, orient, formulation, max_bytes
        What of the scores counts and how they are read, as in `read_scores`.

    Returns
    -------
    Components
        ``.table`` has a row for each level of each component, and each topic; a
        positive ``delta`` helps.

    Raises
    ------
    InputError
        If the scores tell no components apart, or nothing can be compared.
    UnknownNameError
        If there is no such component or level.

    Examples
    --------
    >>> import polars as pl
    >>> scores = pl.DataFrame({
    ...     "system": ["a", "b", "c", "d"],
    ...     "topic": ["1", "1", "1", "1"],
    ...     "stemmer": ["none", "porter", "none", "porter"],
    ...     "model": ["BM25", "BM25", "LM", "LM"],
    ...     "measure": ["AP"] * 4,
    ...     "value": [0.25, 0.5, 0.25, 0.25],
    ... })
    >>> components(scores, baseline="stemmer=none")
    component  level   baseline  topic   delta     low    high  systems
    stemmer    porter  none      1      0.1250  0.0000  0.2500        2
    """
    scores = read_scores(
        source,
        where=where,
        rename=rename,
        measure=measure,
        orient=orient,
        formulation=formulation,
        max_bytes=MAX_BYTES if max_bytes is None else max_bytes,
    ).of_measure()
    panel = Panel.of(scores)
    _check(panel)
    notes = [*scores.notes, *_about(panel)]
    asked = parse_baseline(baseline)
    if asked:
        baselines = asked_baselines(panel, asked)
    else:
        baselines, note = default_baselines(panel)
        notes.append(note)
    found = _found(panel, baselines, matched=not unmatched, seed=seed)
    kept = tuple(each for each in found if each.known.any())
    return Components(
        scores.measures[0],
        panel.topics,
        not unmatched,
        kept,
        (*notes, *_gaps(found)),
    )


def _check(panel: Panel) -> None:
    if panel.components:
        return
    constant = [name for name, each in panel.traits.items() if len(each.levels) == 1]
    told = f" ({', '.join(constant)}: one level only)" if constant else ""
    raise InputError(
        "no column says what the systems are made of, such as stemmer or model"
        f"{told}; add one, or choose other observations"
    )


def _about(panel: Panel) -> Iterator[str]:
    """Say what topics are averages over."""
    if panel.values.shape[1] > len(panel.topics):
        listed = " and ".join(panel.contexts)
        yield (
            f"a topic's effect is the mean over its observations by {listed}; choose"
            " some with --where"
        )


def _found(
    panel: Panel, baselines: Sequence[Baseline], *, matched: bool, seed: int
) -> list[Effect]:
    found = [
        effect
        for baseline in baselines
        for effect in effects(panel, baseline, matched=matched, seed=seed)
    ]
    if not any(each.known.any() for each in found):
        if not matched:
            raise InputError("no topic has scores of a level and of its baseline")
        raise InputError(
            "no two systems differ in one component alone; compare all systems of a"
            " level with all of the baseline with --unmatched, or choose another"
            " baseline"
        )
    return found


def _gaps(found: Sequence[Effect]) -> Iterator[str]:
    """Say what could not be compared."""
    bare = [f"{each.component}={each.level}" for each in found if not each.known.any()]
    if bare:
        yield f"nothing to compare {', '.join(bare)} with, so they are left out"
    alone = [each for each in found if each.left_out and each.known.any()]
    if alone:
        most = max(alone, key=lambda each: each.left_out)
        yield (
            f"{len(alone)} of {len(found)} levels have systems without a partner that"
            f" differs in the component alone, most {most.component}={most.level}"
            f" ({most.left_out}); these are left out"
        )
