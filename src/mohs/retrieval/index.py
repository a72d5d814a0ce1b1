"""The inverted index: sparse arrays, in memory or mapped from a folder.

A collection is tokenised once, into `Bags` of words; every stop list and stemmer makes
an `Index` of them. Terms stand in the order of their bytes, documents in the order in
which they were read, and both directions are kept: postings of a term for ranking, and
terms of a document for feedback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

from mohs import _core
from mohs.retrieval.postings import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from mohs.retrieval.tokenisers import Counts

Whole: TypeAlias = "NDArray[np.int32]"
Long: TypeAlias = "NDArray[np.int64]"


class Names(Sequence[str]):
    """Texts in one array of bytes, so that they can be mapped from a file."""

    __slots__ = ("ends", "text")

    def __init__(self, text: NDArray[np.uint8], ends: Long) -> None:
        self.text = text
        self.ends = ends

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Join texts."""
        parts = [name.encode() for name in names]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return cls(np.frombuffer(b"".join(parts), np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        place = range(len(self))[place]
        start = self.ends[place - 1] if place else 0
        return self.text[start : self.ends[place]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        start, text = 0, self.text.tobytes()
        for end in self.ends.tolist():
            yield text[start:end].decode()
            start = end

    def find(self, name: str) -> int | None:
        """Return the place of a text, where texts stand in the order of their bytes."""
        sought, low, high = name.encode(), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle].encode() < sought:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self[low] == name else None


@dataclass(frozen=True, slots=True, eq=False)
class Sparse:
    """Rows of numbered cells that hold counts, of which most are zero.

    Row i owns ``starts[i]:starts[i + 1]`` of ``cells``, ascending, and ``counts``.
    """

    starts: Long
    cells: Whole
    counts: Whole

    def row(self, number: int) -> slice:
        """Return where a row stands."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """How often each token occurs in each of N documents, before any stop list.

    ``tokens`` are all different ones, and ``counts`` has a row for each document, whose
    cells are places in ``tokens``, in any order.
    """

    documents: Names
    tokens: tuple[str, ...]
    counts: Sparse


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Documents of a collection by terms, and terms by documents.

    N ``documents``, T terms in the ``vocabulary``. ``places`` (N,) orders documents of
    one score: by id, descending. ``lengths`` (N,) counts the tokens that are left of a
    document; ``df`` and ``cf`` (T,) documents and occurrences of a term. ``inverted``
    has a row for each term, ``forward`` one for each document.
    """

    documents: Names
    vocabulary: Names
    places: Whole
    lengths: Whole
    df: Long
    cf: Long
    inverted: Sparse
    forward: Sparse

    @property
    def statistics(self) -> Statistics:
        """What ranking models ask about the whole collection."""
        return Statistics(
            documents=len(self.documents),
            tokens=int(self.cf.sum()),
            terms=len(self.vocabulary),
            postings=len(self.inverted.cells),
        )


def gather(parts: Iterable[tuple[Sequence[str], Counts]]) -> Bags:
    """Join the counts of batches of documents.

    Parameters
    ----------
    parts
        Ids of some documents, and the counts of their tokens.
    """
    known: dict[str, int] = {}
    names: list[str] = []
    sizes, cells, counts = [np.zeros(1, np.int64)], [], []
    for documents, batch in parts:
        places = [known.setdefault(token, len(known)) for token in batch.tokens]
        names += documents
        sizes.append(np.diff(batch.indptr))
        cells.append(np.array(places, np.int32)[batch.ids])
        counts.append(batch.counts)
    none = np.zeros(0, np.int32)
    return Bags(
        Names.of(names),
        tuple(known),
        Sparse(
            np.cumsum(np.concatenate(sizes)),
            np.concatenate([none, *cells]),
            np.concatenate([none, *counts]),
        ),
    )


def build(bags: Bags, terms: Sequence[str | None]) -> Index:
    """Index documents by what a stop list and a stemmer leave of their tokens.

    Parameters
    ----------
    bags
        Tokens of the documents.
    terms
        What becomes of each token; nothing if the stop list has it.
    """
    kept = sorted({term.encode() for term in terms if term})
    numbers = {term.decode(): number for number, term in enumerate(kept)}
    places = np.array([numbers[term] if term else -1 for term in terms], np.int32)
    counts = bags.counts.starts, bags.counts.cells, bags.counts.counts
    rows, columns = _core.invert(counts, places, len(kept))
    inverted, forward = Sparse(*columns[:3]), Sparse(*rows[:3])
    return Index(
        bags.documents,
        Names.of(numbers),
        tie_places(bags.documents),
        rows[3].astype(np.int32),
        np.diff(inverted.starts),
        columns[3],
        inverted,
        forward,
    )


def tie_places(documents: Sequence[str]) -> Whole:
    """Return the place of each document among those of one score: by id, descending."""
    names = [document.encode() for document in documents]
    order = sorted(range(len(names)), key=names.__getitem__)
    places = np.empty(len(order), np.int32)
    places[order[::-1]] = np.arange(len(order), dtype=np.int32)
    return places


def save(index: Index, folder: Path) -> None:
    """Write the arrays of an index into a folder that is there."""
    for name, array in _arrays(index):
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def load(folder: Path) -> Index:
    """Map an index from its folder; nothing is read before it is used."""

    def array(name: str) -> NDArray[np.int64]:
        found: NDArray[np.int64] = np.load(folder / f"{name}.npy", mmap_mode="r")
        return found

    def part(name: str, kind: str) -> Names | Sparse | NDArray[np.int64]:
        if kind == "Names":
            return Names(array(f"{name}-text"), array(f"{name}-ends"))  # type: ignore[arg-type]
        if kind == "Sparse":
            return Sparse(*(array(f"{name}-{field.name}") for field in fields(Sparse)))  # type: ignore[arg-type]
        return array(name)

    return Index(**{f.name: part(f.name, str(f.type)) for f in fields(Index)})  # type: ignore[arg-type]


def _arrays(index: Index) -> Iterable[tuple[str, NDArray[np.int64]]]:
    for field in fields(index):
        part = getattr(index, field.name)
        if isinstance(part, Names):
            yield f"{field.name}-text", part.text  # type: ignore[misc]
            yield f"{field.name}-ends", part.ends
        elif isinstance(part, Sparse):
            for inner in fields(part):
                yield f"{field.name}-{inner.name}", getattr(part, inner.name)
        else:
            yield field.name, part
