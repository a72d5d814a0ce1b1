"""What documents say on the topics, and the documents around it.

A relevant document mentions its topic

    n_d ~ 1 + Poisson(max(0, (2 + 5 √(g_d / g_max)) exp(0.3 u_td) - 1))

times, so more often the higher its grade g and the more all systems believe in it (u).
A mention is of one of the topic's three parts. With the probability of agreement,
0.05 + 0.85 (δ_t + 0.12 ε), it uses a plain phrase of the part, else a word of the
topic's jargon, which no searcher knows: vocabulary mismatch [1]_. Here δ is the planted
difficulty, 1 for the easiest topic, and ε a normal draw for each newspaper; their sum
is kept between 0 and 1. Beside R relevant documents there are Poisson(R (0.3 + 2.2 (1 -
δ_t))) distractors, which are ambiguous: those that all systems take for relevant though
they are not. They mention only one or two of the parts, mostly in plain words, some of
them again and again, and have a jargon of their own. The rest of a document is
background.

References
----------
.. [1] Furnas, Landauer, Gomez and Dumais, "The vocabulary problem in human-system
   communication", Communications of the ACM 30(11), 1987.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.samples.language import EVERY, VOCABULARY, language
from mohs.samples.names import SOURCES, VOLUME, document_ids
from mohs.statistics.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mohs.samples.model import Topic
    from mohs.samples.spec import SampleSpec
    from mohs.samples.wordings import Parts

AGREEMENT = 0.05, 0.85  # of the hardest topic, and what the easiest has more
BY_CORPUS = 0.12  # standard deviation of difficulty between parts of the corpus
MENTIONS = 2.0, 5.0  # of a relevant document at least, and of the best grade more
BY_NOISE = 0.3  # how far mentions go with what all systems believe
AMBIGUITY = 0.3, 2.2  # distractors for each relevant document, easiest and hardest more
OF_DISTRACTOR = 4.0  # mentions, exponentially distributed: some go on and on
PLAINLY = 0.8  # a distractor's agreement
INFLECTED = 1.0, 1.5  # beta distribution over topics: share of other endings
JARGON, RARE = 12, 400  # words of a topic, and the least of their ranks
SHAPE = 2.0  # of the gamma distribution of lengths
LENGTHS = 0.6, 0.8  # of the tersest newspaper, and what the wordiest has more


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Words that topics bring into documents.

    ``documents`` (M,) are positions in the corpus, ``tokens`` (M,) numbers of words or
    phrases of the language, and ``places`` (M,) where they stand, from 0 to 1.
    """

    documents: NDArray[np.int64]
    tokens: NDArray[np.int64]
    places: NDArray[np.float64]


def draw_mentions(spec: SampleSpec, topic: Topic, parts: Parts) -> Mentions:
    """Draw what relevant documents and distractors say on a topic."""
    draws = stream(spec.seed, "sample", "mentions", topic.id)
    agreement = _agreement(spec, topic, draws)
    relevant = np.flatnonzero(topic.grades > 0)
    distractors = _distractors(topic, len(relevant), draws)
    agreement[distractors] = PLAINLY
    speakers = np.concatenate((relevant, distractors))
    counts = 1 + draws.poisson(
        np.concatenate(
            (
                _often(spec, topic)[relevant],
                OF_DISTRACTOR * draws.standard_exponential(len(distractors)),
            )
        )
    )
    said = np.repeat(speakers, counts)
    aside = np.repeat(np.arange(len(speakers)) >= len(relevant), counts)
    asked = np.where(
        aside, _two_parts(counts, draws), draws.integers(3, size=len(said))
    )
    plain = draws.random(len(said)) < agreement[said]
    phrases, jargon = _phrases(parts, asked, draws), _jargon(aside, draws)
    return Mentions(
        documents=topic.numbers[said],
        tokens=np.where(plain, phrases, jargon),
        places=draws.random(len(said)),
    )


def _agreement(
    spec: SampleSpec, topic: Topic, draws: np.random.Generator
) -> NDArray[np.float64]:
    shifts = BY_CORPUS * draws.standard_normal(len(SOURCES))
    ease = topic.difficulty + shifts[spec.corpus_of(topic.numbers)]
    return AGREEMENT[0] + AGREEMENT[1] * np.clip(ease, 0, 1)


def _often(spec: SampleSpec, topic: Topic) -> NDArray[np.float64]:
    """Return how many mentions after the first to expect in each candidate."""
    expected = MENTIONS[0] + MENTIONS[1] * np.sqrt(topic.grades / spec.grades)
    return np.maximum(0, expected * np.exp(BY_NOISE * topic.noise) - 1)


