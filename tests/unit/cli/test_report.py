import html
import re
import shlex
from pathlib import Path

import pytest

from mohs.cli import main
from mohs.samples import sample
from mohs.trec.topics import read_topics

SCORES = "system,topic,measure,value\n" + "".join(
    f"s{s},{t},AP,{(s + t) % 5 / 10}\n" for s in range(4) for t in range(5)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection and scores, in the working folder."""
    monkeypatch.chdir(tmp_path)
    sample("made", topics=4, systems=3, seed=1)
    for path in Path("made").iterdir():
        path.rename(path.name)
    Path("scores.csv").write_text(SCORES)
    return tmp_path


def test_it_writes_a_page_and_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "qrels.txt", "runs/", "--topics", "topics.tsv"]
    assert main([*words, "--title", "My <topics>"]) == 0
    out, err = capsys.readouterr()
    assert out == "report.html\n"
    assert all(line.startswith("mohs: note: ") for line in err.splitlines())
    text = Path("report.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>\n")
    assert "<h1>My &lt;topics&gt;</h1>" in text
    first = next(iter(read_topics("topics.tsv")))
    assert f">{first.query}</td>" in text


def test_the_command_on_the_page_makes_it_again() -> None:
    words = ["qrels.txt", "runs/", "--depth", "5", "--strategy", "none", "--no-pad"]
    words += ["--seed", "3", "--corpus", "A=^[A-M]", "--corpus", "B=^[N-Z]"]
    assert main(["report", *words, "--workers", "1"]) == 0
    first = Path("report.html").read_bytes()
    shown = re.search(rb"<dt>Command</dt>\n<dd>mohs (report [^<]+)</dd>", first)[1]
    again = shlex.split(html.unescape(shown.decode()))
    assert "--workers" not in again
    assert main([*again, "-o", "again.html"]) == 0
    assert Path("again.html").read_bytes() == first


def test_scores_make_a_page() -> None:
    assert main(["report", "--scores", "scores.csv", "--where", "topic!=0"]) == 0
    text = Path("report.html").read_text("utf-8")
    assert "4 systems on 4 topics by AP, from scores.csv" in text


WRONG_ONES = {
    "": "name judgments and runs, or --scores",
    "qrels.txt": "name judgments and runs, or --scores",
    "qrels.txt runs/ --scores scores.csv": "name either judgments and runs or --scores",
    "qrels.txt runs/ --where topic=1": "--where is about --scores",
    "--scores scores.csv --topics topics.tsv": "--topics is about judgments and runs",
    "--scores scores.csv --corpus A=b": "--corpus is about judgments and runs",
    "qrels.txt runs/ -o no/page.html": "there is no folder",
    "qrels.txt runs/ -o .": "is a folder",
    "qrels.txt runs/ --theme pink": "no theme named 'pink'",
    "qrels.txt runs/ --strategy x": "no strategy named 'x'",
    "qrels.txt -": "can be read only once",
    "--scores missing.csv": "no such file",
    "qrels.txt runs/ --formula ~topic+stemmer": "stemmer",
}


@pytest.mark.parametrize("words", WRONG_ONES)
def test_what_cannot_be_is_refused_in_a_line(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert WRONG_ONES[words] in err
    assert not Path("report.html").exists()
