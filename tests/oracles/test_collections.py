"""Public collections, from folders of files to values, against pytrec_eval."""

import gzip
import os
import re
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import mohs
from mohs.errors import FormatError
from mohs.measures import parse, trec_eval_name

# The same terms in the same order, but for logarithms of another library.
TOLERANCE = 1e-9

NAMES = (
    *("num_ret", "num_rel_ret", "num_nonrel_judged_ret", "11pt_avg", "map", "Rprec"),
    *("bpref", "recip_rank", "infAP", "ndcg", "set_F", "set_P", "set_relative_P"),
    *("set_recall", "set_map", "P.10,100", "recall.10,1000", "success.1,10"),
    *("map_cut.100", "ndcg_cut.10,20", "iprec_at_recall.0,0.1,0.5"),
)
PRINTED = [trec_eval_name(measure) for name in NAMES for measure in parse(name)]

# The runs of ehealth2018 that hold documents twice, with the first such line.
COPIED = {
    "CUNI_en_run1": 1928,
    "CUNI_en_run2": 1929,
    "CUNI_en_run3": 1181,
    "UEvora_UEvoraIRtask1run1": 257,
    "baselines_terrier_BM25_cli": 1199,
    "baselines_terrier_BM25_gfi": 1199,
    "baselines_terrier_BM25_noqe": 1183,
    "baselines_terrier_DirichletLM_noqe": 1929,
    "baselines_terrier_TF_IDF_noqe": 1184,
}

Table = dict[str, dict[str, float]]


@pytest.fixture(scope="module")
def data() -> Path:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    return Path(data)


def table(path: Path, value: int, kind: type) -> Table:
    """Read a file as dicts, in which the last of several copies stays."""
    rows: Table = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            rows.setdefault(fields[0], {})[fields[2]] = kind(fields[value])
    return rows


def values(folder: Path, precision: str, topics: list[str]) -> dict[str, np.ndarray]:
    """Evaluate a collection: (Q, M) for each system."""
    found = mohs.evaluate(
        folder / "qrels.txt.gz",
        folder / "runs",
        measures=NAMES,
        precision=precision,
        duplicates="last",
    )
    scores = found.scores
    cube = scores.values.reshape(len(scores.systems), -1, len(PRINTED))
    order = [scores.topics.index(topic) for topic in topics]
    return dict(zip(scores.systems, cube[:, order], strict=True))


@pytest.mark.parametrize(
    ("collection", "runs"), [("trec8", 43), ("web2012", 8), ("ehealth2018", 23)]
)
def test_values_are_those_of_pytrec_eval(
    data: Path, collection: str, runs: int
) -> None:
    folder = data / collection
    grades = table(folder / "qrels.txt.gz", 3, int)
    evaluator = pytrec_eval.RelevanceEvaluator(grades, set(NAMES))
    single = values(folder, "single", list(grades))
    double = values(folder, "double", list(grades))
    paths = sorted((folder / "runs").iterdir())
    assert len(paths) == len(single) == runs
    for path in paths:
        run = table(path, 4, float)
        found = evaluator.evaluate(run)
        wanted = np.array(
            [
                [found.get(topic, {}).get(name, 0.0) for name in PRINTED]
                for topic in grades
            ]
        )
        name = path.name.removeprefix("input.").removesuffix(".gz")
        system = name.removesuffix(".run").removesuffix(".txt")
        np.testing.assert_allclose(single[system], wanted, TOLERANCE, 0, err_msg=name)
        distinct = [
            row for row, topic in enumerate(grades) if is_distinct(run.get(topic, {}))
        ]
        assert (double[system][distinct] == single[system][distinct]).all()


def is_distinct(scores: dict[str, float]) -> bool:
    """Return whether no two scores are the same in single precision."""
    return len(np.unique(np.array([*scores.values()], np.float32))) == len(scores)


def test_copies_of_documents_are_refused_file_by_file(data: Path) -> None:
    folder = data / "ehealth2018"
    with pytest.raises(FormatError) as caught:
        mohs.evaluate(folder / "qrels.txt.gz", folder / "runs")
    folder = f"{folder / 'runs'}/"
    found = re.compile(re.escape(folder) + r"(\w+)\.run\.gz:(\d+): document .* twice")
    firsts: dict[str, int] = {}
    for problem in caught.value.problems():
        if place := found.match(problem):
            firsts.setdefault(place[1], int(place[2]))
    assert firsts == COPIED
    assert str(caught.value).startswith(f"{folder}CUNI_en_run1.run.gz:1928: ")
