import os

import pytest

from mohs.trec.names import find_column, system_name

# File on the left, system on the right.
SYSTEMS = {
    "bm25.run": "bm25",
    "runs/input.ok8alx.gz": "ok8alx",
    "bm25.trec.run.txt.bz2": "bm25",
    "bm25.eval.zst": "bm25",
    "bm25.res.out.lz4": "bm25",
    "bm25.gz.gz": "bm25.gz",
    "bm25.run.gz.txt": "bm25.run.gz",
    ".run": ".run",
    ".txt.run": ".txt",
    "input.": "input.",
    "input.run": "input",
    "input.input.x": "input.x",
    "BM25.v1.2": "BM25.v1.2",
    "a.RUN": "a.RUN",
    os.fsdecode(b"caf\xe9.run"): "caf\\udce9",
}


@pytest.mark.parametrize("path", SYSTEMS)
def test_a_run_is_named_after_its_file(path: str) -> None:
    assert system_name(path) == SYSTEMS[path]


def test_a_column_is_found_under_any_of_its_names() -> None:
    assert find_column("topic", ["query", "Topic"]) == "Topic"
    assert find_column("topic", ["query", "qid"]) == "qid"
    assert find_column("system", ["name", "run"]) == "run"
    assert find_column("value", ["a", "b"]) is None
