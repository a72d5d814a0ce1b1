"""Requests to Terrier, as far as they need no Terrier."""

from dataclasses import dataclass, replace

import pytest

from mohs.errors import InputError, MissingExtraError, UnknownNameError
from mohs.retrieval.models import MODELS
from mohs.retrieval.terrier import (
    CONTROLS,
    System,
    TerrierError,
    model_controls,
    process,
    search,
)


@dataclass(frozen=True)
class Named:
    name: str
    parameters: tuple[tuple[str, float], ...] = ()


PLAIN = System("none", "none", Named("BM25"), Named("none"))


@pytest.mark.parametrize("name", CONTROLS)
def test_parameters_have_controls(name: str) -> None:
    assert {each.name for each in MODELS[name].parameters} == set(CONTROLS[name])


def test_all_parameters_are_said() -> None:
    said = model_controls(Named("BM25", (("b", 0.4),)))
    assert said == {
        "wmodel": "BM25",
        "bm25.k_1": "1.2",
        "bm25.b": "0.4",
        "bm25.k_3": "8.0",
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokeniser": "words"}, "no tokeniser of Terrier named 'words'"),
        ({"stoplist": "terier"}, "no stop list named 'terier'"),
        ({"stemmer": "krovetz"}, "no stemmer of Terrier named 'krovetz'"),
        ({"model": Named("JM")}, "no model of Terrier named 'JM'"),
        ({"model": Named("PL2", (("k1", 1.0),))}, "no parameter of PL2 named 'k1'"),
        ({"expansion": Named("Axiomatic")}, "no expansion of Terrier named 'Axiom"),
        ({"expansion": Named("Bo1", (("beta", 1.0),))}, "of Bo1 named 'beta'"),
    ],
)
def test_what_terrier_lacks_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        search([], [], [replace(PLAIN, **change)])


@pytest.mark.parametrize(
    ("change", "depth", "message"),
    [
        ({}, 0, "depth 0: expected at least one document"),
        ({"model": Named("PL2", (("c", 0.0),))}, 10, r"PL2\(c=0\): expected"),
        ({"expansion": Named("KL", (("docs", 0.5),))}, 10, r"KL\(docs=0.5\): expected"),
        ({"model": Named("BB2"), "expansion": Named("RM3")}, 10, "RM3 after BB2"),
    ],
)
def test_what_cannot_be_is_refused(
    change: dict[str, object], depth: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        search([], [], [replace(PLAIN, **change)], depth=depth)


def test_no_pyterrier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mohs.retrieval.terrier.find_spec", lambda _: None)
    found = search(["text"], ["query"], [PLAIN])
    with pytest.raises(MissingExtraError, match=r"pip install 'mohs\[terrier\]'"):
        next(found)


def test_a_process_that_dies_tells_its_last_words() -> None:
    dying = "import sys; sys.exit('Java has gone')"
    with (
        pytest.raises(TerrierError, match="ended during 'start': Java has gone"),
        process("-c", dying),
    ):
        raise AssertionError


def test_an_error_over_there_is_told_here() -> None:
    other = (
        "from mohs.retrieval.terrier_process import serve\n"
        "serve({'start': lambda offline: offline, 'fail': lambda: 1 / 0})"
    )
    with process("-c", other) as ask:
        with pytest.raises(TerrierError, match="could not fail: ZeroDivisionError"):
            ask("fail")
        assert ask("start", offline=3) == 3
