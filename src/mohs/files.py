"""Bytes in and out: compression, whole-file writes, and how a result was made.

A file is written whole or not at all: the bytes go to a temporary file beside the
target, reach the disk, and only then take the target's name. What was read, and how,
is kept in a :class:`Provenance`, which never holds anything that differs between two
runs of the same request: no times, host names, worker counts or output paths.
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mohs import _core
from mohs.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FilePath: TypeAlias = str | os.PathLike[str]

STANDARD_INPUT = "-"
PIPED = "standard input"

# What an archive may unpack to, unless someone says otherwise.
MAX_BYTES = 64 << 30

# Problem and remedy for each way in which the core may fail to read a file.
UNREADABLE: Mapping[str, tuple[str, str]] = {
    "unreadable": ("cannot be read ({text})", "check the path and its rights"),
    "archive": (
        "damaged or truncated archive ({text})",
        "fetch or pack the file again",
    ),
    "unsupported": (
        "{text} archives are not read",
        "unpack it, or use gz, bz2, zst or lz4",
    ),
    "too-large": (
        "unpacks to more than {text} bytes",
        "raise --max-bytes if that is right",
    ),
}

_CHUNK = 1 << 20


def read_bytes(path: FilePath, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Return what a file holds, unpacked as its first bytes say it is packed.

    Parameters
    ----------
    path
        A file, or ``-`` for standard input.
    max_bytes
        The most that may come out.

    Raises
    ------
    FormatError
        If the file cannot be read, is cut short, or unpacks beyond ``max_bytes``.

    Examples
    --------
    >>> read_bytes("no-such.csv")
    Traceback (most recent call last):
    mohs.errors.FormatError: no-such.csv: no such file
    """
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return unpack(read_standard_input(), PIPED, max_bytes=max_bytes)
    if not os.path.exists(name):  # noqa: PTH110 (any text is a path to ask for)
        raise FormatError(name, 0, "no such file")
    return unpack(name, name, max_bytes=max_bytes)


def read_standard_input() -> bytes:
    """Return all that comes through standard input.

    Raises
    ------
    FormatError
        If it is closed.
    """
    if sys.stdin is None:
        raise FormatError(PIPED, 0, "is closed", "name a file, or pipe one in")
    return sys.stdin.buffer.read()


