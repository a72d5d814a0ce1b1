"""Search with Terrier, through PyTerrier: the same request to someone else's engine.

Terrier runs in a process of its own (`mohs.retrieval.terrier_process`), started for one
search. Its English tokeniser splits texts and queries, so that nothing in a query is
taken for an operator. There is one index for each pair of a stop list and a stemmer.

What comes back is what Terrier finds. In particular, it divides the weights of a
query's terms by the largest; it adds up the occurrences of one word, but of different
words with one stem only where they follow each other; and of documents of equal score
it prefers those that came first.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from mohs.errors import InputError, MissingExtraError, MohsError, UnknownNameError
from mohs.retrieval.expansion import EXPANSIONS as OURS
from mohs.retrieval.models import MODELS
from mohs.retrieval.stoplists import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

STEMMERS = {
    "none": "none",
    "porter": "PorterStemmer",
    "weak-porter": "WeakPorterStemmer",
    "snowball": "EnglishSnowballStemmer",
}

_NORMALISATION_2 = {"c": "dfr.c"}

# How Terrier's models call their parameters, where they have some.
CONTROLS: dict[str, dict[str, str]] = {
    "BB2": _NORMALISATION_2,
    "BM25": {"k1": "bm25.k_1", "b": "bm25.b", "k3": "bm25.k_3"},
    "DFIC": {},
    "DFIZ": {},
    "DFR_BM25": _NORMALISATION_2,
    "DFRee": {},
    "DFReeKLIM": {},
    "DLH": {},
    "DLH13": {},
    "DPH": {},
    "DirichletLM": {"mu": "dirichletlm.mu"},
    "Hiemstra_LM": {"lambda": "hiemstra_lm.lambda"},
    "IFB2": _NORMALISATION_2,
    "InB2": _NORMALISATION_2,
    "InL2": _NORMALISATION_2,
    "In_expB2": _NORMALISATION_2,
    "In_expC2": _NORMALISATION_2,
    "Js_KLs": {},
    "LGD": _NORMALISATION_2,
    "LemurTF_IDF": {"k1": "LemurTF_IDF.k_1", "b": "LemurTF_IDF.b"},
    "PL2": _NORMALISATION_2,
    "TF_IDF": {"k1": "tf_idf.k_1", "b": "tf_idf.b"},
    "XSqrA_M": {},
}

EXPANSIONS = ("Bo1", "KL", "RM3")


class Named(Protocol):
    """A component with values for some of its parameters."""

    @property
    def name(self) -> str:
        """What the component is called."""

    @property
    def parameters(self) -> Iterable[tuple[str, float]]:
        """What was chosen for it."""


@dataclass(frozen=True, slots=True)
class System:
    """One way to search; ``stoplist`` is the name of a stop list or the path of one."""

    stoplist: str
    stemmer: str
    model: Named
    expansion: Named
    tokeniser: str = "terrier"


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """What one system found for Q queries, best first.

    Documents of query q are ``documents[offsets[q]:offsets[q + 1]]``, numbers in the
    order in which the texts were given; ``scores`` (n,) belong to ``documents`` (n,).
    """

    offsets: NDArray[np.int64]
    documents: NDArray[np.int32]
    scores: NDArray[np.float64]


class TerrierError(MohsError):
    """Terrier, or the Java that it needs, did not do what it was asked."""


def search(
    texts: Iterable[str],
    queries: Sequence[str],
    systems: Sequence[System],
    *,
    depth: int = 1000,
) -> Iterator[Retrieved]:
    """Rank documents for every query by one system after another.

    Parameters
    ----------
    texts
        The text of every document, taken once.
    queries
        The text of every query.
    systems
        What to search with. All are checked before Terrier is started.
    depth
        How many documents to rank for a query at most.

    Raises
    ------
    UnknownNameError
        If Terrier has no such component.
    InputError
        If a parameter's value cannot be.
    MissingExtraError
        If PyTerrier is not installed.
    TerrierError
        If there is no Java, or Terrier fails.
    """
    plans = [_Plan.of(system) for system in systems]
    if depth < 1:
        raise InputError(f"depth {depth}: expected at least one document")
    return _search(texts, queries, plans, depth)


def _search(
    texts: Iterable[str], queries: Sequence[str], plans: Sequence[_Plan], depth: int
) -> Iterator[Retrieved]:
    with (
        tempfile.TemporaryDirectory(prefix="mohs-terrier-") as folder,
        process() as ask,
    ):
        source = Path(folder, "texts.jsonl")
        with source.open("w", encoding="ascii") as file:
            file.writelines(json.dumps(text) + "\n" for text in texts)
        indexes: dict[tuple[object, str], str] = {}
        for plan in plans:
            key = (plan.stops, plan.stemmer)
            if key not in indexes:
                where = str(Path(folder, f"index-{len(indexes)}"))
                ask("index", str(source), where, *key)
                indexes[key] = where
            found = ask(
                "search",
                indexes[key],
                list(queries),
                plan.controls,
                depth,
                plan.expansion,
            )
            yield _joined(found)


def _joined(rankings: Sequence[tuple[Any, Any]]) -> Retrieved:
    import numpy as np

    sizes = [len(documents) for documents, _ in rankings]
    return Retrieved(
        offsets=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
        documents=np.concatenate([[], *(d for d, _ in rankings)]).astype(np.int32),
        scores=np.concatenate([[], *(scores for _, scores in rankings)]),
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """A system in Terrier's words."""

    stops: str | tuple[str, ...]
    stemmer: str
    controls: dict[str, str]
    expansion: tuple[str, int, int, float] | None

    @classmethod
    def of(cls, system: System) -> _Plan:
        if system.tokeniser != "terrier":
            raise UnknownNameError(
                "tokeniser of Terrier", system.tokeniser, ["terrier"]
            )
        if (system.model.name, system.expansion.name) == ("BB2", "RM3"):
            raise InputError(
                "Terrier cannot expand by RM3 after BB2, which gives some documents no"
                " number; leave one of the two out, or search by --engine mohs"
            )
        if system.stemmer not in STEMMERS:
            raise UnknownNameError("stemmer of Terrier", system.stemmer, STEMMERS)
        own = system.stoplist in {"none", "terrier"}
        return cls(
            system.stoplist if own else tuple(sorted(stop_words(system.stoplist))),
            STEMMERS[system.stemmer],
            model_controls(system.model),
            _expansion(system.expansion),
        )


