"""Run a program and say what it cost: seconds and peak resident memory."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from resource import struct_rusage

ROOT = Path(__file__).parent.parent
UNITS_PER_KIBIBYTE = 1024 if os.uname().sysname == "Darwin" else 1


def megabytes(usage: struct_rusage) -> float:
    """Return the peak resident memory of a process in units of 2^20 bytes."""
    return usage.ru_maxrss / UNITS_PER_KIBIBYTE / 1024


class ChildFailedError(Exception):
    """A measured program did not end well; the message is its last line."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and peak resident megabytes (of 2^20 bytes) of one program."""

    seconds: float
    megabytes: float

    def best(self, other: Cost | None) -> Cost:
        """Return the least time and the largest memory of two runs."""
        if other is None:
            return self
        return Cost(
            min(self.seconds, other.seconds), max(self.megabytes, other.megabytes)
        )


@dataclass(frozen=True, slots=True)
class Job:
    """A command line to be measured.

    A job that is `timed_inside` prints its cost as JSON; any other is measured from
    start to end. `files` limits the number of open files.
    """

    command: tuple[str, ...]
    timed_inside: bool = False
    files: int = 0

    def run(self) -> Cost:
        """Run once."""
        command = list(self.command)
        if self.files:
            limit = f'ulimit -n {self.files}; exec "$@"'
            command = ["/bin/sh", "-c", limit, "sh", *command]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.perf_counter()
            child = subprocess.Popen(
                command, stdout=out, stderr=err, cwd=ROOT, env=_environment()
            )
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                raise ChildFailedError(_last_line(err, child.returncode))
            if self.timed_inside:
                out.seek(0)
                return Cost(**json.loads(out.read()))
        return Cost(seconds, megabytes(usage))


def _environment() -> dict[str, str]:
    """Let programs keep their bytecode, which an installed package comes with."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _last_line(stream: IO[bytes], code: int) -> str:
    stream.seek(0)
    lines = stream.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {code}, nothing on standard error"


def measure(jobs: dict[str, Job], rounds: int) -> dict[str, Cost | str]:
    """Run jobs in turn, round by round; a job that fails has its reason instead."""
    costs: dict[str, Cost | str] = {}
    for _ in range(rounds):
        for name, job in jobs.items():
            before = costs.get(name)
            if isinstance(before, str):
                continue
            try:
                costs[name] = job.run().best(before)
            except ChildFailedError as failure:
                costs[name] = str(failure)
    return costs
