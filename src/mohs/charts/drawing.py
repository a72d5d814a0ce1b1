"""From a result to its chart, by the name of the result's class."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from mohs.charts.themes import THEMES
from mohs.errors import InputError
from mohs.registry import Registry

if TYPE_CHECKING:
    from altair.typing import ChartType

# Modules that draw. They load Altair, so they are imported when a chart is wanted.
_GALLERY = (
    "mohs.charts.agreement",
    "mohs.charts.anova",
    "mohs.charts.cells",
    "mohs.charts.comparison",
    "mohs.charts.components",
    "mohs.charts.difficulty",
    "mohs.charts.experiment",
    "mohs.charts.formulations",
    "mohs.charts.relevance",
    "mohs.charts.scores",
)


class Draw(Protocol):
    """Draws one kind of result, in roles rather than colours."""

    def __call__(
        self,
        result: Any,  # noqa: ANN401 (the kind that it was registered for)
        /,
        **options: Any,  # noqa: ANN401 (its own)
    ) -> ChartType:
        """Return the chart."""
        ...


CHARTS: Registry[Draw] = Registry("chart")


def chart(
    result: Any,  # noqa: ANN401 (any result that has a picture)
    *,
    theme: str = "blue-orange",
    dark: bool = False,
    **options: Any,  # noqa: ANN401 (those of the chart)
) -> ChartType:
    """Draw a result.

    Parameters
    ----------
    result
        What `mohs.difficulty`, `mohs.anova`, `mohs.agree`, `mohs.components`,
        `mohs.formulations` or `mohs.relevance` returns, or scores.
    theme
        ``blue-orange``, which colour-blind readers can tell apart, or
        ``traffic-light``.
    dark
        Draw for a dark screen instead of white paper.
    **options
        Those of the chart; every chart takes a ``title``, and some also what to
        ``show``: an analysis of variance ``effects``, ``means``, ``interaction``,
        ``groups`` or ``residuals``; an agreement ``scatter`` or ``heat``; formulations
        ``distribution``, ``sizes``, ``orders`` or ``wording``; and a comparison of
        rankings ``both``, ``differences`` or ``rankings``.

    Returns
    -------
    altair.Chart
        Or a chart of several panels. Nothing in it refers to another file, so it can be
        shown in a notebook, changed further, or handed to `mohs.charts.save`.

    Examples
    --------
    >>> chart("a result")
    Traceback (most recent call last):
    mohs.errors.InputError: there is no chart of a str; there are charts of: Agreement, Anova, Cells, Comparison, Components, Difficulty, Experiment, Formulations, Relevance, Scores
    """  # noqa: E501
    for module in _GALLERY:
        importlib.import_module(module)
    known = CHARTS.names()
    kinds = [kind.__name__ for kind in type(result).__mro__]
    drawn = next((CHARTS[kind] for kind in kinds if kind in known), None)
    if drawn is None:
        listed = ", ".join(sorted(known))
        raise InputError(
            f"there is no chart of a {kinds[0]}; there are charts of: {listed}"
        )
    return in_theme(drawn(result, **options), theme=theme, dark=dark)


def in_theme(
    picture: ChartType, *, theme: str = "blue-orange", dark: bool = False
) -> ChartType:
    """Give any chart the colours and letters of a theme."""
    chosen = THEMES[theme]
    picture = picture.copy(deep=False)
    picture.config = chosen.config(dark=dark)
    if not dark:
        # A page shows this to readers whose screen is dark.
        picture.usermeta = {"dark": chosen.config(dark=True)}
    return picture
