import pytest

from mohs.errors import InputError, UnknownNameError
from mohs.retrieval.tokenisers import (
    TOKENISERS,
    Ngrams,
    Words,
    count_tokens,
    tokeniser_of,
)

# What Terrier keeps, and what not.
TERRIER = {
    "State-of-the-art": ["state", "of", "the", "art"],
    "don't stop": ["don", "t", "stop"],
    "AAA AAAA AaAa": ["aaa", "aaaa"],
    "1234 12345 a1b2c3d4 a1b2c3d4e5": ["1234", "a1b2c3d4"],
    "1112 1111": ["1112"],
    "x" + "ab" * 9 + "y": ["x" + "ab" * 9 + "y"],
    "x" + "ab" * 10: [],
    "naïve K\u212a \uff46": ["na", "ve", "k"],
    "a\ud800b": ["a", "b"],
    "a\x00b\u2028c": ["a", "b", "c"],
}


@pytest.mark.parametrize("text", TERRIER)
def test_terriers_rules_hold(text: str) -> None:
    assert TOKENISERS["terrier"](text) == TERRIER[text]


def test_a_users_tokeniser_is_counted() -> None:
    found = count_tokens(str.split, ["b a b", "", "a C"])
    assert found.tokens == ["b", "a", "C"]
    assert found.indptr.tolist() == [0, 2, 2, 4]
    assert found.ids.tolist() == [0, 1, 1, 2]
    assert found.counts.tolist() == [2, 1, 1, 1]
    assert [found.indptr.dtype, found.ids.dtype, found.counts.dtype] == [
        "int64",
        "int32",
        "int32",
    ]


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("", "returned '' among its tokens"),
        (5, "returned 5 among its tokens"),
        ("\ud800", r"returned '\\ud800', which is half a character"),
    ],
)
def test_what_is_no_token_is_refused(token: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        count_tokens(lambda _: [token], ["x"])


def test_parameters_are_checked() -> None:
    assert tokeniser_of("ngrams") == Ngrams(4)
    assert tokeniser_of("ngrams", n=2)("abc") == ["ab", "bc"]
    assert tokeniser_of("words") == Words("words")
    for wrong in (0, -1, 2.0, True, "3"):
        with pytest.raises(InputError, match="ngrams: expected a whole number from 1"):
            tokeniser_of("ngrams", n=wrong)
    with pytest.raises(UnknownNameError, match="no parameter of ngrams named 'm'"):
        tokeniser_of("ngrams", m=2)
    with pytest.raises(UnknownNameError, match="no parameter of words named 'n'"):
        tokeniser_of("words", n=2)
    with pytest.raises(
        UnknownNameError, match=r"no tokeniser named 'word'. Did you mean"
    ):
        tokeniser_of("word")
