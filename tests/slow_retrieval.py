"""How Terrier reads queries, ranks and expands, a second time, slow and plain.

Only tokens, stems, stop lists and the weights of postings come from Mohs. Whatever
Terrier does that nobody would expect is here, too: see `entries` and `order`.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from mohs.retrieval.models import MODELS
from mohs.retrieval.postings import Postings, Statistics
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.stoplists import stop_words
from mohs.retrieval.tokenisers import TOKENISERS

Entries = list[tuple[str, float]]
Ranking = list[tuple[int, float]]
K = TypeVar("K", bound=Hashable)

F = np.float32


class Collection:
    """Documents as bags of terms."""

    def __init__(self, texts: Sequence[str], stoplist: str, stemmer: str) -> None:
        self._stops, self._stem = stop_words(stoplist), STEMMERS[stemmer]
        self.documents = [Counter(self.terms(text)) for text in texts]
        self.lengths = [bag.total() for bag in self.documents]
        self.postings: dict[str, dict[int, int]] = defaultdict(dict)
        for number, bag in enumerate(self.documents):
            for term, tf in bag.items():
                self.postings[term][number] = tf
        self.df = {term: len(found) for term, found in self.postings.items()}
        self.cf = {term: sum(found.values()) for term, found in self.postings.items()}
        self.size, self.tokens = len(texts), sum(self.lengths)
        self.statistics = Statistics(
            self.size, self.tokens, len(self.df), sum(self.df.values())
        )
        self._weights: dict[tuple[object, ...], list[float]] = {}
        self.numbers: dict[str, int] = {}
        for bag in self.documents:
            for term in order(list(bag), string_hash, 277):
                self.numbers.setdefault(term, len(self.numbers))

    def terms(self, text: str) -> list[str]:
        kept = [t for t in TOKENISERS["terrier"](text) if t not in self._stops]
        return self._stem(kept)

    def entries(self, text: str) -> Entries:
        """Read a query.

        Equal words are one entry. So are different words of one stem that follow each
        other, but the weight of a third in a row gets lost: it is added to the second,
        which is gone.
        """
        words = Counter(TOKENISERS["terrier"](text))
        kept = [word for word in words if word not in self._stops]
        read = [
            [stem, float(words[word])]
            for stem, word in zip(self._stem(kept), kept, strict=True)
        ]
        found, before = [], None
        for entry in read:
            if before and before[0] == entry[0]:
                before[1] += entry[1]
            else:
                found.append(entry)
            before = entry
        return [(stem, weight) for stem, weight in found]

    def weights(self, term: str, model: str, values: dict[str, float]) -> list[float]:
        """Weigh all postings of a term."""
        asked = (term, model, *values.items())
        if asked not in self._weights:
            self._weights[asked] = self._weigh(term, model, values)
        return self._weights[asked]

    def _weigh(self, term: str, model: str, values: dict[str, float]) -> list[float]:
        found = self.postings[term]
        lengths = [self.lengths[number] for number in found]
        return (
            MODELS[model]
            .weigh(
                Postings(
                    np.array([*found.values()], float),
                    np.array(lengths, float),
                    np.full(len(found), float(self.df[term])),
                    np.full(len(found), float(self.cf[term])),
                    self.statistics,
                ),
                values,
            )
            .tolist()
        )

    def search(
        self, entries: Entries, model: str, values: dict[str, float], depth: int
    ) -> Ranking:
        """Rank all documents that hold a term; of equal ones, the first comes first."""
        largest = max((weight for _, weight in entries), default=0.0)
        scores: dict[int, float] = {}
        for term, weight in entries:
            if term not in self.df:
                continue
            share = MODELS[model].query(np.array([weight / largest]), values)[0]
            found = zip(
                self.postings[term], self.weights(term, model, values), strict=True
            )
            for number, score in found:
                scores[number] = scores.get(number, 0.0) + float(share) * score
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]

    def expand(self, entries: Entries, first: Ranking, expansion: str) -> Entries:
        """Expand a query by 10 terms of the best 3 documents."""
        if not first:
            return []
        largest = max(weight for _, weight in entries)
        shares = [(term, weight / largest) for term, weight in entries]
        if expansion == "RM3":
            return self._relevance(shares, first)
        return self._divergence(shares, _Bag.of(self, first[:3]), expansion)

    def _divergence(self, shares: Entries, bag: "_Bag", expansion: str) -> Entries:
        """Add the most surprising terms, with weight zero if there are too few."""
        surprise = {"Bo1": bag.bose_einstein, "KL": bag.divergence}[expansion]
        asked = {term for term, _ in shares}
        weights = {
            term: surprise(bag.tf[term], self.cf[term])
            if bag.held[term] >= min(bag.size, 2) or term in asked
            else 0.0
            for term in bag.tf
        }
        best = max(weights, key=weights.__getitem__)  # the first of them
        norm = {
            "Bo1": surprise(bag.tf[best], bag.tf[best]),
            "KL": bag.tf[best] / bag.length * math.log2(self.tokens / bag.length),
        }[expansion]
        ranked = sorted(weights, key=lambda term: -weights[term])
        query: dict[str, float] = Counter()
        for term, share in shares:
            query[term] += share
        for term in ranked[: max(10, len(shares))]:
            query[term] += weights[term] / norm
        return [*query.items()]

    def _relevance(self, shares: Entries, first: Ranking) -> Entries:
        """Mix in a relevance model, in single precision as Terrier does."""
        top = max(score for _, score in first)
        norm = top + math.log(sum(math.exp(score - top) for _, score in first))
        limit = int(float(F(0.1)) * self.size)
        model: dict[str, np.float32] = {}
        for number, score in first[:3]:
            length, chance = self.lengths[number], math.exp(score - norm)
            for term, tf in self.documents[number].items():
                if 2 <= self.df[term] < limit:
                    before = float(model.get(term, F(0)))
                    model[term] = F(before + tf / length * chance)
        ranked = sorted(model, key=lambda term: (-model[term], self.numbers[term]))[:10]
        total = F(sum(model[term] for term in ranked))
        length = sum(share for _, share in shares)
        asked = {term: F(share / length) for term, share in shares if term in self.df}
        mixed = {term: F(0.6) * share for term, share in asked.items()}
        for term in ranked:
            mixed[term] = mixed.get(term, F(0)) + F(1 - F(0.6)) * (model[term] / total)
        return [(term, float(weight)) for term, weight in mixed.items()]


@dataclass
class _Bag:
    """The best documents as one, its terms in the order in which Terrier meets them."""

    tf: dict[str, int]
    held: dict[str, int]
    size: int
    length: int
    documents: int
    tokens: int

    @classmethod
    def of(cls, collection: Collection, best: Ranking) -> "_Bag":
        bags = [collection.documents[number] for number, _ in best]
        numbers = collection.numbers
        met = dict.fromkeys(
            number for bag in bags for number in sorted(numbers[term] for term in bag)
        )
        terms = {numbers[term]: term for bag in bags for term in bag}
        met = [terms[n] for n in order([*met], lambda n: 31 * n & 0x7FFFFFFF, 23)]
        return cls(
            tf={term: sum(bag[term] for bag in bags) for term in met},
            held={term: sum(term in bag for bag in bags) for term in met},
            size=len(bags),
            length=sum(bag.total() for bag in bags),
            documents=collection.size,
            tokens=collection.tokens,
        )

    def bose_einstein(self, tf: int, cf: int) -> float:
        mean = cf / self.documents
        return tf * math.log2((1 + mean) / mean) + math.log2(1 + mean)

    def divergence(self, tf: int, cf: int) -> float:
        here, everywhere = tf / self.length, cf / self.tokens
        return 0.0 if here < everywhere else here * math.log2(here / everywhere)


def order(keys: Sequence[K], hashed: Callable[[K], int], capacity: int) -> list[K]:
    """Return different keys in the order in which a hash table of Trove's has them.

    That order is what breaks Terrier's ties: it numbers the new terms of a document in
    the order of such a table, and lists the terms of feedback documents in that of one
    of their numbers. A table is a prime number of slots, no more than half of which are
    taken. A key whose slot is taken steps down from slot to slot, by a step that
    depends on it, and the table is read from its end.
    """
    slots: list[K | None] = [None] * capacity
    for count, key in enumerate(keys, start=1):
        _place(slots, key, hashed(key))
        if count > len(slots) // 2:
            old = [key for key in reversed(slots) if key is not None]
            slots = [None] * _LARGER[len(slots)]
            for moved in old:
                _place(slots, moved, hashed(moved))
    return [key for key in reversed(slots) if key is not None]


def _place(slots: list[K | None], key: K, value: int) -> None:
    place = value % len(slots)
    while slots[place] is not None:
        place = (place - 1 - value % (len(slots) - 2)) % len(slots)
    slots[place] = key


# What follows each of Trove's sizes.
_SIZES: Iterable[tuple[int, ...]] = (
    (23, 47, 97, 197, 397, 797, 1597, 3203, 6421, 12853),
    (277, 557, 1117, 2237, 4481, 8963, 17929, 35863, 71741),
)
_LARGER = {small: large for sizes in _SIZES for small, large in pairwise(sizes)}


def string_hash(text: str) -> int:
    """Hash as Java does, without the sign."""
    value = 0
    for character in text:
        value = 31 * value + ord(character) & 0xFFFFFFFF
    return value & 0x7FFFFFFF
