"""The whole road from text files to values, against pytrec_eval."""

import math
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import mohs
import odd_texts
import reference
from mohs.measures import parse, trec_eval_name
from odd_texts import Choices

# The same terms in the same order; only the last digit of a logarithm may differ.
TOLERANCE = 1e-9

NAMES = (
    *("num_ret", "num_rel_ret", "num_nonrel_judged_ret", "11pt_avg", "map", "Rprec"),
    *("bpref", "recip_rank", "infAP", "ndcg", "set_F", "set_P", "set_relative_P"),
    *("set_recall", "set_map", "P.1,3,20", "recall.1,3,20", "success.1,3,20"),
    *("map_cut.1,3,20", "ndcg_cut.1,3,20", "iprec_at_recall.0,0.1,0.33,0.75,1"),
)
PRINTED = [trec_eval_name(measure) for name in NAMES for measure in parse(name)]

RUNS = 4

Grades = dict[str, dict[str, int]]
Scored = dict[str, dict[str, float]]


def by_topic(text: str, kind: str, number: type = float) -> dict[str, dict]:
    topics = reference.read(text.encode(), kind).topics()
    return {
        topic: {row.document: number(row.value) for row in rows}
        for topic, rows in topics.items()
    }


def texts(choices: Choices) -> tuple[str, list[str]]:
    """Make judgments and runs that have a topic in common."""
    qrels = odd_texts.judgments(choices)
    judged = by_topic(qrels, "judgments", int)
    # trec_eval reads memory that is not its own where all grades are negative.
    bad = [topic for topic, grades in judged.items() if max(grades.values()) < 0]
    qrels += "".join(f"\n{topic} 0 anchor 0" for topic in bad)
    runs = [odd_texts.run(choices) for _ in range(RUNS)]
    shared = f"\n{min(judged)} Q0 d 1 1 t\n"
    return qrels, [
        run if judged.keys() & by_topic(run, "run") else run + shared for run in runs
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading")
    (folder / "runs").mkdir()
    return folder


def evaluated(
    folder: Path, qrels: str, runs: list[str], precision: str
) -> dict[tuple[str, int, str], float]:
    """Write files, evaluate them, and return a value by measure, run and topic."""
    (folder / "qrels").write_text(qrels, "utf-8", newline="")
    for number, run in enumerate(runs):
        (folder / "runs" / f"{number}.txt").write_text(run, "utf-8", newline="")
    found = mohs.evaluate(
        folder / "qrels", folder / "runs", measures=NAMES, precision=precision
    )
    labels = [factor.texts() for factor in found.scores.factors.values()]
    names = PRINTED * (len(found.scores) // len(PRINTED))
    systems = map(int, labels[0])
    return dict(
        zip(
            zip(names, systems, labels[1], strict=True),
            found.scores.values,
            strict=True,
        )
    )


def expected(grades: Grades, runs: list[Scored]) -> dict[tuple[str, int, str], float]:
    """Return the values of pytrec_eval, 0 where a run lacks a topic."""
    evaluator = pytrec_eval.RelevanceEvaluator(grades, set(NAMES))
    found = [evaluator.evaluate(run) for run in runs]
    return {
        (name, number, topic): of.get(topic, {}).get(name, 0.0)
        for number, of in enumerate(found)
        for topic in grades
        for name in PRINTED
    }


def differing(
    values: dict[tuple[str, int, str], float], wanted: dict[tuple[str, int, str], float]
) -> dict[tuple[str, int, str], tuple[float, float]]:
    assert values.keys() == wanted.keys()
    pairs = {key: (float(values[key]), wanted[key]) for key in wanted}
    return {
        key: pair
        for key, pair in pairs.items()
        if not math.isclose(*pair, rel_tol=TOLERANCE)
    }


@settings(max_examples=2000)
@given(st.binary(min_size=100, max_size=900))
def test_values_are_those_of_pytrec_eval(folder: Path, drawn: bytes) -> None:
    qrels, runs = texts(Choices(drawn))
    scored = [by_topic(run, "run") for run in runs]
    wanted = expected(by_topic(qrels, "judgments", int), scored)
    assert not differing(evaluated(folder, qrels, runs, "single"), wanted)


@settings(max_examples=100)
@given(st.binary(min_size=100, max_size=900))
def test_doubles_give_the_same_where_singles_are_distinct(
    folder: Path, drawn: bytes
) -> None:
    qrels, runs = texts(Choices(drawn))
    scored = [by_topic(run, "run") for run in runs]
    wanted = expected(by_topic(qrels, "judgments", int), scored)
    found = evaluated(folder, qrels, runs, "double")
    wrong = differing(found, wanted)
    for _, number, topic in wrong:
        scores = scored[number][topic].values()
        assert len(set(map(np.float32, scores))) < len(set(scores))
