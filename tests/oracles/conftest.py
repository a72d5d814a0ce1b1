"""Rankings made in plain Python, independently of the reader, and a Terrier to ask."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mohs.rankings import Judgments, Rankings

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
    """Terrier in another process, so that none of ours is forked with a Java in it."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def ask(self, call: str, *arguments: object) -> Any:  # noqa: ANN401
        """Call a function of terrier_service by its name."""
        self._pipe.send((call, arguments))
        return self.answer()

    def answer(self) -> Any:  # noqa: ANN401
        answer, error = self._pipe.recv()
        if error:
            raise RuntimeError(f"in Terrier's process: {error}")
        return answer

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
def terrier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terrier]:
    if not find_spec("pyterrier"):
        pytest.skip("PyTerrier is missing: pip install 'mohs[terrier]'")
    here, there = Pipe()
    service = Path(__file__).with_name("terrier_service.py")
    said = tmp_path_factory.mktemp("terrier") / "stderr"
    with (
        said.open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, service, str(there.fileno())],
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=stderr,
            stderr=stderr,
        ) as process,
    ):
        there.close()
        asked = Terrier(here)
        try:
            asked.answer()
        except (EOFError, RuntimeError) as error:
            here.close()
            process.wait()
            pytest.skip(
                f"no Terrier ({error}): make oracles. {said.read_text()[-500:]}"
            )
        yield asked
        here.close()
