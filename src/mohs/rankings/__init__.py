"""Rankings: where each system put the documents that were judged."""

from __future__ import annotations

from mohs.rankings.arrays import Documents, Judgments, Rankings, Top
from mohs.rankings.reading import (
    Reading,
    batches,
    check_runs,
    describe_judgments,
    describe_runs,
    judge,
    rank,
    rank_chosen,
    read_qrels,
    read_runs,
)

__all__ = [
    "Documents",
    "Judgments",
    "Rankings",
    "Reading",
    "Top",
    "batches",
    "check_runs",
    "describe_judgments",
    "describe_runs",
    "judge",
    "rank",
    "rank_chosen",
    "read_qrels",
    "read_runs",
]
