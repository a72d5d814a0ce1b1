"""Stores and files at addresses, which are other places than folders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pytest

import mohs
from mohs.cli import main
from mohs.errors import FormatError, InputError
from mohs.retrieval.grid import addresses
from mohs.retrieval.grid.addresses import RemoteStore, list_files, plain, store_at
from mohs.retrieval.grid.store import FolderStore
from mohs.samples import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mohs.retrieval.grid import Grid

NAMES = "documents.jsonl", "topics.tsv", "qrels.txt"


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("addresses") / "sample"
    sample(folder, systems=1, topics=5, depth=20, documents=200, words=30)
    return folder


@pytest.fixture
def memory(collection: Path) -> Iterator[Any]:
    """Put a collection where fsspec keeps files in memory."""
    system = fsspec.filesystem("memory")
    for name in NAMES:
        system.pipe_file(f"/in/{name}", (collection / name).read_bytes())
    yield system
    system.rm("/", recursive=True)
    addresses._copies.cache_clear()  # noqa: SLF001 (another process would have none)


def run(docs: object, topics: object, qrels: object, **options: Any) -> Grid:  # noqa: ANN401
    systems = {"models": "BM25,PL2", "stemmers": "porter,none", "stoplists": "none"}
    return mohs.grid(docs, topics, qrels=qrels, **systems, **options)


def local(collection: Path) -> Grid:
    return run(*(collection / name for name in NAMES))


@pytest.mark.parametrize("docs", ["documents.jsonl", "doc*", ""])
def test_files_at_addresses_are_read(memory: Any, collection: Path, docs: str) -> None:  # noqa: ANN401
    if not docs:
        memory.mv("/in/documents.jsonl", "/in/docs/documents.jsonl")
        memory.pipe_file("/in/docs/.hidden", b"")
        docs = "docs"
    there = run(
        f"memory://in/{docs}", "memory://in/topics.tsv", "memory://in/qrels.txt"
    )
    expected = local(collection)
    assert there.table.equals(expected.table)
    assert [source.sha256 for source in there.files.values()] == [
        mohs.files.describe(collection / name).sha256 for name in NAMES
    ]


def test_a_store_at_an_address(memory: Any, collection: Path) -> None:  # noqa: ANN401
    inputs = [collection / name for name in NAMES]
    store = "memory://kept/cells"
    first = run(*inputs, store=store)
    names = sorted(memory.ls("/kept/cells", detail=False))
    assert [name.rpartition(".")[2] for name in names].count("cell") == 4
    assert [name.rpartition(".")[2] for name in names].count("index") == 2
    assert len(names) == 6
    told: list[int] = []
    made = {name: memory.created(name) for name in names}
    assert run(*inputs, store=store).table.equals(first.table)
    # Another process, which has no copies, uses the indexes that are there.
    addresses._copies.cache_clear()  # noqa: SLF001
    for name in names:
        if name.endswith(".cell"):
            memory.rm_file(name)
    again = run(*inputs, store=store, progress=lambda done, _: told.append(done))
    assert again.table.equals(first.table)
    assert told == [1, 2, 3, 4]
    kept = {name: memory.created(name) for name in names if name.endswith(".index")}
    assert kept.items() <= made.items()
    memory.pipe_file("/kept/cells/mine.txt", b"mine")
    memory.pipe_file(f"/kept/cells/.mohs-abc-{'0' * 32}.tmp", b"half")
    store_at(store).clean()
    assert memory.ls("/kept/cells", detail=False) == ["/kept/cells/mine.txt"]


def test_a_cell_that_is_cut_short_is_done_again(memory: Any, collection: Path) -> None:  # noqa: ANN401
    inputs, store = [collection / name for name in NAMES], "memory://kept"
    first = run(*inputs, store=store)
    name = next(n for n in memory.ls("/kept", detail=False) if n.endswith(".cell"))
    content = memory.cat_file(name)
    memory.pipe_file(name, content[:99])
    assert run(*inputs, store=store).table.equals(first.table)
    assert memory.cat_file(name) == content


def test_the_command_takes_addresses(
    memory: Any,  # noqa: ANN401
    collection: Path,
    tmp_path: Path,
) -> None:
    output, store = tmp_path / "a.csv", tmp_path / "kept in here"
    docs, topics, qrels = (collection / name for name in NAMES)
    files = [docs.as_uri(), topics.as_uri(), "--qrels", qrels.as_uri()]
    kept = ["--store", store.as_uri(), "--meta"]
    assert main(["grid", *files, *kept, "-o", str(output)]) == 0
    assert len(list(store.glob("*.cell"))) == 1
    there = ["memory://in/documents.jsonl", "memory://in/topics.tsv"]
    there += ["--qrels", "memory://in/qrels.txt", "--store", "memory://kept", "--clean"]
    other = tmp_path / "b.csv"
    assert main(["grid", *there, "--meta", "-o", str(other)]) == 0
    assert other.read_bytes() == output.read_bytes()
    assert memory.ls("/kept") == []
    # The request names the judgments, the rest is the same.
    metas = [path.with_name(f"{path.name}.meta.json") for path in (output, other)]
    texts = [meta.read_text() for meta in metas]
    assert texts[0].replace(qrels.as_uri(), "memory://in/qrels.txt") == texts[1]


def test_a_changed_file_at_an_address_is_refused(
    memory: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = addresses.describe_remote

    def change(address: str) -> Any:  # noqa: ANN401
        found = looked(address)
        memory.pipe_file("/in/documents.jsonl", b'{"docno": "a", "text": "gold"}')
        return found

    monkeypatch.setattr(mohs.retrieval.grid.job, "describe_remote", change)
    with pytest.raises(InputError, match="has another content than when the grid"):
        run(*(f"memory://in/{name}" for name in NAMES))


# An address, and what is wrong with it.
WRONG = {
    "memory://nowhere/docs.jsonl": "no such file or folder, and no match",
    "memory://nowhere/*.jsonl": "no such file or folder, and no match",
    "nowhere://docs.jsonl": "cannot be reached (Protocol not known: nowhere)",
    "file://host/docs.jsonl": "expected three slashes, as in file:///data/docs",
}


@pytest.mark.parametrize("address", WRONG)
def test_an_address_that_leads_nowhere(
    address: str, collection: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    topics, qrels = str(collection / "topics.tsv"), str(collection / "qrels.txt")
    output = ["-o", str(tmp_path / "a.csv")]
    assert main(["grid", address, topics, "--qrels", qrels, *output]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"mohs: {address}: ")
    assert WRONG[address] in err


def test_missing_topics_at_an_address() -> None:
    with pytest.raises(FormatError, match="memory://nowhere: no such file"):
        run({"a": "gold"}, "memory://nowhere", {"1": {"a": 1}})


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(InputError, match=r"s3://b/c: cannot be reached \(Install s3fs"):
        list_files("s3://b/c")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(InputError, match=r"pip install 'mohs\[dask\]'"):
        store_at("s3://b/c").check()


def test_what_a_place_is() -> None:
    assert store_at("cells") == FolderStore(Path("cells"))
    assert str(store_at("file:///a%20b/c")) == "/a b/c"
    assert store_at("s3://b/c/") == RemoteStore("s3://b/c")
    assert plain("file://localhost/a") == "/a"
