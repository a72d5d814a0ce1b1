"""The pictures of an analysis of variance: effects, means, groups and residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.charts.drawing import CHARTS, Draw
from mohs.charts.effects import effects
from mohs.charts.groups import groups
from mohs.charts.interaction import interaction
from mohs.charts.means import means
from mohs.charts.residuals import residuals
from mohs.registry import Registry

if TYPE_CHECKING:
    from altair.typing import ChartType

    from mohs.analysis.anova import Anova

SHOWS: Registry[Draw] = Registry("picture of an analysis of variance")
for _draw in (effects, means, interaction, groups, residuals):
    SHOWS.add(_draw.__name__)(_draw)


@CHARTS.add("Anova")
def anova(
    result: Anova,
    /,
    *,
    show: str = "effects",
    **options: Any,  # noqa: ANN401 (those of the picture)
) -> ChartType:
    """Draw one side of an analysis of variance.

    Parameters
    ----------
    result
        What `mohs.anova` returns.
    show
        ``effects``: how much each term explains; ``means``: those of the levels of
        every factor; ``interaction``: means under the levels of two factors;
        ``groups``: levels that Tukey's range does not tell apart; ``residuals``: what
        the model leaves.
    **options
        A ``title``; and ``factors``, for means and interaction, instead of those that
        would be chosen.
    """
    return SHOWS[show](result, **options)
