"""The measures of trec_eval, against pytrec_eval and against the program itself."""

import gzip
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from mohs.measures import (
    at_depth,
    average,
    calculate,
    floor,
    judged_only,
    parse,
    trec_eval_name,
    trec_eval_text,
)
from mohs.measures.spelling import ALL_TREC
from mohs.rankings import Rankings

# Both sides add the same terms in the same order; what is left is the last digit of
# a logarithm.
TOLERANCE = 1e-12

Rank = Callable[..., Rankings]

# What pytrec_eval gives per topic, with cut-offs that matter to rankings this short.
NAMES = (
    *("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "11pt_avg"),
    *("map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "set_F"),
    *("set_P", "set_relative_P", "set_recall", "set_map"),
    *("P.1,3,20", "recall.1,3,20", "success.1,3,20", "map_cut.1,3,20"),
    *("ndcg_cut.1,3,20", "iprec_at_recall.0,0.1,0.33,0.75,1"),
)
MEASURES = [measure for name in NAMES for measure in parse(name)]
PRINTED = [trec_eval_name(measure) for measure in MEASURES]

TOPICS = ("1", "2", "10", "007", "x")
DOCUMENTS = ("d1", "d10", "d2", "D2", "é", "z", "q-1", "001")
GRADES = (None, 0, -1, -2, 1, 2, 3, None)
# As single-precision numbers, some of these are equal.
SCORES = (None, 1.0, 1.0 + 1e-9, 2.0, -3.5, 16777217.0, 16777216.0, 1e30)

# Every byte is a topic or a document: one draw for all of them is what makes
# thousands of collections affordable.
collections = st.binary(min_size=45, max_size=45)


def laid_out(drawn: bytes, values: tuple) -> dict[str, dict]:
    """Spread bytes over topics and documents; None is a document left out.

    Some topics are left out whole, some take the first values only: no relevant
    document in judgments, many ties in a run.
    """
    chosen = iter(drawn)
    laid: dict[str, dict] = {}
    for topic in TOPICS:
        width = (0, 4, 8, 8)[next(chosen) % 4]
        places = [next(chosen) for _ in DOCUMENTS]
        found = [values[place % width] for place in places] if width else []
        kept = {d: v for d, v in zip(DOCUMENTS, found, strict=False) if v is not None}
        laid |= {topic: kept} if kept else {}
    return laid


runs = collections.map(lambda drawn: laid_out(drawn, SCORES)).filter(bool)


def judgments(least: int) -> st.SearchStrategy[dict[str, dict[str, int]]]:
    """Grades from -2 to 3; one document of each topic has the grade given."""
    graded = collections.map(lambda drawn: laid_out(drawn, GRADES)).filter(bool)
    return graded.map(
        lambda cube: {topic: {**of, "anchor": least} for topic, of in cube.items()}
    )


def evaluated(grades: dict, run: dict, level: int = 1, judged: int = 0) -> dict:
    evaluator = pytrec_eval.RelevanceEvaluator(
        grades, set(NAMES), relevance_level=level, judged_docs_only_flag=judged
    )
    return evaluator.evaluate(run)


def compare(rankings: Rankings, expected: list[dict], level: int = 1) -> None:
    wanted = np.array(
        [
            [
                [of_run.get(topic, {}).get(name, 0.0) for topic in rankings.topics]
                for of_run in expected
            ]
            for name in PRINTED
        ]
    )
    values = calculate(MEASURES, rankings, level=level)
    # How many relevant documents a topic has does not depend on the run.
    missing = [[topic not in of for topic in rankings.topics] for of in expected]
    values[PRINTED.index("num_rel")][missing] = 0
    wrong = ~np.isclose(values, wanted, TOLERANCE, TOLERANCE)
    assert not [(PRINTED[m], values[m, s, q]) for m, s, q in np.argwhere(wrong)]


@settings(max_examples=1000)
@given(judgments(0), runs, runs)
def test_values_are_those_of_pytrec_eval(
    rank: Rank, grades: dict, one: dict, other: dict
) -> None:
    rankings = rank(grades, {"one": one, "other": other}, single=True)
    compare(rankings, [evaluated(grades, one), evaluated(grades, other)])


@settings(max_examples=500)
@given(judgments(3), runs, st.integers(2, 3))
def test_values_at_a_higher_level_are_those_of_pytrec_eval(
    rank: Rank, grades: dict, run: dict, level: int
) -> None:
    # Every topic has a document of that level: beyond its highest grade, trec_eval
    # counts judgments in memory left over from another topic.
    compare(
        rank(grades, {"run": run}, single=True), [evaluated(grades, run, level)], level
    )


@settings(max_examples=500)
@given(judgments(0), runs)
def test_values_of_judged_documents_only_are_those_of_pytrec_eval(
    rank: Rank, grades: dict, run: dict
) -> None:
    rankings = judged_only(rank(grades, {"run": run}, single=True))
    expected = evaluated(grades, run, judged=1)
    # With nothing left to divide by, trec_eval has NaN where we have 0.
    emptied = {
        topic: {name: 0.0 if np.isnan(value) else value for name, value in of.items()}
        for topic, of in expected.items()
    }
    compare(rankings, [emptied])


@given(judgments(0), runs, st.integers(1, 4))
def test_a_depth_is_a_shorter_run(
    rank: Rank, grades: dict, run: dict, depth: int
) -> None:
    rankings = rank(grades, {"run": run}, single=True)
    cut = {
        topic: dict(
            sorted(
                scored.items(),
                key=lambda pair: (np.float32(pair[1]), pair[0].encode()),
                reverse=True,
            )[:depth]
        )
        for topic, scored in run.items()
    }
    compare(at_depth(rankings, depth), [evaluated(grades, cut)])


@given(judgments(0), runs)
def test_entries_at_or_below_the_floor_change_nothing(
    rank: Rank, grades: dict, run: dict
) -> None:
    measures = [measure for measure in MEASURES if floor([measure]) is not None]
    whole = rank(grades, {"run": run})
    kept = whole.judgments.grades[whole.judged] > floor(measures)
    thinned = replace(
        whole,
        offsets=np.concatenate(([0], np.cumsum(kept)))[whole.offsets],
        ranks=whole.ranks[kept],
        judged=whole.judged[kept],
    )
    assert calculate(measures, thinned).tolist() == calculate(measures, whole).tolist()


@settings(max_examples=100)
@given(judgments(0), runs)
def test_summaries_are_those_of_pytrec_eval(
    rank: Rank, grades: dict, run: dict
) -> None:
    rankings = rank(grades, {"run": run}, single=True)
    names = ["map", "gm_map", "bpref", "gm_bpref", "num_ret", "num_rel", "P_5"]
    evaluator = pytrec_eval.RelevanceEvaluator(grades, {*names[:-1], "P.5"})
    expected = evaluator.evaluate(run)
    for name in names if expected else []:
        (measure,) = parse(name)
        mean = average(
            measure,
            calculate([measure], rankings)[0],
            rankings.retrieved,
            complete=False,
        )
        each = [of_topic[name] for of_topic in expected.values()]
        wanted = pytrec_eval.compute_aggregated_measure(name, each)
        np.testing.assert_allclose(mean, wanted, TOLERANCE, TOLERANCE, err_msg=name)


# From here on: the text of the program itself.


@pytest.fixture(scope="module")
def trec_eval(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Let the program evaluate dicts."""
    program = os.environ.get("MOHS_TREC_EVAL")
    if not program:
        pytest.skip("MOHS_TREC_EVAL does not name a trec_eval 9.0.4")
    folder = tmp_path_factory.mktemp("trec_eval")
    qrels, results = folder / "qrels", folder / "run"

    def printed(grades: dict, run: dict, *options: str) -> str:
        judged = (f"{t} 0 {d} {g}\n" for t, of in grades.items() for d, g in of.items())
        qrels.write_text("".join(judged), "utf-8")
        found = (
            f"{t} Q0 {d} 0 {s!r} tag\n" for t, of in run.items() for d, s in of.items()
        )
        results.write_text("".join(found), "utf-8")
        command = [program, *options, str(qrels), str(results)]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode()

    return printed


OURS = [option for name in ALL_TREC for option in ("-m", name)]

# Options of trec_eval on the left, the same in our words on the right.
OPTIONS = {
    "": ("official", {"runid": "tag", "complete": False}),
    "-c": ("official", {"runid": "tag"}),
    "-c -q": ("official", {"runid": "tag", "each": True}),
    "-q ALL": ("all_trec", {"each": True, "complete": False}),
    "-c -q ALL": ("all_trec", {"each": True}),
    "-c -M 3 ALL": ("all_trec", {"depth": 3}),
    "-c -m P.10,5": ("P.10,5", {}),
    "-c -m set_F.0.5": ("set_F.0.5", {}),
    "-c -m set_F.2": ("set_F.2", {}),
    "-q -m iprec_at_recall.0.25,.333": (
        "iprec_at_recall.0.25,.333",
        {"each": True, "complete": False},
    ),
    "-c -J -q -m map -m ndcg -m bpref -m num_ret": (
        "map ndcg bpref num_ret",
        {"judged": True, "each": True},
    ),
}
# trec_eval gives up without a common topic, long before anything is printed.
meeting = st.tuples(judgments(0), runs).filter(lambda both: both[0].keys() & both[1])
steep = st.tuples(judgments(3), runs).filter(lambda both: both[0].keys() & both[1])


def theirs(options: str) -> list[str]:
    every = " ".join(f"-m {name}" for name in ALL_TREC)
    return options.replace("ALL", every).split()


def ours(names: str, rankings: Rankings, **options: object) -> str:
    measures = [measure for name in names.split() for measure in parse(name)]
    return trec_eval_text(measures, rankings, **options)


@pytest.mark.parametrize("options", OPTIONS)
@settings(max_examples=15)
@given(meeting)
def test_text_is_that_of_trec_eval(
    rank: Rank, trec_eval: Callable[..., str], options: str, both: tuple[dict, dict]
) -> None:
    grades, run = both
    names, chosen = OPTIONS[options]
    text = ours(names, rank(grades, {"run": run}, single=True), **chosen)
    assert text == trec_eval(grades, run, *theirs(options))


@pytest.mark.parametrize("level", [2, 3])
@settings(max_examples=15)
@given(steep)
def test_text_at_a_higher_level_is_that_of_trec_eval(
    rank: Rank, trec_eval: Callable[..., str], level: int, both: tuple[dict, dict]
) -> None:
    grades, run = both
    rankings = rank(grades, {"run": run}, single=True)
    text = ours("all_trec", rankings, each=True, level=level)
    assert text == trec_eval(grades, run, *theirs(f"-c -q -l {level} ALL"))


@pytest.mark.parametrize(
    "run", ["web2012/runs/*", "trec8/runs/input.CL99XT.gz", "trec8/runs/input.UB99T.gz"]
)
def test_text_of_real_runs_is_that_of_trec_eval(
    rank: Rank, trec_eval: Callable[..., str], run: str
) -> None:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    path = min(Path(data).glob(run))
    grades = table(path.parents[1] / "qrels.txt.gz", value=3, kind=int)
    scored = table(path, value=4, kind=float)
    text = ours("all_trec", rank(grades, {"run": scored}, single=True), each=True)
    assert text == trec_eval(grades, scored, *theirs("-c -q ALL"))


def table(path: Path, value: int, kind: type) -> dict[str, dict]:
    rows: dict[str, dict] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            rows.setdefault(fields[0], {})[fields[2]] = kind(fields[value])
    return rows
