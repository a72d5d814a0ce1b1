"""Which inputs a request means: paths, folders, globs, ids of data sets, memory.

A path that exists is taken literally before anything else. Nothing is read here but
what is already in memory.
"""

from __future__ import annotations

import glob
import importlib.util
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mohs.errors import FormatError, InputError
from mohs.files import PIPED, STANDARD_INPUT, in_utf8, read_standard_input
from mohs.tables.frames import is_frame
from mohs.trec.memory import (
    RUN,
    is_run,
    ranks_of_frame,
    rows_of_dict,
    rows_of_frame,
    rows_of_records,
    runs_of_frame,
    runs_of_records,
    whole_ranks,
)
from mohs.trec.names import system_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from mohs._core import Source


T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Input:
    """One input: what to call it, and where its content is.

    ``name`` is the system of a run, empty where only its tag can tell; ``label`` says
    in messages which input is meant; ``chosen`` is False where a folder or a pattern
    named the input, not the user; ``ranks`` is the rank column of a frame.
    """

    name: str
    label: str
    source: Source
    chosen: bool = True
    ranks: pl.Series | None = field(default=None, compare=False)

    @property
    def path(self) -> str | None:
        """The file, if the input is one."""
        return os.fspath(self.source) if isinstance(self.source, str) else None

    @property
    def content(self) -> bytes | None:
        """What came from standard input, which cannot be read twice."""
        return self.source if isinstance(self.source, bytes) else None

    @property
    def is_file(self) -> bool:
        """Whether the input is a file or standard input, not something in memory."""
        return isinstance(self.source, str | bytes)

    def ranked(self) -> Source:
        """Return the source with its ranks, which mostly do not matter.

        Raises
        ------
        InputError
            If a rank is no whole number.
        """
        if self.ranks is None or not isinstance(self.source, tuple):
            return self.source
        return *self.source[:3], whole_ranks(self.ranks, self.label)


def find_judgments(qrels: Any) -> Input:  # noqa: ANN401 (any of many kinds)
    """Say which input holds the judgments.

    Raises
    ------
    InputError
        If there is no such file and no such data set.
    """
    if isinstance(qrels, str | os.PathLike):
        path = os.fspath(qrels)
        if path == STANDARD_INPUT:
            return Input("", PIPED, read_standard_input())
        if os.path.exists(path):  # noqa: PTH110 (any text is a path to ask for)
            return Input("", path, path)
        return _data_set(path)
    if isinstance(qrels, Mapping):
        return Input("", "judgments", rows_of_dict(qrels, "judgments", "judgments"))
    if is_frame(qrels):
        from mohs.tables.frames import as_polars

        rows = rows_of_frame(as_polars(qrels), "judgments", "judgments")
        return Input("", "judgments", rows)
    if isinstance(qrels, Iterable):
        return Input("", "judgments", rows_of_records(qrels, "judgments", "judgments"))
    raise InputError(f"judgments cannot be read from {type(qrels).__name__}")


def find_runs(
    runs: Any,  # noqa: ANN401
    *,
    qrels: Input | None = None,
) -> tuple[list[Input], list[Input]]:
    """Say which inputs hold the runs, in the order named, and which were passed over.

    Those are the judgments themselves, lying among the runs.

    Parameters
    ----------
    runs
        A path, folder, glob pattern or ``-``; a dict (of documents by topic: one run
        called ``run``; or of runs by name); a frame; or a list of these.
    qrels
        The judgments, which a folder of runs may hold as well.

    Raises
    ------
    InputError
        If something named is not there, or two runs have one name.
    """
    found = list(_expand(runs))
    piped = [each for each in (*found, qrels) if each and each.label == PIPED]
    if len(piped) > 1:
        raise InputError("standard input (-) can be read only once")
    skipped = [each for each in found if not each.chosen and _same(each, qrels)]
    kept = [each for each in found if each.chosen or not _same(each, qrels)]
    if not kept:
        raise InputError("no runs given; name files, a folder or a pattern")
    return kept, skipped


def find_inputs(qrels: Any, runs: Any) -> tuple[Input, list[Input], list[Input]]:  # noqa: ANN401
    """Say which inputs hold the judgments and the runs, and which were passed over.

    Raises
    ------
    InputError
        As `find_judgments` and `find_runs`, with everything that is not there.
    """
    judged: Input | None = None
    faults = []
    try:
        judged = find_judgments(qrels)
    except FormatError as fault:
        faults.append(fault)
    try:
        found, skipped = find_runs(runs, qrels=judged)
    except FormatError as fault:
        faults.append(fault)
    if faults or judged is None:
        raise FormatError.gather(faults)
    return judged, found, skipped


def collected(call: Callable[[T], U], values: Iterable[T]) -> list[U]:
    """Return what a function makes of each value, or all that is wrong with them.

    Raises
    ------
    FormatError
        With the faults of every value.
    """
    results, faults = [], []
    for value in values:
        try:
            results.append(call(value))
        except FormatError as fault:
            faults.append(fault)
    if faults:
        raise FormatError.gather(faults)
    return results


def check_names(labels: Sequence[str], names: Sequence[str]) -> None:
    """Refuse two runs of one name, naming both.

    Raises
    ------
    InputError
        With every pair.
    """
    if clashes := describe_clashes(labels, names):
        raise FormatError.gather(clashes)


