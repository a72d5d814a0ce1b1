import inspect
import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from mohs.errors import InputError
from mohs.samples import Sample, SampleSpec, sample
from mohs.samples.folder import MARKER, made_whole
from mohs.samples.lexicon import ASPECTS, PLACES, THINGS
from mohs.samples.names import system_id, topic_title

FILES = [
    *("documents.jsonl", "qrels.txt", "systems.csv"),
    *("topics.tsv", "truth.csv", "wordings.csv"),
]

# A field of the specification, a value out of its bounds, and the complaint.
OUT_OF_BOUNDS = [
    ("systems", 0, "systems must be at least 1, got 0"),
    ("topics", -1, "topics must be at least 1, got -1"),
    ("relevant", 0.5, "relevant must be at least 1, got 0.5"),
    ("grades", 0, "grades must be between 1 and 20, got 0"),
    ("shared", 1.5, "shared must be between 0 and 1, got 1.5"),
    ("unjudged", -0.1, "unjudged must be between 0 and 1, got -0.1"),
    ("missing", float("nan"), "missing must be between 0 and 1, got nan"),
    ("relevant", float("inf"), "relevant must be at most 1,000,000,000, got inf"),
    ("documents", 10**20, "documents must be at most 1,000,000,000, got 1000"),
    ("depth", 10**9, "depth must be between 1 and 1,000,000, got 1000"),
    ("formulations", 0, "formulations must be between 1 and 63, got 0"),
    ("formulations", 64, "formulations must be between 1 and 63, got 64"),
    ("corpora", 13, "corpora must be between 1 and 12, got 13"),
    ("words", -1, "words must be between 0 and 100,000, got -1"),
    ("systems", 2.5, "systems must be a whole number, got 2.5"),
    ("seed", "x", "seed must be a whole number, got x"),
    ("shared", "x", "shared must be a number, got x"),
    ("documents", 50, "depth 100 is above the 50 documents"),
]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    ranking: dict[str, list[tuple[str, float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, q0, document, rank, score, system = line.split(" ")
        ranking.setdefault(topic, []).append((document, float(score)))
        assert (q0, int(rank), system) == ("Q0", len(ranking[topic]), path.stem)
    return ranking


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, zero, document, grade = line.split(" ")
        assert zero == "0"
        assert document not in grades.setdefault(topic, {})
        grades[topic][document] = int(grade)
    return grades


def average_precisions(made: Sample) -> np.ndarray:
    grades = read_qrels(made.qrels)
    table = np.zeros((len(made.systems), len(made.topics)))
    for s, path in enumerate(made.runs):
        run = read_run(path)
        for t, topic in enumerate(made.topics):
            found = [grades[topic].get(d, 0) > 0 for d, _ in run.get(topic, [])]
            precision = np.cumsum(found) / np.arange(1, len(found) + 1)
            table[s, t] = (precision * found).sum() / made.relevant[t]
    return table


def rank_correlation(left: np.ndarray, right: np.ndarray) -> float:
    ranks = [np.argsort(np.argsort(side)) for side in (left, right)]
    return float(np.corrcoef(*ranks)[0, 1])


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return sample(tmp_path_factory.mktemp("samples") / "default")


def test_the_default_collection_has_a_clear_and_realistic_structure(
    default: Sample,
) -> None:
    scores = average_precisions(default)
    assert 0.8 <= rank_correlation(default.difficulty, scores.mean(axis=0)) <= 0.95
    assert rank_correlation(default.quality, scores.mean(axis=1)) > 0.9
    assert 0.2 < scores.mean() < 0.4
    between = np.corrcoef(scores)[np.triu_indices(len(scores), 1)].mean()
    assert 0.5 < between < 0.9  # official TREC runs correlate alike


def test_the_structure_holds_over_seeds(tmp_path: Path) -> None:
    correlations = []
    for seed in range(1, 5):
        made = sample(tmp_path / str(seed), seed=seed)
        difficulty = average_precisions(made).mean(axis=0)
        correlations.append(rank_correlation(made.difficulty, difficulty))
    assert 0.8 < np.mean(correlations) < 0.96
    assert min(correlations) > 0.7


def test_the_files_are_in_trec_form(default: Sample) -> None:
    names = [f"runs/{path.name}" for path in default.runs]
    assert sorted(contents(default.directory)) == sorted(FILES + names)
    grades = read_qrels(default.qrels)
    assert tuple(grades) == default.topics
    assert {g for judged in grades.values() for g in judged.values()} == {0, 1, 2, 3}
    for path in default.runs:
        ranking = read_run(path)
        assert tuple(ranking) == default.topics
        for found in ranking.values():
            assert len({document for document, _ in found}) == 100
            assert found == sorted(found, key=lambda f: (f[1], f[0]), reverse=True)


def test_the_result_tells_what_the_files_hold(default: Sample) -> None:
    grades = read_qrels(default.qrels)
    judged = [len(grades[topic]) for topic in default.topics]
    relevant = [sum(g > 0 for g in grades[topic].values()) for topic in default.topics]
    assert default.judged.tolist() == judged
    assert default.relevant.tolist() == relevant
    truth = (default.directory / "truth.csv").read_text(encoding="utf-8").split()
    pairs = zip(default.topics, default.difficulty, strict=True)
    assert truth == ["topic,difficulty", *(f"{topic},{d}" for topic, d in pairs)]
    systems = (default.directory / "systems.csv").read_text(encoding="utf-8").split()
    pairs = zip(default.systems, default.quality, strict=True)
    assert systems == ["system,quality", *(f"{name},{q}" for name, q in pairs)]
    titles = default.topics_file.read_text(encoding="utf-8").splitlines()
    pairs = zip(default.topics, default.titles, strict=True)
    assert titles[0] == "topic\tformulation\tquery"
    assert titles[1::4] == [f"{topic}\t1\t{title}" for topic, title in pairs]


def test_the_result_is_its_tables(default: Sample) -> None:
    topics, systems, wordings = default.tables().values()
    assert topics.names == ("topic", "title", "difficulty", "judged", "relevant")
    assert next(systems.rows()) == ("alpha", default.quality[0])
    assert repr(default) == repr(topics)
    first = default.wordings[0]
    assert wordings.names == ("topic", "formulation", "query", "quality")
    assert next(wordings.rows()) == ("301", "1", default.titles[0], first.quality)


def test_the_pool_is_the_top_of_every_run(default: Sample) -> None:
    grades = read_qrels(default.qrels)
    runs = [read_run(path) for path in default.runs]
    for topic in default.topics:
        pool = {document for run in runs for document, _ in run[topic][:30]}
        known = set(grades[topic]) - pool
        assert pool <= set(grades[topic])
        assert [grades[topic][document] > 0 for document in known] in ([], [True])


def test_the_seed_decides_everything(default: Sample, tmp_path: Path) -> None:
    same = sample(tmp_path / "same")
    other = sample(tmp_path / "other", seed=1)
    assert contents(same.directory) == contents(default.directory)
    assert contents(other.directory) != contents(default.directory)
    assert other.difficulty.tolist() != default.difficulty.tolist()


def test_a_larger_collection_extends_a_smaller_one(
    default: Sample, tmp_path: Path
) -> None:
    fewer = sample(tmp_path / "fewer", systems=3, topics=4)
    assert fewer.systems == default.systems[:3]
    assert fewer.difficulty.tolist() == default.difficulty[:4].tolist()
    large = read_qrels(default.qrels)
    for topic, grades in read_qrels(fewer.qrels).items():
        assert {d: large[topic][d] for d in grades} == grades
    for small, whole in zip(fewer.runs, default.runs, strict=False):
        lines = small.read_text(encoding="utf-8")
        assert lines == whole.read_text(encoding="utf-8")[: len(lines)]


def test_unjudged_documents_leave_all_else_in_place(
    default: Sample, tmp_path: Path
) -> None:
    made = sample(tmp_path / "holes", unjudged=0.3)
    before, after = read_qrels(default.qrels), read_qrels(made.qrels)
    assert all(grades.items() <= before[t].items() for t, grades in after.items())
    assert 0.67 < made.judged.sum() / default.judged.sum() < 0.73
    for mine, whole in zip(made.runs, default.runs, strict=True):
        assert mine.read_bytes() == whole.read_bytes()


def test_incomplete_runs_leave_all_else_in_place(
    default: Sample, tmp_path: Path
) -> None:
    made = sample(tmp_path / "holes", missing=0.2, short=0.2)
    lengths = []
    for holed, whole in zip(made.runs, default.runs, strict=True):
        complete, rest = read_run(whole), read_run(holed)
        assert made.topics[0] in rest
        lengths += [len(rest.get(topic, [])) for topic in made.topics]
        assert all(complete[t][: len(found)] == found for t, found in rest.items())
    # 300 rankings: a fifth missing, a fifth of the others short, each within 4 sd.
    assert 0.11 < np.mean(np.equal(lengths, 0)) < 0.29
    assert 0.08 < np.mean(np.isin(lengths, range(1, 100))) < 0.25


def test_binary_grades_and_complete_judgments(tmp_path: Path) -> None:
    made = sample(
        tmp_path / "sparse", systems=1, topics=400, relevant=1.1, grades=1, pool_depth=0
    )
    assert made.judged.tolist() == made.relevant.tolist()
    assert made.relevant.min() == 1
    # The mean of 1 + Poisson(.1 gamma) over 400 topics, within 5 standard errors.
    assert 1.02 < made.relevant.mean() < 1.18


def test_runs_that_miss_and_judges_who_see_as_much_as_they_can(tmp_path: Path) -> None:
    made = sample(tmp_path / "empty", topics=5, missing=1, unjudged=1)
    assert made.judged.tolist() == [1] * 5
    assert [tuple(read_run(path)) for path in made.runs] == [("301",)] * 12


@pytest.mark.parametrize(("field", "value", "complaint"), OUT_OF_BOUNDS)
def test_a_size_out_of_bounds_is_refused(
    field: str, value: float, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=complaint):
        sample(tmp_path / "refused", **{field: value})
    assert list(tmp_path.iterdir()) == []


def test_all_faults_of_a_specification_are_told_at_once() -> None:
    with pytest.raises(InputError, match=r"systems .*; topics "):
        SampleSpec(systems=0, topics=0)


def test_the_function_and_its_specification_have_the_same_defaults() -> None:
    keywords = inspect.signature(sample).parameters
    assert {f.name: f.default for f in fields(SampleSpec)} == {
        name: parameter.default
        for name, parameter in keywords.items()
        if name not in {"directory", "force"}
    }


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds 'thesis.txt'.*choose another folder"):
        sample(tmp_path)
    assert contents(tmp_path) == {"thesis.txt": b"years of work"}


def test_force_leaves_other_files_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    made = sample(tmp_path, systems=1, topics=1, force=True)
    others = ["runs/alpha.run", "thesis.txt"]
    assert sorted(contents(tmp_path)) == sorted([*FILES, *others])
    assert made.runs[0].is_file()


def test_an_own_folder_is_replaced_without_leftovers(tmp_path: Path) -> None:
    sample(tmp_path / "again", systems=5, topics=2)
    (tmp_path / "again" / "scores.csv").write_text("mine", encoding="utf-8")
    sample(tmp_path / "again", systems=2, topics=2, seed=3)
    expected = contents(sample(tmp_path / "new", systems=2, topics=2, seed=3).directory)
    assert contents(tmp_path / "again") == expected | {"scores.csv": b"mine"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "new"]


def test_a_folder_of_another_command_is_refused(tmp_path: Path) -> None:
    with made_whole(tmp_path / "made", about={"demo": {}}) as folder:
        (folder / "scores.csv").touch()
    with pytest.raises(InputError, match="not made by mohs sample"):
        sample(tmp_path / "made")
    sample(tmp_path / "made", systems=1, topics=1, force=True)
    assert not (tmp_path / "made" / "scores.csv").exists()


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    assert sample(tmp_path, systems=1, topics=1).qrels.is_file()


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="a file of this name exists"):
        sample(tmp_path / "file")
    with pytest.raises(InputError, match="cannot be written"):
        sample(tmp_path / "file" / "below")


def fail_half_way(target: Path) -> None:
    with made_whole(target, about={}) as folder:
        (folder / "qrels.txt").write_text("half", encoding="utf-8")
        raise KeyboardInterrupt


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fail_half_way(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_a_forged_marker_never_reaches_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("safe", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    claims = {"sample": {}, "files": ["../outside", str(tmp_path / "outside"), 7]}
    (tmp_path / "folder" / MARKER).write_text(json.dumps(claims), encoding="utf-8")
    sample(tmp_path / "folder", systems=1, topics=1)
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "safe"


def test_names_do_not_depend_on_how_many_there_are() -> None:
    assert [system_id(n) for n in (0, 11, 24, 128)] == [
        "alpha",
        "mu",
        "alpha-2",
        "iota-6",
    ]
    assert len({system_id(n) for n in range(2000)}) == 2000


def test_titles_repeat_only_after_all_combinations() -> None:
    combinations = len(THINGS) * len(ASPECTS) * len(PLACES)
    assert combinations == 8778
    titles = {topic_title(n, start=5) for n in range(combinations)}
    assert len(titles) == combinations
