"""Every public run at hand, read by the reader: values are those of pytrec_eval."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from mohs.measures import calculate, parse, trec_eval_name
from mohs.rankings import Reading, read_qrels, read_runs

# The same terms in the same order, but for logarithms of another library.
TOLERANCE = 1e-9

NAMES = (
    *("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "11pt_avg"),
    *("map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "set_F", "set_P"),
    *("set_relative_P", "set_recall", "set_map", "P.10,100", "recall.10,1000"),
    *("success.1,10", "map_cut.100", "ndcg_cut.10,20", "iprec_at_recall.0,0.1,0.5"),
)
MEASURES = [measure for name in NAMES for measure in parse(name)]
PRINTED = [trec_eval_name(measure) for measure in MEASURES]


@pytest.mark.parametrize(
    ("collection", "runs"), [("trec8", 43), ("web2012", 8), ("ehealth2018", 23)]
)
def test_values_are_those_of_pytrec_eval(collection: str, runs: int) -> None:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    folder = Path(data) / collection
    qrels, paths = folder / "qrels.txt.gz", sorted((folder / "runs").iterdir())
    # A dict keeps the last of several copies, of which ehealth2018 has many.
    reading = Reading(precision="single", duplicates="last")
    judgments = read_qrels(qrels, reading=reading)
    evaluator = pytrec_eval.RelevanceEvaluator(table(qrels, 3, int), set(NAMES))
    for path in paths:
        rankings = read_runs(judgments, path, reading=reading)
        values = calculate(MEASURES, rankings)[:, 0]
        expected = evaluator.evaluate(table(path, 4, float))
        assert len(expected) == (rankings.retrieved > 0).sum()
        present = [rankings.topics.index(topic) for topic in expected]
        wanted = [[of[name] for of in expected.values()] for name in PRINTED]
        np.testing.assert_allclose(
            values[:, present], wanted, TOLERANCE, 0, err_msg=str(path.name)
        )
    assert len(paths) == runs


def table(path: Path, value: int, kind: type) -> dict[str, dict]:
    rows: dict[str, dict] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            rows.setdefault(fields[0], {})[fields[2]] = kind(fields[value])
    return rows
