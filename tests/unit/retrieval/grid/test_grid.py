"""A grid from documents to scores, against what its own runs are worth."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import mohs
from mohs.errors import InputError, UnknownNameError
from mohs.measures.definition import MEASURES
from mohs.measures.spelling import Measure
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.expansion.definition import expansion
from mohs.retrieval.grid import Grid, execution, indexing, ownership
from mohs.retrieval.grid import request as requesting
from mohs.retrieval.grid import store as storing
from mohs.retrieval.models import MODELS
from mohs.retrieval.models.definition import model
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.tokenisers import TOKENISERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mohs.retrieval.expansion import Feedback, Query
    from mohs.retrieval.postings import Postings

TEXTS = {
    "g1": "gold is a soft yellow metal",
    "g2": "gold and silver are metals",
    "g3": "the hardness of gold is low",
    "t1": "talc is the softest mineral",
    "t2": "minerals as soft as talc feel like soap",
    "d1": "diamond is the hardest mineral of all minerals",
    "d2": "a diamond scratches every other stone",
    "d3": "graphite and diamond are carbon",
}
TOPICS = """\
topic\tformulation\tquery
1\ta\tgold metals
1\tb\tsoft yellow metal
2\ta\thard minerals
2\tb\tdiamond
3\ta\tunjudged
"""
QRELS = """\
1 0 g1 2
1 0 g2 1
1 0 d1 0
1 0 elsewhere 1
2 0 d1 2
2 0 d2 1
2 0 t1 -1
9 0 d1 1
"""
COMPONENTS: dict[str, Any] = {
    "stoplists": ["none"],
    "stemmers": "porter,none",
    "models": "BM25,PL2(c=2)",
    "expansions": "none,Bo1",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    lines = (json.dumps({"docno": name, "text": text}) for name, text in TEXTS.items())
    texts = {"docs.jsonl": "\n".join(lines), "topics.tsv": TOPICS, "qrels": QRELS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


def run(files: dict[str, Path], **options: Any) -> Grid:  # noqa: ANN401
    asked = {"qrels": files["qrels"], **COMPONENTS, **options}
    return mohs.grid(files["docs.jsonl"], files["topics.tsv"], **asked)


def test_scores_are_those_of_the_runs(files: dict[str, Path], tmp_path: Path) -> None:
    measures = ["AP", "nDCG@3", "P@1", "Bpref", "NumRel", "Judged@3"]
    found = run(files, measures=measures, runs=tmp_path / "runs")
    assert len(list((tmp_path / "runs").iterdir())) == 8
    rule = r"(?P<topic>\d)_(?P<formulation>.)"
    theirs = mohs.evaluate(
        files["qrels"], tmp_path / "runs", measures=measures, formulation=rule
    )
    keys = ["system", "topic", "formulation", "measure"]
    ours = found.table.select([*keys, "value"]).sort(keys)
    expected = theirs.table.select([*keys, "value"]).sort(keys)
    assert ours.equals(expected.filter(pl.col("topic") != "9"))
    assert ours.height == 8 * 4 * 6


def test_components_are_columns(files: dict[str, Path]) -> None:
    found = run(files, measures="AP").table
    assert found.columns == [
        *("system", "topic", "stoplist", "stemmer", "model", "expansion"),
        *("formulation", "measure", "value"),
    ]
    row = found.row(0, named=True)
    assert row["system"] == "none-none-BM25-Bo1"
    assert [row[name] for name in ("stoplist", "stemmer", "model", "expansion")] == [
        *("none", "none", "BM25", "Bo1")
    ]
    assert set(found["model"]) == {"BM25", "PL2(c=2)"}


def test_what_is_left_out_is_said(files: dict[str, Path]) -> None:
    assert run(files, measures="AP").notes[:2] == (
        "1 of 5 queries are not judged and left out",
        "1 judged topics are not asked: 9",
    )


def test_workers_change_nothing(files: dict[str, Path]) -> None:
    one = run(files, workers=1)
    many = run(files, workers=5)
    assert one.table.equals(many.table)


def test_collections_are_scored_by_what_they_hold(
    files: dict[str, Path], tmp_path: Path
) -> None:
    here = [name for name in TEXTS if name[0] == "g"]
    paths = {}
    for corpus, chosen in (("gold", here), ("rest", TEXTS.keys() - set(here))):
        paths[corpus] = tmp_path / f"{corpus}.tsv"
        paths[corpus].write_text(
            "".join(f"{name}\t{TEXTS[name]}\n" for name in sorted(chosen))
        )
    found = mohs.grid(
        paths,
        files["topics.tsv"],
        qrels=files["qrels"],
        measures=["AP", "NumRel"],
        models="DPH",
        stoplists="none",
        runs=tmp_path / "runs",
    )
    table = found.table
    assert set(zip(table["corpus"], table["topic"], strict=True)) == {
        ("gold", "1"),
        ("rest", "2"),
    }
    counts = table.filter(pl.col("measure") == "NumRel")
    assert counts["value"].to_list() == [2.0, 2.0, 2.0, 2.0]
    assert sorted(path.parent.name for path in (tmp_path / "runs").glob("*/*")) == [
        "gold",
        "rest",
    ]


def test_runs_without_judgments(files: dict[str, Path], tmp_path: Path) -> None:
    found = run(files, qrels=None, runs=tmp_path / "runs", depth=2)
    assert found.table.columns == [
        *("system", "stoplist", "stemmer", "model", "expansion"),
        *("queries", "retrieved"),
    ]
    assert found.table["retrieved"].max() == 8
    lines = (tmp_path / "runs" / "none-none-BM25-none.run").read_text().splitlines()
    query, _, document, rank, score, tag = lines[0].split()
    assert (query, document, rank, tag) == ("1_a", "g2", "1", "none-none-BM25-none")
    assert float(score) > 0


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("1 a\tgold\n2\tdiamond\n", "runs cannot hold queries called '1 a', since"),
        ("#1\tgold\n2\tdiamond\n", "runs cannot hold queries called '#1', since"),
        (
            "topic\tformulation\tquery\n1\t2_3\tgold\n1_2\t3\tdiamond\n",
            "runs would call several queries 1_2_3; change",
        ),
    ],
)
def test_queries_that_a_run_would_mix_up(
    asked: str, problem: str, files: dict[str, Path], tmp_path: Path
) -> None:
    files["topics.tsv"].write_text(asked)
    with pytest.raises(InputError, match=re.escape(problem)):
        run(files, qrels=None, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_a_shallow_ranking_is_not_what_expansion_learns_from(
    files: dict[str, Path],
) -> None:
    deep = run(files, measures="P@1", expansions="Bo1(docs=3)")
    shallow = run(files, measures="P@1", expansions="Bo1(docs=3)", depth=1)
    assert deep.table.equals(shallow.table)


class Counted:
    """Counts the cells that are worked on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, fail: int = 0) -> None:
        self.calls, self.made = 0, 0
        work, tokenise = execution.complete, execution.tokenise

        def cell(*arguments: Any) -> Any:  # noqa: ANN401
            self.calls += 1
            if self.calls == fail:
                raise KeyboardInterrupt
            return work(*arguments)

        def bags(*arguments: Any) -> Any:  # noqa: ANN401
            self.made += 1
            return tokenise(*arguments)

        monkeypatch.setattr(execution, "complete", cell)
        monkeypatch.setattr(execution, "tokenise", bags)


