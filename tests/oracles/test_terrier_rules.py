"""What Terrier does, on collections made to be hard, against a slow reading of it.

The readings of a query, ties and odd texts that this tells of are the reason for what
our own engine does.
"""

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from mohs.retrieval.terrier import CONTROLS, STEMMERS, model_controls
from slow_retrieval import Collection, Ranking

# Sums of the same doubles, of logarithms that differ in the last bit.
TOLERANCE = 1e-12
# PyTerrier writes weights of expanded queries with nine decimals, and Terrier computes
# RM3 in single precision.
WEIGHTS = {"Bo1": 2e-9, "KL": 2e-9, "RM3": 2e-7}

WORDS = (
    *("flow", "flows", "flowing", "wing", "wings", "relational", "generously", "the"),
    *("of", "and", "is", "boundary", "layer", "x1", "1990", "12345", "123a45", "aaaa"),
    *("aAaA", "zzz", "O'Neil", "co-operate", "naïve", "Straße", "İstanbul", "ﬁne"),
    *(
        "日本語",
        "😀smile",
        "\0nul",
        "tab\tbed",
        "new\nline",
        "ab" * 10,
        "ab" * 10 + "c",
    ),
    *("100%", "#combine", "term^2", "field:value", "+plus", "-minus", '"phrase"'),
    *("{brace}", "applypipeline:off", "AND", "NOT", "~tilde", "caresses", "ponies"),
    *(
        "sky",
        "dying",
        "say",
        "hopping",
        "hoping",
        "conditional",
        "valenci",
        "formaliti",
    ),
    *("electriciti", "adjustment", "homologous", "bowdlerize", "probate", "controll"),
)
QUERIES = (
    *("flow flows flowing", "flow wing flows", "flow flow wing", "ubiquitous"),
    *(
        "everywhere ubiquitous",
        "the of and",
        "",
        "!!!",
        "unknown",
        "unknown unknown flow",
    ),
    *(
        "#combine:0=2(flow) wing",
        "term^2 field:value",
        "+flow -wing",
        '"boundary layer"',
    ),
    *("flow the flows of flowing", "naïve Straße 日本語 😀smile", "1990 12345 x1"),
    *(
        "aaaa aAaA zzz",
        "a" * 21 + " wing",
        "AND OR NOT flow",
        "unique",
        "once solo flow",
    ),
    *("ponies pony ponies caresses", "applypipeline:off flows", "\0 wing\tflow\nlayer"),
    *("end:0 start:5 wing", "flow flows wing flowed flowing flow"),
)


def collection(seed: int, size: int) -> tuple[list[str], list[str]]:
    """Make up texts and queries: odd, empty, equal, very long."""
    draw = random.Random(seed)  # noqa: S311 (no secrets)
    words = draw.sample(WORDS, len(WORDS))
    common = [1 / (rank + 1) ** 0.8 for rank in range(len(words))]
    texts = []
    for number in range(size):
        length = draw.choice([0, 1, 2, 5, 20, 60, 200])
        gap = draw.choice([" ", ", ", " -- ", "/", "\n"])
        text = gap.join(draw.choices(words, common, k=length))
        frequent = "everywhere " * bool(number % 3) + "ubiquitous "
        texts.append(frequent + text if text else "")
    texts += [texts[3]] * 3
    texts += ["", ".,;:!?", " the of and ", "unique once", "solo" * 5, "flow " * 500]
    drawn = (draw.choices(words, k=draw.randrange(1, 12)) for _ in range(20))
    return texts, [*QUERIES, *map(" ".join, drawn)]


@pytest.fixture(scope="module", params=[(1, 90), (2, 8)], ids=str)
def made(request: pytest.FixtureRequest) -> tuple[list[str], list[str]]:
    return collection(*request.param)


class Both(NamedTuple):
    """A collection in an index of Terrier's, and as the slow reading has it."""

    folder: str
    slow: Collection


@pytest.fixture(scope="module")
def both(
    terrier: object,
    tmp_path_factory: pytest.TempPathFactory,
    made: tuple[list[str], list[str]],
) -> Callable[[str, str], Both]:
    home, (texts, _) = tmp_path_factory.mktemp("terrier"), made

    @cache
    def index(stoplist: str, stemmer: str) -> Both:
        source, folder = home / "texts.jsonl", str(home / f"{stoplist}-{stemmer}")
        source.write_text("".join(json.dumps(text) + "\n" for text in texts))
        asked = (str(source), folder, stoplist, STEMMERS[stemmer])
        assert terrier.ask("index", *asked) == len(texts)
        return Both(folder, Collection(texts, stoplist, stemmer))

    return index


