"""Rankings as arrays, against those of a second, plain reader."""

import re
from collections.abc import Callable
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from mohs.rankings import read_runs
from odd_texts import Choices, broken
from readers import agree, check, read, texts
from reference import Rules

drawn = st.binary(min_size=40, max_size=400)


def ranked(choices: Choices) -> Rules:
    return Rules(
        ties=choices.of(("docid", "docid-asc", "rank")),
        single=choices.of((False, True)),
        floor=choices.of((-np.inf, 0, 1)),
        top=choices.of((0, 2, 100)),
    )


@settings(max_examples=500)
@given(drawn)
def test_rankings_are_those_of_the_second_reader(drawn: bytes) -> None:
    choices = Choices(drawn)
    rules, workers = ranked(choices), 1 + choices.number(3)
    qrels, runs = texts(choices, 1 + choices.number(3))
    found = read(qrels, runs, rules, workers=workers)
    check(found, qrels, runs, rules)
    for account, run in zip(found.accounts, runs, strict=True):
        text = reference.read(run, "run")
        assert (account.lines, account.records) == (text.lines, len(text.rows))
        assert account.tags == text.tags[:4]
        known = found.judgments.topics
        strangers = [topic for topic in text.topics() if topic not in known]
        assert sorted(account.strangers) == sorted(strangers)
        assert account.known == len(text.topics()) - len(strangers)


@settings(max_examples=500)
@given(drawn, st.binary(min_size=9, max_size=30), st.binary(min_size=9, max_size=30))
def test_faults_are_those_of_the_second_reader(
    drawn: bytes, here: bytes, there: bytes
) -> None:
    choices = Choices(drawn)
    qrels, (run,) = texts(choices, 1)
    qrels, run = broken(Choices(here), qrels), broken(Choices(there), run)
    rules = Rules(
        ties=choices.of(("docid", "rank")),
        duplicates=choices.of(("error", "first", "last")),
    )
    agree(qrels, run, rules)


@given(drawn, st.sampled_from(["first", "last"]))
def test_one_copy_of_a_document_counts(drawn: bytes, policy: str) -> None:
    choices = Choices(drawn)
    rules = Rules(
        ties=choices.of(("docid", "docid-asc", "rank")), duplicates=policy, top=100
    )
    qrels, (one, other) = texts(choices, 2)
    runs = [one + b"\n" + other.removeprefix("\ufeff".encode())]
    found = read(qrels, runs, rules)
    check(found, qrels, runs, rules)
    copies = reference.read(runs[0], "run").twice()
    assert found.accounts[0].dropped == len(copies)


@given(drawn)
def test_copies_are_faults_of_their_lines(drawn: bytes) -> None:
    choices = Choices(drawn)
    qrels, (one, other) = texts(choices, 2)
    run = one + b"\n" + other.removeprefix("\ufeff".encode())
    found = read(qrels, [run], Rules())
    copies = reference.read(run, "run").twice()
    faults = found.accounts[0].faults
    assert [(line, code) for line, code, _ in faults] == [
        (line, "duplicate") for line in copies
    ]


# Rules for sub-corpora, and the same in Python.
CORPORA: dict[str, tuple[Any, Callable[[str], bool]]] = {
    "pattern": ("^d1|文", re.compile("^d1|文").search),
    "list": (["d", "NA", "gone"], {"d", "NA"}.__contains__),
    "nothing": ("^$", lambda _: False),
    "shard": ((3, 1, 7), lambda document: scattered(document, 7) % 3 == 1),
}


def scattered(document: str, seed: int) -> int:
    """Return the FNV-1a hash of a document, mixed as splitmix64 does."""
    word = (1 << 64) - 1
    state = 0xCBF29CE484222325 ^ seed * 0x9E3779B97F4A7C15 & word
    for byte in document.encode():
        state = (state ^ byte) * 0x100000001B3 & word
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & word
    state = (state ^ state >> 27) * 0x94D049BB133111EB & word
    return state ^ state >> 31


@pytest.mark.parametrize("kind", CORPORA)
@settings(max_examples=50)
@given(drawn)
def test_a_corpus_restricts_before_anything_is_ranked(kind: str, drawn: bytes) -> None:
    rule, belongs = CORPORA[kind]
    qrels, runs = texts(Choices(drawn), 2)
    rules = Rules(belongs=belongs, top=2)
    check(read(qrels, runs, rules, corpus=rule), qrels, runs, rules)


