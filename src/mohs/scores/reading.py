"""Score tables in every form people have them, read into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.files import MAX_BYTES
from mohs.scores.conditions import parse_conditions, parse_renames
from mohs.scores.joining import join
from mohs.scores.request import Request
from mohs.scores.sources import parts_of
from mohs.trec.evaluations import is_trec_eval_name
from mohs.trec.formulations import read_rule
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from mohs.scores.conditions import Renames, Where
    from mohs.scores.layouts import Orient
    from mohs.scores.observations import Scores


def read_scores(  # noqa: PLR0913 - one keyword for each option of the command line
    source: Any,  # noqa: ANN401 - a path, a frame, a dictionary or several of them
    *,
    where: Where = (),
    rename: Renames = (),
    measure: str | None = None,
    orient: Orient | None = None,
    formulation: str | os.PathLike[str] | None = None,
    canonical: Callable[[str], str] = str.casefold,
    is_measure: Callable[[str], bool] = is_trec_eval_name,
    max_bytes: int = MAX_BYTES,
) -> Scores:
    """Read a table of scores, knowing of measures only what the caller tells.

    Parameters
    ----------
    source, where, rename, measure, orient, formulation, max_bytes
        As in `mohs.read_scores`.
    canonical
        Returns the one spelling of a measure.
    is_measure
        Tells whether a word is the name of a measure.

    Returns
    -------
    Scores
        In natural order of their labels, whatever the order of the source.

    Examples
    --------
    >>> read_scores({"bm25": {"401": {"map": 0.25, "P_10": 0.5}}}, measure="map")
    system  topic  measure   value
    bm25    401    map      0.2500
    """
    request = Request(
        conditions=parse_conditions(where),
        renames=parse_renames(rename),
        measure=measure,
        orient=orient,
        formulation=None if formulation is None else read_rule(formulation),
        canonical=canonical,
        is_measure=is_measure,
        max_bytes=whole(max_bytes, "max_bytes"),
    )
    return join(list(parts_of(source, request)), request)
