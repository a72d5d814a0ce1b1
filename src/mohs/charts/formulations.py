"""The pictures of formulations: what they reach beside chance, and what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mohs.charts.drawing import CHARTS, Draw
from mohs.charts.reached import distribution, orders, sizes
from mohs.charts.wording import wording
from mohs.registry import Registry

if TYPE_CHECKING:
    from altair.typing import ChartType

    from mohs.analysis.formulations import Formulations

SHOWS: Registry[Draw] = Registry("picture of formulations")
for _draw in (distribution, sizes, orders, wording):
    SHOWS.add(_draw.__name__)(_draw)


@CHARTS.add("Formulations")
def formulations(
    result: Formulations,
    /,
    *,
    show: str = "distribution",
    **options: Any,  # noqa: ANN401 (those of the picture)
) -> ChartType:
    """Draw one side of an experiment on formulations.

    Parameters
    ----------
    result
        What `mohs.formulations` returns.
    show
        ``distribution``: the best tau of every permutation beside chance; ``sizes``:
        its mean by the number of formulations; ``orders``: what some permutations asked
        for and what came of them; ``wording``: the formulations of every topic.
    **options
        A ``title``.
    """
    return SHOWS[show](result, **options)
