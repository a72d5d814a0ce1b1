from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mohs.retrieval.index import Index, Names, build, gather, load, save
from mohs.retrieval.tokenisers import TOKENISERS, count_tokens

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {
    "d1": "The cat sat on the cats' mat",
    "d10": "dogs",
    "d2": "",
    "é": "The dog sat on the dogs",
}
# What becomes of each word: the singular, and nothing of "the" and "on".
TERMS = {"cats": "cat", "dogs": "dog", "the": None, "on": None}


@pytest.fixture
def index() -> Index:
    words = TOKENISERS["words"]
    ids, texts = list(DOCUMENTS), list(DOCUMENTS.values())
    halves = [
        (ids[:2], count_tokens(words, texts[:2])),
        (ids[2:], count_tokens(words, texts[2:])),
    ]
    bags = gather(halves)
    return build(bags, [TERMS.get(token, token) for token in bags.tokens])


def test_counts(index: Index) -> None:
    assert list(index.documents) == list(DOCUMENTS)
    assert list(index.vocabulary) == ["cat", "dog", "mat", "sat"]
    assert index.lengths.tolist() == [4, 1, 0, 3]
    assert index.df.tolist() == [1, 2, 1, 2]
    assert index.cf.tolist() == [2, 3, 1, 2]
    statistics = index.statistics
    assert (statistics.documents, statistics.tokens) == (4, 8)
    assert (statistics.terms, statistics.postings) == (4, 6)


def test_both_directions(index: Index) -> None:
    dog = index.inverted.row(1)
    assert index.inverted.cells[dog].tolist() == [1, 3]
    assert index.inverted.counts[dog].tolist() == [1, 2]
    first = index.forward.row(0)
    assert index.forward.cells[first].tolist() == [0, 2, 3]
    assert index.forward.counts[first].tolist() == [2, 1, 1]
    assert index.forward.row(2) == slice(4, 4)


def test_ties_go_by_bytes_descending(index: Index) -> None:
    ordered = sorted(range(4), key=lambda i: index.places[i])
    assert [index.documents[i] for i in ordered] == ["é", "d2", "d10", "d1"]


def test_what_is_mapped_is_what_was_saved(index: Index, tmp_path: Path) -> None:
    save(index, tmp_path)
    mapped = load(tmp_path)
    assert list(mapped.documents) == list(index.documents)
    assert list(mapped.vocabulary) == list(index.vocabulary)
    assert isinstance(mapped.inverted.counts, np.memmap)
    for name in ("places", "lengths", "df", "cf"):
        np.testing.assert_array_equal(getattr(mapped, name), getattr(index, name))
    for side in ("inverted", "forward"):
        for name in ("starts", "cells", "counts"):
            ours, theirs = getattr(index, side), getattr(mapped, side)
            np.testing.assert_array_equal(getattr(theirs, name), getattr(ours, name))


def test_an_index_of_nothing(tmp_path: Path) -> None:
    index = build(gather([]), [])
    save(index, tmp_path)
    assert load(tmp_path).statistics.documents == 0


@pytest.mark.parametrize("name", ["", "a", "b", "é", "zz"])
def test_names_are_found_where_they_are(name: str) -> None:
    names = Names.of(["a", "ab", "é"])
    places = {"a": 0, "é": 2}
    assert names.find(name) == places.get(name)
