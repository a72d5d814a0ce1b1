"""Scores: labelled observations.

Whoever only makes scores is spared the readers of every form: they are in
`mohs.scores.reading`.
"""

from __future__ import annotations

from mohs.scores.conditions import Renames, Where
from mohs.scores.cubes import Cube, from_cube, to_cube
from mohs.scores.observations import Scores, find_measure

__all__ = [
    "Cube",
    "Renames",
    "Scores",
    "Where",
    "find_measure",
    "from_cube",
    "to_cube",
]
