"""Charts: one result, one picture.

Nothing here loads Altair before a chart is drawn or saved.
"""

from __future__ import annotations

from mohs.charts.drawing import CHARTS, chart, in_theme
from mohs.charts.saving import PICTURES, check_picture, save, svg
from mohs.charts.themes import THEMES, Theme

__all__ = [
    "CHARTS",
    "PICTURES",
    "THEMES",
    "Theme",
    "chart",
    "check_picture",
    "in_theme",
    "save",
    "svg",
]
