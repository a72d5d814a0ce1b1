"""Figures 4 and 5: what stemmers and query expansion do, topic by topic."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mohs.analysis.components import components
from mohs.charts import chart
from mohs.papers.definition import Exhibit

if TYPE_CHECKING:
    from mohs.scores import Scores

STEMMER, EXPANSION = "stemmer", "qe"
NONE = "none"
# The paper's figure of each component, and what it is called there.
_CALLED = {
    STEMMER: ("Figure 4", "Stemmers"),
    EXPANSION: ("Figure 5", "Query expansion"),
}
_STEMMERS = ("nostem", "krovetz", "lovins", "porter", "wkporter")
_MATCHED = (
    "Pairs of systems that differ in nothing else: a bar is the mean over pairs, its"
    " interval 95%, bootstrap over pairs; 0 by chance."
)
_UNMATCHED = (
    "As in the paper, the mean of all systems with it minus the mean of all systems of"
    " the baseline, which may differ in more than that: intervals 95%, bootstrap over"
    " systems; 0 by chance."
)


def stemmers(grid: Scores, name: str, seed: int) -> list[Exhibit]:
    """Return what stemmers do on the grid of points, matched and unmatched."""
    some = grid.where({"lug": _STEMMERS})
    shown = (
        f"{len(some.systems)} systems of the grid of points on {name}, none of which"
        " expands queries, so the baseline has no stemmer and the two ways agree but"
        " for their intervals"
    )
    ways = (("matched pairs", _MATCHED, False), ("all systems", _UNMATCHED, True))
    return [
        _exhibit(
            "Figure 4",
            f"Stemmers, {way}, {name}",
            f"{shown}. {text}",
            some,
            "lug",
            {"baseline": "lug=nostem", "unmatched": unmatched, "seed": seed},
        )
        for way, text, unmatched in ways
    ]


def expansion(grid: Scores, name: str, seed: int) -> list[Exhibit]:
    """Return what expansion does on a grid, matched and as the paper compares it."""
    shown = f"{len(grid.systems)} systems on {name}"
    pairs = _exhibit(
        "Figure 5",
        f"Query expansion, matched pairs, {name}",
        f"{shown}. {_MATCHED}",
        grid,
        EXPANSION,
        {"baseline": {EXPANSION: NONE}, "seed": seed},
    )
    return [pairs, unmatched(grid, EXPANSION, name, seed)]


def unmatched(grid: Scores, component: str, name: str, seed: int) -> Exhibit:
    """Return what a component does, beside systems without stemmer and expansion."""
    baseline = {
        each: NONE
        for each in (STEMMER, EXPANSION)
        if each == component or NONE in _levels(grid, each)
    }
    number, title = _CALLED[component]
    told = " and no ".join(_CALLED[each][1].lower() for each in baseline)
    return _exhibit(
        number,
        f"{title}, all systems, {name}",
        f"{len(grid.systems)} systems on {name}, beside those with no {told}."
        f" {_UNMATCHED}",
        grid,
        component,
        {"baseline": baseline, "unmatched": True, "seed": seed},
    )


def _levels(grid: Scores, component: str) -> tuple[str, ...]:
    factor = grid.factors.get(component)
    return () if factor is None else factor.levels


def _exhibit(  # noqa: PLR0913, PLR0917 (an exhibit and what it is of)
    number: str,
    title: str,
    text: str,
    scores: Scores,
    component: str,
    options: dict[str, Any],
) -> Exhibit:
    found = components(scores, **options)
    kept = tuple(each for each in found.effects if each.component == component)
    shown = replace(found, effects=kept)
    return Exhibit(
        number, title, text, shown.tables()["summary"], chart(shown, title=title)
    )
