"""The public face: from judgments and runs, or from scores, to one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mohs.errors import InputError
from mohs.files import write_bytes
from mohs.reporting.asked import Asked
from mohs.reporting.html import render

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from mohs.reporting.page import Page

    Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """One page about a collection; ``notes`` are sentences about what was read."""

    page: Page
    notes: tuple[str, ...] = ()
    theme: str = "blue-orange"

    @property
    def html(self) -> str:
        """The page as HTML that needs no other file."""
        return render(self.page, theme=self.theme)

    def save(self, path: Path) -> None:
        """Write the page, whole or not at all.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        write_bytes(path, self.html.encode())


def report(  # noqa: PLR0913 (the public face of one request)
    qrels: Any = None,  # noqa: ANN401
    runs: Any = None,  # noqa: ANN401
    *,
    scores: Any = None,  # noqa: ANN401
    measure: str | None = None,
    formula: str | None = None,
    topics: Path | Mapping[str, str] | None = None,
    strategies: Sequence[str] | str = "all",
    truth: Path | Mapping[str, float] | None = None,
    title: str | None = None,
    theme: str = "blue-orange",
    command: str = "",
    seed: int = 0,
    **options: Any,  # noqa: ANN401 (those of the parts)
) -> Report:
    """Put everything there is to say about topics and systems on one page.

    Parameters
    ----------
    qrels, runs
        Judgments and runs, as for `difficulty`.
    scores
        A table of scores instead, as for `read_scores`.
    measure
        By which systems are compared: AP, unless given; of scores, the one there is.
    formula
        The model of the scores, as for `anova`; topics and systems unless given, and
        sub-corpora and formulations where there are any.
    topics
        What was asked, as a topic file or a dict.
    strategies
        Older strategies to put beside the difficulty: names, or ``all``.
    truth
        The known difficulty of the topics, as a file of topic and difficulty or as a
        dict, for collections that were made with one.
    title
        Of the page.
    theme
        Its colours: ``blue-orange`` or ``traffic-light``.
    command
        What to show as the command that makes the page again.
    seed
        Of all draws.
    **options
        Those of `difficulty`, such as ``depth`` and ``corpus``; with scores, those of
        `read_scores`.

    Returns
    -------
    Report
        ``.html`` is the page, and ``.save(path)`` writes it.

    Raises
    ------
    InputError
        If there are both scores and judgments, or neither.

    Examples
    --------
    >>> scores = {
    ...     "a": {"1": {"AP": 0.1}, "2": {"AP": 0.5}, "3": {"AP": 0.6}},
    ...     "b": {"1": {"AP": 0.2}, "2": {"AP": 0.4}, "3": {"AP": 0.9}},
    ... }
    >>> page = report(scores=scores, title="Three topics").page
    >>> page.title, [section.id for section in page.sections]
    ('Three topics', ['summary', 'topics', 'systems', 'anova', 'methods'])
    """
    if (scores is None) == (qrels is None):
        raise InputError(
            "give either judgments and runs, or --scores; a report is about one of them"
        )
    asked = Asked(
        measure=measure,
        formula=formula,
        topics=topics,
        strategies=strategies if scores is None else (),
        truth=truth,
        title=title,
        theme=theme,
        command=command,
        seed=seed,
        options=options,
    )
    if scores is not None:
        from mohs.reporting.scores import report_of_scores

        page, notes = report_of_scores(scores, asked)
    else:
        from mohs.reporting.runs import report_of_runs

        page, notes = report_of_runs(qrels, runs, asked)
    return Report(page, tuple(notes), theme)
