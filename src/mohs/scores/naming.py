"""What to call tables of scores."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def names_of(sources: Sequence[object]) -> list[str]:
    """Return what to call some sources: files without folder and suffix if that tells.

    Examples
    --------
    >>> names_of(["trec7/ap.csv", "trec8/ap.csv"]), names_of(["trec7.csv", "trec8.csv"])
    (['trec7/ap.csv', 'trec8/ap.csv'], ['trec7', 'trec8'])
    """
    paths = [str(each) if _is_path(each) else "" for each in sources]
    for names in ([PurePath(path).stem for path in paths], paths):
        if "" not in names and len(set(names)) == len(names):
            return names
    if len(paths) == 1:
        return ["scores"]
    return [f"scores {place}" for place in range(1, len(paths) + 1)]


def _is_path(source: object) -> bool:
    return isinstance(source, str | PurePath)
