import gzip
import zipfile
from pathlib import Path

import pytest

from mohs.errors import FormatError, InputError, MissingExtraError, UnknownNameError
from mohs.retrieval.stoplists import STOPLISTS, stop_words

# How many words, one that is there and one that is not.
LISTS = {
    "snowball": (174, "ought", "could've"),
    "lucene": (33, "such", "about"),
    "smart": (570, "appreciate", "ought to"),
    "fox": (425, "interesting", "whence"),
    "mysql": (542, "appreciate", "x"),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_hold_the_words_they_are_known_for(name: str) -> None:
    size, there, absent = LISTS[name]
    words = stop_words(name)
    assert (len(words), there in words, absent in words) == (size, True, False)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_has_one_word_a_line(tmp_path: Path, packed: bool) -> None:  # noqa: FBT001
    text = "\ufeff# words\n the\r\nof | Of\n\nCAFÉ#x\n|\n".encode()
    path = tmp_path / "list.txt"
    path.write_bytes(gzip.compress(text) if packed else text)
    assert stop_words(path) == stop_words(str(path)) == {"the", "of", "CAFÉ"}


def test_a_name_goes_before_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none").write_text("the\n")
    assert stop_words("none") == frozenset()
    assert stop_words("./none") == {"the"}


def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list").write_text("the\na b\nc d e\n")
    with pytest.raises(FormatError) as caught:
        stop_words("list")
    assert [each.partition(";")[0] for each in caught.value.problems()] == [
        "list:2: expected one word, found 2",
        "list:3: expected one word, found 3",
    ]
    Path("list").write_text("# nothing\n")
    with pytest.raises(
        FormatError, match="list: holds no words; write one word a line"
    ):
        stop_words("list")
    Path("list").write_bytes(b"the\n\xff\n")
    with pytest.raises(FormatError, match="list:2: is not UTF-8"):
        stop_words("list")


def test_an_unknown_name_is_refused_with_the_way_to_a_file() -> None:
    with pytest.raises(UnknownNameError) as caught:
        stop_words("snowbal")
    message = str(caught.value)
    assert message.startswith("no stop list named 'snowbal'. Did you mean 'snowball'?")
    assert "the path of a file" in message


def test_a_list_of_an_extra_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for name in ("lucene", "snowball"):
        with pytest.raises(
            MissingExtraError, match=rf"'{name}' .* 'mohs\[retrieval\]'"
        ):
            stop_words(name)


def test_the_list_of_terrier_comes_from_its_jar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    with pytest.raises(
        InputError, match=r"'terrier' is read from Terrier's jar, .* mvn"
    ):
        STOPLISTS["terrier"]()
    kept = tmp_path / ".m2" / "repository" / "org" / "terrier" / "terrier-core" / "5.11"
    kept.mkdir(parents=True)
    (kept / "terrier-core-5.11-sources.jar").write_text("no archive")
    with zipfile.ZipFile(kept / "terrier-core-5.11.jar", "w") as jar:
        jar.writestr("stopword-list.txt", "the\nof\n")
    assert STOPLISTS["terrier"]() == {"the", "of"}
