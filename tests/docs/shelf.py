"""A folder with everything that the pages take for granted: runs, scores, documents."""

import gzip
import itertools
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl

from mohs.samples import sample

# Newspapers, topics and systems as the pages call them.
NAMES = {"GAZ": "FT", "HER": "LA"}
SYSTEMS = {"alpha": "okapi", "beta": "bm25"}

# The system as pages call it, and what it is made of.
GRID = [
    ("bm25", "none", "none", "BM25", "none"),
    *(
        ("-".join(parts), *parts)
        for parts in itertools.product(
            ("none", "smart"), ("none", "porter"), ("BM25", "PL2"), ("none", "Bo1")
        )
        if parts != ("none", "none", "BM25", "none")
    ),
]
TOPICS = [str(number) for number in range(401, 409)]


def furnish(folder: Path) -> None:
    """Write what most pages need."""
    _collection(folder)
    _tables(folder)
    _items(folder)


def _collection(folder: Path) -> None:
    made = sample(
        folder / "made", topics=8, systems=12, documents=400, depth=30, seed=3
    )
    for name in ("qrels.txt", "topics.tsv", "truth.csv"):
        (folder / name).write_text(_renamed(made.directory / name), "utf-8")
    (folder / "runs").mkdir()
    for path in made.runs:
        target = folder / "runs" / f"{SYSTEMS.get(path.stem, path.stem)}.run"
        target.write_text(_renamed(path), "utf-8")
    lines = _renamed(made.documents_file).splitlines(keepends=True)
    (folder / "docs.jsonl").write_text("".join(lines), "utf-8")
    (folder / "docs.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    for corpus in NAMES.values():
        part = folder / corpus.lower()
        part.mkdir()
        kept = [line for line in lines if f'"docno": "{corpus}' in line]
        (part / "documents.jsonl").write_text("".join(kept), "utf-8")
    teams = [f"{path.stem}\tteam {n % 4}\n" for n, path in enumerate(_runs(folder))]
    (folder / "teams.tsv").write_text("".join(teams), "utf-8")


def _runs(folder: Path) -> list[Path]:
    return sorted((folder / "runs").iterdir())


def _renamed(path: Path) -> str:
    text = re.sub(r"^3(?=\d\d\b)", "4", path.read_text("utf-8"), flags=re.MULTILINE)
    return re.sub("GAZ|HER", lambda found: NAMES[found[0]], text)


def _scores(columns: list[str], rows: list[tuple[str, ...]]) -> pl.DataFrame:
    """Give every row a score of its own that looks like an AP."""
    values = [(3 + 7 * n + n * n % 11) % 101 / 101 for n in range(len(rows))]
    table = pl.DataFrame(rows, columns, orient="row")
    return table.with_columns(measure=pl.lit("AP"), value=pl.Series(values))


def _tables(folder: Path) -> None:
    parts = ["system", "stoplist", "stemmer", "model", "expansion", "topic"]
    rows = [(*system, topic) for system in GRID for topic in TOPICS]
    scores = _scores(parts, rows)
    scores.write_csv(folder / "scores.csv")
    scores.write_csv(folder / "grid.csv")
    for name in ("trec7.csv", "trec8.csv"):
        scores.write_csv(folder / name)
    many = [(f"s{number}", topic) for number in range(40) for topic in TOPICS]
    for name in ("official.csv", "unofficial.csv"):
        _scores(["system", "topic"], many).write_csv(folder / name)
    named = ["system", "stoplist", "stemmer", "lug", "model", "query", "topic"]
    rows = [
        (f"{system}-{query}", stop, stem, stem, model, query, topic)
        for system, stop, stem, model, expansion in GRID
        for query in ("short", "medium", "long")
        for topic in TOPICS
        if expansion == "none"
    ]
    grid = _scores(named, rows).with_columns(collection=pl.lit("T08"))
    grid.write_parquet(folder / "grid.parquet")


def _items(folder: Path) -> None:
    films = "Title,Worldwide Gross,IMDB Rating\na,10,6.1\nb,,7.2\nc,900,8.8\nd,40,\n"
    (folder / "movies.csv").write_text(films, "utf-8")
    news = "story,Facebook_TS144\na,0\nb,-1\nc,12\nd,3\ne,700\n"
    (folder / "news.csv").write_text(news, "utf-8")
    clicks = "query\turl\tclicks\nq1\tx\t0\nq1\ty\t9\nq1\tz\t1\nq2\tx\t4\nq2\tz\t2\n"
    (folder / "clicks.tsv").write_text(clicks, "utf-8")
    lists = [
        f"list {number},{30 - place},{place * (5 + number) % 37}\n"
        for number in range(4)
        for place in range(30)
    ]
    text = "".join(["list,predicted,actual\n", *lists])
    (folder / "predictions.csv").write_text(text, "utf-8")


def _many_systems(folder: Path) -> None:
    rows = [(f"bm25-{number}", topic) for number in range(40) for topic in TOPICS]
    _scores(["system", "topic"], rows).write_csv(folder / "scores.csv")
    (folder / "teams").mkdir()
    (folder / "teams" / "ours.txt").write_text("bm25-1\nbm25-2\n", "utf-8")


def _worded_scores(folder: Path) -> None:
    rows = [
        (system, topic, wording)
        for system, *_ in GRID[:6]
        for topic in TOPICS
        for wording in ("1", "2", "3")
    ]
    table = _scores(["system", "topic", "formulation"], rows)
    table.write_csv(folder / "scores.csv")


def _worded_runs(folder: Path) -> None:
    judged = (folder / "qrels.txt").read_bytes()
    (folder / "qrels.txt.gz").write_bytes(gzip.compress(judged))
    for path in _runs(folder):
        lines = path.read_text("utf-8").splitlines()
        worded = [
            f"{line[:3]}{wording:03}{line[3:]}\n"
            for wording in (1, 2)
            for line in lines
        ]
        path.write_text("".join(worded), "utf-8")


def _no_runs(folder: Path) -> None:
    for path in _runs(folder):
        path.unlink()


# What else a page needs, or does without.
OTHERWISE: dict[str, Callable[[Path], None]] = {
    "docs/commands/agree.md": _many_systems,
    "docs/commands/formulations.md": _worded_scores,
    "docs/commands/grid.md": _no_runs,
    "docs/guide/formulations.md": _worded_runs,
}