def test_finished_cells_are_not_done_again(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run(files).table
    store = tmp_path / "cells"
    with monkeypatch.context() as patch:
        stopped = Counted(patch, fail=6)
        with pytest.raises(KeyboardInterrupt):
            run(files, store=store, workers=1)
        assert stopped.calls >= 6
    kept = len([path for path in store.iterdir() if path.is_file()])
    assert 0 < kept < 8
    with monkeypatch.context() as patch:
        again = Counted(patch)
        assert run(files, store=store).table.equals(plain)
        assert again.calls == 8 - kept
    with monkeypatch.context() as patch:
        last = Counted(patch)
        assert run(files, store=store).table.equals(plain)
        assert (last.calls, last.made) == (0, 0)


CHANGES: dict[str, dict[str, Any]] = {
    "depth": {"depth": 3},
    "measures": {"measures": "P@1"},
    "another parameter": {"models": "BM25(b=0.1),PL2(c=2)"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_asked_otherwise_is_done_anew(
    change: str, files: dict[str, Path], tmp_path: Path
) -> None:
    store = tmp_path / "cells"
    run(files, store=store)
    changed = run(files, store=store, **CHANGES[change])
    assert changed.table.equals(run(files, **CHANGES[change]).table)


def test_judgments_elsewhere_count_in_the_only_collection(
    files: dict[str, Path], tmp_path: Path
) -> None:
    # The same cell by itself and beside another collection is not the same.
    store, docs = tmp_path / "cells", files["docs.jsonl"]
    other = tmp_path / "other.tsv"
    other.write_text("elsewhere\tgold metal\n")

    def values(**options: Any) -> list[float]:  # noqa: ANN401
        both = mohs.grid(
            {"a": docs, "b": other},
            files["topics.tsv"],
            qrels=files["qrels"],
            measures="NumRel",
            **options,
        )
        table = both.table.filter(pl.col("corpus") == "a")
        return table["value"].to_list()

    alone = run(files, measures="NumRel", store=store, models="BM25", stoplists="smart")
    assert set(alone.table["value"]) == {3.0, 2.0}
    assert values(store=store) == values() == [2.0, 2.0, 2.0, 2.0]


PROGRAMS: dict[str, tuple[object, str, object]] = {
    "version": (storing, "__version__", "99.0"),
    "layout": (storing, "_FORMAT", 99),
    "NumPy": (storing, "version", lambda name: f"{name} 99"),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_what_another_program_made_is_not_taken_up(
    case: str, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "cells"
    plain = run(files, store=store).table
    kept = set(store.iterdir())
    storing.versions.cache_clear()
    monkeypatch.setattr(*PROGRAMS[case])
    counted = Counted(monkeypatch)
    assert run(files, store=store).table.equals(plain)
    assert (counted.calls, counted.made) == (8, 1)
    assert len(set(store.iterdir()) - kept) == len(kept)
    storing.versions.cache_clear()


def test_documents_that_change_meanwhile_are_refused(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenise = indexing.count_tokens

    def slowly(*arguments: Any) -> Any:  # noqa: ANN401
        with files["docs.jsonl"].open("a") as file:
            file.write('\n{"docno": "new", "text": "gold"}')
        return tokenise(*arguments)

    monkeypatch.setattr(indexing, "count_tokens", slowly)
    with pytest.raises(InputError, match=r"docs.jsonl: has another content than when"):
        run(files, store=tmp_path / "cells")
    assert list((tmp_path / "cells").iterdir()) == []


def test_a_stop_list_that_changes_meanwhile_changes_nothing(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("gold\n")
    before = run(files, stoplists=str(words)).table
    tokenise = execution.tokenise

    def slowly(*arguments: Any) -> Any:  # noqa: ANN401
        words.write_text("diamond\n")
        return tokenise(*arguments)

    monkeypatch.setattr(execution, "tokenise", slowly)
    assert run(files, stoplists=str(words)).table.equals(before)


def test_documents_from_a_pipe_are_refused(
    files: dict[str, Path], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="read more than once"):
        mohs.grid(tmp_path / "pipe", files["topics.tsv"], qrels=files["qrels"])


def of_one_letter(text: str) -> list[str]:
    return [word[0] for word in text.split()]


def of_three_letters(words: Sequence[str], /) -> list[str]:
    return [word[:3] for word in words]


def counting(p: Postings) -> NDArray[np.float64]:
    return p.tf


def repeating(_feedback: Feedback, query: Query) -> Query:
    return query


# How a user adds a part, and how a grid asks for it.
OWN: dict[str, tuple[Callable[[], object], dict[str, Any]]] = {
    "tokeniser": (
        lambda: TOKENISERS.add("mine")(of_one_letter),
        {"tokenisers": "mine"},
    ),
    "stemmer": (lambda: STEMMERS.add("mine")(of_three_letters), {"stemmers": "mine"}),
    "model": (lambda: model("mine", "our own")(counting), {"models": "mine"}),
    "expansion": (
        lambda: expansion("mine", "our own")(repeating),
        {"expansions": "mine"},
    ),
}
REGISTRIES = {
    "tokeniser": TOKENISERS,
    "stemmer": STEMMERS,
    "model": MODELS,
    "expansion": EXPANSIONS,
}


@pytest.mark.parametrize("kind", OWN)
def test_nothing_is_kept_that_a_part_of_the_users_own_made(
    kind: str, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = dict(REGISTRIES[kind]._items)  # noqa: SLF001 (nothing else takes a name back)
    monkeypatch.setattr(REGISTRIES[kind], "_items", known)
    add, asked = OWN[kind]
    add()
    store = tmp_path / "cells"
    found = run(files, store=store, **asked)
    assert found.table.equals(run(files, **asked).table)
    assert found.notes[-1] == (
        "cells are not kept in the store, since they are made by a part of your own,"
        f" whose code may change: {kind} mine"
    )
    assert list(store.glob("*.cell")) == []
    indexes = 0 if kind in ("tokeniser", "stemmer") else 2
    assert len(list(store.iterdir())) == indexes
    with pytest.raises(InputError, match=f"nothing is kept .*: {kind} mine"):
        run(files, store=store, dask="tcp://127.0.0.1:1", **asked)


def test_a_measure_of_the_users_own_is_not_kept() -> None:
    class Formula:
        __module__ = "elsewhere"

    definition = replace(MEASURES["AP"], name="mine", formula=Formula())
    known = {**MEASURES._items, "mine": definition}  # noqa: SLF001
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MEASURES, "_items", known)
        asked = [Measure("AP"), Measure("mine")]
        assert ownership.own_measures(asked) == ["measure mine"]


@pytest.mark.parametrize("name", ["docs.jsonl", "topics.tsv", "qrels"])
def test_a_changed_file_is_read_anew(
    name: str, files: dict[str, Path], tmp_path: Path
) -> None:
    store = tmp_path / "cells"
    before = run(files, store=store).table
    changed = files[name].read_text().replace("diamond", "gold").replace("d1 2", "d1 1")
    files[name].write_text(changed)
    after = run(files, store=store).table
    assert after.equals(run(files).table)
    assert not after.equals(before)


def test_a_stop_list_is_known_by_its_words(
    files: dict[str, Path], tmp_path: Path
) -> None:
    words, store = tmp_path / "words.txt", tmp_path / "cells"
    words.write_text("gold\n")
    first = run(files, stoplists=str(words), store=store)
    assert first.table["system"][0] == "words-none-BM25-Bo1"
    words.write_text("diamond\n")
    second = run(files, stoplists=str(words), store=store)
    assert second.table.equals(run(files, stoplists=str(words)).table)
    assert not second.table.equals(first.table)


def test_a_stop_list_may_have_blanks_in_its_path(
    files: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "my lists"
    folder.mkdir()
    words = folder / "two words.txt"
    words.write_text("gold\nmetal\n")
    found = run(files, stoplists=words, models="BM25", runs=tmp_path / "runs")
    assert found.table["stoplist"].unique().to_list() == [str(words)]
    assert found.table["system"][0] == "two_words-none-BM25-Bo1"
    line = (
        (tmp_path / "runs" / "two_words-none-BM25-Bo1.run").read_text().split("\n")[0]
    )
    assert line.split()[5:] == ["two_words-none-BM25-Bo1"]


def test_a_run_of_another_grid_is_written_anew(
    files: dict[str, Path], tmp_path: Path
) -> None:
    runs, store = tmp_path / "runs", tmp_path / "cells"
    run(files, store=store, runs=runs)
    path = runs / "none-none-BM25-none.run"
    content = path.read_bytes()
    path.write_bytes(b"1_a Q0 d1 1 1.0 other\n")
    run(files, store=store, runs=runs)
    assert path.read_bytes() == content


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no model": ({"models": "BM26"}, "no model named 'BM26'. Did you mean 'BM25'?"),
    "no parameter": ({"models": "BM25(c=1)"}, "no parameter of BM25 named 'c'"),
    "a parameter out of bounds": ({"models": "BM25(b=2)"}, "BM25(b=2): expected a"),
    "no stemmer": ({"stemmers": "potter"}, "no stemmer named 'potter'"),
    "no expansion": ({"expansions": "bo1"}, "no expansion named 'bo1'"),
    "no tokeniser": ({"tokenisers": "word"}, "no tokeniser named 'word'"),
    "no stop list": ({"stoplists": "smrat"}, "smrat"),
    "no preset": ({"preset": "c22"}, "no preset named 'c22'"),
    "no depth": ({"depth": 0}, "depth"),
    "no workers": ({"workers": 0}, "workers: expected a whole number from 1"),
    "a number for a model": ({"models": ["BM25", 3]}, "no model named '3'"),
    "Terrier on a cluster": ({"engine": "terrier", "dask": "a"}, "--dask does not go"),
    "no models": ({"models": []}, "there are no models; name one, or leave them out"),
    "an empty name": ({"models": ""}, "'' is no component"),
    "too many feedback documents": (
        {"expansions": "Bo1(docs=1e30)"},
        "Bo1(docs=1e+30): expected a whole number from 1 to 1e+09",
    ),
    "n-grams longer than all": (
        {"tokenisers": "ngrams(n=1e30)"},
        "n of ngrams: expected",
    ),
    "nothing to do": ({"qrels": None}, "nothing would be left of the rankings"),
    "a parameter of a stemmer": ({"stemmers": "porter(x=1)"}, "porter"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusing(case: str, files: dict[str, Path]) -> None:
    options, problem = REFUSED[case]
    with pytest.raises((InputError, UnknownNameError)) as error:
        run(files, **options)
    assert problem in str(error.value)


def test_no_collection(files: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="there is no collection of documents"):
        mohs.grid({}, files["topics.tsv"], qrels=files["qrels"], stoplists="none")


@pytest.mark.parametrize("name", ["..", "", "a/b", "a\0b", 1])
def test_a_collection_that_no_folder_can_be_called(
    name: object, files: dict[str, Path]
) -> None:
    named = {name: files["docs.jsonl"], "other": files["docs.jsonl"]}
    with pytest.raises(InputError, match="a collection cannot be called"):
        mohs.grid(named, files["topics.tsv"], qrels=files["qrels"])


def test_documents_that_can_be_read_but_once(files: dict[str, Path]) -> None:
    records = ({"docno": name, "text": text} for name, text in TEXTS.items())
    with pytest.raises(
        InputError, match="more than once: make a list of the generator"
    ):
        mohs.grid(records, files["topics.tsv"], qrels=files["qrels"])
    assert next(records)["docno"] == "g1"


def test_no_documents(files: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="there are no documents"):
        mohs.grid([], files["topics.tsv"], qrels=files["qrels"])


def test_a_list_of_files_is_known_by_them(files: dict[str, Path]) -> None:
    lines = files["docs.jsonl"].read_text().splitlines(keepends=True)
    parts = [files["docs.jsonl"].with_name(name) for name in ("b.jsonl", "a.jsonl")]
    for part, own in zip(parts, (lines[:3], lines[3:]), strict=True):
        part.write_text("".join(own))
    kept = {"qrels": files["qrels"], **COMPONENTS}
    found = mohs.grid(parts, files["topics.tsv"], **kept)
    assert found.table.equals(run(files).table)
    assert [*found.files][:2] == [str(part) for part in parts]
    assert found.files[str(parts[0])].size == parts[0].stat().st_size


def test_topics_may_be_in_memory(files: dict[str, Path]) -> None:
    asked = {
        "1": {"a": "gold metals", "b": "soft yellow metal"},
        "2": {"a": "hard minerals", "b": "diamond"},
    }
    kept = {"qrels": files["qrels"], **COMPONENTS}
    found = mohs.grid(files["docs.jsonl"], asked, **kept)
    assert found.table.equals(run(files).table)
    plain = mohs.grid(files["docs.jsonl"], {"1": "gold metals"}, **kept).table
    first = run(files).table.filter(topic="1", formulation="a").drop("formulation")
    assert plain.equals(first)
    with pytest.raises(InputError, match="there are no topics"):
        mohs.grid(files["docs.jsonl"], {}, **kept)


def test_means(files: dict[str, Path], tmp_path: Path) -> None:
    found = run(files, measures="AP", models="BM25", stemmers="none")
    scores = found.scores.where({"expansion": ["none"]})
    means = found.means.to_polars().filter(pl.col("expansion") == "none")
    assert means["value"].to_list() == [scores.values.mean()]
    assert means["topics"].to_list() == [4]
    with pytest.raises(InputError, match="nothing was scored"):
        _ = run(files, qrels=None, runs=tmp_path / "runs").means


def test_no_judged_query(files: dict[str, Path]) -> None:
    files["qrels"].write_text("01 0 g1 1\n")
    with pytest.raises(InputError, match="none of the 5 queries is judged"):
        run(files)


def test_presets_have_the_systems_that_they_say() -> None:
    sizes = {name: len(requesting.PRESETS[name].systems()) for name in ("c21", "z19")}
    assert sizes == {"c21": 144, "z19": 322}


def test_progress_is_told_cell_by_cell(files: dict[str, Path]) -> None:
    told: list[tuple[int, int]] = []
    run(files, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 8) for done in range(1, 9)]