def test_a_corpus_leaves_copies_elsewhere_alone() -> None:
    run = b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 b 3 0 t\n"
    found = read(b"1 0 a 1\n1 0 b 1\n1 0 b 0\n", [run], Rules(), corpus="a")
    assert found.accounts[0].faults == []
    assert found.judgments.account.faults == []
    assert found.retrieved.tolist() == [[1]]


@settings(max_examples=200)
@given(drawn)
def test_formulations_borrow_the_judgments_of_their_topic(drawn: bytes) -> None:
    choices = Choices(drawn)
    qrels, runs = texts(choices, 2)
    # The topic is what stands before the first hyphen or letter, if anything does.
    pattern = re.compile(choices.of((r"(\w)(.*)", r"(t|1)(.+)", r"(\d+)(.*)")))

    def split(query: str) -> tuple[str, str] | None:
        found = pattern.fullmatch(query)
        return (found[1], found[2]) if found else None

    rules = Rules(split=split, top=2)
    check(read(qrels, runs, rules, workers=2), qrels, runs, rules)


def test_an_error_in_a_rule_is_not_swallowed() -> None:
    def split(query: str) -> tuple[str, str] | None:
        raise LookupError(query) if query == "2" else ValueError("no other is asked")

    with pytest.raises(ValueError, match="no other"):
        read(b"1 0 a 1\n", [b"2 Q0 a 1 1 t\n"], Rules(split=split))


@given(drawn)
def test_neither_threads_nor_the_order_of_runs_change_a_ranking(drawn: bytes) -> None:
    qrels, runs = texts(Choices(drawn), 3)
    rules = Rules(top=3, split=lambda query: (query[0], query))
    found = [
        (order, reference.laid_out(read(qrels, [runs[i] for i in order], rules)))
        for order in permutations(range(3))
    ]
    width = len(found[0][1]["topics"])
    for order, other in found:
        for name in ("retrieved", "tied", "judged_top", "top"):
            rows = [other[name][i * width : (i + 1) * width] for i in range(3)]
            kept = [rows[order.index(i)] for i in range(3)]
            assert [*chain(*kept)] == found[0][1][name]
        assert other["topics"] == found[0][1]["topics"]
        assert other["groups"] == found[0][1]["groups"]
    for workers in (1, 2, 3):
        again = reference.laid_out(read(qrels, runs, rules, workers=workers))
        assert again == found[0][1]


def by_topic(text: reference.Text) -> dict[str, dict[str, float]]:
    return {
        topic: {row.document: row.value for row in rows}
        for topic, rows in text.topics().items()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@settings(max_examples=30)
@given(drawn)
def test_every_form_of_input_gives_the_same_arrays(folder: Path, drawn: bytes) -> None:
    choices = Choices(drawn)
    qrels, (run,) = texts(choices, 1)
    judged, found = reference.read(qrels, "judgments"), reference.read(run, "run")
    topic = choices.of(("topic", "qid", "query_id"))
    document = choices.of(("document", "docno", "doc_id"))
    columns = {
        topic: [row.topic for row in found.rows],
        document: [row.document for row in found.rows],
        choices.of(("score", "sim")): [row.value for row in found.rows],
    }
    grades = {
        topic: [row.topic for row in judged.rows],
        document: [row.document for row in judged.rows],
        choices.of(("grade", "label", "relevance")): [r.value for r in judged.rows],
    }
    (folder / "qrels").write_bytes(qrels)
    (folder / "run").write_bytes(run)
    forms = {
        "dict": (by_topic(judged), {"run": by_topic(found)}),
        "one run": (by_topic(judged), by_topic(found)),
        "pandas": (pd.DataFrame(grades), pd.DataFrame(columns)),
        "polars": (pl.DataFrame(grades), pl.DataFrame(columns)),
        "frames by name": (pl.DataFrame(grades), {"run": pd.DataFrame(columns)}),
        "paths": (folder / "qrels", folder / "run"),
        "a folder": (str(folder / "qrels"), [str(folder)]),
    }
    expected = reference.laid_out(read(qrels, [run], Rules()))
    for form, (judgments, runs) in forms.items():
        rankings = read_runs(judgments, runs)
        assert rankings.systems == ("run",), form
        assert rankings.judgments.grades.tolist() == [
            row.value for rows in judged.topics().values() for row in rows
        ]
        assert reference.laid_out(rankings) == expected, form
