import gzip
import io
import os
import sys
from pathlib import Path

import polars as pl
import pytest

import mohs
from mohs.analysis.overview import overview
from mohs.analysis.overview.kinds import kind_of
from mohs.errors import FormatError, InputError, MohsError, UnknownNameError

QRELS = {"1": {"a": 2, "b": 0, "x": 1}, "2": {"a": 1, "c": -1}, "3": {"x": 1}}
RUNS = {
    "s": {"1": {"a": 2.0, "x": 1.0}, "2": {"a": 1.0}, "9": {"a": 1.0}},
    "t": {"1": {"c": 1.0}, "3": {"x": 1.0}},
}

SCORES = pl.DataFrame(
    {
        "system": ["s", "s", "t", "t", "u"],
        "topic": ["1", "2", "1", "2", "3"],
        "corpus": ["FT", "FT", "FT", "LA", "LA"],
        "measure": ["AP", "AP", "AP", "P@10", "AP"],
        "value": [0.5, 0.25, 0.0, 1.0, None],
    }
)

ALL = ("all", 2, 3, 6, 4, 1)

KINDS = {
    b"401 0 FT911-1 1\n": "judgments",
    b"\xef\xbb\xbf# pool\r\n\r\n 401\t0\tFT911-1\t-1\r\n401": "judgments",
    b"401 0 FT911-1 0.5": "judgments",
    b"401 Q0 FT911-1 1 2.5 bm25 second try\n": "run",
    b"system\ttopic\tmeasure\tvalue\na\t401\tAP\t0.5\n": "other",
    b"system topic measure value\n": "other",
    b"401 0 FT911-1\n": "other",
    b"map\t401\t0.25\n": "other",
    b"topic,a,b\n401,0.5,0.25\n": "other",
    b"# nothing else": "other",
    b"": "other",
    b"PAR1\x00\xff\xfe": "other",
}


@pytest.mark.parametrize("text", KINDS)
def test_kinds_are_told_by_content(text: bytes) -> None:
    assert kind_of(text) == KINDS[text]


def test_judgments_and_runs() -> None:
    result = overview(QRELS, RUNS)
    assert result.table.columns == [
        "collection",
        "systems",
        "topics",
        "judged",
        "relevant",
        "topics_in_common",
    ]
    assert result.table.rows() == [ALL]
    assert result.tables()["shared"].to_polars().rows() == [("all", "all", 3)]


def test_the_level_decides_what_is_relevant() -> None:
    assert overview(QRELS, RUNS, level=2).table["relevant"].to_list() == [1]
    # A grade below zero is never relevant.
    assert overview(QRELS, RUNS, level=0).table["relevant"].to_list() == [5]


def test_sub_corpora_are_counted_beside_the_whole() -> None:
    result = overview(QRELS, RUNS, corpus=["letters=^[abc]", "x=^x", "c=c"])
    assert result.table.rows() == [
        ALL,
        ("letters", 2, 2, 4, 2, 1),
        ("x", 2, 2, 2, 2, 0),
        ("c", 2, 0, 1, 0, 0),
    ]
    assert list(result.matrix().rows()) == [
        ("all", 3, 2, 2, 0),
        ("letters", 2, 2, 1, 0),
        ("x", 2, 1, 2, 0),
        ("c", 0, 0, 0, 0),
    ]
    shared = result.tables()["shared"].to_polars()
    assert shared.filter(left="letters", right="x")["topics"].to_list() == [1]
    assert len(shared) == 16


def test_shares_of_sub_corpora() -> None:
    result = overview(QRELS, RUNS, corpus=["letters=^[abc]", "x=^x", "none=^z"])
    composition = result.tables()["composition"].to_polars()
    assert composition.columns == [
        *("collection", "topics", "topics_share", "judged", "judged_share"),
        *("relevant", "relevant_share", "prevalence"),
    ]
    assert composition.rows() == [
        ("all", 3, 1.0, 6, 1.0, 4, 1.0, 4 / 6),
        ("letters", 2, 2 / 3, 4, 4 / 6, 2, 0.5, 0.5),
        ("x", 2, 2 / 3, 2, 2 / 6, 2, 0.5, 1.0),
        ("none", 0, 0.0, 0, 0.0, 0, 0.0, None),
    ]


def test_only_sub_corpora_have_shares() -> None:
    assert list(overview(QRELS, RUNS).tables()) == ["collections", "shared"]
    assert list(overview(SCORES).tables()) == ["collections", "shared"]


