import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import scipy.stats

from mohs.cli import main
from mohs.samples import sample

FILES = [
    *("anova.csv", "difficulty.csv", "difficulty.html", "documents.jsonl"),
    *("formulations.csv", "grid.csv", "qrels.txt", "report.html", "runs"),
    *("scores.csv", "systems.csv", "topics.tsv", "truth.csv", "wordings.csv"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def visible(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name[0] != ".")


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def numbers(pattern: str, text: str) -> Iterator[float]:
    return map(float, re.search(pattern, text.replace("\n", " ")).groups())


def test_what_the_demo_says_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert visible(Path("mohs-demo")) == FILES
    assert all(line.startswith("mohs: note: ") for line in err.splitlines())
    ap = pl.read_csv("mohs-demo/scores.csv").filter(measure="AP")
    by_topic = ap.group_by("topic").agg(pl.mean("value"))
    by_system = ap.group_by("system").agg(pl.mean("value"))
    difficulty = by_topic.join(pl.read_csv("mohs-demo/truth.csv"), on="topic")
    quality = by_system.join(pl.read_csv("mohs-demo/systems.csv"), on="system")
    expected = [
        scipy.stats.kendalltau(planted["value"], planted[column]).statistic
        for planted, column in ((difficulty, "difficulty"), (quality, "quality"))
    ]
    shown = numbers(r"a tau_b of (\S+) for the topics and (\S+) for the systems", out)
    assert list(shown) == pytest.approx(expected, abs=0.005)
    rows = difficulty.sort("value").rows()
    told = numbers(r"hardest topic is (\d+), planted at (\S+), and", out)
    assert list(told) == pytest.approx(rows[0][::2], abs=0.005)
    told = numbers(r"easiest is (\d+), planted at (\d\.\d+)\.", out)
    assert list(told) == pytest.approx(rows[-1][::2], abs=0.005)


def test_what_it_says_of_difficulty_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    rated = pl.read_csv("mohs-demo/difficulty.csv")
    both = rated.join(pl.read_csv("mohs-demo/truth.csv"), on="topic", suffix="_planted")
    tau = scipy.stats.kendalltau(both["difficulty"], both["difficulty_planted"])
    outside = ~rated["difficulty"].is_between(rated["chance_low"], rated["chance_high"])
    told = numbers(r"re-ranker agrees with what was planted by (\S+); (\d+) of", out)
    assert list(told) == pytest.approx([tau.statistic, outside.sum()], abs=0.005)
    assert tau.statistic > 0.5
    page = Path("mohs-demo/difficulty.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")


def test_what_it_says_of_searches_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    scores = pl.read_csv("mohs-demo/grid.csv")
    assert scores["system"].n_unique() == 24
    means = scores.group_by("topic").agg(pl.mean("value"))
    both = means.join(pl.read_csv("mohs-demo/truth.csv"), on="topic")
    tau = scipy.stats.kendalltau(both["value"], both["difficulty"]).statistic
    assert tau > 0.5
    effects = dict(pl.read_csv("mohs-demo/anova.csv")["term", "omega2_partial"].rows())
    terms = ("topic", "topic:formulation", "system")
    told = numbers(
        r"planted difficulty by a tau_b of (\S+)\. The effect .* is (\S+), that of the "
        r"wordings of a topic (\S+) \(.*\), and that of systems (\S+) \(",
        out,
    )
    expected = [tau, *(effects[term] for term in terms)]
    assert list(told) == pytest.approx(expected, abs=0.005)


def test_it_ends_with_a_report_of_what_was_recovered(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--seed", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == "mohs-demo/report.html"
    page = Path("mohs-demo/report.html").read_text("utf-8")
    rated = pl.read_csv("mohs-demo/difficulty.csv")
    both = rated.join(pl.read_csv("mohs-demo/truth.csv"), on="topic", suffix="_planted")
    tau = scipy.stats.kendalltau(both["difficulty"], both["difficulty_planted"])
    told = re.search(r"known one does by τ<sub>b</sub> (\S+) \(95% interval", page)
    assert float(told[1]) == pytest.approx(tau.statistic, abs=0.005)
    assert str(folder) not in page
    command = re.search(r"<dd>(mohs report [^<]*)</dd>", page)[1]
    named = [word for word in command.split()[2:] if not word.startswith("--")]
    assert named == ["qrels.txt", "runs/", "topics.tsv", "truth.csv"]
    assert all(Path("mohs-demo", word).exists() for word in named)


def test_the_table_is_that_of_an_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo"])
    rows = [
        line.split() for line in capsys.readouterr().out.split("\n\n")[0].split("\n")
    ]
    assert rows[0] == ["system", "AP", "nDCG", "nDCG@20", "P@10", "RR"]
    main(["evaluate", "mohs-demo/qrels.txt", "mohs-demo/runs"])
    lines = capsys.readouterr().out.splitlines()[1:]
    means = {tuple(line.split("\t")[:2]): line.split("\t")[3] for line in lines}
    for system, *values in rows[1:]:
        for measure, value in zip(rows[0][1:], values, strict=True):
            assert float(value) == pytest.approx(
                float(means[system, measure]), abs=5e-5
            )
    best_first = [float(row[1]) for row in rows[1:]]
    assert best_first == sorted(best_first, reverse=True)


def test_the_commands_it_names_work(capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo", "-o", "a folder"])
    lines = capsys.readouterr().out.splitlines()
    commands = [line.strip() for line in lines if line.startswith("  mohs ")]
    names = ["check", "overview", "evaluate", "difficulty", "anova"]
    assert [line.split()[1] for line in commands] == names
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in commands:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            env=os.environ | {"PATH": path},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_the_same_seed_gives_the_same_files() -> None:
    for words in (["one"], ["two"], ["three", "--seed", "5"]):
        assert main(["demo", "-o", *words]) == 0
    assert contents(Path("one")) == contents(Path("two"))
    assert contents(Path("one")) != contents(Path("three"))


def test_its_own_folder_is_filled_anew() -> None:
    assert main(["demo", "--seed", "5"]) == 0
    assert main(["demo"]) == 0
    assert main(["demo", "-o", "new/demo"]) == 0
    assert contents(Path("mohs-demo")) == contents(Path("new/demo"))


def test_a_folder_of_somebody_else_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sample("taken", systems=2, topics=2)
    before = contents(Path("taken"))
    assert main(["demo", "-o", "taken"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert contents(Path("taken")) == before
    Path("taken/thesis.txt").write_text("years of work")
    assert main(["demo", "-o", "taken", "--force"]) == 0
    assert visible(Path("taken")) == sorted([*FILES, "thesis.txt"])


def test_it_runs_in_a_locale_without_utf8(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mohs", "demo"],
        cwd=folder,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert visible(folder / "mohs-demo") == FILES
