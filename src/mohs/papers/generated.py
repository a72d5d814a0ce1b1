"""A generated collection searched by many systems, for designs no public data has.

Scores of several corpora that share topics, of formulations, and of systems whose
components are known, are seldom public together. The documents of `mohs.samples` come
from several newspapers, and topics in several wordings, so that a grid of systems on
them has all of it, and the answer is known: topics were given a difficulty.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mohs.retrieval.grid import grid
from mohs.samples import sample

if TYPE_CHECKING:
    from mohs.scores import Scores

# A mean so high that nearly every topic has relevant documents in every newspaper.
_RELEVANT = 30
_PREFIX = 3  # letters by which a document's id names its newspaper


def searched(  # noqa: PLR0913 (a design and its size)
    seed: int,
    *,
    topics: int,
    formulations: int,
    stemmers: str,
    models: str,
    expansions: str,
) -> Scores:
    """Return AP of a grid of systems on three corpora, the same topics in each.

    Topics without relevant documents in one of the corpora are left out, so that the
    design is complete.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        made = sample(
            root / "sample",
            topics=topics,
            formulations=formulations,
            relevant=_RELEVANT,
            systems=6,
            seed=seed,
        )
        found = grid(
            _by_newspaper(root / "sample" / "documents.jsonl", root),
            made.topics_file,
            qrels=made.qrels,
            measures="AP",
            stoplists="none",  # There are others, of packages that may be missing.
            stemmers=stemmers,
            models=models,
            expansions=expansions,
        )
    return complete(found.scores)


def _by_newspaper(documents: Path, folder: Path) -> dict[str, Path]:
    parts: dict[str, list[str]] = defaultdict(list)
    for line in documents.read_text(encoding="utf-8").splitlines():
        parts[json.loads(line)["docno"][:_PREFIX]].append(line)
    files = {name: folder / f"{name}.jsonl" for name in sorted(parts)}
    for name, file in files.items():
        file.write_text("\n".join(parts[name]) + "\n", encoding="utf-8")
    return files


def complete(scores: Scores) -> Scores:
    """Keep the topics that have as many observations as any other."""
    codes = scores.factors["topic"].codes
    counts = np.bincount(codes)
    return scores.take((counts == counts.max())[codes])
