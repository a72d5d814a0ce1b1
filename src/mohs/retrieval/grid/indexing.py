"""From text to terms: documents into an index, queries into terms of it."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError
from mohs.retrieval.expansion import Query
from mohs.retrieval.index import build, gather, load, save
from mohs.retrieval.search import look_up
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.tokenisers import count_tokens, tokeniser_of
from mohs.trec.documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from mohs.retrieval.grid.job import Collection
    from mohs.retrieval.grid.spec import Analysis
    from mohs.retrieval.grid.store import Store
    from mohs.retrieval.index import Bags, Index
    from mohs.retrieval.spelling import Component
    from mohs.retrieval.tokenisers import Tokeniser
    from mohs.trec.topics import Topic


def tokeniser(component: Component) -> Tokeniser:
    """Return a tokeniser with its parameters, which are whole numbers."""
    given = {
        name: int(value) if float(value).is_integer() else value
        for name, value in component.parameters
    }
    return tokeniser_of(component.name, **given)


def tokenise(collection: Collection, component: Component) -> Bags:
    """Count the tokens of all documents, batch by batch."""
    chosen = tokeniser(component)
    with collection.opened() as documents:
        return gather(
            (batch.ids, count_tokens(chosen, batch.texts))
            for batch in read_documents(documents)
        )


def terms_of(
    tokens: Sequence[str], analysis: Analysis, stopped: AbstractSet[str]
) -> list[str | None]:
    """Say what becomes of tokens: nothing of a stop word, else its stem."""
    kept = [token for token in tokens if token not in stopped]
    stems = dict(zip(kept, STEMMERS[analysis.stemmer.name](kept), strict=True))
    return [stems.get(token) for token in tokens]


def index(bags: Bags, analysis: Analysis, stopped: AbstractSet[str]) -> Index:
    """Index the tokens of a collection."""
    return build(bags, terms_of(bags.tokens, analysis, stopped))


def kept_index(store: Store, key: str, make: Callable[[], Index]) -> Index:
    """Map an index from the store, where it is put first if it is missing."""
    folder = store.find(key)
    if folder is None:
        made = make()
        folder = store.keep(key, partial(save, made))
    try:
        return load(folder)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{folder}: is no sound index ({reason}); remove it") from None


def queries_of(
    topics: Sequence[Topic], index: Index, analysis: Analysis, stopped: AbstractSet[str]
) -> tuple[Query, ...]:
    """Read topics as the documents were read."""
    chosen = tokeniser(analysis.tokeniser)
    texts = [Counter(chosen(topic.query)) for topic in topics]
    words = list(dict.fromkeys(word for text in texts for word in text))
    terms = dict(zip(words, terms_of(words, analysis, stopped), strict=True))
    numbers = look_up(index, filter(None, terms.values()))
    return tuple(_query(text, terms, numbers) for text in texts)


def _query(
    words: Mapping[str, int],
    terms: Mapping[str, str | None],
    numbers: Mapping[str, int],
) -> Query:
    """Weigh the words of a query by how often each occurs.

    As in Terrier, different words of one stem are one entry only where they stand side
    by side, and the third of three is lost; elsewhere each is weighed by itself.
    """
    stems = ((terms[word], count) for word, count in words.items() if terms[word])
    entries = [
        (numbers[stem], sum(count for _, count in islice(together, 2)))
        for stem, together in groupby(stems, lambda entry: entry[0])
    ]
    found = np.array(entries, np.int64).reshape(-1, 2)
    return Query.of(found[:, 0].astype(np.int32), found[:, 1].astype(np.float64))
