"""Runs and judgments that are in memory: taken as they are meant, or refused."""

from collections import namedtuple
from typing import Any

import pandas as pd
import polars as pl
import pytest

from mohs.errors import InputError
from mohs.rankings import Reading, read_qrels, read_runs

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
RUN = {"1": {"a": 1.0, "b": 2.0}, "2": {"a": 1.0}}
COLUMNS = {"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [1.0, 1.0, 1.0]}

Scored = namedtuple("Scored", ["query_id", "doc_id", "score", "run"])  # noqa: PYI024
RECORDS = [
    Scored("1", "a", 1.0, "x"),
    Scored("1", "b", 2.0, "y"),
    Scored("2", "a", 1, "x"),
]


def frame(**columns: list[Any]) -> pl.DataFrame:
    return pl.DataFrame({**COLUMNS, **columns}, strict=False)


NUMBER = r"is not a number: .*; give it an int or a float"

# What is given for a run, and what is wrong with it.
WRONG: dict[str, tuple[Any, str]] = {
    "system missing": (
        frame(name=["x", None, "x"]),
        "column 'name' has missing values",
    ),
    "system missing in pandas": (
        pd.DataFrame({**COLUMNS, "run": ["x", None, "x"]}),
        "column 'run' has missing values; fill them in",
    ),
    "system missing in records": ([Scored("1", "a", 1.0, None)], "ids must be text"),
    "several systems under one name": ({"z": RECORDS}, "several systems: x, y"),
    "no rows under a name": ({"z": frame(name="x").head(0)}, "'z' holds no rows"),
    "no run under a name": ({"z": 7}, "'z' cannot be read from int"),
    "decimal topics": (frame(qid=[1.0, 1.0, 2.0]), "'qid' holds decimal numbers; make"),
    "decimal systems": (frame(run=[1.0, 1.0, 2.0]), "'run' holds decimal numbers"),
    "half a character": ({"1": {"a\ud800": 1.0}}, r"id 'a\\ud800' holds half a"),
    "half a character in a topic": ({"\ud800": {"a": 1.0}}, "holds half a character"),
    "text": ({"1": {"a": 1.0, "b": "1_0"}}, f"score {NUMBER}"),
    "bytes": ({"1": {"a": b"0.5"}}, f"score {NUMBER}"),
    "truth": ({"1": {"a": True}}, f"score {NUMBER}"),
    "list": ({"1": {"a": [1]}}, f"score {NUMBER}"),
    "ragged lists": ({"1": {"a": [1], "b": 2.0}}, f"score {NUMBER}"),
    "complex": ({"1": {"a": 1j}}, f"score {NUMBER}"),
    "huge": (
        {"1": {"a": 10**400}},
        "score is larger than any double; give it a finite",
    ),
    "missing": ({"1": {"a": None}}, "1: score is not a number: 'NaN'; drop the line"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_run_is_refused(case: str) -> None:
    runs, problem = WRONG[case]
    with pytest.raises(InputError, match=problem):
        read_runs(QRELS, runs)


def test_what_are_no_judgments_is_refused() -> None:
    with pytest.raises(InputError, match=f"grade {NUMBER}"):
        read_qrels({"1": {"a": True}})
    with pytest.raises(
        InputError, match="judgments: column 'qid' holds decimal numbers"
    ):
        read_qrels(pl.DataFrame({"qid": [1.0], "docno": ["a"], "label": [1]}))


SYSTEMS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "records": (RECORDS, ("x", "y")),
    "records under a name": ({"z": RECORDS[::2]}, ("z",)),
    "a topic without documents": ({"0": {}, **RUN}, ("run",)),
    "nothing but a topic": ({"1": {}}, None),
    "half a character": ({"\ud800": RUN}, (r"\ud800",)),
}


@pytest.mark.parametrize("case", SYSTEMS)
def test_systems_are_told_apart(case: str) -> None:
    runs, systems = SYSTEMS[case]
    if systems:
        assert read_runs(QRELS, runs).systems == systems
    else:
        with pytest.raises(InputError, match="run 'run': the file is empty"):
            read_runs(QRELS, runs)


@pytest.mark.parametrize("runs", [{"b": {}, "a": RUN}, {"a": RUN, "b": {}}])
def test_an_empty_run_is_named_wherever_it_stands(runs: dict[str, object]) -> None:
    with pytest.raises(InputError, match="run 'b': the file is empty"):
        read_runs(QRELS, runs)


RANKS: dict[str, tuple[list[Any], str | None]] = {
    "whole": ([2, 1, 1], None),
    "whole as doubles": ([2.0, 1.0, -(2.0**31)], None),
    "too large": (
        [1, 2**40, 1],
        "run 'run':2: rank is not a whole number: '1099511627",
    ),
    "missing": (
        [1, None, 1],
        ":2: rank is not a whole number: 'None'; mend it or leave",
    ),
    "not a number": ([float("nan"), 1.0, 1.0], ":1: rank is not a whole number: 'nan'"),
    "fractions": ([1.7, 1.2, 1.0], ":1: rank is not a whole number: '1.7'"),
    "text": (["1", "x", "1"], "run 'run': column 'rank' holds no numbers"),
}


@pytest.mark.parametrize("case", RANKS)
def test_ranks_are_looked_at_only_if_they_decide(case: str) -> None:
    ranks, problem = RANKS[case]
    run = frame(rank=ranks)
    assert read_runs(QRELS, run).judged.tolist() == [1, 0, 2]
    reading = Reading(ties="rank")
    if problem is None:
        assert read_runs(QRELS, run, reading=reading).judged.tolist() == [1, 0, 2]
        turned = frame(rank=[1, 2, 1])
        assert read_runs(QRELS, turned, reading=reading).judged.tolist() == [0, 1, 2]
    else:
        with pytest.raises(InputError, match=problem):
            read_runs(QRELS, run, reading=reading)