def describe_clashes(labels: Sequence[str], names: Sequence[str]) -> list[FormatError]:
    """List the runs that are called as an earlier one is."""
    seen: dict[str, str] = {}
    clashes = []
    for label, name in zip(labels, names, strict=True):
        if name in seen:
            problem = f"this run is called {name!r}, and so is {seen[name]}"
            remedy = "rename one or leave it out"
            clashes.append(FormatError(label, 0, problem, remedy))
        seen.setdefault(name, label)
    return clashes


def _expand(runs: Any) -> Iterable[Input]:  # noqa: ANN401
    if isinstance(runs, str | os.PathLike):
        yield from expand_path(os.fspath(runs))
    elif is_run(runs):
        yield _named(RUN, runs)
    elif isinstance(runs, Mapping):
        for name, run in runs.items():
            yield _named(in_utf8(str(name)), run)
    elif is_frame(runs):
        for name, frame in runs_of_frame(runs).items():
            yield _framed(name, frame)
    elif isinstance(runs, Iterable):
        yield from _expand_iterable(runs)
    else:
        raise InputError(f"runs cannot be read from {type(runs).__name__}")


def _expand_iterable(runs: Iterable[Any]) -> Iterable[Input]:
    listed = list(runs)
    if listed and hasattr(listed[0], "_fields"):
        for name, records in runs_of_records(listed).items():
            yield Input(name, f"run {name!r}", rows_of_records(records, name, "run"))
        return
    for inputs in collected(lambda run: [*_expand(run)], listed):
        yield from inputs


def _named(name: str, run: Any) -> Input:  # noqa: ANN401
    if is_frame(run):
        return _framed(name, _only(runs_of_frame(run), name))
    if isinstance(run, str | os.PathLike):
        path = os.fspath(run)
        return Input(name, path, path)
    if isinstance(run, Mapping):
        return Input(name, f"run {name!r}", rows_of_dict(run, name, "run"))
    if not isinstance(run, Iterable):
        raise InputError(f"run {name!r} cannot be read from {type(run).__name__}")
    records = _only(runs_of_records(run), name)
    return Input(name, f"run {name!r}", rows_of_records(records, name, "run"))


def _framed(name: str, frame: pl.DataFrame) -> Input:
    rows, ranks = rows_of_frame(frame, name, "run"), ranks_of_frame(frame)
    return Input(name, f"run {name!r}", rows, ranks=ranks)


def _only(parts: Mapping[str, T], name: str) -> T:
    if len(parts) > 1:
        raise InputError(f"run {name!r} holds several systems: {', '.join(parts)}")
    if not parts:
        raise InputError(f"run {name!r} holds no rows")
    return next(iter(parts.values()))


def expand_path(path: str) -> Iterable[Input]:
    """Say which inputs a path, a folder, a pattern or ``-`` means.

    Raises
    ------
    InputError
        If it means none.
    """
    if path == STANDARD_INPUT:
        yield Input("", PIPED, read_standard_input())
    elif os.path.isdir(path):  # noqa: PTH112 (the user's spelling stays in labels)
        yield from _expand_folder(path)
    elif os.path.exists(path):  # noqa: PTH110
        yield Input(system_name(path), path, path)
    else:
        matches = sorted(glob.glob(path, recursive=True), key=os.fsencode)  # noqa: PTH207
        files = [match for match in matches if os.path.isfile(match)]  # noqa: PTH113
        if not files:
            problem = "no such file or folder, and no match"
            raise FormatError(path, 0, problem, "check the spelling")
        for file in files:
            yield Input(system_name(file), file, file, chosen=False)


def _expand_folder(path: str) -> Iterable[Input]:
    entries = [entry for entry in Path(path).iterdir() if entry.is_file()]
    files = [os.path.join(path, entry.name) for entry in entries]  # noqa: PTH118
    visible = [file for file in files if not Path(file).name.startswith(".")]
    if not visible:
        problem = "no files in this folder"
        raise FormatError(path, 0, problem, "name the folder that holds the runs")
    for file in sorted(visible, key=os.fsencode):
        yield Input(system_name(file), file, file, chosen=False)


def _same(run: Input, qrels: Input | None) -> bool:
    if qrels is None or run.path is None or qrels.path is None:
        return False
    return os.path.samefile(run.path, qrels.path)  # noqa: PTH121


def _data_set(name: str) -> Input:
    """Take the judgments of a data set, where the package that knows it is there."""
    if (found := load_data_set(name)) is None:
        raise FormatError(name, 0, "no such file", "check the spelling")
    try:
        records = found.qrels_iter()
    except AttributeError:
        problem = "no such file, and this ir_datasets id has no judgments"
        raise FormatError(name, 0, problem, "name one that has") from None
    return Input("", name, rows_of_records(records, name, "judgments"))


def load_data_set(name: str) -> Any | None:  # noqa: ANN401 (untyped)
    """Return a data set of ir_datasets, None where that package is not installed.

    Raises
    ------
    FormatError
        If it knows no such id.
    """
    if importlib.util.find_spec("ir_datasets") is None:
        return None
    import ir_datasets  # type: ignore[import-untyped]

    try:
        return ir_datasets.load(name)
    except KeyError:
        problem = "no such file, and no such ir_datasets id"
        raise FormatError(name, 0, problem, "check the spelling") from None
