"""Text analysis compared with that of Terrier's own classes.

The tokeniser, the stop list and Porter's stemmers have to give what Terrier's give, to
the letter. So does Lovins's, but on characters beyond the first 65,536, which count
twice in Java.
"""

import gzip
import json
import operator
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.stoplists import stop_words
from mohs.retrieval.tokenisers import TOKENISERS

COLLECTIONS = ("cranfield", "cisi", "vaswani")
SAME = {
    "porter": "PorterStemmer",
    "weak-porter": "WeakPorterStemmer",
    "lovins": "LovinsStemmer",
}
ODD = (*"aAbBzZ019 .-_'é€\u0130\u017f\u212a\x00\n@[`{/:", "\U0001d400")
# All that the rules of Porter's stemmer look for, and what they leave.
ENDS = """
s es sses ies ss ed eed ing at bl iz y ational tional enci anci izer bli abli alli entli
eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate
ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion
tion ou ism ate iti ous ive ize e le l ll
"""


class Terrier(Protocol):
    def tokenise(self, texts: Sequence[str], /) -> list[list[str]]: ...
    def stem(self, stemmer: str, words: Sequence[str], /) -> list[str]: ...
    def stops(self, words: Sequence[str], /) -> list[bool]: ...


@pytest.fixture(scope="module", params=COLLECTIONS)
def texts(request: pytest.FixtureRequest) -> list[str]:
    return list(_texts(request.param))


def _texts(collection: str) -> Iterator[str]:
    if "MOHS_DATA" not in os.environ:
        pytest.skip("MOHS_DATA names no folder of real data")
    folder = Path(os.environ["MOHS_DATA"]) / "collections" / collection
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from (json.loads(line)["text"] for line in file)
    yield from (folder / "topics.tsv").read_text("utf-8").split("\n")


def test_texts_are_cut_as_terrier_cuts_them(texts: list[str], terrier: Terrier) -> None:
    assert [TOKENISERS["terrier"](text) for text in texts] == terrier.tokenise(texts)


def test_odd_texts_are_cut_as_terrier_cuts_them(terrier: Terrier) -> None:
    stream = np.random.default_rng(8)
    repeats = stream.choice((1, 1, 1, 2, 3, 4, 5), (2000, 30))
    characters = stream.choice(ODD, (2000, 30))
    rows = zip(characters.tolist(), repeats.tolist(), strict=True)
    odd = ["".join(map(operator.mul, row, times)) for row, times in rows]
    assert [TOKENISERS["terrier"](text) for text in odd] == terrier.tokenise(odd)


@pytest.mark.parametrize("name", SAME)
def test_words_have_the_stems_of_terrier(
    name: str, texts: list[str], terrier: Terrier
) -> None:
    words = sorted({word for text in texts for word in TOKENISERS["terrier"](text)})
    assert len(words) > 5000
    assert STEMMERS[name](words) == terrier.stem(SAME[name], words)


@pytest.mark.parametrize("name", SAME)
def test_odd_words_have_the_stems_of_terrier(name: str, terrier: Terrier) -> None:
    stream = np.random.default_rng(9)
    ends = ["", *ENDS.split()]
    starts = stream.choice([*"aeiouybcdlmnrstwxz19'é", ""], (3, len(ends), 5)).tolist()
    odd = {
        "".join(start) + end + last
        for row in starts
        for start, end in zip(row, ends, strict=True)
        for last in ends
    }
    words = sorted(odd - {""})
    assert len(words) > 10_000
    assert STEMMERS[name](words) == terrier.stem(SAME[name], words)


def test_the_stop_list_is_terriers(texts: list[str], terrier: Terrier) -> None:
    stops = stop_words("terrier")
    words = sorted({word for text in texts for word in TOKENISERS["terrier"](text)})
    words += sorted(stops)
    assert [word in stops for word in words] == terrier.stops(words)
    assert len(stops) == 733
