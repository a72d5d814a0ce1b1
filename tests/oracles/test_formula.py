"""Formulas of analysis of variance against formulaic's reading of them."""

import pytest
from formulaic import Formula
from hypothesis import assume, given
from hypothesis import strategies as st

from mohs.analysis.anova.formula import MODELS, Term, parse_formula
from mohs.errors import InputError

names = st.sampled_from(["a", "b", "c", "d", "v1.2", "`odd name`", "`1 + x`", "тема"])
blanks = st.sampled_from(["", " "])


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pieces = st.tuples(parts, blanks, st.sampled_from("+-*/:"), blanks, parts)
    return pieces.map("".join) | parts.map("({})".format)


sums = st.recursive(names, joined, max_leaves=12)
formulas = (
    sums.map("~ {}".format) | sums.map("~1+{}".format) | sums.map("~ {} +1".format)
)


def expected(text: str) -> list[Term]:
    """Return formulaic's terms in its order, without the intercept."""
    terms = [tuple(factor.expr for factor in term.factors) for term in Formula(text)]
    return [term for term in terms if term != ("1",)]


def same_as_in_formulaic(text: str) -> None:
    found = parse_formula(text).terms
    theirs = expected(text)
    assert set(map(frozenset, found)) == set(map(frozenset, theirs))
    assert list(map(len, found)) == sorted(map(len, theirs))
    # Beyond sets: the spelling of each term, and the order within a degree.
    assert list(found) == theirs


@given(formulas)
def test_formulas_stand_for_the_same_terms_as_in_formulaic(text: str) -> None:
    try:
        parse_formula(text)
    except InputError as error:
        # Where all of an operand was removed, formulaic drops it or breaks.
        assume("no terms are left" not in str(error))
        raise
    same_as_in_formulaic(text)


@pytest.mark.parametrize("name", MODELS)
def test_ready_models_stand_for_the_same_terms_as_in_formulaic(name: str) -> None:
    same_as_in_formulaic(MODELS[name])
