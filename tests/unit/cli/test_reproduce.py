"""``mohs reproduce``: the folder, what is said of it, and what is refused first."""

from pathlib import Path

import pytest

from mohs.cli import DONE, WRONG, main, parser_of
from mohs.papers import KNOWN


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and an empty cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MOHS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_paper_becomes_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "m17", "--no-download", "--seed", "7"]) == DONE
    out, err = capsys.readouterr()
    assert out.splitlines() == ["m17: 5 not testable, 5 holds", "mohs-m17/index.html"]
    notes = err.splitlines()
    assert notes[0].startswith("mohs: note: items/news_popularity.csv is missing: ")
    assert all(line.startswith("mohs: note: ") for line in notes)
    page = Path("mohs-m17", "index.html").read_text("utf-8")
    assert "mohs reproduce m17 --no-download --seed 7" in page
    # A second time, the folder is its own.
    assert main(["reproduce", "m17", "--no-download"]) == DONE


REFUSED = {
    "m71": "mohs: no paper named 'm71'. Did you mean 'm17'?",
    "m17 --data nowhere": "mohs: nowhere: is no folder; name one with data in it",
    "m17 -o mine": "mine: not empty (it holds 'file') and not made by mohs reproduce",
    "m17 --data=": "expected a name, found ''",
}


@pytest.mark.parametrize("words", REFUSED)
def test_wrong_requests_are_refused_in_one_line(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine").mkdir()
    Path("mine", "file").touch()
    assert main(["reproduce", *words.split()]) == WRONG
    out, err = capsys.readouterr()
    assert REFUSED[words] in err
    assert (out, err.count("\n")) == ("", 1)
    assert not Path("mohs-m17").exists()


@pytest.mark.parametrize("paper", KNOWN)
def test_the_help_names_every_paper(paper: str) -> None:
    assert f"\n  {paper} " in parser_of("reproduce").format_help()