def test_formulations_are_counted_with_their_topic() -> None:
    both = {"1_a": RUNS["s"]["1"], "1_b": RUNS["s"]["1"], "2_a": RUNS["s"]["2"]}
    one = {"1_a": RUNS["s"]["1"], "2_a": RUNS["s"]["2"]}
    rule = r"(?P<topic>\d)_(?P<formulation>\w)"
    result = overview(QRELS, {"both": both, "one": one}, formulation=rule)
    # Both have topic 1, but not each of its formulations.
    assert result.table.rows() == [("all", 2, 2, 6, 4, 1)]


def test_many_runs_are_counted_batch_by_batch() -> None:
    runs = {f"r{i}": RUNS["s" if i % 20 else "t"] for i in range(100)}
    assert overview(QRELS, runs).table.rows() == [("all", 100, 3, 6, 4, 1)]


def test_faults_are_errors() -> None:
    bad = {"1": {"a": float("nan")}}
    with pytest.raises(FormatError) as found:
        overview({"1": {"a": float("inf")}}, {"a": bad, "b": bad})
    assert len(found.value.problems()) == 3


def test_scores() -> None:
    result = overview(SCORES.drop("corpus"))
    # The missing value of u is no observation of topic 3.
    assert result.table.rows() == [("scores", 2, 2, None, None, 2)]


def test_corpora_of_scores() -> None:
    assert overview(SCORES).table.rows() == [
        ("all", 2, 2, None, None, 2),
        ("FT", 2, 2, None, None, 1),
        ("LA", 1, 1, None, None, 1),
    ]
    renamed = SCORES.rename({"corpus": "collection"})
    assert overview(renamed).table["collection"].to_list() == ["all", "FT", "LA"]


def test_what_of_the_scores_counts() -> None:
    assert overview(SCORES, measure="map").table["systems"].to_list() == [2, 2, 0]
    assert overview(SCORES, where="corpus=LA").table["topics"].to_list() == [1, 1]
    renamed = overview(SCORES, rename="part=corpus")
    assert renamed.table["collection"].to_list() == ["scores"]
    with pytest.raises(UnknownNameError, match="corpus"):
        overview(SCORES, where="corpus=FR")


DUELS = {
    "bm25": {"1": {"AP": 0.5}, "2": {"AP": 0.5}, "3": {"AP": 0.5}},
    "dense": {"1": {"AP": 0.75}, "2": {"AP": 0.5}, "3": {"AP": 0.0}},
    "lm": {"1": {"AP": 0.625}, "2": {"AP": 0.5 + 1e-13}},
}


def test_wins_ties_and_losses_against_a_baseline() -> None:
    result = overview(DUELS, baseline="bm25")
    against = result.tables()["against"].to_polars()
    assert against.columns == [
        *("collection", "system", "topics", "wins", "ties", "losses"),
        "mean_difference",
    ]
    assert against.rows() == [
        ("scores", "dense", 3, 1, 1, 1, -0.25 / 3),
        ("scores", "lm", 2, 1, 1, 0, pytest.approx(0.0625)),
    ]
    assert result.tables()["against_topics"].to_polars().rows() == [
        ("scores", "1", 2, 2, 0, 0, 0.1875),
        ("scores", "2", 2, 0, 2, 0, pytest.approx(0.0, abs=1e-12)),
        ("scores", "3", 1, 0, 0, 1, -0.5),
    ]


def test_what_is_a_tie_can_be_said() -> None:
    result = overview(DUELS, baseline="bm25", tie=0.125).tables()["against"]
    counts = result.to_polars().select("wins", "ties", "losses").rows()
    assert counts == [(1, 1, 1), (0, 2, 0)]
    result = overview(DUELS, baseline="bm25", tie=0).tables()["against"]
    assert result.to_polars()["wins"].to_list() == [1, 2]


def test_collections_are_compared_one_by_one() -> None:
    scores = SCORES.filter(measure="AP", corpus="FT")
    both = pl.concat([scores, scores.with_columns(corpus=pl.lit("LA"))])
    against = overview(both, baseline="t").tables()["against"].to_polars()
    assert against["collection"].to_list() == ["FT", "LA"]
    tables = {"baseline": "t", "measure": "AP"}
    against = overview([both, scores], **tables).tables()["against"].to_polars()
    names = ["scores 1: FT", "scores 1: LA", "scores 2: FT"]
    assert against["collection"].to_list() == names


