import argparse
import io
import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from mohs.cli.output import (
    add_chart,
    add_output,
    check_chart,
    check_output,
    deliver,
    draw,
)
from mohs.errors import InputError, UnknownNameError
from mohs.files import Provenance
from mohs.tables import Table

TABLES = {
    "topics": Table({"topic": ("401", "é"), "p": np.array([1 / 3, np.nan])}),
    "systems": Table({"system": ("bm25",)}),
}
MADE = Provenance("1.0", "difficulty", {"depth": 20}, seed=7)
CSV = b"topic,p\n401,0.3333333333333333\n\xc3\xa9,\n"


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_output(parser)
    return parser.parse_args(words)


def written(folder: Path, *words: str) -> set[str]:
    args = options(*words)
    check_output(args)
    deliver(args, TABLES, lambda: MADE)
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def hashing_is_an_error() -> Provenance:
    raise AssertionError("inputs were hashed though nobody asked")


def test_a_plain_file_holds_the_first_table_and_hashes_nothing(tmp_path: Path) -> None:
    args = options("-o", f"{tmp_path}/a.csv")
    deliver(args, TABLES, hashing_is_an_error, shown="systems")
    assert (tmp_path / "a.csv").read_bytes() == CSV


def test_how_it_was_made_stands_beside_a_plain_file(tmp_path: Path) -> None:
    assert written(tmp_path, "-o", f"{tmp_path}/a.csv", "--meta") == {
        "a.csv",
        "a.csv.meta.json",
    }
    beside = json.loads((tmp_path / "a.csv.meta.json").read_bytes())
    assert beside == MADE.as_dict()
    assert (tmp_path / "a.csv").read_bytes() == CSV


@pytest.mark.parametrize("meta", [[], ["--meta"]])
def test_how_it_was_made_is_in_files_that_can_carry_it(
    tmp_path: Path, meta: list[str]
) -> None:
    assert written(tmp_path, "-o", f"{tmp_path}/a.json", *meta) == {"a.json"}
    assert json.loads((tmp_path / "a.json").read_bytes())["meta"] == MADE.as_dict()
    written(tmp_path, "-o", f"{tmp_path}/a.parquet", *meta)
    kept = pl.read_parquet_metadata(tmp_path / "a.parquet")["mohs"]
    assert json.loads(kept) == MADE.as_dict()


def test_a_folder_gets_a_file_for_each_table(tmp_path: Path) -> None:
    assert written(tmp_path, "-o", f"{tmp_path}/new/") == {
        "new",
        "new/topics.csv",
        "new/systems.csv",
    }
    assert (tmp_path / "new" / "topics.csv").read_bytes() == CSV
    names = written(tmp_path, "-o", f"{tmp_path}/new/", "--meta")
    assert "new/meta.json" in names


def test_outputs_are_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no output form named '\.xls'.*\.csv"):
        check_output(options("-o", f"{tmp_path}/a.xls"))
    with pytest.raises(InputError, match="there is no folder"):
        check_output(options("-o", f"{tmp_path}/gone/a.csv"))
    with pytest.raises(InputError, match="is a folder; end the path in /"):
        check_output(options("-o", str(tmp_path)))
    (tmp_path / "a.csv.meta.json").mkdir()
    with pytest.raises(InputError, match=r"a\.csv\.meta\.json: is a folder"):
        check_output(options("-o", f"{tmp_path}/a.csv", "--meta"))
    with pytest.raises(InputError, match="--meta stands beside a file"):
        check_output(options("--meta"))
    check_output(options())


def test_a_pipe_gets_tabs_and_full_precision(
    capsys: pytest.CaptureFixture[str],
) -> None:
    deliver(options(), TABLES, hashing_is_an_error)
    assert capsys.readouterr().out == "topic\tp\n401\t0.3333333333333333\né\t\n"
    deliver(options(), TABLES, hashing_is_an_error, shown="systems")
    assert capsys.readouterr().out == "system\nbm25\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "header"),
    [
        ({"TERM": "xterm", "NO_COLOR": ""}, "\x1b[1mtopic       p\x1b[0m"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "topic       p"),
        ({"TERM": "dumb", "NO_COLOR": ""}, "topic       p"),
    ],
)
def test_a_terminal_gets_rounded_columns(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], header: str
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    deliver(options(), TABLES, hashing_is_an_error)
    lines = sys.stdout.getvalue().split("\n")
    assert lines == [header, "401    0.3333", "é           -", ""]


def pictured(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_output(parser)
    add_chart(parser)
    return parser.parse_args(words)


def test_a_picture_that_could_not_be_written_is_refused_early(tmp_path: Path) -> None:
    check_chart(pictured())
    check_chart(pictured("--chart", f"{tmp_path}/a.svg"))
    with pytest.raises(UnknownNameError, match=r"\.svgz.* Did you mean '\.svg'"):
        check_chart(pictured("--chart", f"{tmp_path}/a.svgz"))
    with pytest.raises(InputError, match="make it first"):
        check_chart(pictured("--chart", f"{tmp_path}/no/a.svg"))
    with pytest.raises(UnknownNameError, match="no theme named 'traffic'"):
        check_chart(pictured("--chart", f"{tmp_path}/a.svg", "--theme", "traffic"))
    assert [*tmp_path.iterdir()] == []


def test_table_and_picture_cannot_be_one_file(tmp_path: Path) -> None:
    path = f"{tmp_path}/a.html"
    with pytest.raises(InputError, match="the table and the picture"):
        check_chart(pictured("-o", path, "--chart", f"{tmp_path}/./a.html"))
    check_chart(pictured("-o", path, "--chart", f"{tmp_path}/b.html"))


def test_without_a_picture_nothing_is_drawn() -> None:
    draw(pictured(), "no result at all")
    with pytest.raises(InputError, match="no chart of a str"):
        draw(pictured("--chart", "a.svg"), "no result at all")
