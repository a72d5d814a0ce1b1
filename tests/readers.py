"""The reader, told what to do by the rules of the reference."""

from collections.abc import Sequence

import numpy as np

import odd_texts
import reference
from mohs.rankings import Rankings, Reading, judge, rank
from mohs.trec.inputs import Input
from odd_texts import Choices
from reference import Rules

# How many faults of a file are kept.
FAULTS = 1000


def read(
    qrels: bytes,
    runs: Sequence[bytes],
    rules: Rules,
    *,
    corpus: object = None,
    workers: int | None = None,
) -> Rankings:
    """Read texts as the rules say."""
    reading = Reading(
        ties=rules.ties,
        precision="single" if rules.single else "double",
        duplicates=rules.duplicates,
        corpus=corpus,
        formulation=rules.split,
    )
    judgments = judge(Input("", "qrels", qrels), reading)
    inputs = [Input(f"r{i}", f"r{i}", run) for i, run in enumerate(runs)]
    floor = None if rules.floor == -np.inf else rules.floor
    return rank(judgments, inputs, reading, top=rules.top, floor=floor, workers=workers)


def check(found: Rankings, qrels: bytes, runs: Sequence[bytes], rules: Rules) -> None:
    """Hold rankings to those of the second reader."""
    judged = reference.read(qrels, "judgments")
    retrieved = [reference.read(run, "run", ranks=rules.ties == "rank") for run in runs]
    expected = reference.rankings(judged, retrieved, rules)
    actual = reference.laid_out(found)
    assert actual == {name: list(expected.get(name, [])) for name in actual}


def agree(qrels: bytes, run: bytes, rules: Rules) -> Rankings:
    """Hold judgments and a run, faults and all, to those of the second reader."""
    found = read(qrels, [run], rules)
    judged = reference.read(qrels, "judgments")
    retrieved = reference.read(run, "run", ranks=rules.ties == "rank")
    accounts = (found.judgments.account, judged), (found.accounts[0], retrieved)
    for account, text in accounts:
        copies = text.twice() if rules.duplicates == "error" else []
        lines = [line for line, *_ in account.faults]
        assert lines == sorted(text.faults + copies)[:FAULTS]
        assert (account.lines, account.records) == (text.lines, len(text.rows))
    if not any(account.faults for account, _ in accounts):
        check(found, qrels, [run], rules)
    return found


def texts(choices: Choices, runs: int) -> tuple[bytes, list[bytes]]:
    """Make judgments and runs."""
    qrels = odd_texts.judgments(choices).encode()
    return qrels, [odd_texts.run(choices).encode() for _ in range(runs)]
