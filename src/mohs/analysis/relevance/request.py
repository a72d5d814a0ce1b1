"""The public face: items with scores in, their relevance out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.analysis.relevance.items import choose_column, read_items
from mohs.analysis.relevance.reading import read_lists, read_scores
from mohs.analysis.relevance.result import Relevance
from mohs.errors import InputError
from mohs.files import MAX_BYTES
from mohs.gains.control import Fitting
from mohs.gains.phi import Curves, remarks
from mohs.tables import Factor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.relevance.reading import Missing
    from mohs.gains.control import Transform, Variant
    from mohs.gains.phi import Phi
    from mohs.gains.summaries import Quartiles, Upper

    Floats = NDArray[np.float64]

PHI = "phi"


def relevance(  # noqa: PLR0913 (the public face of one request)
    source: Any,  # noqa: ANN401
    *,
    column: str | None = None,
    by: str | None = None,
    pooled: bool = False,
    variant: Variant = "paper",
    quartiles: Quartiles | None = None,
    upper: Upper | None = None,
    positives_only: bool | None = None,
    points: Sequence[Sequence[float]] = (),
    missing: Missing = "error",
    missing_value: float | None = None,
    transform: Transform = "none",
    max_bytes: int | None = None,
) -> Relevance:
    """Turn scores, such as sales, clicks or ratings, into relevance between 0 and 1.

    Parameters
    ----------
    source
        Items: a path (CSV, TSV, JSON, JSONL, Parquet), ``-``, a frame, a mapping of
        columns, or numbers.
    column
        The column of scores; the one called score or value, or the only numeric one,
        unless given.
    by
        The column that says which list an item belongs to; each list has a φ of its
        own.
    pooled
        Make one φ of the scores of all lists.
    variant
        How control points are found: as the ``paper`` says, or as its ``authors``'
        program does, with hinges, whisker and positive scores only.
    quartiles
        Of ``type7``, or Tukey's ``hinges``.
    upper
        Where extreme scores begin: at the ``fence``, or at the ``whisker``, the highest
        score within it.
    positives_only
        Whether only positive scores count, and φ begins at 0.
    points
        Control points of your own, as pairs of a score and its φ.
    missing
        What to do about items without a score: ``drop`` them, so that they have no φ,
        take φ for ``zero``, or the default, an ``error``.
    missing_value
        A score that means there is none, such as -1.
    transform
        ``log`` takes the logarithm of 1 + score first, for heavy tails.
    max_bytes
        What a compressed file may unpack to.

    Returns
    -------
    Relevance
        ``.table`` has the items and a column ``phi``; ``.functions`` can be called.

    Raises
    ------
    FormatError
        With every row whose score is no number, or missing, and every row without a
        list.
    InputError
        If φ cannot be made of the scores.

    References
    ----------
    .. [1] Moniz et al., "Data-driven relevance judgments for ranking evaluation", 2017.

    Examples
    --------
    >>> relevance([0, 1, 2, 3, 10])
    score     phi
        0  0.0000
        1  0.0000
        2  0.0000
        3  0.0713
       10  1.0000
    """
    fitting = Fitting.asked(
        variant=variant,
        quartiles=quartiles,
        upper=upper,
        positives_only=positives_only,
        points=points,
        transform=transform,
    )
    items = read_items(source, max_bytes=max_bytes or MAX_BYTES)
    if PHI in items.table.names:
        raise InputError(f"{items.source}: has a column {PHI!r} already; rename it")
    chosen = choose_column(items, column)
    scores = read_scores(
        items,
        chosen,
        missing=missing,
        missing_value=missing_value,
        transform=transform,
    )
    whole = pooled or by is None
    # A φ of all scores needs no lists, though judgments may ask for them.
    lists = Factor.constant("", len(items.table))
    if by is not None:
        lists = items.texts(by) if pooled else read_lists(items, by)
    functions, phi, notes = _fit(scores, lists, fitting, pooled=whole)
    if missing == "zero":
        phi = np.where(np.isnan(scores), 0.0, phi)
    told = (*_gaps(scores, missing), *notes)
    return Relevance(items, chosen, scores, phi, lists, functions, told)


def _fit(
    scores: Floats, lists: Factor, fitting: Fitting, *, pooled: bool
) -> tuple[dict[str, Phi], Floats, list[str]]:
    """Make φ of every list that has scores, and map all scores by it."""
    known = ~np.isnan(scores)
    codes = np.where(pooled, 0, lists.codes[known])
    present, owners = np.unique(codes, return_inverse=True)
    curves = Curves.over(scores[known], owners, len(present), fitting)
    phi = np.full(len(scores), np.nan)
    phi[known] = curves(scores[known], owners)
    notes = [*remarks(curves, phi[known], owners)]
    names = [""] if pooled else [lists.levels[code] for code in present.tolist()]
    if not pooled and len(names) < len(lists.levels):
        bare = len(lists.levels) - len(names)
        notes.append(f"{bare} of {len(lists.levels)} lists have no scores, so no φ")
    return dict(zip(names, curves.each(), strict=True)), phi, notes


def _gaps(scores: Floats, missing: Missing) -> Iterator[str]:
    if count := int(np.isnan(scores).sum()):
        told = "have a φ of 0" if missing == "zero" else "have no φ"
        yield f"{count} of {len(scores)} items have no score; they {told}"
