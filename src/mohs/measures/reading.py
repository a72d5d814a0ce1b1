"""Score tables, read by someone who knows what measures are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.errors import MohsError, UnknownNameError
from mohs.files import MAX_BYTES
from mohs.measures.spelling import canonical, parse
from mohs.scores import Scores, find_measure, reading

if TYPE_CHECKING:
    import os

    from mohs.scores import Renames, Where
    from mohs.scores.layouts import Orient


def read_scores(  # noqa: PLR0913 - one keyword for each option of the command line
    source: Any,  # noqa: ANN401 - a path, a frame, a dictionary or several of them
    *,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> Scores:
    r"""Read a table of scores.

    Parameters
    ----------
    source
        Scores, or what `evaluate` returned; a path, a folder, a pattern or ``-``; a
        pandas, Polars or Arrow frame;
        ``{system: {topic: {measure: value}}}``; records with fields such as those of
        ir_measures; or a list of these. Files hold a long table or a matrix (CSV, TSV,
        JSON, JSONL, Parquet), or what trec_eval -q or ir_measures -q print.
    where
        Which observations to keep: ``"corpus=FT,LA"``, ``"system!=bm25"``, several of
        these, or a mapping from columns to values.
    rename
        New names for columns: ``"corpus=collection"``, several, or a mapping from new
        to old.
    measure
        Keep this measure only, in whatever spelling; in a source that names none, what
        to call it.
    orient
        What is in the rows of a matrix whose first column does not say.
    formulation
        A pattern with the groups ``topic`` and ``formulation``, or a file of query,
        topic and formulation, by which to split the ids of topics.
    max_bytes
        The most that a compressed file may unpack to.

    Returns
    -------
    Scores
        In natural order of their labels, whatever the order of the source.

    Raises
    ------
    FormatError
        With every line that cannot be used.
    InputError
        If it is not clear what the columns mean, or nothing fulfils the conditions.
    UnknownNameError
        If there is no such column, value or measure.

    Examples
    --------
    >>> read_scores({"bm25": {"401": {"map": 0.25, "P_10": 0.5}}}, measure="AP")
    system  topic  measure   value
    bm25    401    map      0.2500
    """
    held = source if isinstance(source, Scores) else getattr(source, "scores", None)
    if isinstance(held, Scores):
        return _chosen(held, where, rename, measure)
    return reading.read_scores(
        source,
        where=where,
        rename=rename,
        measure=measure,
        orient=orient,
        formulation=formulation,
        canonical=canonical,
        is_measure=is_measure,
        max_bytes=max_bytes,
    )


def _chosen(
    scores: Scores, where: Where, rename: Renames, measure: str | None
) -> Scores:
    """Return the scores that are wanted of those at hand, as if they were read."""
    renamed = scores.rename(rename) if rename else scores
    if measure is not None:
        renamed = renamed.of_measure(measure, canonical=canonical)
    return renamed.where(where) if where else renamed


def is_same_measure(one: str, other: str) -> bool:
    """Return whether two names mean the same measure.

    Examples
    --------
    >>> is_same_measure("map", "AP"), is_same_measure("AP", "RR")
    (True, False)
    """
    try:
        find_measure([other], one, canonical)
    except UnknownNameError:
        return False
    return True


def is_measure(word: str) -> bool:
    """Return whether a word is the name of a measure.

    Examples
    --------
    >>> is_measure("nDCG@20"), is_measure("401")
    (True, False)
    """
    try:
        parse(word)
    except MohsError:
        return False
    return True
