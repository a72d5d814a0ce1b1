from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mohs.errors import InputError
from mohs.retrieval.spelling import Component, parse, parse_list

READ = {
    "BM25": Component("BM25"),
    " PL2 ( c = 2 ) ": Component("PL2", (("c", 2.0),)),
    "BM25(k1=0.9,b=.4)": Component("BM25", (("b", 0.4), ("k1", 0.9))),
    "weak-porter": Component("weak-porter"),
    "Bo1()": Component("Bo1"),
}

REFUSED = {
    "": "'' is no component",
    "BM25(b)": "'b' is no parameter such as b=0.4",
    "BM25(b=x)": "'b=x' is no parameter",
    "BM25(b=1,b=2)": "gives a parameter twice",
    "BM25(b=1": "is no component",
    "BM25(b=1))": "is no component",
}


@pytest.mark.parametrize(("text", "component"), READ.items())
def test_reading(text: str, component: Component) -> None:
    assert parse(text) == component


@pytest.mark.parametrize(("text", "problem"), REFUSED.items())
def test_refusing(text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert problem in str(error.value)


names = st.from_regex(r"[A-Za-z][\w+-]*", fullmatch=True)
values = st.floats(allow_nan=False, allow_infinity=False)


@given(names, st.dictionaries(st.from_regex(r"[a-z]\w*", fullmatch=True), values))
def test_what_is_printed_is_read_back(name: str, given: dict[str, float]) -> None:
    component = Component(name, tuple(sorted(given.items())))
    assert parse(str(component)) == component
    assert parse_list(f"{component},{component},other") == (
        component,
        Component("other"),
    )
