import csv
import io
import json
from pathlib import Path

import pytest

from mohs.cli import main

HEADER = "component\tlevel\tbaseline\ttopic\tdelta\tlow\thigh\tsystems"
ROWS = """\
system,topic,stemmer,model,measure,value
a,1,none,BM25,AP,0.25
b,1,none,LM,AP,0.5
c,1,porter,BM25,AP,0.5
d,1,porter,LM,AP,1
a,2,none,BM25,AP,0.5
b,2,none,LM,AP,0.5
c,2,porter,BM25,AP,0.25
d,2,porter,LM,AP,0.25
a,1,none,BM25,RR,1
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores of four systems, in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(ROWS)
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    assert main(["components", "scores.csv", "--measure", "map", *words]) == code


def test_a_pipe_gets_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    run("--baseline", "stemmer=none")
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        HEADER,
        "stemmer\tporter\tnone\t1\t0.375\t0.25\t0.5\t2",
        "stemmer\tporter\tnone\t2\t-0.25\t-0.25\t-0.25\t2",
    ]
    assert err == ""


def test_the_choice_of_a_baseline_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 5
    assert err == (
        "mohs: note: the baseline of each component is stemmer=none, model=BM25 (the"
        " first level of model, which has none for none); choose another with"
        " --baseline COLUMN=LEVEL\n"
    )


def test_a_terminal_gets_the_summary_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    run("--baseline", "stemmer=none")
    upper, lower = screen.getvalue().split("\nsummary\n")
    header, *rows = upper.splitlines()
    assert header.split() == HEADER.split()
    assert rows[0].split()[3:6] == ["1", "0.3750", "0.2500"]
    assert "tau_b" in lower


@pytest.mark.parametrize(
    "words",
    [
        ["scores.csv", "--baseline", "stemmer=none", "model=BM25"],
        ["--baseline", "stemmer=none", "model=BM25", "scores.csv"],
        ["scores.csv", "--baseline", "stemmer=none", "--baseline", "model=BM25"],
    ],
)
def test_baselines_may_stand_anywhere(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["components", "--measure", "AP", "--unmatched", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter="\t"))
    assert [(row["level"], row["delta"]) for row in rows] == [
        ("porter", "0.5"),
        ("porter", "-0.25"),
        ("LM", "0.5"),
        ("LM", "-0.125"),
    ]
    assert {row["baseline"] for row in rows} == {"stemmer=none, model=BM25"}


def test_a_folder_gets_every_table_and_how_it_was_made() -> None:
    run("-o", "tables/", "--meta", "--seed", "3")
    names = {path.name for path in Path("tables").iterdir()}
    assert names == {"components.csv", "summary.csv", "means.csv", "meta.json"}
    meta = json.loads(Path("tables/meta.json").read_text())
    assert meta["command"] == "components"
    assert meta["seed"] == 3
    assert [each["name"] for each in meta["inputs"]] == ["scores.csv"]


def test_a_picture_is_drawn() -> None:
    run("--chart", "effects.json")
    assert json.loads(Path("effects.json").read_text())["datasets"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "mohs: name the SCORES; see mohs components --help"),
        (["scores.csv"], "mohs: there are several measures; choose one of: AP, RR"),
        (["gone.csv"], "mohs: gone.csv: no such file"),
        (
            ["scores.csv", "--measure", "AP", "--baseline", "stemmer=nonne"],
            "mohs: no level of stemmer named 'nonne'. Did you mean 'none'?",
        ),
        (["scores.csv", "-o", "a.doc"], "mohs: no output form named '.doc'"),
    ],
)
def test_wrong_input(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["components", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(problem)
