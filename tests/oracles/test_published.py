"""Means that the documentation shows, and those that other engines have published."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mohs

pytestmark = pytest.mark.skipif(
    "MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set"
)

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "effectiveness.md"
COLLECTIONS = ("Cranfield", "CISI", "Vaswani")
MODELS = ("BM25", "DPH")
ROW = re.compile(r"\| `(\w+)`, `(\w+)` \| (\.\d{4}(?: \| \.\d{4}){5}) \|")
SHOWN = {
    (stoplist, stemmer): values.split(" | ")
    for stoplist, stemmer, values in ROW.findall(PAGE.read_text("utf-8"))
}

# As the pages say that were seen: collection, model, measure, value.
TERRIER = [
    ("Vaswani", "DPH", "AP", "0.2836"),
    ("Vaswani", "BM25", "AP", "0.296517"),
    ("Vaswani", "BM25", "nDCG", "0.621197"),
    ("Vaswani", "TF_IDF", "AP", "0.290905"),
    ("Vaswani", "TF_IDF", "nDCG", "0.615367"),
    ("Vaswani", "PL2", "AP", "0.2763"),
    ("Vaswani", "InL2(c=1)", "AP", "0.2948"),
    ("Vaswani", "InL2(c=1)", "RR", "0.7134"),
    ("Vaswani", "InL2(c=1)", "P@10", "0.3677"),
]


def files(collection: str) -> tuple[Path, Path, Path]:
    folder = Path(os.environ["MOHS_DATA"]) / "collections" / collection.lower()
    return folder / "docs.jsonl.gz", folder / "topics.tsv", folder / "qrels.txt"


def means(collection: str, **options: Any) -> dict[tuple[str, ...], float]:  # noqa: ANN401
    documents, topics, qrels = files(collection)
    found = mohs.grid(documents, topics, **{"qrels": qrels, "measures": "AP"} | options)
    names = ("stoplist", "stemmer", "model", "measure", "value")
    columns = found.means.to_polars().select(names).iter_rows()
    return {tuple(row[:-1]): row[-1] for row in columns}


@cache
def of_grid(collection: str) -> dict[tuple[str, ...], float]:
    return means(
        collection,
        models=MODELS,
        stemmers=("none", "porter"),
        stoplists=("none", "smart", "terrier"),
    )


def test_all_systems_are_shown() -> None:
    lists = ("none", "smart", "terrier")
    assert set(SHOWN) == {(name, stem) for name in lists for stem in ("none", "porter")}


@pytest.mark.parametrize("system", SHOWN, ids="-".join)
def test_the_means_that_are_shown_are_those_of_the_command(
    system: tuple[str, str],
) -> None:
    found = [
        f"{of_grid(collection)[*system, model, 'AP']:.4f}".lstrip("0")
        for collection in COLLECTIONS
        for model in MODELS
    ]
    assert found == SHOWN[system]


@cache
def as_terrier(collection: str) -> dict[tuple[str, ...], float]:
    return means(
        collection,
        measures=("AP", "nDCG", "RR", "P@10"),
        models=tuple(dict.fromkeys(row[1] for row in TERRIER)),
        stoplists="terrier",
    )


@pytest.mark.parametrize(("collection", "model", "measure", "published"), TERRIER)
def test_terrier_published_the_same(
    collection: str, model: str, measure: str, published: str
) -> None:
    found = as_terrier(collection)["terrier", "porter", model, measure]
    assert f"{found:.{len(published) - 2}f}" == published
    if measure == "AP":
        name = model.partition("(")[0]
        value = f"{found:.4f}".lstrip("0")
        page = PAGE.read_text("utf-8")
        assert re.search(rf"\| {name} \|.*\| {value} \| {value} \|", page)


def test_what_stands_beside_lucene(tmp_path: Path) -> None:
    lines = (line.split() for line in files("Cranfield")[2].read_text().splitlines())
    every = "".join(f"{topic} 0 {document} 1\n" for topic, _, document, _ in lines)
    (tmp_path / "qrels").write_text(every)
    found = means("Cranfield", qrels=tmp_path / "qrels", stoplists="lucene")
    assert found == {
        ("lucene", "porter", "BM25", "AP"): pytest.approx(0.4229, abs=5e-5)
    }
    assert "| .425 | .4229 |" in PAGE.read_text("utf-8")


def test_what_stands_beside_a_program_in_python() -> None:
    found = means("CISI", stoplists="snowball", stemmers="none", depth=100)
    assert found == {
        ("snowball", "none", "BM25", "AP"): pytest.approx(0.1681, abs=5e-5)
    }
    assert "| .1588 | .1681 |" in PAGE.read_text("utf-8")