def unpack(source: FilePath | bytes, name: str, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the unpacked bytes of a file or of other bytes; ``name`` is for messages.

    Raises
    ------
    FormatError
        As `read_bytes`.
    """
    data, fault = _core.read(source, max_bytes)
    if fault is not None:
        raise _unreadable(fault, name)
    return data or b""


def read_pieces(
    source: FilePath | bytes, name: str, *, max_bytes: int = MAX_BYTES
) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file or of other bytes, about a megabyte at a time.

    Raises
    ------
    FormatError
        As `read_bytes`, when the place is reached.

    Examples
    --------
    >>> list(read_pieces(b"text at hand", "text"))
    [b'text at hand']
    """
    pieces = _core.Pieces(source, max_bytes)
    while True:
        piece, fault = pieces.take()
        if fault is not None:
            raise _unreadable(fault, name)
        if piece is None:
            return
        yield piece


def _unreadable(fault: _core.Fault, name: str) -> FormatError:
    line, code, text = fault
    problem, remedy = UNREADABLE[code]
    return FormatError(name, line, problem.format(text=text), remedy)


def decode(data: bytes, name: str) -> str:
    """Return UTF-8 text, without the mark that some programs put in front.

    Raises
    ------
    FormatError
        At the first line that is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(name, line, "is not UTF-8", "save it as UTF-8") from None


def check_writable(path: FilePath) -> None:
    """Refuse a target that could not be written, before any work is done.

    A path that ends in ``/`` is a folder, which may have to be made.

    Raises
    ------
    InputError
        With the reason.
    """
    name = os.fspath(path)
    target = _target(name)
    if _is_folder(name):
        _check_folder(target, name)
        return
    if target.is_dir():
        raise InputError(f"{name}: is a folder; end the path in / to fill it")
    if not target.parent.is_dir():
        raise InputError(f"{name}: there is no folder {target.parent}; make it first")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{name}: cannot be written (permission denied)")
    if _is_plain(target):
        _try_folder(target.parent, name)


def _is_folder(name: str) -> bool:
    return name.endswith(("/", os.sep))


def _check_folder(target: Path, name: str) -> None:
    while not target.exists() and target != target.parent:
        target = target.parent
    if not target.is_dir():
        raise InputError(f"{name}: {target} is not a folder")
    _try_folder(target, name)


def _try_folder(folder: Path, name: str) -> None:
    probe = folder / _temporary_name()
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise InputError(f"{name}: cannot be written ({_reason(error)})") from None


def write_bytes(path: FilePath, data: bytes) -> None:
    """Replace a file's content at once; on any failure the old content stays.

    Symbolic links are followed and the mode of an existing file is kept. What is not a
    regular file (a pipe, a device) is written directly, since it cannot be replaced.

    Raises
    ------
    InputError
        If the target cannot be written.
    """
    target = _target(path)
    try:
        if _is_plain(target):
            _replace(target, data)
        else:
            target.write_bytes(data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = _reason(error)
        raise InputError(f"{path}: cannot be written ({reason})") from None


def make_folder(path: FilePath) -> Path:
    """Make a folder, and those above it, unless it is there.

    Raises
    ------
    InputError
        If it cannot be made, or nothing can be written there.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made ({_reason(error)})") from None
    _try_folder(folder, str(path))
    return folder


def write_folder(path: FilePath, files: Mapping[str, bytes]) -> None:
    """Write several files into one folder, which is made if need be, each at once."""
    folder = make_folder(path)
    for name, data in files.items():
        write_bytes(folder / name, data)


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(_temporary_name())
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _target(path: FilePath) -> Path:
    """Follow symbolic links, unless to a pipe, where they lead to no name."""
    target = Path(os.path.realpath(path))
    return Path(path) if Path(path).exists() and not target.exists() else target


def _is_plain(target: Path) -> bool:
    return target.is_file() or not (target.exists() and not target.is_dir())


def _temporary_name() -> str:
    # Not made from the target's name, which may be as long as names can be.
    return f".mohs-{os.getpid()}-{os.urandom(8).hex()}.tmp"


def _reason(error: OSError | ValueError) -> str:
    return str(getattr(error, "strerror", None) or error).lower()


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read, told apart by its content.

    Size and hash are None for a pipe, whose content is gone.
    """

    name: str
    size: int | None
    sha256: str | None


def describe(path: FilePath, content: bytes | None = None) -> Source:
    """Return the name (without folders), size and SHA-256 of an input.

    ``content`` stands in for a file that cannot be read twice, as standard input.
    """
    import hashlib  # It loads OpenSSL, which is wanted only here.

    name = os.fspath(path)
    if content is None and _is_pipe(name):
        return Source(in_utf8(Path(name).name), None, None)
    digest = hashlib.sha256()
    size = 0
    try:
        with Path(name).open("rb") if content is None else io.BytesIO(content) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise FormatError(name, 0, f"cannot be read ({_reason(error)})") from None
    return Source(in_utf8(Path(name).name), size, digest.hexdigest())


def _is_pipe(name: str) -> bool:
    return Path(name).exists() and not Path(name).is_file()


def in_utf8(name: str) -> str:
    r"""Return a file's name as it can be written, even if it is not UTF-8 on the disk.

    Examples
    --------
    >>> print(in_utf8("caf\udce9.run"))
    caf\udce9.run
    """
    return name.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a result was made: enough to make it again, and the same each time.

    ``request`` holds the resolved options. Whoever fills it leaves out what does not
    change the result: worker counts, output paths, times and host names.
    """

    version: str
    command: str
    request: Mapping[str, Any]
    inputs: tuple[Source, ...] = ()
    seed: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain values; inputs by name, since their order changes no result."""
        sources = sorted(self.inputs, key=lambda each: (each.name, each.sha256 or ""))
        return {
            "command": self.command,
            "inputs": [
                {"name": each.name, "sha256": each.sha256, "size": each.size}
                for each in sources
            ],
            "request": dict(self.request),
            "seed": self.seed,
            "version": self.version,
        }

    def to_json(self) -> str:
        """Return the record as JSON text, the same for the same request.

        Examples
        --------
        >>> Provenance("1.0", "evaluate", {"measures": ["AP"]}).to_json()
        '{"command": "evaluate", "inputs": [], "request": {"measures": ["AP"]}, "seed": null, "version": "1.0"}'
        """  # noqa: E501
        return canonical_json(self.as_dict())


def record(
    command: str,
    request: Mapping[str, Any],
    *,
    version: str,
    inputs: Iterable[FilePath] = (),
    seed: int | None = None,
) -> Provenance:
    """Read and hash the inputs, and return how a result was made from them."""
    sources = tuple(describe(path) for path in inputs)
    return Provenance(version, command, request, sources, seed)


def canonical_json(value: object) -> str:
    """Return JSON text with sorted keys, the same for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
