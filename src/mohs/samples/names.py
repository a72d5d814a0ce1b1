"""Ids and titles of generated topics, systems and documents.

A name depends on a number alone, never on how many others there are, so that a larger
collection extends a smaller one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_TOPIC = 301

LETTERS = (  # noqa: SIM905 -- words read better as text
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
).split()

SOURCES = ("GAZ", "HER", "TRI")
VOLUME = 1000  # documents in a volume
PAGES = tuple(f"-{page:03d}" for page in range(VOLUME))

THINGS = (  # noqa: SIM905 -- words read better as text
    "harbour dredging,solar roof,urban beehive,river ferry,school meal,glacier,"
    "night train,wheat rust,lighthouse,coral reef,tram network,peat bog,"
    "hospital laundry,salmon farm,folk music,earthquake alarm,cheese cellar,"
    "public library,desert highway,mountain rescue,ceramic tile,radio telescope,"
    "orchard frost,bicycle lane,whale watching,tunnel ventilation,seed bank,"
    "vineyard,flood barrier,clock tower,wild boar,paper mill,sign language"
).split(",")
ASPECTS = (  # noqa: SIM905 -- words read better as text
    "permits,subsidies,safety,history,noise complaints,maintenance costs,accidents,"
    "volunteers,tourism,insurance claims,court rulings,job losses,water use,"
    "research funding,protests,new technology,training,ownership,early warnings"
).split(",")
PLACES = (  # noqa: SIM905 -- words read better as text
    "in Norway,in Chile,in Kenya,in Japan,in Scotland,in Canada,in Vietnam,in Portugal,"
    "since 1950,before 1900,on islands,near borders,in small towns,in wartime"
).split(",")


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
    step = start + number
    parts = (words[step % len(words)] for words in (THINGS, ASPECTS, PLACES))
    return " ".join(parts)


def system_id(number: int) -> str:
    """Name the system at a position, counted from 0.

    Examples
    --------
    >>> system_id(0), system_id(23), system_id(24)
    ('alpha', 'omega', 'alpha-2')
    """
    repeat, letter = divmod(number, len(LETTERS))
    return f"{LETTERS[letter]}-{repeat + 1}" if repeat else LETTERS[letter]


def document_ids(numbers: NDArray[np.int64]) -> list[str]:
    """Name documents by their positions in the corpus, which mixes three sources.

    Examples
    --------
    >>> import numpy as np
    >>> document_ids(np.array([0, 1042]))
    ['GAZ0000-000', 'HER0001-042']
    """
    volumes, pages = np.divmod(numbers, VOLUME)
    both = zip(volumes.tolist(), pages.tolist(), strict=True)
    return [_volume(volume) + PAGES[page] for volume, page in both]


@cache
def _volume(volume: int) -> str:
    return f"{SOURCES[volume % len(SOURCES)]}{volume:04d}"
