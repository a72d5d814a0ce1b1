import io
import json
from pathlib import Path

import pytest

from mohs.cli import main

HEADER = (
    "rule permutations pairs topics formulations mean_best sd_best mean_pair null"
    " null_mean_best null_low null_high p"
)
FEW = ("--permutations", "50", "--replicates", "3")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores of two systems, in the working folder."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{system},{topic}{query},AP,{(number * 7 + topic) % 11 / 11}"
        for number, system in enumerate("ab")
        for topic in (1, 2, 3)
        for query in "xyz"
    ]
    text = "\n".join(["system,topic,measure,value", *rows])
    Path("scores.csv").write_text(text + "\n")
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    pattern = "(?P<topic>.)(?P<formulation>.)"
    asked = ["formulations", "scores.csv", "--formulation", pattern, *FEW, *words]
    assert main(asked) == code


def test_a_result_is_never_shown_without_its_null_and_its_reading(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--null", "independent")
    out, err = capsys.readouterr()
    header, joint, independent = out.splitlines()
    assert header.split("\t") == HEADER.split()
    assert joint.split("\t")[:5] == ["greedy-low", "50", "2", "3", "3"]
    assert (joint.split("\t")[8], independent.split("\t")[8]) == (
        "joint",
        "independent",
    )
    assert "\nmohs: reading: mean best τ is " in f"\n{err}"


def test_a_terminal_gets_the_wording_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    run()
    lower = screen.getvalue().split("\nwording\n")[1]
    assert lower.split()[:5] == ["topic", "formulations", "mean", "best", "worst"]


def test_a_folder_gets_every_table_and_how_it_was_made() -> None:
    run("-o", "tables/", "--meta", "--seed", "3", "--workers", "2")
    names = {path.stem for path in Path("tables").iterdir()}
    assert names == {
        "formulations", "wording", "wording_by_pair", "differences", "by_formulations",
        "distribution", "orders", "meta",
    }  # fmt: skip
    meta = json.loads(Path("tables/meta.json").read_text())
    assert (meta["command"], meta["seed"]) == ("formulations", 3)
    assert "workers" not in json.dumps(meta)


@pytest.mark.parametrize("show", ["distribution", "sizes", "orders", "wording"])
def test_a_picture_is_drawn(show: str) -> None:
    run("--chart", "a.json", "--show", show)
    assert json.loads(Path("a.json").read_text())["datasets"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--show", "orders"], "mohs: --show says what a picture shows; name its file"),
        (
            ["--show", "order", "--chart", "a.svg"],
            "mohs: no picture of formulations named 'order'. Did you mean 'orders'?",
        ),
        (["--rule", "low"], "mohs: no rule named 'low'"),
        (["--measure", "RR"], "mohs: no measure in the scores named 'RR'"),
    ],
)
def test_wrong_input(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(*words, code=2)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(problem)


def test_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", screen := Terminal())
    monkeypatch.setattr("mohs.cli.progress._OFTEN", 0.0)
    run()
    told = [part for part in screen.getvalue().split("\r") if "permutations" in part]
    # 50 orders, 3 replicates of the null, and 6 for each of 1, 2 and 3 formulations.
    total = 50 + 3 * 50 + 3 * 6 * 50
    assert f"50 of {total:,} permutations" in told[0]
    assert f"{total:,} of {total:,} permutations" in told[-2 if len(told) > 22 else -1]
