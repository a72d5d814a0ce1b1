"""Read, rank, score: mohs against the programs that do the same.

The collections are generated and kept in a folder (``--data``). Peers take turns on the
same files, on two cores, and the best of several rounds counts. Every score is compared
between the peers as well, so that speed is never bought with wrong numbers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from bench.calls import MEASURES
from bench.children import ROOT, Cost, Job, measure
from bench.data import COPIES, Collection, collections
from bench.engine import Engine
from bench.figures import Figure, Goal, aligned, compare, difference
from bench.formulations import Formulations
from bench.growth import Growth
from bench.relevance import Relevance
from bench.variance import Variance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORES = 2
FEW_FILES = 256

# trec_eval prints four decimals; the others the same double to the last digits.
TOLERANCES = {"pytrec_eval": 1e-9, "ir_measures": 1e-9, "trec_eval": 5.1e-5}


@dataclass(frozen=True, slots=True)
class Scale:
    """One collection: whom to compare on it, and what is asked of mohs."""

    name: str
    peers: tuple[str, ...]
    call: Goal | None = None
    process: Goal | None = None
    memory: Goal | None = None


SCALES = [
    Scale(
        "trec8",
        ("pytrec_eval", "trec_eval", "ir_measures"),
        call=Goal("ratio", 16),
        process=Goal("ratio", 10),
        memory=Goal("mohs", 400),
    ),
    Scale(
        "msmarco",
        ("pytrec_eval", "trec_eval", "ir_measures"),
        call=Goal("ratio", 10),
        process=Goal("ratio", 10),
        memory=Goal("mohs", 600),
    ),
    Scale("trec8-gz", ("pytrec_eval",)),
    Scale("msmarco-gz", ("pytrec_eval",)),
]


@dataclass(frozen=True, slots=True)
class Bench:
    """What all benchmarks of one run share."""

    data: dict[str, Collection]
    work: Path
    peers: tuple[str, ...]
    rounds: int
    small: bool
    folder: Path

    def call(self, scale: Scale) -> Iterator[Figure]:
        """Time library calls, and compare what they return."""
        where = self.data[scale.name]
        peers = [peer for peer in scale.peers if peer in self.peers]
        values = {
            peer: self.work / f"{scale.name}-{peer}.csv" for peer in ("mohs", *peers)
        }
        jobs = {peer: _call_job(peer, where, path) for peer, path in values.items()}
        costs = measure(jobs, self.rounds)
        for peer in peers:
            goal = scale.call if peer == "pytrec_eval" else None
            name = f"{scale.name}/call/{peer}"
            yield compare(name, costs["mohs"], costs[peer], goal=goal)
        yield compare(
            f"{scale.name}/call-memory/pytrec_eval",
            costs["mohs"],
            costs["pytrec_eval"],
            goal=scale.memory,
            memory=True,
        )
        for peer in peers:
            name = f"{scale.name}/call-values/{peer}"
            yield difference(name, values["mohs"], values[peer], TOLERANCES[peer])

    def process(self, scale: Scale) -> Iterator[Figure]:
        """Time whole processes that write a table, and compare the tables."""
        where = self.data[scale.name]
        mine, other = (self.work / f"{scale.name}-{n}.csv" for n in ("out", "peer"))
        whole = str(Path(__file__).with_name("whole.py"))
        jobs = {
            "mohs": Job((*_evaluate(where), "-o", str(mine))),
            "peer": Job((sys.executable, whole, *_paths(where), str(other))),
        }
        costs = measure(jobs, self.rounds)
        name, goals = scale.name, (scale.process, scale.memory)
        pair = (costs["mohs"], costs["peer"])
        yield compare(f"{name}/process/pytrec_eval", *pair, goal=goals[0])
        yield compare(
            f"{name}/process-memory/pytrec_eval", *pair, goal=goals[1], memory=True
        )
        values = f"{name}/process-values/pytrec_eval"
        yield difference(values, mine, other, TOLERANCES["pytrec_eval"])

    def tenfold(self) -> Iterator[Figure]:
        """Ask for means of ten times the runs, with few files allowed open."""
        few, many = self.data["trec8"], self.data["trec8-x10"]
        jobs = {
            "few": Job(tuple(_evaluate(few))),
            "many": Job(tuple(_evaluate(many))),
            "limited": Job(tuple(_evaluate(many)), files=FEW_FILES),
        }
        costs = measure(jobs, self.rounds)
        once, ten = costs["few"], costs["many"]
        if isinstance(once, Cost):
            once = Cost(COPIES * once.seconds, once.megabytes)
        scaled = Goal("ratio", 0.9)
        yield compare("trec8-x10/time/trec8", ten, once, goal=scaled)
        yield compare("trec8-x10/memory/trec8", ten, once, goal=scaled, memory=True)
        name = f"trec8-x10/{FEW_FILES}-open-files/unlimited"
        yield compare(name, costs["limited"], ten, goal=Goal("ratio", 0.5))

    def start(self) -> Iterator[Figure]:
        """Time what a user waits for before anything is done."""
        jobs = {
            "python": Job((sys.executable, "-c", "pass")),
            "help": Job((*_mohs(), "--help")),
            "import": Job((sys.executable, "-c", "import mohs")),
        }
        costs = measure(jobs, 5 * self.rounds)
        for name in ("help", "import"):
            goal = Goal("mohs", 0.15)
            yield compare(
                f"start/{name}/python", costs[name], costs["python"], goal=goal
            )


def _mohs() -> tuple[str, ...]:
    program = Path(sys.executable).with_name("mohs")
    return (str(program),) if program.exists() else (sys.executable, "-m", "mohs")


def _evaluate(where: Collection) -> tuple[str, ...]:
    wanted = [part for name in MEASURES for part in ("-m", name)]
    return (*_mohs(), "evaluate", *_paths(where), *wanted)


def _paths(where: Collection) -> tuple[str, str]:
    return str(where.qrels), str(where.runs)


def _call_job(peer: str, where: Collection, values: Path) -> Job:
    inside = (sys.executable, "-m", "bench.calls", peer, *_paths(where))
    return Job((*inside, "--values", str(values)), timed_inside=True)


def _benchmarks(bench: Bench) -> dict[str, Callable[[], Iterator[Figure]]]:
    """Return every benchmark by the beginning of its figures' names."""
    found: dict[str, Callable[[], Iterator[Figure]]] = {"start": bench.start}
    for scale in SCALES:
        found[f"{scale.name}/call"] = partial(bench.call, scale)
        found[f"{scale.name}/process"] = partial(bench.process, scale)
    variance = Variance(bench.work, bench.rounds, _mohs(), bench.small)
    wordings = Formulations(bench.rounds, bench.small)
    items = Relevance(bench.rounds, bench.small)
    growth = Growth(bench.folder, bench.work, bench.rounds, bench.small)
    others = variance.benchmarks() | wordings.benchmarks() | items.benchmarks()
    engine = Engine(bench.work, bench.rounds, bench.small)
    others |= growth.benchmarks() | engine.benchmarks()
    return found | {"trec8-x10": bench.tenfold} | others


