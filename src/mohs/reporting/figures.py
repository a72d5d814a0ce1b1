"""Pictures of results, for what no small graph in a table can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.charts import svg
from mohs.reporting.page import Figure

if TYPE_CHECKING:
    from mohs.tables import Result


def drawn(
    result: Result,
    caption: str,
    *,
    theme: str,
    **options: Any,  # noqa: ANN401 (those of its chart)
) -> Figure:
    """Draw a result for light and for dark screens."""
    light, dark = (
        svg(result, theme=theme, dark=dark, **options) for dark in (False, True)
    )
    return Figure(caption, light, dark)
