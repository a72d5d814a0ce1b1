import sys
import types

import pytest

from mohs.errors import MissingExtraError, UnknownNameError
from mohs.retrieval.stemmers import STEMMERS

# Word by word what each stemmer makes of it.
WORDS = ("generalizations", "archaeology", "queries", "running", "sses", "glass", "is")
STEMS = {
    "none": WORDS,
    "porter": ("gener", "archaeolog", "queri", "run", "ss", "glass", "is"),
    "weak-porter": (
        "generalization", "archaeology", "queri", "run", "ss", "glass", "is",
    ),
    "s": ("generalization", "archaeology", "query", "running", "sse", "glass", "is"),
    "snowball": ("general", "archaeolog", "queri", "run", "ss", "glass", "is"),
    "lovins": ("general", "archaeolog", "quer", "run", "s", "glas", "is"),
}  # fmt: skip

# Each rule of the figure, and what it does not apply to.
SINGULARS = {
    "skies": "sky",
    "ies": "y",
    "pies": "py",
    "eies": "eie",
    "daies": "daie",
    "aes": "ae",
    "trees": "tree",
    "shoes": "shoe",
    "faces": "face",
    "virus": "virus",
    "boss": "boss",
    "cats": "cat",
    "as": "as",
    "s": "s",
}


@pytest.mark.parametrize("name", STEMS)
def test_stems_are_those_of_the_algorithm(name: str) -> None:
    assert STEMMERS[name](WORDS) == list(STEMS[name])


def test_the_s_stemmer_follows_its_three_rules() -> None:
    assert STEMMERS["s"](list(SINGULARS)) == list(SINGULARS.values())


def test_a_stemmer_of_an_extra_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        MissingExtraError, match=r"'krovetz' needs .* 'mohs\[krovetz\]'"
    ):
        STEMMERS["krovetz"](["x"])
    with pytest.raises(MissingExtraError, match=r"'snowball' .* 'mohs\[retrieval\]'"):
        STEMMERS["snowball"](["x"])


def test_krovetz_is_asked_word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    stemmer = types.SimpleNamespace(stem=lambda word: word[:2])
    package = types.ModuleType("krovetzstemmer")
    package.Stemmer = lambda: stemmer  # type: ignore[attr-defined]
    monkeypatch.setattr("importlib.util.find_spec", lambda _: package)
    monkeypatch.setitem(sys.modules, "krovetzstemmer", package)
    assert STEMMERS["krovetz"](["cats", "dog"]) == ["ca", "do"]


def test_krovetz_leaves_words_of_its_dictionary() -> None:
    pytest.importorskip("krovetzstemmer", reason="make oracles compiles it")
    stems = {"cities": "city", "policies": "policy", "hopped": "hop", "ran": "ran"}
    assert STEMMERS["krovetz"](list(stems)) == list(stems.values())


def test_an_unknown_stemmer_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"no stemmer named 'poter'. Did you me"):
        STEMMERS["poter"]