@pytest.mark.parametrize(
    ("source", "options", "problem"),
    [
        (DUELS, {"baseline": "bm52"}, "no system in scores named 'bm52'. Did you mean"),
        (DUELS, {"baseline": "lm", "tie": -1}, "--tie: a difference is 0 or more"),
        (DUELS, {"baseline": "lm", "tie": float("nan")}, "--tie: a difference is 0 or"),
        (DUELS, {"tie": 0.1}, "--tie is about --baseline, which was not given"),
        (SCORES, {"baseline": "s"}, "there are several measures; choose one of: AP"),
        (SCORES, {"baseline": "u", "measure": "AP"}, "no system in FT named 'u'"),
    ],
)
def test_baselines_that_mean_nothing_are_refused(
    source: object, options: dict[str, object], problem: str
) -> None:
    with pytest.raises(MohsError) as found:
        overview(source, **options)
    assert str(found.value).startswith(problem)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of every kind, under names that say nothing."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "one": "401 0 a 1\n402 0 a 0\n",
        "two": "401 Q0 a 1 2.5 t\n",
        "three": "system\ttopic\tmeasure\tvalue\ns\t401\tAP\t0.5\n",
        "four.qrels": "topic,s,t\n401,0.5,0.5\n402,0.5,0.5\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "packed").write_bytes(gzip.compress(texts["one"].encode()))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("qrels", ["one", "packed", Path("one")])
def test_judgments_are_told_from_scores(qrels: str) -> None:
    result = overview(qrels, "two")
    assert result.table.rows() == [("all", 1, 2, 2, 1, 1)]
    assert list(result.files) == [str(qrels), "two"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "tables", [(["three", "four.qrels"],), ("three", "four.qrels")]
)
def test_scores_are_told_from_judgments(tables: tuple[object, ...]) -> None:
    result = overview(*tables)
    assert result.table.rows() == [
        ("three", 1, 1, None, None, 1),
        ("four", 2, 2, None, None, 2),
    ]
    assert list(result.files) == ["three", "four.qrels"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("source", "runs", "options", "problem"),
    [
        ("one", None, {}, "one:1: these are judgments; name runs behind them"),
        ("two", "one", {}, "two:1: this is a run; name the judgments first"),
        ("gone", "two", {}, "gone: no such file"),
        ("one", "gone", {}, "gone: no such file or folder"),
        ("one", "two", {"corpus": "all=b"}, "--corpus all: this is what the whole"),
        ("three", None, {"corpus": "a=b"}, "--corpus is about judgments and runs"),
        ("one", "two", {"where": "a=b"}, "--where is about scores"),
        ("one", "two", {"rename": "a=b"}, "--rename is about scores"),
        ("one", "two", {"measure": "AP"}, "--measure is about scores"),
        ("one", "two", {"baseline": "two"}, "--baseline is about scores"),
    ],
)
def test_what_does_not_fit_is_refused(
    source: str, runs: str | None, options: dict[str, str], problem: str
) -> None:
    with pytest.raises(MohsError) as found:
        overview(source, runs, **options)
    assert str(found.value).startswith(problem)


@pytest.mark.usefixtures("folder")
def test_judgments_may_come_from_standard_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(Path("one").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    result = overview("-", "two")
    assert result.table.rows() == [("all", 1, 2, 2, 1, 1)]
    assert result.files == {"standard input": Path("one").read_bytes(), "two": None}


@pytest.mark.usefixtures("folder")
def test_scores_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(Path("three").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    result = overview("-")
    assert result.table.rows() == [("-", 1, 1, None, None, 1)]
    assert result.files == {}


def test_runs_are_needed_to_overview_runs(folder: Path) -> None:
    (folder / "runs").mkdir()
    with pytest.raises(InputError, match="no files in this folder"):
        overview("one", "runs")


def test_overview_is_at_the_front() -> None:
    assert mohs.overview is overview


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_sub_corpora_of_a_public_collection() -> None:
    data = Path(os.environ["MOHS_DATA"], "trec8")
    rules = ["FT=^FT", "FR=^FR94", "FBIS=^FBIS", "LA=^LA"]
    result = overview(data / "qrels.txt.gz", data / "runs", corpus=rules)
    composition = result.tables()["composition"].to_polars()
    assert composition["topics"].to_list() == [50, 49, 19, 43, 45]
    # Every document is in one of the four.
    assert composition["judged_share"][1:].sum() == pytest.approx(1)
    assert composition["relevant_share"][1:].sum() == pytest.approx(1)
