"""Public data: found by name, fetched once, verified, and missed in so many words."""

import csv
import gzip
import hashlib
import http.server
import io
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from mohs.errors import InputError, MissingExtraError
from mohs.papers import fetching
from mohs.papers.conversions import in_rows, packed, social_feedback
from mohs.papers.data import Data
from mohs.papers.fetching import cache_folder, fetch
from mohs.papers.sources import SOURCES, Address, Source

CONTENT = b"AP,401,402\nb,0.5,0.1\na,0.2,0.3\n"
TURNED = b"topic,a,b\n401,0.2,0.5\n402,0.3,0.1\n"


@dataclass(slots=True)
class Server:
    """A server of a few files, which remembers what was asked for."""

    url: str
    files: dict[str, bytes]
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    """Serve on a free port of this machine."""
    made = Server("", {"/matrix.csv": CONTENT})

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            content = made.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as started:
        made.url = f"http://127.0.0.1:{started.server_port}"
        threading.Thread(target=started.serve_forever, daemon=True).start()
        yield made
        started.shutdown()


def matrix(url: str, **changes: object) -> Source:
    source = Source(
        "matrices/turned.csv",
        "a matrix",
        "someone",
        "MIT",
        addresses=(Address(f"{url}/matrix.csv"),),
        convert=in_rows,
        sha256=hashlib.sha256(TURNED).hexdigest(),
    )
    return replace(source, **changes)


def test_a_file_is_fetched_once_and_converted(server: Server, tmp_path: Path) -> None:
    for _ in range(2):
        assert fetch(matrix(server.url), tmp_path).read_bytes() == TURNED
    assert server.asked == ["/matrix.csv"]


def test_what_was_fetched_before_is_not_fetched_again(
    server: Server, tmp_path: Path
) -> None:
    both = (f"{server.url}/matrix.csv", f"{server.url}/gone.csv")
    source = matrix(server.url, addresses=tuple(map(Address, both)))
    for _ in range(2):
        with pytest.raises(InputError, match=r"gone\.csv: the server answers 404"):
            fetch(source, tmp_path)
    assert server.asked == ["/matrix.csv", "/gone.csv", "/gone.csv"]
    assert not (tmp_path / source.name).exists()


