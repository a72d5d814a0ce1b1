"""Ids and titles of generated topics, systems and documents.

A name depends on a number alone, never on how many others there are, so that a larger
collection extends a smaller one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.lexicon import ASPECTS, PLACES, THINGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_TOPIC = 301

LETTERS = (  # noqa: SIM905 -- words read better as text
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
).split()

# Newspapers; a collection mixes the first of them.
SOURCES = (  # noqa: SIM905 -- words read better as text
    "GAZ HER TRI COU OBS POS MAI STA REC ECH TIM ARG"
).split()
VOLUME = 100  # documents in a volume
PAGES = tuple(f"-{page:03d}" for page in range(VOLUME))


def topic_id(number: int) -> str:
    """Name the topic at a position, counted from 0.

    Examples
    --------
    >>> topic_id(0), topic_id(49)
    ('301', '350')
    """
    return str(FIRST_TOPIC + number)


def topic_title(number: int, start: int) -> str:
    """Make up what the topic at a position asks for.

    The three lists have coprime lengths, so walking all of them in step repeats a title
    only after all 8,778 combinations.

    Examples
    --------
    >>> topic_title(0, start=0)
    'harbour dredging permits in Norway'
    """
    return " ".join(title for title, *_ in topic_parts(number, start))


def topic_parts(number: int, start: int) -> tuple[tuple[str, ...], ...]:
    """List the phrases of the three parts of a topic, those of its title first.

    Examples
    --------
    >>> topic_parts(0, start=0)[2]
    ('in Norway', 'Norwegian', 'Oslo')
    """
    step = start + number
    return tuple(part[step % len(part)] for part in (THINGS, ASPECTS, PLACES))


def system_id(number: int) -> str:
    """Name the system at a position, counted from 0.

    Examples
    --------
    >>> system_id(0), system_id(23), system_id(24)
    ('alpha', 'omega', 'alpha-2')
    """
    repeat, letter = divmod(number, len(LETTERS))
    return f"{LETTERS[letter]}-{repeat + 1}" if repeat else LETTERS[letter]


def document_ids(numbers: NDArray[np.int64], sources: int = 3) -> list[str]:
    """Name documents by their positions in the corpus, which mixes some sources.

    Examples
    --------
    >>> import numpy as np
    >>> document_ids(np.array([0, 142]))
    ['GAZ0000-000', 'HER0001-042']
    """
    volumes, pages = np.divmod(numbers, VOLUME)
    both = zip(volumes.tolist(), pages.tolist(), strict=True)
    return [_volume(volume, sources) + PAGES[page] for volume, page in both]


@cache
def _volume(volume: int, sources: int) -> str:
    return f"{SOURCES[volume % sources]}{volume:04d}"
