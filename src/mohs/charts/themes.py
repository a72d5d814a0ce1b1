"""Themes: the colours and letters of every chart.

A theme has two sets of colours, for white paper and for a dark screen. Charts name
roles (a box, a band, a class of difficulty) and never colours; a theme says in Vega's
configuration what a role looks like. So a chart changes its theme without being drawn
anew, which is how a page follows the reader's screen and still prints black on white.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mohs.registry import Registry

# The first is part of the converter to SVG, PNG and PDF, so that pictures are the same
# wherever they are made; the others stand in for it in browsers.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# From hard to easy; the last is for topics without a class.
CLASSES = (
    "hard",
    "moderately hard",
    "moderately easy",
    "easy",
    "no class: under 10 systems",
)


@dataclass(frozen=True, slots=True)
class Colours:
    """One colour for every role.

    ``classes`` go with `CLASSES`; ``series`` tell apart what has no order.
    """

    ground: str
    text: str
    muted: str
    rule: str
    grid: str
    box: str
    band: str
    classes: tuple[str, ...]
    series: tuple[str, ...]

    @property
    def sizes(self) -> tuple[str, ...]:
        """From a negligible effect to a large one."""
        hard, harder, easier, _, without = self.classes
        return without, easier, harder, hard

    @property
    def counts(self) -> tuple[str, str]:
        """Between which few and many are shown."""
        return self.box, self.classes[3]

    @property
    def agreements(self) -> tuple[str, str, str]:
        """From an order turned round, by one that is unrelated, to the same."""
        return self.classes[0], self.band, self.classes[3]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a chart, on paper and on a dark screen."""

    light: Colours
    dark: Colours

    def config(self, *, dark: bool = False) -> dict[str, Any]:
        """Return the configuration of Vega-Lite that shows every role."""
        colours = self.dark if dark else self.light
        return {
            "background": colours.ground,
            "font": FONT,
            "view": {"stroke": None},
            "range": {
                "ordinal": list(colours.classes),
                "category": list(colours.series),
                "ramp": list(colours.sizes),
                "heatmap": list(colours.counts),
                "diverging": list(colours.agreements),
            },
            "text": {"color": colours.text},
            "style": _styles(colours),
            **_furniture(colours),
        }


def _styles(colours: Colours) -> dict[str, Any]:
    return {
        "blank": {"color": colours.ground},
        "box": {"color": colours.box},
        "whisker": {"color": colours.rule},
        "median": {"color": colours.text},
        "zero": {"color": colours.text},
        "outlier": {"color": colours.rule},
        "band": {"color": colours.band},
        "chance": {"color": colours.muted},
        "threshold": {"color": colours.rule},
        "estimate": {"color": colours.series[0]},
        "group": {"color": colours.rule},
        "loss": {"color": colours.classes[1]},
        "gain": {"color": colours.classes[2]},
        "heat": {"color": colours.classes[3]},
        "note": {"color": colours.muted, "fontStyle": "italic"},
    }


def _furniture(colours: Colours) -> dict[str, Any]:
    return {
        "title": {
            "color": colours.text,
            "subtitleColor": colours.muted,
            "fontSize": 14,
            "subtitleFontSize": 11,
            "subtitleLineHeight": 15,
            "anchor": "start",
        },
        "axis": {
            "labelColor": colours.text,
            "titleColor": colours.text,
            "titleFontWeight": "normal",
            "titleFontSize": 12,
            "labelFontSize": 11,
            "domainColor": colours.rule,
            "tickColor": colours.rule,
            "gridColor": colours.grid,
        },
        "legend": {
            "labelColor": colours.text,
            "titleColor": colours.text,
            "labelFontSize": 11,
            "titleFontWeight": "normal",
            "titleFontSize": 11,
        },
    }


THEMES: Registry[Theme] = Registry("theme")


def _add(
    name: str,
    light: tuple[str, str, str, str, str],
    dark: tuple[str, str, str, str, str],
) -> None:
    """Register a theme by its colours from hard to easy, and for no class."""
    THEMES.add(name)(Theme(_on_paper(light), _on_screen(dark)))


def _on_paper(classes: tuple[str, ...]) -> Colours:
    return Colours(
        ground="#ffffff",
        text="#1f2328",
        muted="#5c636b",
        rule="#70777f",
        grid="#e8eaec",
        box="#c3c9d0",
        band="#d9dde1",
        classes=classes,
        # The palette of Okabe and Ito, but for its yellow and its light blue, which
        # paper swallows.
        series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a01a5b", "#000000"),
    )


def _on_screen(classes: tuple[str, ...]) -> Colours:
    return Colours(
        ground="#16191d",
        text="#e6e9ec",
        muted="#a3abb3",
        rule="#8b939b",
        grid="#2a2f35",
        box="#4b545d",
        band="#39414a",
        classes=classes,
        series=("#56b4e9", "#e69f00", "#1f9e5a", "#cc79a7", "#f0e442", "#ffffff"),
    )


_add(
    "blue-orange",
    ("#8a3403", "#c65102", "#2a78bd", "#0a3d7a", "#5c636b"),
    ("#ff8a3d", "#ffc79c", "#a9d3f7", "#4aa3ee", "#a3abb3"),
)
# The colours of the figure in Gienapp et al., CIKM 2020, dark enough to be read.
_add(
    "traffic-light",
    ("#c01a1a", "#a85d00", "#5f7a00", "#157a2e", "#5c636b"),
    ("#ff6b62", "#ffb347", "#c9dd4f", "#4fce72", "#a3abb3"),
)