def test_another_content_is_refused(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no longer what it was \(SHA-256 of"):
        fetch(matrix(server.url, sha256="0" * 64), tmp_path)
    wrong = (Address(f"{server.url}/matrix.csv", "0" * 64),)
    with pytest.raises(InputError, match=r"is no longer what it was \(its SHA-256"):
        fetch(matrix(server.url, addresses=wrong), tmp_path / "other")
    assert not [*tmp_path.rglob("matrices/*.csv")]


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch, server: Server) -> str:
    """Put a matrix of the server among the sources."""
    source = matrix(server.url)
    monkeypatch.setattr("mohs.papers.data.SOURCES", {source.name: source})
    return source.name


def test_a_folder_comes_before_the_cache_and_that_before_the_network(
    listed: str, server: Server, tmp_path: Path
) -> None:
    folder, cache = tmp_path / "folder", tmp_path / "cache"
    folder.mkdir()
    data = Data.at(folder, cache=cache)
    assert data.path(listed) == cache / listed
    assert server.asked == ["/matrix.csv"]
    assert Data.at(folder, cache=cache, download=False).find(listed) == cache / listed
    (folder / listed).parent.mkdir()
    (folder / listed).write_bytes(b"mine")
    data = Data.at(folder, cache=cache)
    assert data.path(listed).read_bytes() == b"mine"
    assert data.read() == (folder / listed,)


def test_without_network_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing listens on a port that was given back.
    with http.server.HTTPServer(("127.0.0.1", 0), None) as gone:
        url = f"http://127.0.0.1:{gone.server_port}"
    monkeypatch.setattr("mohs.papers.data.SOURCES", {"gone": matrix(url)})
    data = Data.at(None, cache=tmp_path)
    assert data.find("gone") is None
    with pytest.raises(InputError) as caught:
        data.path("gone")
    told = str(caught.value)
    assert told.startswith("gone is missing: a matrix (someone; MIT).")
    assert f"It could not be fetched ({url}/matrix.csv: cannot be reached)." in told
    assert f"By hand: put {url}/matrix.csv into matrices/ in the folder of" in told
    assert "\n" not in told


def test_without_pooch_one_line_says_what_to_install(
    listed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise MissingExtraError("fetching public data", "papers")

    monkeypatch.setattr(fetching, "_pooch", missing)
    data = Data.at(None, cache=tmp_path)
    assert data.find(listed) is None
    assert "pip install 'mohs[papers]'" in data.missing(listed)


def test_downloads_can_be_switched_off(
    listed: str, server: Server, tmp_path: Path
) -> None:
    data = Data.at(None, cache=tmp_path, download=False)
    assert data.find(listed) is None
    assert "since that is switched off" in data.missing(listed)
    assert server.asked == []


def test_originals_that_were_fetched_by_hand_are_converted(
    listed: str, server: Server, tmp_path: Path
) -> None:
    folder, cache = tmp_path / "folder", tmp_path / "cache"
    (folder / listed).parent.mkdir(parents=True)
    original = folder / "matrices" / "matrix.csv"
    original.write_bytes(CONTENT)
    data = Data.at(folder, cache=cache, download=False)
    assert data.path(listed) == cache / listed
    assert (cache / listed).read_bytes() == TURNED
    original.write_bytes(b"AP,401\nb,1,2\n")
    data = Data.at(folder, cache=cache, download=False)
    assert data.find(listed) is None
    told = "turned.csv: cannot be made of matrix.csv, which are not laid out as"
    assert told in data.missing(listed)
    assert server.asked == []


def test_the_cache_can_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOHS_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    assert Data.at(None).cache == tmp_path


def test_files_of_folders_are_read_one_by_one(tmp_path: Path) -> None:
    runs = tmp_path / "trec8" / "runs"
    runs.mkdir(parents=True)
    (runs / "b").touch()
    (runs / "a").touch()
    data = Data.at(tmp_path)
    assert data.path("trec8/runs") == runs
    assert data.read() == (runs / "a", runs / "b")


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder; name one with data in it"):
        Data.at(tmp_path / "none")


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_source_says_how_to_get_it(name: str) -> None:
    source = SOURCES[name]
    assert bool(source.addresses) != bool(source.instruction)
    assert all(each.url.startswith("https://") for each in source.addresses)
    assert bool(source.convert) <= bool(source.addresses)
    told = Data().missing(name)
    assert told.startswith(f"{name} is missing: {source.about} ({source.origin}; ")
    assert source.name == name


@pytest.mark.skipif("MOHS_DATA" not in os.environ, reason="MOHS_DATA is not set")
def test_hashes_are_those_of_files_that_were_seen() -> None:
    folder = Path(os.environ["MOHS_DATA"])
    name = "matrices/trec8_ap.csv"
    lines = (folder / name).read_text("utf-8").splitlines()
    columns = zip(*csv.reader(lines), strict=True)
    (_, *topics), *rows = columns
    rows.sort(key=lambda row: row[0].lower())
    text = "\n".join(map(",".join, [("AP", *topics), *rows])) + "\n"
    turned = in_rows([text.encode()])
    assert hashlib.sha256(turned).hexdigest() == SOURCES[name].sha256
    judged = gzip.decompress((folder / "web2012" / "qrels.txt.gz").read_bytes())
    address = SOURCES["web2012/qrels.txt.gz"].addresses[0]
    assert hashlib.sha256(judged).hexdigest() == address.sha256


def test_compression_is_the_same_each_time() -> None:
    assert gzip.decompress(packed([b"text"])) == b"text"
    assert packed([b"text"]) == packed([b"text"])


def test_news_that_a_platform_does_not_know_are_left_out() -> None:
    head = ["IDLink", *(f"TS{place}" for place in range(1, 145))]
    known = {"Facebook": "321", "GooglePlus": "13", "LinkedIn": "123"}
    contents = []
    for items in known.values():
        file = io.StringIO()
        rows = [[item, *range(1, 145)] for item in items]
        csv.writer(file).writerows([head, *rows])
        contents.append(file.getvalue().encode())
    lines = social_feedback(contents).decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["IDLink", "3", "1"]
    assert lines[0].split(",")[4] == "Facebook_TS144"
