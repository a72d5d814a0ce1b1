import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from mohs.cli import main

HEADER = [
    *("term", "ss", "df", "ms", "f", "p", "log10_p", "omega2", "omega2_partial"),
    *("omega2_partial_low", "omega2_partial_high", "eta2_partial", "size", "status"),
]
RANDOM = ["error_term", "f_random", "df_error_random", "p_random", "variance"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores of six systems, made of two stemmers and three models, on five topics."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    lines = ["system,topic,stemmer,ir model,measure,value"]
    lines += [
        f"s{system},{topic},{'ab'[system % 2]},m{system // 2},{measure},{value}"
        for measure in ("AP", "P@10")
        for system in range(6)
        for topic in range(5)
        for value in [round(random.random(), 3)]
    ]
    Path("scores.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(*words: str, code: int = 0) -> None:
    assert main(["anova", "scores.csv", *words]) == code


def rows(text: str, delimiter: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_columns_are_those_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    run("map ~ topic + stemmer*`ir model`")
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split("\t") == HEADER
    assert [row["term"] for row in rows(out)] == [
        *("topic", "stemmer", "ir model", "stemmer:ir model", "Residual", "Total")
    ]
    assert err == ""


def test_random_factors_may_stand_before_the_formula(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--measure", "AP", "--random", "topic", "~ topic*stemmer")
    table, err = capsys.readouterr()
    assert "not shown: sphericity; -o FOLDER/ writes every table" in err
    assert table.splitlines()[0].split("\t") == HEADER + RANDOM
    assert {row["term"]: row["error_term"] for row in rows(table)} == {
        "topic": "topic:stemmer",
        "stemmer": "topic:stemmer",
        "topic:stemmer": "Residual",
        "Residual": "",
        "Total": "",
    }
    assert "f and p speak of these 5 levels of topic alone" in err


def test_a_folder_gets_every_table() -> None:
    asked = ("--tukey", "system", "--sensitivity", "--random", "topic", "--meta")
    run("AP ~ topic + system", *asked, "-o", "out/")
    assert {path.name for path in Path("out").iterdir()} == {
        *(f"{name}.csv" for name in ("anova", "means", "design", "sphericity")),
        *(f"{name}.csv" for name in ("tukey", "groups")),
        *(f"{name}.csv" for name in ("sensitivity", "checks", "quantiles")),
        "meta.json",
    }
    pairs = rows(Path("out/tukey.csv").read_text(), ",")
    assert len(pairs) == 15
    meta = json.loads(Path("out/meta.json").read_text())
    assert meta["request"]["tukey"] == "system"
    assert [source["name"] for source in meta["inputs"]] == ["scores.csv"]


def test_a_paper_gets_rounded_figures() -> None:
    run("AP ~ topic + system", "--paper", "-o", "table.tex")
    lines = Path("table.tex").read_text().splitlines()
    run("AP ~ topic + system", "-o", "table.csv")
    system = rows(Path("table.csv").read_text(), ",")[1]
    low, high = (float(system[f"omega2_partial_{end}"]) for end in ("low", "high"))
    (line,) = (line for line in lines if line.startswith("system"))
    cells = line.removesuffix(" \\\\").split(" & ")
    assert cells[1] == f"{float(system['ss']):.4f}"
    assert cells[4] == f"{float(system['f']):.2f}"
    assert cells[5] == f"{float(system['p']):.3f}"
    assert cells[7] == f"[{low:.4f}, {high:.4f}]"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["~ topic"], "there are several measures; choose one of: AP, P@10"),
        (["AP ~ topic + stemer"], "no column named 'stemer'. Did you mean 'stemmer'?"),
        (["AP ~ topic * system"], "the model is saturated"),
        (["AP topic"], "there is no ~; write ~ topic + system"),
        (["--measure", "AP"], "give either a formula"),
        (["AP ~ topic + system", "-o", "x.cvs"], "no output form named '.cvs'"),
    ],
)
def test_wrong_use_is_answered_in_one_line(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(*words, code=2)
    out, err = capsys.readouterr()
    assert out == ""
    assert problem in err
    assert len(err.splitlines()) == 1


def test_pictures_are_chosen_by_name() -> None:
    formula = "AP ~ topic + stemmer*`ir model`"
    run(formula, "--chart", "a.svg")
    assert "Effects on AP" in Path("a.svg").read_text("utf-8")
    run(formula, "--chart", "a.svg", "--show", "groups", "--tukey", "stemmer")
    assert "Groups of stemmer" in Path("a.svg").read_text("utf-8")
    run(
        formula, "--chart", "a.svg", "--show", "interaction", "--theme", "traffic-light"
    )
    assert "stemmer and ir model" in Path("a.svg").read_text("utf-8")


WRONG_PICTURES = {
    "--show means": "--show says what a picture shows; name its file with --chart",
    "--show grops --chart a.svg": "Did you mean 'groups'? Known: effects, groups,",
    "--show groups --chart a.svg": "ask for --tukey COLUMN",
}


@pytest.mark.parametrize("words", WRONG_PICTURES)
def test_wrong_pictures_are_refused_before_any_work(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run("AP ~ topic + system", *words.split(), code=2)
    out, err = capsys.readouterr()
    assert WRONG_PICTURES[words] in err
    assert (out, err.count("\n")) == ("", 1)
    assert not Path("a.svg").exists()
