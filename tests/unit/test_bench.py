"""The benchmarks measure what they say: a wrong number or a dead program shows."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
HEADER = "system,topic,measure,value\n"
SCORES = HEADER + "a,1,AP,0.5\na,2,AP,0.25\n"

# Another program's table, the difference to SCORES, and whether 1e-9 is kept.
TABLES = [
    (HEADER + "a,2,AP,0.25\na,1,AP,0.5\n", 0.0, True),
    (HEADER + "a,1,AP,0.5\na,2,AP,0.2500000001\n", 1e-10, True),
    (HEADER + "a,1,AP,0.5\na,2,AP,0.26\n", 0.01, False),
    (HEADER + "a,1,AP,0.5\n", float("inf"), False),
    (HEADER, float("inf"), False),
]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import children, figures

    return SimpleNamespace(children=children, figures=figures)


@pytest.mark.parametrize(("other", "largest", "kept"), TABLES)
def test_a_difference_between_peers_shows(
    bench: SimpleNamespace, tmp_path: Path, *, other: str, largest: float, kept: bool
) -> None:
    (tmp_path / "mohs.csv").write_text(SCORES, encoding="utf-8")
    (tmp_path / "peer.csv").write_text(other, encoding="utf-8")
    pair = (tmp_path / "mohs.csv", tmp_path / "peer.csv")
    figure = bench.figures.difference("values", *pair, 1e-9)
    assert figure.mohs == pytest.approx(largest, rel=1e-6)
    assert figure.passed is kept


def test_a_ratio_tells_how_many_times_less_mohs_costs(bench: SimpleNamespace) -> None:
    cost, goal = bench.children.Cost, bench.figures.Goal("ratio", 16)
    pair = (cost(0.5, 200.0), cost(8.5, 50.0))
    figure = bench.figures.compare("call", *pair, goal=goal)
    assert (figure.ratio, figure.passed) == (17.0, True)
    small = bench.figures.Goal("mohs", 150)
    memory = bench.figures.compare("memory", *pair, goal=small, memory=True)
    assert (memory.mohs, memory.peer, memory.passed) == (200.0, 50.0, False)


def test_a_program_that_fails_reaches_no_goal(bench: SimpleNamespace) -> None:
    script = "raise SystemExit('no such command')"
    dead = bench.children.Job((sys.executable, "-c", script))
    alive = bench.children.Job((sys.executable, "-c", "pass"))
    costs = bench.children.measure({"mohs": dead, "peer": alive}, rounds=1)
    goal = bench.figures.Goal("ratio", 1)
    figure = bench.figures.compare("call", *costs.values(), goal=goal)
    assert (figure.mohs, figure.ratio, figure.passed) == (None, None, False)
    assert figure.note == "no such command"
    assert figure.peer > 0


def test_the_memory_of_a_program_is_measured(bench: SimpleNamespace) -> None:
    script = "held = bytearray(80_000_000)"
    assert bench.children.Job((sys.executable, "-c", script)).run().megabytes > 76


def test_a_program_may_measure_itself(bench: SimpleNamespace) -> None:
    script = """print('{"seconds": 0.125, "megabytes": 7}')"""
    job = bench.children.Job((sys.executable, "-c", script), timed_inside=True)
    assert job.run() == bench.children.Cost(0.125, 7)


def test_the_number_of_open_files_is_limited(bench: SimpleNamespace) -> None:
    script = "import os; [os.dup(0) for _ in range(100)]"
    command = (sys.executable, "-c", script)
    assert bench.children.Job(command, files=200).run().seconds > 0
    with pytest.raises(bench.children.ChildFailedError, match="Too many open files"):
        bench.children.Job(command, files=100).run()


@pytest.mark.parametrize("kind", ["scores", "rankings"])
def test_peers_make_the_same_relevance(
    bench: SimpleNamespace,  # noqa: ARG001 (it lets benchmarks be found)
    kind: str,
) -> None:
    from bench import items

    drawn = items.drawn(kind, small=True)
    found, other = items.with_mohs(*drawn), items.with_scipy(*drawn)
    np.testing.assert_allclose(found, other, rtol=0, atol=1e-12)
    assert found.std() > 0.01


def test_peers_find_the_same_in_a_large_collection(
    bench: SimpleNamespace,  # noqa: ARG001 (it lets benchmarks be found)
    tmp_path: Path,
) -> None:
    from bench import large

    from mohs.retrieval.index import load

    size = large.Size(documents=300, vocabulary=600)
    large.make(tmp_path / "index", size)
    index = load(tmp_path / "index")
    assert index.df.sum() == 300 * large.TERMS
    assert np.bincount(index.inverted.cells).tolist() == [large.TERMS] * 300
    assert index.cf.sum() == index.lengths.sum() == index.forward.counts.sum()
    for document in (0, 299):
        terms = index.forward.cells[index.forward.row(document)]
        assert (np.diff(terms) > 0).all()
        places = [
            index.inverted.cells[index.inverted.row(term)].tolist().index(document)
            for term in terms
        ]
        counts = [
            index.inverted.counts[index.inverted.row(term)][place]
            for term, place in zip(terms, places, strict=True)
        ]
        row = index.forward.row(document)
        assert counts == index.forward.counts[row].tolist()
    asked = large.queries(size, topics=3)
    ours = large.with_mohs(tmp_path / "index", asked)
    theirs = large.with_scipy(tmp_path / "index", asked)
    assert len(ours) == 3 * large.FORMULATIONS
    for (_, found), (_, expected) in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_grids_of_all_sizes_have_the_same_mix(
    bench: SimpleNamespace,  # noqa: ARG001 (it lets benchmarks be found)
) -> None:
    from bench import cells

    for size in (10, 100, 1000):
        asked = cells.asked(size)
        assert len(set(asked["models"])) * len(asked["expansions"]) == size
        kinds = [name.partition("(")[0] for name in asked["models"]]
        assert {kinds.count(kind) for kind in kinds} == {size // 10}
