"""Laws that tokenisers, stop lists and stemmers obey, however they are called."""

import importlib.util
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.errors import InputError
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.stoplists import STOPLISTS
from mohs.retrieval.tokenisers import TOKENISERS, Counts, Tokeniser, count_tokens

# Letters that change their number when lower-cased, marks, digits of other scripts,
# half characters, and what Terrier's rules look at.
ODD = (
    *(
        "İ",
        "ẞ",
        "ΑΣ",
        "Σ",
        "ǅ",
        "e\u0301",
        "\u0301",
        "\uff21\uff22",
        "٣",
        "²",
        "文字",
        "\U0001d400\U0001d401",
    ),
    *("\ud800", "\udc00", "\x00", "_", "'", "-", "\u200d", "\u00ad", "\u2028"),
    *("aaaa", "1234", "12345", "x" * 21, "x1" * 10, "AbC", " ", "\n"),
)
# What has to be compiled is no part of the tests' environment.
AT_HAND = [
    name
    for name in STEMMERS.names()
    if name != "krovetz" or importlib.util.find_spec("krovetzstemmer")
]

texts = st.lists(st.sampled_from(ODD) | st.text(max_size=5), max_size=8).map("".join)
words = st.lists(st.text("abcdeilnogstuyz", min_size=1, max_size=9), max_size=20)


def rows(counts: Counts) -> list[dict[str, int]]:
    places = zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    return [
        {
            counts.tokens[token]: int(times)
            for token, times in zip(
                counts.ids[start:end], counts.counts[start:end], strict=True
            )
        }
        for start, end in places
    ]


def in_python(tokeniser: Tokeniser) -> Tokeniser:
    """Hide a tokeniser of the core, as if a user had made it."""
    return tokeniser.__call__


@pytest.mark.parametrize("hide", [lambda tokeniser: tokeniser, in_python])
@pytest.mark.parametrize("name", TOKENISERS.names())
@given(batch=st.lists(texts, max_size=4))
def test_counts_are_those_of_the_tokens(
    name: str, hide: Callable[[Tokeniser], Tokeniser], batch: list[str]
) -> None:
    tokeniser = TOKENISERS[name]
    found = count_tokens(hide(tokeniser), batch)
    assert rows(found) == [Counter(tokeniser(text)) for text in batch]
    assert sorted(set(found.tokens)) == sorted(found.tokens)
    for start, end in zip(found.indptr[:-1], found.indptr[1:], strict=True):
        ids = found.ids[start:end].tolist()
        assert ids == sorted(set(ids))


@pytest.mark.parametrize("name", TOKENISERS.names())
@given(text=texts)
def test_tokens_are_cut_and_lowered_no_further(name: str, text: str) -> None:
    tokens = TOKENISERS[name](text)
    assert TOKENISERS[name](" ".join(tokens)) == tokens
    assert all(tokens)


@pytest.mark.parametrize("name", TOKENISERS.names())
@given(text=texts)
def test_no_token_holds_what_separates(name: str, text: str) -> None:
    kinds = {unicodedata.category(c) for each in TOKENISERS[name](text) for c in each}
    # The core knows characters that are newer than this Python.
    assert {kind[0] for kind in kinds - {"Cn"}} <= set("LNM")


@pytest.mark.parametrize("name", TOKENISERS.names())
@given(first=texts, second=texts)
def test_a_blank_keeps_texts_apart(name: str, first: str, second: str) -> None:
    tokeniser = TOKENISERS[name]
    assert tokeniser(f"{first} {second}") == tokeniser(first) + tokeniser(second)


@pytest.mark.parametrize("name", TOKENISERS.names())
def test_no_text_has_no_tokens(name: str) -> None:
    assert TOKENISERS[name]("") == []
    assert rows(count_tokens(TOKENISERS[name], [])) == []
    assert rows(count_tokens(TOKENISERS[name], ["", " "])) == [{}, {}]


@pytest.mark.parametrize("name", STOPLISTS.names())
def test_stop_words_are_words_in_lower_case(name: str) -> None:
    try:
        found = STOPLISTS[name]()
    except InputError as error:
        pytest.skip(str(error))
    assert found == {word.strip().lower() for word in found} - {""}
    assert bool(found) == (name != "none")
    assert name == "none" or {"the", "of", "and"} <= found


@pytest.mark.parametrize("name", AT_HAND)
@given(drawn=words)
def test_a_stem_depends_on_its_word_alone(name: str, drawn: list[str]) -> None:
    stems = STEMMERS[name](drawn)
    assert stems == [STEMMERS[name]([word])[0] for word in drawn]
    assert all(stems)


@pytest.mark.parametrize("name", AT_HAND)
def test_stemmers_bear_with_any_word(name: str) -> None:
    odd = ["", "é", "文字", "\U0001d400ing", "e\u0301s", "12", "y" * 5000, sys.version]
    assert len(STEMMERS[name](odd)) == len(odd)
