"""A folder that appears whole or not at all, and is only replaced by its maker."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mohs.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARKER = ".mohs-sample.json"


@contextmanager
def made_whole(
    target: Path, *, about: Mapping[str, Any], force: bool = False
) -> Iterator[Path]:
    """Lend an empty folder whose files become those of `target` at the end.

    The work happens in a hidden folder beside the target. When it succeeds, a new
    target is put in place by one rename; one that exists receives the files one by
    one, each whole, and loses those of an earlier making. Other files stay as they
    are. When the work fails or is interrupted, the target is untouched.

    Parameters
    ----------
    target
        The folder wanted. Its parents are made.
    about
        How the folder was made, under the name of the command that makes it, for the
        marker file that claims it.
    force
        Write into a folder with files in it that another command or person made.

    Raises
    ------
    InputError
        Before any work, when the target is not ours or cannot be written.
    """
    target = target.resolve()
    _refuse_a_file(target)
    if not force:
        _refuse_what_is_not_ours(target, next(iter(about), ""))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        workspace = Path(tempfile.mkdtemp(prefix=".mohs-", dir=target.parent))
    except OSError as error:
        raise InputError(
            f"{target}: cannot be written ({error.strerror}); choose another folder"
        ) from None
    try:
        yield workspace
        _publish(workspace, target, about)
    finally:
        shutil.rmtree(workspace, ignore_errors=True)


def _refuse_a_file(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: a file of this name exists; choose another folder")


def _refuse_what_is_not_ours(target: Path, maker: str) -> None:
    if not target.exists() or maker in _marker(target):
        return
    if found := min((entry.name for entry in target.iterdir()), default=""):
        raise InputError(
            f"{target}: not empty (it holds {found!r}) and not made by mohs {maker}; "
            "choose another folder or force it"
        )


def _publish(workspace: Path, target: Path, about: Mapping[str, Any]) -> None:
    files = sorted(
        path.relative_to(workspace).as_posix()
        for path in workspace.rglob("*")
        if path.is_file()
    )
    for name in files:
        with (workspace / name).open("rb") as written:
            os.fsync(written.fileno())
    marker = json.dumps({**about, "files": files}, indent=1) + "\n"
    (workspace / MARKER).write_text(marker, encoding="utf-8", newline="\n")
    if target.exists():
        _merge(workspace, target, files)
    else:
        # A private temporary folder becomes one with the rights of any new folder.
        umask = os.umask(0)
        os.umask(umask)
        workspace.chmod(0o777 & ~umask)
        workspace.rename(target)


def _merge(workspace: Path, target: Path, files: list[str]) -> None:
    old = _claimed(target)
    # Without its marker, a folder left between two collections is nobody's.
    (target / MARKER).unlink(missing_ok=True)
    for name in old - set(files):
        (target / name).unlink(missing_ok=True)
    for name in [*files, MARKER]:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).replace(target / name)


def _claimed(target: Path) -> set[str]:
    """List the files of the last making that lie within the folder."""
    names = _marker(target).get("files")
    return {
        name
        for name in (names if isinstance(names, list) else [])
        if isinstance(name, str)
        and (target / name).resolve().is_relative_to(target)
        and (target / name).is_file()
    }


def _marker(target: Path) -> dict[str, Any]:
    """Return what the marker says; nothing where there is none."""
    try:
        marker = json.loads((target / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return marker if isinstance(marker, dict) else {}
