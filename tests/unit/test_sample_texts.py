"""Documents and wordings of generated collections, searched as anybody would."""

import csv
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import scipy.stats

import mohs
from mohs.samples import Sample, sample
from mohs.samples.language import VOCABULARY, language
from mohs.samples.lexicon import ASPECTS, FUNCTION_WORDS, PLACES, THINGS
from mohs.samples.spec import MOST_WORDINGS
from mohs.samples.wordings import CHOICES
from mohs.trec.topics import Topic, read_topics

FILES = ["documents.jsonl", "topics.tsv", "truth.csv", "wordings.csv", "qrels.txt"]


class Found(NamedTuple):
    """AP of every topic and wording (Q, F), and the share of judged in the top ten."""

    values: np.ndarray
    judged: float


def read_texts(folder: Path) -> dict[str, str]:
    lines = (folder / "documents.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert all(list(record) == ["docno", "text"] for record in records)
    texts = {record["docno"]: record["text"] for record in records}
    assert len(texts) == len(records)
    return texts


def read_grades(folder: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text("utf-8").splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault(topic, {})[document] = int(grade)
    return grades


def search(made: Sample, *, k1: float = 1.2, b: float = 0.75) -> Found:
    """Search with BM25 (Robertson and Zaragoza 2009, equation 3.15)."""
    counts = [Counter(t.lower().split()) for t in read_texts(made.directory).values()]
    names = list(read_texts(made.directory))
    lengths = np.array([sum(count.values()) for count in counts])
    grades = read_grades(made.directory)

    def weigh(word: str) -> np.ndarray:
        tf = np.array([count[word] for count in counts])
        df = (tf > 0).sum()
        idf = np.log1p((len(counts) - df + 0.5) / (df + 0.5))
        return idf * tf / (tf + k1 * (1 - b + b * lengths / lengths.mean()))

    values, judged = [], []
    for each in made.wordings:
        scores = sum(map(weigh, each.query.lower().split()))
        order = np.argsort(-scores, kind="stable")[:1000]
        ranking = [names[place] for place in order if scores[place] > 0]
        known = grades[each.topic]
        hits = np.array([known.get(document, 0) > 0 for document in ranking])
        precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
        values.append((precision * hits).sum() / sum(g > 0 for g in known.values()))
        judged += [document in known for document in ranking[:10]]
    shape = len(made.topics), -1
    return Found(np.array(values).reshape(shape), float(np.mean(judged)))


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = tmp_path_factory.mktemp("texts")
    return [sample(folder / str(seed), seed=seed) for seed in range(4)]


@pytest.fixture(scope="module")
def found(collections: list[Sample]) -> list[Found]:
    return [search(made) for made in collections]


def test_retrieval_finds_the_difficulty_that_was_planted(
    collections: list[Sample], found: list[Found]
) -> None:
    agreement = [
        scipy.stats.spearmanr(made.difficulty, each.values.mean(axis=1)).statistic
        for made, each in zip(collections, found, strict=True)
    ]
    assert min(agreement) > 0.7
    # It is no mere copy, either.
    assert 0.8 < np.mean(agreement) < 0.97
    assert 0.1 < np.mean([each.values for each in found]) < 0.4


def test_wordings_matter_and_their_quality_is_seen(
    collections: list[Sample], found: list[Found]
) -> None:
    seen, shares = [], []
    for made, each in zip(collections, found, strict=True):
        centred = each.values - each.values.mean(axis=1, keepdims=True)
        shares.append(centred.var() / each.values.var())
        quality = np.array([wording.quality for wording in made.wordings])
        quality = quality.reshape(each.values.shape)
        planted = quality - quality.mean(axis=1, keepdims=True)
        seen.append(np.corrcoef(planted.ravel(), centred.ravel())[0, 1])
    assert 0.15 < min(shares) < max(shares) < 0.5
    assert min(seen) > 0.4


def test_systems_differ(collections: list[Sample], found: list[Found]) -> None:
    # Without saturation, documents that repeat one part of a topic come first.
    raw = search(collections[0], k1=1000, b=0)
    assert raw.values.mean() < 0.9 * found[0].values.mean()


def test_the_pool_knows_most_of_what_retrieval_finds(found: list[Found]) -> None:
    assert min(each.judged for each in found) > 0.6


def test_judged_documents_are_there(collections: list[Sample]) -> None:
    made = collections[0]
    texts = read_texts(made.directory)
    assert len(texts) == 2000
    grades = read_grades(made.directory)
    assert {document for known in grades.values() for document in known} <= set(texts)
    runs = (line.split()[2] for line in made.runs[0].read_text("utf-8").splitlines())
    assert set(runs) <= set(texts)
    lengths = [len(text.split()) for text in texts.values()]
    assert 75 < np.mean(lengths) < 100
    assert min(lengths) > 0


def test_sub_corpora_are_told_from_ids(collections: list[Sample]) -> None:
    texts = read_texts(collections[0].directory)
    sources = Counter(name[:3] for name in texts)
    assert sources == {"GAZ": 700, "HER": 700, "TRI": 600}
    means = [
        np.mean([len(text.split()) for name, text in texts.items() if name[:3] == each])
        for each in ("GAZ", "HER", "TRI")
    ]
    assert means == sorted(means)
    rules = [f"{name}=^{name}" for name in sources]
    made = collections[0]
    result = mohs.evaluate(made.qrels, made.runs, measures=["AP"], corpus=rules)
    assert set(result.table["corpus"]) == {"GAZ", "HER", "TRI"}


def test_topics_come_in_wordings(collections: list[Sample]) -> None:
    made = collections[0]
    expected = tuple(Topic(w.topic, w.formulation, w.query) for w in made.wordings)
    assert read_topics(made.topics_file) == expected
    assert len({each[0::2] for each in expected}) == len(expected) == 100
    with (made.directory / "wordings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["topic", "formulation", "quality"]
    planted = [[w.topic, w.formulation, str(w.quality)] for w in made.wordings]
    assert rows[1:] == planted
    assert all(0 < wording.quality < 1 for wording in made.wordings)


def test_every_topic_has_relevant_documents_that_speak_of_it_when_easy(
    collections: list[Sample],
) -> None:
    made = collections[1]
    assert made.relevant.min() >= 1
    texts, grades = read_texts(made.directory), read_grades(made.directory)
    parts = dict(zip((p[0] for p in (*THINGS,)), THINGS, strict=True))
    shares = []
    for topic, title in zip(made.topics, made.titles, strict=True):
        (phrases,) = (v for k, v in parts.items() if title.startswith(f"{k} "))
        relevant = [texts[document] for document, g in grades[topic].items() if g > 0]
        shares.append(np.mean([any(p in text for p in phrases) for text in relevant]))
    assert scipy.stats.spearmanr(shares, made.difficulty).statistic > 0.7


def test_more_wordings_and_topics_leave_wordings_in_place(tmp_path: Path) -> None:
    few = sample(tmp_path / "few", topics=2, formulations=2, systems=1)
    many = sample(tmp_path / "many", topics=5, formulations=MOST_WORDINGS, systems=1)
    assert [many.wordings[place] for place in (0, 1, 63, 64)] == list(few.wordings)
    assert len({wording.query for wording in many.wordings[:63]}) == MOST_WORDINGS
    assert len(CHOICES) + 1 == MOST_WORDINGS


def test_without_words_there_are_no_documents(tmp_path: Path) -> None:
    made = sample(tmp_path / "made", topics=2, systems=1)
    assert made.documents_file == tmp_path / "made" / "documents.jsonl"
    bare = sample(tmp_path / "made", topics=2, systems=1, words=0)
    assert bare.documents_file is None
    assert not (tmp_path / "made" / "documents.jsonl").exists()
    assert bare.wordings == made.wordings
    assert bare.relevant.tolist() == made.relevant.tolist()


def test_one_newspaper_and_an_incomplete_volume(tmp_path: Path) -> None:
    made = sample(tmp_path, topics=2, systems=1, documents=130, corpora=1, words=20)
    names = list(read_texts(made.directory))
    assert (len(names), names[-1]) == (130, "GAZ0001-029")


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    code = "import sys, mohs; mohs.sample(sys.argv[1], topics=3, systems=2)"
    written = []
    for hashing in ("1", "2"):
        folder = tmp_path / hashing
        command = [sys.executable, "-c", code, str(folder)]
        env = os.environ | {"PYTHONHASHSEED": hashing}
        subprocess.run(command, env=env, check=True)
        written.append([(folder / name).read_bytes() for name in FILES])
    other = sample(tmp_path / "other", topics=3, systems=2, seed=1)
    assert written[0] == written[1]
    assert all(
        (other.directory / name).read_bytes() != mine
        for name, mine in zip(FILES, written[0], strict=True)
    )


def test_phrases_of_one_part_share_no_content_word() -> None:
    stops = {*FUNCTION_WORDS}
    for part in (*THINGS, *ASPECTS, *PLACES):
        words = [{*phrase.lower().split()} - stops for phrase in part]
        assert len(part) == 3
        assert all(a.isdisjoint(b) for a, b in itertools.combinations(words, 2))


def test_the_language_is_zipfian_and_knows_every_query_word() -> None:
    spoken = language()
    words = spoken.texts[:VOCABULARY]
    assert len(set(words)) == VOCABULARY
    asked = {
        w for part in (*THINGS, *ASPECTS, *PLACES) for p in part for w in p.split()
    }
    assert asked <= set(words)
    rates = np.diff(spoken.cumulative, prepend=0)
    assert rates[0] / rates[10] == pytest.approx(13.7 / 3.7)
    assert spoken.background(np.array([0.0, 0.9999999])).tolist() == [0, 5999]