class Plain:
    """A model as it is by default."""

    def __init__(self, name: str) -> None:
        self.name, self.parameters = name, ()


def rankings(found: Sequence[tuple[np.ndarray, np.ndarray]]) -> Iterator[Ranking]:
    for documents, scores in found:
        yield list(zip(documents.tolist(), scores.tolist(), strict=True))


def agree(theirs: Ranking, ours: Ranking) -> None:
    """Compare scores, and documents but for an exchange of those nearly tied."""
    assert len(theirs) == len(ours)
    mine = dict(ours)
    assert all(document in mine for document, _ in theirs)
    for document, score in theirs:
        assert score == pytest.approx(mine[document], rel=TOLERANCE, abs=TOLERANCE)
    order = [mine[document] for document, _ in theirs]
    assert all(b - a <= TOLERANCE * max(1, abs(a)) for a, b in pairwise(order))


def overdrawn(slow: Collection, query: str) -> set[int]:
    """Find documents of which BB2 makes no number in Terrier.

    Normalisation 2 lets a term occur more often in a short document than in the whole
    collection, and BB2 then takes the logarithm of a negative number.
    """
    average = slow.tokens / slow.size
    return {
        number
        for term, _ in slow.entries(query)
        for number, tf in slow.postings.get(term, {}).items()
        if tf * math.log2(1 + average / slow.lengths[number]) > slow.cf[term]
    }


@pytest.mark.parametrize("model", sorted(CONTROLS))
def test_rankings(
    model: str,
    terrier: object,
    both: Callable[[str, str], Both],
    made: tuple[list[str], list[str]],
) -> None:
    (_, queries), (folder, slow) = made, both("terrier", "porter")
    found = terrier.ask("search", folder, queries, model_controls(Plain(model)), 1000)
    for query, theirs in zip(queries, rankings(found), strict=True):
        ours = slow.search(slow.entries(query), model, {}, 1000)
        broken = {document for document, score in theirs if math.isnan(score)}
        assert broken == (overdrawn(slow, query) if model == "BB2" else set())
        agree(
            [pair for pair in theirs if pair[0] not in broken],
            [pair for pair in ours if pair[0] not in broken],
        )


@pytest.mark.parametrize(
    ("stoplist", "stemmer"), [("none", "none"), ("terrier", "weak-porter")]
)
def test_other_terms_and_parameters(
    stoplist: str,
    stemmer: str,
    terrier: object,
    both: Callable[[str, str], Both],
    made: tuple[list[str], list[str]],
) -> None:
    (_, queries), (folder, slow) = made, both(stoplist, stemmer)
    # Where BB2 has made no number of one document, Terrier may lose others.
    for name in sorted(CONTROLS.keys() - {"BB2"}):
        model = Plain(name)
        model.parameters = tuple(
            (parameter, {"c": 2.5, "mu": 300.0}.get(parameter, 0.4))
            for parameter in CONTROLS[name]
        )
        found = terrier.ask("search", folder, queries, model_controls(model), 5)
        for query, theirs in zip(queries, rankings(found), strict=True):
            ours = slow.search(slow.entries(query), name, dict(model.parameters), 5)
            assert [score for _, score in theirs] == pytest.approx(
                [score for _, score in ours], rel=TOLERANCE, abs=TOLERANCE
            )


@pytest.mark.parametrize("model", ["PL2", "DirichletLM"])
@pytest.mark.parametrize("expansion", sorted(WEIGHTS))
def test_expansions(
    expansion: str,
    model: str,
    terrier: object,
    both: Callable[[str, str], Both],
    made: tuple[list[str], list[str]],
) -> None:
    (_, queries), (folder, slow) = made, both("terrier", "porter")
    asked, by = (folder, queries, model_controls(Plain(model))), (expansion, 3, 10, 0.6)
    expanded = terrier.ask("expand", *asked, by)
    found = terrier.ask("search", *asked, 1000, by)
    for query, theirs, ranked in zip(queries, expanded, rankings(found), strict=True):
        entries = slow.entries(query)
        first = slow.search(entries, model, {}, 1000)
        ours = slow.expand(entries, first, expansion)
        summed: dict[str, float] = Counter()
        for term, weight in theirs:
            summed[term] += weight
        assert summed == pytest.approx(dict(ours), rel=0, abs=WEIGHTS[expansion])
        again = dict(slow.search([*summed.items()], model, {}, 10**6))
        assert set(again) == {document for document, _ in ranked}
        assert dict(ranked) == pytest.approx(again, rel=TOLERANCE, abs=TOLERANCE)