def _peers(unwanted: list[str]) -> tuple[str, ...]:
    there = {
        "pytrec_eval": True,
        "trec_eval": "MOHS_TREC_EVAL" in os.environ,
        "ir_measures": importlib.util.find_spec("ir_measures") is not None,
    }
    return tuple(peer for peer in there if there[peer] and peer not in unwanted)


def _context() -> dict[str, str | int | None]:
    """Say with what the figures were made; nothing tells the machine's name."""
    packages = (
        *("mohs", "pytrec_eval-terrier", "ir_measures", "numpy", "statsmodels"),
        "pyterrier",
    )
    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        **{package: _version(package) for package in packages},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="MOHS_TREC_EVAL names a trec_eval program to compare with.",
    )
    parser.add_argument("--data", type=Path, help="keep the collections here (3 GB)")
    parser.add_argument("--only", default="*", help="names of benchmarks, as a glob")
    parser.add_argument("--rounds", type=int, default=3, help="best of N (default 3)")
    parser.add_argument("--without", action="append", default=[], metavar="PEER")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    parser.add_argument(
        "--small", action="store_true", help="tiny collections, to try the benchmarks"
    )
    return parser.parse_args()


def main() -> int:
    """Prepare the data, run the benchmarks and tell whether all goals were reached."""
    args = _arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryDirectory() as work:
        folder = (args.data or Path(work) / "data") / (
            "small" if args.small else "full"
        )
        folder = folder.resolve()
        _prepare(folder, small=args.small)
        data, peers = collections(folder), _peers(args.without)
        bench = Bench(data, Path(work), peers, args.rounds, args.small, folder)
        figures: list[Figure] = []
        for name, figures_of in _benchmarks(bench).items():
            if fnmatch(name, args.only):
                print(f"measuring {name}", file=sys.stderr, flush=True)
                figures += figures_of()
    print(aligned(figures))
    if args.json:
        lines = {"context": _context(), "figures": [each.record() for each in figures]}
        args.json.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
    return int(any(figure.passed is False for figure in figures))


def _prepare(folder: Path, *, small: bool) -> None:
    size = ["--small"] if small else []
    command = [sys.executable, "-m", "bench.data", str(folder), *size]
    subprocess.run(command, check=True, cwd=ROOT)
    for collection in collections(folder).values():
        collection.warm()
