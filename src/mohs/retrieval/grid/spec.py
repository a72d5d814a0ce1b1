"""What a grid holds: systems made of components, over collections and topics."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import PurePath
from typing import TYPE_CHECKING

from mohs.retrieval.spelling import Component

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE = Component("none")
# What every system without a word about its tokeniser has.
TOKENISER = Component("terrier")


@dataclass(frozen=True, slots=True)
class Analysis:
    """What turns text into terms."""

    tokeniser: Component
    stoplist: Component
    stemmer: Component


@dataclass(frozen=True, slots=True)
class System:
    """One system: how it reads, ranks, and expands queries.

    Examples
    --------
    >>> from mohs.retrieval.spelling import parse
    >>> analysis = Analysis(TOKENISER, parse("smart"), parse("porter"))
    >>> System(analysis, parse("BM25(b=0.4)"), NONE).name
    'smart-porter-BM25(b=0.4)-none'
    """

    analysis: Analysis
    model: Component
    expansion: Component

    @property
    def name(self) -> str:
        """What it is called, in tables and in names of files."""
        return "-".join(map(_short, self.components.values()))

    @property
    def components(self) -> dict[str, Component]:
        """The components by the columns that name them."""
        read = self.analysis
        own = {} if read.tokeniser == TOKENISER else {"tokeniser": read.tokeniser}
        return own | {
            "stoplist": read.stoplist,
            "stemmer": read.stemmer,
            "model": self.model,
            "expansion": self.expansion,
        }


def _short(component: Component) -> str:
    """Leave a file its bare name, in one word as the last field of a run is."""
    text = str(component)
    bare = PurePath(text).stem if "/" in text or "\\" in text else text
    return "_".join(bare.split())


@dataclass(frozen=True, slots=True)
class Components:
    """Components to combine, every one with every other."""

    tokenisers: Sequence[Component]
    stoplists: Sequence[Component]
    stemmers: Sequence[Component]
    models: Sequence[Component]
    expansions: Sequence[Component]

    def systems(self) -> tuple[System, ...]:
        """Return all combinations; systems of one analysis and one model adjoin."""
        return tuple(
            System(Analysis(*read), model, expansion)
            for *read, model, expansion in product(
                self.tokenisers,
                self.stoplists,
                self.stemmers,
                self.models,
                self.expansions,
            )
        )