def _distractors(
    topic: Topic, relevant: int, draws: np.random.Generator
) -> NDArray[np.intp]:
    """Choose those that all systems believe in most and judges not at all."""
    mean = relevant * (AMBIGUITY[0] + AMBIGUITY[1] * (1 - topic.difficulty))
    count = int(draws.poisson(mean))
    others = np.flatnonzero(topic.grades == 0)
    liked = others[np.argsort(-topic.noise[others], kind="stable")]
    return np.asarray(liked[:count])


def _two_parts(
    counts: NDArray[np.int64], draws: np.random.Generator
) -> NDArray[np.int64]:
    """Choose a part for each mention, of two parts that a document knows."""
    known = draws.integers(3, size=(len(counts), 2))
    speaker = np.repeat(np.arange(len(counts)), counts)
    return np.asarray(known[speaker, draws.integers(2, size=len(speaker))])


def _phrases(
    parts: Parts, asked: NDArray[np.int64], draws: np.random.Generator
) -> NDArray[np.int64]:
    """Choose a phrase for each mention of a part, and how it ends."""
    words = language()
    plain, varied = (
        np.array([[form[phrase] for phrase in part] for part in parts.phrases])
        for form in (words.phrases, words.inflected)
    )
    steps = np.cumsum(parts.shares, axis=1)[asked, :-1]
    phrase = (draws.random((len(asked), 1)) > steps).sum(axis=1)
    ends = draws.random(len(asked)) < draws.beta(*INFLECTED)
    return np.asarray(np.where(ends, varied[asked, phrase], plain[asked, phrase]))


def _jargon(aside: NDArray[np.bool_], draws: np.random.Generator) -> NDArray[np.int64]:
    """Choose a word for each mention, of one jargon or, aside, of another."""
    ranks = draws.integers(RARE, VOCABULARY - 1, (2, JARGON))
    # Real words are those of searchers.
    ranks += ranks % EVERY == 0
    own = draws.integers(JARGON, size=len(aside))
    return np.asarray(ranks[aside.astype(np.intp), own])


def write_texts(spec: SampleSpec, mentions: Sequence[Mentions]) -> Iterator[str]:
    """Yield the documents as lines of JSON, one volume of them after the other."""
    documents = np.concatenate([each.documents for each in mentions])
    order = np.argsort(documents, kind="stable")
    documents = documents[order]
    tokens = np.concatenate([each.tokens for each in mentions])[order]
    places = np.concatenate([each.places for each in mentions])[order]
    for first in range(0, spec.documents, VOLUME):
        begin, end = np.searchsorted(documents, (first, first + VOLUME))
        part = slice(begin, end)
        said = Mentions(documents[part] - first, tokens[part], places[part])
        numbers = np.arange(first, min(first + VOLUME, spec.documents))
        texts = _volume(spec, numbers, said)
        names = document_ids(numbers, spec.corpora)
        for name, text in zip(names, texts, strict=True):
            yield json.dumps({"docno": name, "text": text}) + "\n"


def _volume(
    spec: SampleSpec, numbers: NDArray[np.int64], said: Mentions
) -> Iterator[str]:
    """Mix what the documents of a volume say on topics with background."""
    first = int(numbers[0])
    draws = stream(spec.seed, "sample", "background", first // VOLUME)
    # All are drawn, so that a document does not depend on how many there are.
    means = draws.gamma(SHAPE, size=VOLUME) / SHAPE * _mean_length(spec, first)
    lengths = 1 + draws.poisson(means)
    total = int(lengths.sum())
    owner = np.repeat(np.arange(VOLUME), lengths)
    background = language().background(draws.random(total))
    places = draws.random(total)
    owner = np.concatenate((owner, said.documents))
    tokens = np.concatenate((background, said.tokens))
    order = np.lexsort((np.concatenate((places, said.places)), owner))
    texts = language().texts
    words = [texts[token] for token in tokens[order].tolist()]
    ends = np.cumsum(np.bincount(owner, minlength=VOLUME)).tolist()
    for document in range(len(numbers)):
        yield " ".join(words[ends[document - 1] if document else 0 : ends[document]])


def _mean_length(spec: SampleSpec, document: int) -> float:
    """Let newspapers differ in how long their articles are."""
    if spec.corpora == 1:
        return float(spec.words)
    place = document // VOLUME % spec.corpora / (spec.corpora - 1)
    return spec.words * float(LENGTHS[0] + LENGTHS[1] * place)
