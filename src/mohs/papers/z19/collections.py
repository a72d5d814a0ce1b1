"""Official systems and systems of a grid on collections: Tables 1 to 3.

By default the collection is TREC-8, with the AP of all official runs and of the grid of
points. A person who has more puts ``z19/official.csv`` and ``z19/grid.csv`` into the
folder of the data: long tables with columns collection, topic, system and value, which
is AP, and in the grid perhaps ir_model, stemmer and qe. Collections called R04, C17 and
TREC6 are compared with what is printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mohs.measures.reading import read_scores
from mohs.papers.definition import Exhibit
from mohs.papers.z19.agreement import COLLECTION, GRID, KIND, OFFICIAL, joined
from mohs.scores import Scores
from mohs.tables import Factor, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.papers.data import Data

    Kinds = Mapping[str, Scores]
    Groups = Mapping[tuple[str, str], Scores]

TREC8 = "TREC-8"
MATRIX, POINTS = "matrices/trec8_ap.csv", "grid-of-points/sigir2016.parquet"
OWN = ("z19/official.csv", "z19/grid.csv")
_COMPONENTS = ("stoplist", "lug", "model")
_MANY = 30


def trec8(data: Data) -> Kinds | None:
    """Return AP of all official runs of TREC-8, and of the grid of points there.

    Without both there is nothing to compare.
    """
    matrix, points = (data.find(name) for name in (MATRIX, POINTS))
    if matrix is None or points is None:
        return None
    found = {
        OFFICIAL: read_scores(matrix),
        GRID: read_scores(points, where="collection=T08", measure="ap"),
    }
    return {
        kind: _plain(each, {COLLECTION: Factor.constant(TREC8, len(each))})
        for kind, each in found.items()
    }


def own(data: Data) -> Kinds | None:
    """Return the scores that a person has put into the folder, None without both."""
    official, grid = (data.find(name) for name in OWN)
    if official is None or grid is None:
        return None
    paths = {OFFICIAL: official, GRID: grid}
    return {kind: _plain(read_scores(path), {}) for kind, path in paths.items()}


def _plain(scores: Scores, more: Mapping[str, Factor]) -> Scores:
    """Name the measure AP, and add columns."""
    measure = Factor.constant("AP", len(scores))
    return Scores({**scores.factors, **more}, measure, scores.values)


def listed(parts: Sequence[Kinds]) -> list[Exhibit]:
    """Return what is compared: collections and sets of systems."""
    groups = {
        name: each for part in parts for name, each in _groups(joined(part)).items()
    }
    if not groups:
        return []
    return [
        Exhibit(
            "Table 1",
            "Collections",
            "Topics and systems of every collection that is compared here.",
            _collections(groups),
        ),
        Exhibit(
            "Table 2",
            "Systems",
            "Mean AP over topics: lowest, median and highest of the systems, and the"
            f" mean of the best and of the worst {_MANY}, or of all if they are fewer.",
            _systems(groups),
        ),
    ]


def made_of(grid: Scores) -> Exhibit:
    """Return the components of the grid of points."""
    return Exhibit(
        "Table 3",
        "Components of the grid",
        f"Every level of every component of {len(grid.systems)} systems of the grid of"
        f" points on {TREC8}, and the mean AP of systems that have it.",
        _components(grid),
    )


def _groups(scores: Scores) -> Groups:
    collections, kinds = scores.factors[COLLECTION], scores.factors[KIND]
    present = {*zip(collections.codes.tolist(), kinds.codes.tolist(), strict=True)}
    return {
        (name, kind): scores.where({COLLECTION: name, KIND: kind})
        for row, name in enumerate(collections.levels)
        for column, kind in enumerate(kinds.levels)
        if (row, column) in present
    }


def _labels(groups: Groups) -> dict[str, Factor]:
    names, kinds = zip(*groups, strict=True)
    return {COLLECTION: Factor.of(names), "systems": Factor.of(kinds)}


def _collections(groups: Groups) -> Table:
    parts = groups.values()
    return Table(
        {
            **_labels(groups),
            "count": np.array([len(part.systems) for part in parts]),
            "topics": np.array([len(part.topics) for part in parts]),
            "scores": np.array([len(part) for part in parts]),
        }
    )


def _systems(groups: Groups) -> Table:
    means = [_means(part) for part in groups.values()]
    return Table(
        {
            **_labels(groups),
            "lowest": np.array([each[0] for each in means]),
            "median": np.array([np.median(each) for each in means]),
            "highest": np.array([each[-1] for each in means]),
            "best": np.array([each[-_MANY:].mean() for each in means]),
            "worst": np.array([each[:_MANY].mean() for each in means]),
        }
    )


def _means(scores: Scores) -> NDArray[np.float64]:
    """Return the mean of every system, the lowest first."""
    codes = scores.factors["system"].codes
    return np.sort(np.bincount(codes, scores.values) / np.bincount(codes))


def _components(grid: Scores) -> Table:
    levels = {name: grid.factors[name].levels for name in _COMPONENTS}
    rows = [(name, level) for name, each in levels.items() for level in each]
    parts = [grid.where({name: level}) for name, level in rows]
    return Table(
        {
            "component": Factor.of(name for name, _ in rows),
            "level": Factor.of(level for _, level in rows),
            "systems": np.array([len(part.systems) for part in parts]),
            "mean": np.array([part.values.mean() for part in parts]),
        }
    )
