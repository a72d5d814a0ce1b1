import bz2
import gzip
import hashlib
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mohs import files
from mohs.errors import FormatError, InputError
from mohs.files import (
    Provenance,
    Source,
    check_writable,
    decode,
    describe,
    read_bytes,
    record,
    write_bytes,
    write_folder,
)

Pack = Callable[[bytes], bytes]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_unpacks_what_its_first_bytes_say_it_is(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(pack(b"topic,a\n"))
    assert read_bytes(path) == b"topic,a\n"


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(b"topic,a\n")))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read_bytes("-") == b"topic,a\n"
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FormatError, match="standard input: is closed; name a file"):
        read_bytes("-")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_truncated_archive_is_refused(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(pack(os.urandom(1000))[:-20])
    with pytest.raises(
        FormatError, match=r"scores\.csv\.gz: damaged or truncated archive"
    ):
        read_bytes(path)


def test_an_archive_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(b"0" * 5000)
    assert len(read_bytes(path, max_bytes=1)) == 5000
    path.write_bytes(gzip.compress(b"0" * 5000))
    assert len(read_bytes(path, max_bytes=5000)) == 5000
    with pytest.raises(FormatError, match="unpacks to more than 4999 bytes"):
        read_bytes(path, max_bytes=4999)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="gone: no such file"):
        read_bytes(tmp_path / "gone")
    with pytest.raises(FormatError, match="is a directory"):
        read_bytes(tmp_path)
    with pytest.raises(FormatError, match="no such file"):
        read_bytes("a\0b")


def test_text_that_is_not_utf8_names_its_line() -> None:
    assert decode("\ufeffé\n".encode(), "a.csv") == "é\n"
    with pytest.raises(FormatError, match=r"a\.csv:2: is not UTF-8"):
        decode(b"a\n\xe9\n", "a.csv")


def test_writing_replaces_the_content_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["out.csv"]


def test_a_new_file_gets_the_mode_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "out.csv", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.csv").stat().st_mode) == 0o640


def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "real" / "out.csv")
    write_bytes(link, b"one")
    write_bytes(link, b"two")
    assert link.is_symlink()
    assert (tmp_path / "real" / "out.csv").read_bytes() == b"two"


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_writable(pipe)
    write_bytes(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left")])
def test_a_failed_write_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise error

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises((KeyboardInterrupt, InputError)):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out.csv"]


def test_unwritable_targets_are_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="is a folder; end the path in /"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match=r"there is no folder .*gone; make it first"):
        check_writable(tmp_path / "gone" / "out.csv")
    with pytest.raises(InputError, match="file is not a folder"):
        check_writable(f"{tmp_path}/file/")
    with pytest.raises(InputError, match="file is not a folder"):
        check_writable(f"{tmp_path}/file/tables/")
    with pytest.raises(InputError, match="there is no folder"):
        check_writable(tmp_path / "file" / "out.csv")
    check_writable(tmp_path / "out.csv")
    check_writable(f"{tmp_path}/new/tables/")
    assert names(tmp_path) == ["file"]


def test_a_read_only_folder_or_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The permission bits themselves do not stop the superuser, who may run this.
    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", deny)
    with pytest.raises(InputError, match=r"cannot be written \(permission denied\)"):
        check_writable(tmp_path / "out.csv")
    (tmp_path / "old.csv").write_bytes(b"")
    monkeypatch.setattr(files.os, "access", lambda *_: False)
    with pytest.raises(InputError, match=r"old\.csv: cannot be written"):
        check_writable(tmp_path / "old.csv")


def test_a_folder_is_made_and_filled(tmp_path: Path) -> None:
    write_folder(f"{tmp_path}/a/b/", {"one.csv": b"1", "two.csv": b"2"})
    assert (tmp_path / "a" / "b" / "one.csv").read_bytes() == b"1"
    assert names(tmp_path / "a" / "b") == ["one.csv", "two.csv"]


WRITE_FOREVER = textwrap.dedent("""
    import sys
    from mohs.files import write_bytes
    path, letter, count = sys.argv[1:]
    print(flush=True)
    while True:
        write_bytes(path, letter.encode() * int(count))
""")


def writer(path: Path, letter: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITE_FOREVER, str(path), letter, str(count)]
    environment = os.environ | {"PYTHONPATH": str(Path(files.__file__).parents[1])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    process.stdout.readline()
    return process


def stop(process: subprocess.Popen[bytes]) -> int:
    process.kill()
    process.stdout.close()
    return process.wait()


def test_a_killed_writer_leaves_the_old_file_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_bytes(path, b"o" * 200_000)
    for delay in (0.0, 0.003, 0.01, 0.02):
        process = writer(path, "n", 300_000)
        time.sleep(delay)
        assert stop(process) == -signal.SIGKILL
        assert path.read_bytes() in (b"o" * 200_000, b"n" * 300_000)


def test_two_writers_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_bytes(path, b"a" * 200_000)
    processes = [writer(path, "a", 200_000), writer(path, "b", 300_000)]
    whole = (b"a" * 200_000, b"b" * 300_000)
    seen = [path.read_bytes() in whole for _ in range(100)]
    for process in processes:
        stop(process)
    assert all(seen)
    assert path.read_bytes() in whole


def test_an_input_is_described_by_name_size_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"1 Q0 d 1 2 t\n")
    digest = hashlib.sha256(b"1 Q0 d 1 2 t\n").hexdigest()
    assert describe(path) == Source("a.run", 13, digest)
    assert describe("-", b"1 Q0 d 1 2 t\n") == Source("-", 13, digest)
    with pytest.raises(FormatError, match="gone: cannot be read"):
        describe(tmp_path / "gone")


def test_what_is_gone_or_named_oddly_is_described_all_the_same(tmp_path: Path) -> None:
    # To open a pipe once more would wait for someone to write into it.
    os.mkfifo(tmp_path / "pipe")
    assert describe(tmp_path / "pipe") == Source("pipe", None, None)
    odd = describe(os.fsdecode(b"caf\xe9.run"), b"")
    assert odd.name == r"caf\udce9.run"
    inputs = (Source("pipe", None, None), Source("pipe", 0, "ff"), odd)
    json.dumps(
        Provenance("1.0", "x", {}, inputs).as_dict(), ensure_ascii=False
    ).encode()


def test_a_record_does_not_depend_on_order_or_place(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        for name in ("a.run", "b.run"):
            (tmp_path / folder / name).write_text(name)
    first = record(
        "evaluate",
        {"measures": ["AP"], "level": 1},
        version="1.0",
        inputs=[tmp_path / "x" / "a.run", tmp_path / "x" / "b.run"],
        seed=0,
    )
    second = record(
        "evaluate",
        {"level": 1, "measures": ["AP"]},
        version="1.0",
        inputs=[tmp_path / "y" / "b.run", tmp_path / "y" / "a.run"],
        seed=0,
    )
    assert first.to_json() == second.to_json()
    assert re.search(r'"name": "a.run", "sha256": "[0-9a-f]{64}"', first.to_json())


def test_a_record_is_plain_data() -> None:
    made = Provenance("1.0", "anova", {"type": 2}, (Source("a", 1, "ff"),), 7)
    assert made.as_dict() == {
        "command": "anova",
        "inputs": [{"name": "a", "sha256": "ff", "size": 1}],
        "request": {"type": 2},
        "seed": 7,
        "version": "1.0",
    }
