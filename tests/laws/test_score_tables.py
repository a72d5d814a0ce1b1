"""What was written is read back: the same observations, from every form."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mohs.scores import Scores, from_cube, to_cube
from mohs.scores.reading import read_scores
from mohs.tables import FORMS, Factor, Table
from mohs.tables.frames import as_polars, from_polars
from mohs.trec.names import COLUMNS

# Text forms for people carry no types and are not read back.
READABLE = [".csv", ".tsv", ".json", ".jsonl", ".parquet"]

TRAPS = ["001", "1", "1.0", "NA", "nan", "null", "true", ",", '"', "\t", "\n", "\r"]
TRAPS += [";", "a,b", 'say "x"', " a ", "#1", "=1", "é", "日本", "\ufeff", "value"]

# Anything that UTF-8 can hold but for zero bytes, and what trips careless readers.
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1),
    st.sampled_from(TRAPS),
)
IDS = TEXTS.filter(lambda text: text != "all")
# In a header, some words say that the table is no matrix.
WORDS = {word for words in COLUMNS.values() for word in words}
CELLS = IDS.filter(lambda text: text.strip().casefold() not in WORDS)
VALUES = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.just(np.nan))


@st.composite
def scores(draw: st.DrawFn) -> Scores:
    """Observations without duplicates, in natural order."""
    keys = draw(st.lists(st.tuples(IDS, IDS, TEXTS, TEXTS), min_size=1, unique=True))
    values = [draw(VALUES) for _ in keys]
    system, topic, part, measure = (list(labels) for labels in zip(*keys, strict=True))
    nested = [
        {"system": s, "topic": t, "part": p, "measure": m, "value": v}
        for s, t, p, m, v in zip(system, topic, part, measure, values, strict=True)
    ]
    return read_scores(as_polars(Table(columns_of(nested)).to_polars()))


def columns_of(rows: list[dict[str, object]]) -> dict[str, object]:
    labels = ("system", "topic", "part", "measure")
    columns = {name: Factor.of(str(row[name]) for row in rows) for name in labels}
    return columns | {"value": np.array([row["value"] for row in rows])}


def content(made: Scores) -> list[tuple[object, ...]]:
    return list(made.tables()["scores"].rows())


@pytest.mark.parametrize("suffix", READABLE)
@settings(max_examples=40)
@given(made=scores())
def test_scores_survive_being_written_and_read(suffix: str, made: Scores) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"scores{suffix}"
        path.write_bytes(FORMS[suffix](made.tables()["scores"]))
        assert content(read_scores(path)) == content(made)


@settings(max_examples=40)
@given(made=scores())
def test_scores_survive_frames(made: Scores) -> None:
    assert content(read_scores(made.table)) == content(made)
    assert content(read_scores(made.to_pandas())) == content(made)
    assert list(from_polars(made.table).rows()) == content(made)


@settings(max_examples=40)
@given(made=scores(), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(made: Scores, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(made))
    shuffled = made.table[order.tolist()]
    again = read_scores(shuffled)
    assert content(again) == content(made)
    assert again.values.tobytes() == made.values.tobytes()


@settings(max_examples=40)
@given(
    systems=st.lists(CELLS, min_size=1, max_size=4, unique=True),
    topics=st.lists(CELLS, min_size=1, max_size=4, unique=True),
    data=st.data(),
)
def test_a_matrix_is_read_from_either_side(
    systems: list[str], topics: list[str], data: st.DataObject
) -> None:
    size = len(systems) * len(topics)
    values = np.array(data.draw(st.lists(VALUES, min_size=size, max_size=size)))
    cells = values.reshape(len(systems), len(topics))
    by_system = matrix("system", systems, topics, cells)
    by_topic = matrix("topic", topics, systems, cells.T)
    first, second = (read(text) for text in (by_system, by_topic))
    assert content(first) == content(second)
    cube = to_cube(first)
    found = [
        cube.values[cube.axes["system"].index(s), cube.axes["topic"].index(t)]
        for s in first.systems
        for t in first.topics
    ]
    wanted = [
        cells[systems.index(s), topics.index(t)]
        for s in first.systems
        for t in first.topics
    ]
    assert np.array_equal(found, wanted, equal_nan=True)
    if cube.missing < size:
        assert content(from_cube(cube)) == [
            r for r in content(first) if r[-1] is not None
        ]


def matrix(corner: str, rows: list[str], header: list[str], cells: np.ndarray) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([corner, *header])
    for name, values in zip(rows, cells.tolist(), strict=True):
        writer.writerow([name, *map(repr, values)])
    return file.getvalue()


def read(text: str) -> Scores:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        path.write_bytes(text.encode())
        return read_scores(path)
