"""Scores: labelled observations, and every way to read them."""

from __future__ import annotations

from mohs.scores.conditions import Renames, Where
from mohs.scores.cubes import Cube, from_cube, to_cube
from mohs.scores.layouts import Orient
from mohs.scores.observations import Scores, find_measure
from mohs.scores.reading import read_scores

__all__ = [
    "Cube",
    "Orient",
    "Renames",
    "Scores",
    "Where",
    "find_measure",
    "from_cube",
    "read_scores",
    "to_cube",
]
