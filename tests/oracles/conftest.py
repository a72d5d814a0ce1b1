"""Rankings made in plain Python, independently of the reader, and a Terrier to ask."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

from mohs.errors import MissingExtraError
from mohs.rankings import Judgments, Rankings
from mohs.retrieval.terrier import Ask, TerrierError, process

Grades = Mapping[str, Mapping[str, float]]
Scores = Mapping[str, Mapping[str, Mapping[str, float]]]


@pytest.fixture(scope="session")
def rank() -> Callable[..., Rankings]:
    return build


def build(judgments: Grades, runs: Scores, *, single: bool = False) -> Rankings:
    """Rank by score descending, then by document id descending, bytewise."""
    topics = tuple(judgments)
    firsts = starts(len(grades) for grades in judgments.values())
    places = {
        (topic, document): first + at
        for (topic, grades), first in zip(judgments.items(), firsts, strict=False)
        for at, document in enumerate(grades)
    }
    cells = [
        [
            (rank, places[topic, document])
            for rank, document in enumerate(ordered(run.get(topic, {}), single), 1)
            if (topic, document) in places
        ]
        for run in runs.values()
        for topic in topics
    ]
    entries = np.array([e for cell in cells for e in cell], np.int32).reshape(-1, 2)
    retrieved = [[len(run.get(topic, {})) for topic in topics] for run in runs.values()]
    counts = np.array(retrieved, np.int32)
    return Rankings(
        systems=tuple(runs),
        topics=topics,
        groups=np.arange(len(topics)),
        judgments=Judgments(
            topics=topics,
            offsets=np.array(firsts),
            documents=tuple(document for _, document in places),
            grades=np.array([g for t in judgments.values() for g in t.values()], float),
        ),
        offsets=np.array(starts(len(cell) for cell in cells)),
        ranks=entries[:, 0],
        judged=entries[:, 1],
        mirrored=entries[:, 0],
        retrieved=counts,
        tied=np.zeros_like(counts),
        judged_top=np.zeros_like(counts),
    )


def starts(sizes: Iterable[int]) -> list[int]:
    return list(accumulate(sizes, initial=0))


def ordered(scores: Mapping[str, float], single: bool) -> list[str]:  # noqa: FBT001
    kept = {d: np.float32(s) if single else s for d, s in scores.items()}
    by_id = sorted(kept, key=str.encode, reverse=True)
    return sorted(by_id, key=kept.__getitem__, reverse=True)


class Terrier:
    """Terrier, in a process of its own."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask

    def tokenise(
        self, texts: Sequence[str], tokeniser: str = "EnglishTokeniser"
    ) -> list[list[str]]:
        return self.ask("tokenise", list(texts), tokeniser)

    def stem(self, stemmer: str, words: Sequence[str]) -> list[str]:
        return self.ask("stem", stemmer, list(words))

    def stops(self, words: Sequence[str]) -> list[bool]:
        return self.ask("stops", list(words))

    def score(
        self,
        model: str,
        postings: Sequence[Sequence[float]],
        controls: Mapping[str, float] | None = None,
    ) -> list[float]:
        """Score postings, tuples in the order of terrier_service.Posting."""
        rows = [tuple(row) for row in postings]
        return self.ask("score", model, rows, dict(controls or {}))


@pytest.fixture(scope="session")
def terrier() -> Iterator[Terrier]:
    service = Path(__file__).with_name("terrier_service.py")
    with ExitStack() as stack:
        try:
            # Offline, since tests fetch nothing: make oracles does.
            ask = stack.enter_context(process(str(service), offline=True))
        except (MissingExtraError, TerrierError) as error:
            pytest.skip(f"no Terrier ({error}): make oracles")
        yield Terrier(ask)
