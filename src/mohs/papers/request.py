"""The public face: the name of a paper in, its tables and figures out."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING

from mohs._core import __version__
from mohs.errors import UnknownNameError
from mohs.files import record
from mohs.papers.data import Data
from mohs.papers.definition import PAPERS

if TYPE_CHECKING:
    import os

    from mohs.papers.definition import Reproduction

# Every paper has a module of its name.
KNOWN = {
    "g20": "Gienapp et al., Estimating topic difficulty using normalized discounted"
    " cumulated gain, CIKM 2020",
    "m17": "Moniz et al., Data-driven relevance judgments for ranking evaluation, 2017",
    "z19": "Zampieri et al., On topic difficulty in IR evaluation: the effect of"
    " systems, corpora, and system components, SIGIR 2019",
    "c21": "Culpepper et al., Topic difficulty: collection and query formulation"
    " effects, TOIS 2021",
    "ferro2016": "Ferro and Silvello, A general linear mixed models approach to study"
    " system component effects, SIGIR 2016",
}


def known(paper: str) -> None:
    """Refuse a paper that is none of those known.

    Examples
    --------
    >>> known("m18")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mohs.errors.UnknownNameError: no paper named 'm18'. Did you mean 'm17'? Known: ...
    """
    if paper not in KNOWN:
        raise UnknownNameError("paper", paper, KNOWN)


def reproduce(
    paper: str,
    *,
    data: str | os.PathLike[str] | None = None,
    seed: int = 0,
    download: bool = True,
) -> Reproduction:
    """Compute a paper's tables and figures, and put them beside what it printed.

    Parameters
    ----------
    paper
        Its name, such as ``m17``.
    data
        A folder with data that is public but must not be passed on, or that is at
        hand already.
    seed
        Of all draws.
    download
        Fetch what is missing and free to fetch.

    Returns
    -------
    Reproduction
        ``.table`` compares what was printed with what was computed; ``.save(folder)``
        writes a page with all tables and figures.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    InputError
        If a file that the paper cannot do without is not there, with what to do.
    """
    known(paper)
    importlib.import_module(f"mohs.papers.{paper}")
    found = Data.at(data, download=download)
    result = PAPERS[paper](found, seed=seed)
    made = record(
        "reproduce",
        {"paper": paper},
        version=__version__,
        inputs=found.read(),
        seed=seed,
    )
    return replace(result, made=made)
