"""Time one program's library call, in a process of its own.

``python -m bench.calls PEER QRELS RUNS`` prints the seconds of the best call and the
peak memory as JSON and, with ``--values``, writes what was computed, so that peers can
be compared.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import time
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.children import megabytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import TextIO

    from mohs.tables import Result

MEASURES = ("AP", "nDCG", "nDCG@20", "P@10")
# How trec_eval wants them spelled, and how it spells them.
ASKED = ("map", "ndcg", "ndcg_cut.20", "P.10")
SPELLED = {"map": "AP", "ndcg": "nDCG", "ndcg_cut_20": "nDCG@20", "P_10": "P@10"}
SLOW = 2.0  # seconds, from which on a call is not repeated in the same process

Row = tuple[str, str, str, float]


class Peer(NamedTuple):
    """How a program is called and its answer understood; only the call is timed."""

    module: str
    call: Callable[[ModuleType, Path, list[Path]], Any]
    rows: Callable[[Any], Iterator[Row]]


def call_mohs(mohs: ModuleType, qrels: Path, runs: list[Path]) -> Result:
    """Evaluate all runs at once."""
    result: Result = mohs.evaluate(qrels, runs, measures=list(MEASURES))
    return result


def rows_mohs(result: Result) -> Iterator[Row]:
    """Read the long table of scores."""
    columns = ("system", "topic", "measure", "value")
    yield from result.table.select(columns).iter_rows()


def call_pytrec_eval(
    pytrec_eval: ModuleType, qrels: Path, runs: list[Path]
) -> dict[str, dict[str, dict[str, float]]]:
    """Parse and evaluate run after run."""
    with qrels.open() as file:
        judgments = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, set(ASKED))
    results = {}
    for path in runs:
        with open_text(path) as file:
            run = pytrec_eval.parse_run(file)
        results[system_of(path)] = evaluator.evaluate(run)
    return results


def rows_pytrec_eval(
    results: dict[str, dict[str, dict[str, float]]],
) -> Iterator[Row]:
    """Unfold the nested answers."""
    for system, topics in results.items():
        for topic, values in topics.items():
            for name, value in values.items():
                yield system, topic, SPELLED[name], value


def call_ir_measures(
    ir_measures: ModuleType, qrels: Path, runs: list[Path]
) -> dict[str, list[Any]]:
    """Parse and evaluate run after run."""
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    judgments = list(ir_measures.read_trec_qrels(str(qrels)))
    evaluator = ir_measures.evaluator(measures, judgments)
    results = {}
    for path in runs:
        run = ir_measures.read_trec_run(str(path))
        results[system_of(path)] = list(evaluator.iter_calc(run))
    return results


def rows_ir_measures(results: dict[str, list[Any]]) -> Iterator[Row]:
    """Unfold the metrics of each run."""
    for system, metrics in results.items():
        for metric in metrics:
            yield system, metric.query_id, str(metric.measure), metric.value


def call_trec_eval(
    subprocess: ModuleType, qrels: Path, runs: list[Path]
) -> dict[str, str]:
    """Start the program once for every run, as its users do."""
    wanted = [part for name in ASKED for part in ("-m", name)]
    command = [os.environ["MOHS_TREC_EVAL"], "-q", *wanted, qrels]
    return {
        system_of(path): subprocess.check_output([*command, path], text=True)
        for path in runs
    }


def rows_trec_eval(results: dict[str, str]) -> Iterator[Row]:
    """Parse what was printed, without the means."""
    for system, printed in results.items():
        for line in printed.splitlines():
            name, topic, value = line.split()
            if topic != "all":
                yield system, topic, SPELLED[name], float(value)


PEERS = {
    "mohs": Peer("mohs", call_mohs, rows_mohs),
    "pytrec_eval": Peer("pytrec_eval", call_pytrec_eval, rows_pytrec_eval),
    "ir_measures": Peer("ir_measures", call_ir_measures, rows_ir_measures),
    "trec_eval": Peer("subprocess", call_trec_eval, rows_trec_eval),
}


def open_text(path: Path) -> TextIO:
    """Open a file as text, unpacking it if its name says so."""
    return gzip.open(path, "rt") if path.suffix == ".gz" else path.open()


def system_of(path: Path) -> str:
    """Name a run after its file."""
    return path.name.removesuffix(".gz").removesuffix(".run")


def write_values(path: Path, rows: Iterator[Row]) -> None:
    """Write scores as a long table."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("system", "topic", "measure", "value"))
        writer.writerows(rows)


def main() -> None:
    """Time the calls that the command line asks for."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--values", type=Path)
    args = parser.parse_args()
    peer = PEERS[args.peer]
    module, runs = import_module(peer.module), sorted(args.runs.iterdir())
    seconds: list[float] = []
    while len(seconds) < args.repeat and max(seconds, default=0) < SLOW:
        start = time.perf_counter()
        result = peer.call(module, args.qrels, runs)
        seconds.append(time.perf_counter() - start)
    # Before the values are written, which is no part of the call.
    cost = {"seconds": min(seconds), "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    if args.values:
        write_values(args.values, peer.rows(result))
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