def model_controls(model: Named) -> dict[str, str]:
    """Say a model and all its parameters as Terrier's controls.

    Terrier would go on using a model with parameters that it was given before, so none
    is left unsaid.

    Raises
    ------
    UnknownNameError
        If Terrier has no such model, or the model no such parameter.
    InputError
        If a value is out of bounds.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> model_controls(SimpleNamespace(name="PL2", parameters=[("c", 2.0)]))
    {'wmodel': 'PL2', 'dfr.c': '2.0'}
    """
    if model.name not in CONTROLS:
        raise UnknownNameError("model of Terrier", model.name, CONTROLS)
    values = MODELS[model.name].settle(dict(model.parameters))
    names = CONTROLS[model.name]
    settled = {control: repr(float(values[name])) for name, control in names.items()}
    return {"wmodel": model.name, **settled}


def _expansion(expansion: Named) -> tuple[str, int, int, float] | None:
    if expansion.name == "none":
        return None
    name = expansion.name
    if name not in EXPANSIONS:
        raise UnknownNameError("expansion of Terrier", name, ("none", *EXPANSIONS))
    values = OURS[name].settle(dict(expansion.parameters))
    return name, int(values["docs"]), int(values["terms"]), values.get("lambda", 0.0)


class Ask(Protocol):
    """Calls a function of Terrier's process and returns its answer."""

    def __call__(self, name: str, /, *arguments: object, **options: object) -> Any:  # noqa: ANN401
        """Call, with arguments that can be pickled."""


@contextmanager
def process(*module: str, offline: bool = False) -> Iterator[Ask]:
    """Start Terrier in a process of its own, and end it in the end.

    ``module`` is the program to run, if it is not the usual one. When ``offline``,
    nothing is fetched.
    """
    if find_spec("pyterrier") is None:
        raise MissingExtraError("PyTerrier", "terrier")
    program = module or ("-m", "mohs.retrieval.terrier_process")
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
        ) as child,
    ):
        ask = _asking(child, said)
        try:
            ask("start", offline=offline)
            yield ask
        finally:
            child.kill()


def _asking(child: subprocess.Popen[bytes], said: BinaryIO) -> Ask:
    to, back = child.stdin, child.stdout
    if to is None or back is None:
        raise AssertionError

    def ask(name: str, /, *arguments: object, **options: object) -> Any:  # noqa: ANN401
        try:
            pickle.dump((name, arguments, options), to)
            to.flush()
            answer, error = pickle.load(back)  # noqa: S301 (our own process)
        except (EOFError, BrokenPipeError):
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            raise TerrierError(
                f"Terrier's process ended during {name!r}: {' / '.join(lines[-3:])}"
            ) from None
        if error:
            raise TerrierError(f"Terrier could not {name}: {error}")
        return answer

    return ask
