"""Generated collections whose topics have a known difficulty.

Topics t have a planted difficulty δ_t and systems s a quality q_s, both spread evenly
over (0, 1); 1 is the easiest topic and the best system. A topic matches C = max(1000,
3 depth) documents drawn from the corpus, of which R_t = 1 + Poisson((R - 1) G_t) are
relevant, where R is the number asked for and G_t ~ Gamma(4)/4; a relevant document has
grade g in 1..g_max with probability proportional to 1/2^g. System s believes in
document d of topic t by

    x_std = λ_st √(g_d / g_max) + √c u_td + √(1 - c) v_std,
    λ_st = 1.9 exp(1.8 (δ_t - ½) + 0.9 (q_s - ½) + 0.2 η_st),

where u, v and η are independent standard normal draws: the topic's documents are
confusing in the same way for all systems (u, the shared part c of the noise) and for
each in its own way (v), and a system likes some topics better than others (η). It
retrieves the `depth` documents of highest x_std, with scores on a scale of its own. The
judges see the top `pool_depth` documents of every run, and one relevant document that
the topic's author knew. So a difficult topic is one on which relevant documents are
hard to tell from others, whichever the system, as far as u and R_t do not interfere;
the rank correlation of δ_t with mean average precision is about .9 for collections of
the default size.

The documents are there to be searched, and the same judgments hold for what is found.
On an easy topic, relevant documents use the words of queries; on a hard one they mostly
use others, and more documents use them that systems like in spite of their grade (large
u). `mohs.samples.texts` has the details. So δ_t orders topics by the success of real
retrieval, too: its rank correlation with the AP of BM25, averaged over wordings, is
mostly between .8 and .95. Every topic comes in several wordings of known quality, see
`mohs.samples.wordings`, and is a little easier or harder in each part of the corpus.

All draws are keyed by what they are for: a topic, a system, its ranking of the topic
and the wordings stay the same when there are more topics, systems or wordings. Only the
judgments, since the pool does, and documents, since they may be about several topics,
depend on the company.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.folder import made_whole
from mohs.samples.spec import SampleSpec
from mohs.samples.writing import DOCUMENTS, QRELS, RUNS, TOPICS, write_collection
from mohs.tables import Result, Table

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mohs.samples.wordings import Wording
    from mohs.tables import Column

__all__ = ["Sample", "SampleSpec", "sample"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sample(Result):
    """A generated collection on disk, and what was planted in it.

    Its tables are ``topics``, ``systems`` and ``wordings``.

    Attributes
    ----------
    directory, qrels, runs, topics_file
        The folder, and its judgments, runs and topics.
    documents_file
        Its documents; None where none were asked for.
    spec
        What was asked for.
    topics, titles, systems
        Ids and titles of the Q topics and ids of the S systems, in order of drawing.
    difficulty
        (Q,) planted difficulty, 1 for the easiest topic, 0 for the hardest.
    judged, relevant
        (Q,) number of documents judged, and judged relevant.
    quality
        (S,) planted quality, 1 for the best system.
    wordings
        Every wording of every topic: its query, and its planted quality, the share of
        mentions in plain words that it matches.
    """

    directory: Path
    qrels: Path
    runs: tuple[Path, ...]
    topics_file: Path
    documents_file: Path | None
    spec: SampleSpec
    topics: tuple[str, ...]
    titles: tuple[str, ...]
    systems: tuple[str, ...]
    difficulty: NDArray[np.float64]
    judged: NDArray[np.int64]
    relevant: NDArray[np.int64]
    quality: NDArray[np.float64]
    wordings: tuple[Wording, ...]

    def tables(self) -> Mapping[str, Table]:
        """Return what was planted in the topics, the systems and the wordings."""
        topics: dict[str, Column] = {
            "topic": self.topics,
            "title": self.titles,
            "difficulty": self.difficulty,
            "judged": self.judged,
            "relevant": self.relevant,
        }
        systems = Table({"system": self.systems, "quality": self.quality})
        wordings: dict[str, Column] = {
            name: tuple(getattr(each, name) for each in self.wordings)
            for name in ("topic", "formulation", "query", "quality")
        }
        return {
            "topics": Table(topics),
            "systems": systems,
            "wordings": Table(wordings),
        }


def sample(  # noqa: PLR0913 -- a flat public function; one config at once
    directory: str | os.PathLike[str],
    *,
    systems: int = 12,
    topics: int = 25,
    depth: int = 100,
    documents: int = 2000,
    relevant: float = 20,
    grades: int = 3,
    pool_depth: int = 30,
    shared: float = 0.5,
    unjudged: float = 0,
    missing: float = 0,
    short: float = 0,
    formulations: int = 4,
    corpora: int = 3,
    words: int = 80,
    seed: int = 0,
    force: bool = False,
) -> Sample:
    """Write a collection whose topics are as difficult as they were meant to be.

    The folder receives ``qrels.txt``, ``runs/<system>.run``, ``documents.jsonl`` (docno
    and text), ``topics.tsv`` (topic, formulation, query), ``truth.csv`` (topic and
    planted difficulty), ``wordings.csv`` (topic, formulation and planted quality) and
    ``systems.csv`` (system and planted quality), all at once or, on any failure, not at
    all.

    Parameters
    ----------
    directory
        A new or empty folder, or one written by this function before, which is
        replaced.
    systems, topics
        How many of each.
    depth
        Documents a run retrieves for a topic.
    documents
        Documents in the corpus.
    relevant
        Relevant documents of a topic, on average.
    grades
        The highest grade; with 1, judgments are binary.
    pool_depth
        The top documents of every run are judged down to here; with 0, all relevant
        documents are judged and no others.
    shared
        The share of the noise that is common to all systems.
    unjudged, missing, short
        Shares: of the pool that stays unjudged, of the topics a run misses, and of
        those for which it stops early.
    formulations
        Wordings of each topic, some good and some bad; the first is its title.
    corpora
        Newspapers that the documents come from; ids begin with three letters of each.
    words
        Words of a document, on average, besides what it says on topics; with 0, no
        documents are written.
    seed
        Which collection of this kind.
    force
        Write into a folder with other files in it. They stay, unless they bear the
        name of a file to be written.

    Returns
    -------
    Sample
        Paths, and what was planted.

    Raises
    ------
    InputError
        If the folder holds files and was not written by this function, or a size or
        share is out of bounds.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sample(f"{folder}/small", topics=3, systems=2, seed=1)
    topic  title                                       difficulty  judged  relevant
    301    radio telescope tourism in Vietnam              0.6103      50        11
    302    orchard frost insurance claims in Portugal      0.2283      55         3
    303    bicycle lane court rulings since 1950           0.8464      51        11
    """
    spec = SampleSpec(
        systems=systems,
        topics=topics,
        depth=depth,
        documents=documents,
        relevant=relevant,
        grades=grades,
        pool_depth=pool_depth,
        shared=shared,
        unjudged=unjudged,
        missing=missing,
        short=short,
        formulations=formulations,
        corpora=corpora,
        words=words,
        seed=seed,
    )
    target = Path(directory)
    with made_whole(target, about={"sample": asdict(spec)}, force=force) as folder:
        planted, drawn = write_collection(spec, folder)
    return Sample(
        directory=target,
        qrels=target / QRELS,
        runs=tuple(target / RUNS / f"{system.id}.run" for system in drawn),
        topics_file=target / TOPICS,
        documents_file=target / DOCUMENTS if words else None,
        spec=spec,
        topics=tuple(topic.id for topic in planted),
        titles=tuple(topic.title for topic in planted),
        systems=tuple(system.id for system in drawn),
        difficulty=np.array([topic.difficulty for topic in planted]),
        judged=np.array([topic.judged for topic in planted]),
        relevant=np.array([topic.relevant for topic in planted]),
        quality=np.array([system.quality for system in drawn]),
        wordings=tuple(each for topic in planted for each in topic.wordings),
    )
