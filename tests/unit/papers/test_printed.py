"""Arithmetic on printed tables, against designs of which everything is known."""

import numpy as np
import pytest

import mohs
from mohs.papers.c21 import orders
from mohs.papers.c21 import printed as c21
from mohs.papers.printed import Effects, implied_f, rank_of_interaction, variances
from mohs.papers.z19 import printed as z19
from mohs.papers.z19 import variance
from mohs.scores import Scores
from mohs.tables import Factor

# Partial omega squared of Table 2 from F and df, where digits allow it.
SAME = set(c21.TABLE_2) - {"system:formulation(topic)", "topic:system:corpus"}


def test_table_2_of_c21_follows_from_its_own_figures() -> None:
    found = c21.recomputed()
    assert [each.verdict for each in found] == ["matches"] * 10
    exact = {each.quantity.removeprefix("partial ω² of ") for each in found}
    assert exact == set(c21.TABLE_2)
    without = {each.quantity for each in found if not each.reason}
    assert without == {f"partial ω² of {term}" for term in SAME}


def test_rounding_of_f_explains_what_does_not_match_to_the_digit() -> None:
    found = {each.quantity: each for each in c21.recomputed()}
    each = found["partial ω² of system:formulation(topic)"]
    assert each.published == 0.1713
    assert each.computed == pytest.approx(0.1715, abs=5e-5)
    assert "F is printed as 1.67" in each.reason


def test_the_corpus_with_random_topics() -> None:
    f, lower, p = c21.random_test("corpus")
    assert round(f, 3) == 0.825
    assert lower == 48
    assert round(p, 2) == 0.44
    assert c21.fixed_or_random().verdict == "does not hold"


def test_claims_about_table_1() -> None:
    *times, comparable = c21.claims()
    assert [round(each.computed, 2) for each in times] == [2.05, 1.95, 1.38]
    assert [each.verdict for each in times] == [
        "does not hold",
        "does not hold",
        "holds",
    ]
    assert comparable.verdict == "holds"


def test_implied_f_gives_the_effect_back() -> None:
    f = implied_f(0.7639, 24, c21.WITHIN)
    assert 24 * (f - 1) / (24 * (f - 1) + c21.WITHIN) == pytest.approx(0.7639)


@pytest.mark.parametrize("truncated", [True, False])
def test_scores_that_a_table_accounts_for(truncated: bool) -> None:  # noqa: FBT001
    scores = variance.simulated(1)
    found = mohs.anova(scores, model="z19-1", intervals="none")
    # The total of a printed table is the sum of its own rows.
    total = float(found.parts.ss.sum() + found.parts.residual_ss)
    mse = found.parts.mse
    exact = (found.parts.ss - found.parts.df * mse) / (total + mse)
    shift = 0 if truncated else 0.5
    shown = np.floor(exact * 1e4 + shift) / 1e4
    table = Effects(
        "Table",
        dict(zip(map(":".join, found.parts.terms), shown.tolist(), strict=True)),
        mse,
        (total, total),
    )
    low, high = table.accounted(truncated=truncated)
    assert low <= len(scores) <= high
    assert high - low == pytest.approx(5e-4 * (total + mse) / mse)


def test_nominal_degrees_of_freedom_seem_more_scores() -> None:
    scores = variance.simulated(2)
    found = mohs.anova(scores, model="z19-1", intervals="none")
    table = variance.by_rank(found)
    df = np.asarray(table["df_nominal"])
    assert df.tolist() == [19, 248, 2, 38, 496]
    assert np.asarray(table["df"]).tolist() == [19, 248, 2, 38, 198]
    mse = found.parts.mse
    total = float(found.parts.ss.sum() + found.parts.residual_ss)
    nominal = (found.parts.ss - df * mse) / (total + mse)
    effects = dict(zip("abcde", nominal.tolist(), strict=True))
    exact = Effects("Table", effects, mse, (total, total), exact=frozenset(effects))
    low, high = exact.accounted(truncated=True)
    assert low == pytest.approx(len(scores) + 298)
    assert high == pytest.approx(low)


def test_rank_of_an_interaction_is_that_of_the_design() -> None:
    codes = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (1, 2), (2, 2)]
    topic, corpus = zip(*codes * 2, strict=True)
    system = ["a"] * 7 + ["b"] * 7
    scores = Scores(
        {
            "system": Factor.of(system),
            "topic": Factor.of(map(str, topic)),
            "corpus": Factor.of(map(str, corpus)),
        },
        Factor.constant("AP", 14),
        np.random.default_rng(0).random(14),
    )
    found = mohs.anova(scores, "~ topic + corpus + topic:corpus", intervals="none")
    assert found.parts.df[-1] == rank_of_interaction(7, 3, 3) == 2


def test_remarks_on_tables_4_and_5() -> None:
    found = {each.quantity: each.verdict for each in z19.remarks()}
    assert [*found.values()] == [
        "holds",
        "does not hold",
        "holds",
        "does not hold",
        "holds",
        "does not hold",
        "does not hold",
    ]
    assert z19.SCORES == 70_942
    assert (z19.NOMINAL, z19.RANK) == (496, 198)
    table = z19.counts()
    cells = dict(zip(table.names, zip(*table.rows(), strict=True), strict=True))
    assert cells["scores_low"][0] == 71_096
    assert cells["scores_high"][0] == 71_522
    assert cells["fits_nominal"][:2] == (True, False)
    assert cells["fits_design"][2:] == (True, False)


def test_variances_of_a_nested_design_come_back() -> None:
    true = {"topic": 0.5, "wording": 0.25, "error": 0.125}
    copies = {
        "topic": {"topic": 12, "wording": 4, "error": 1},
        "wording": {"wording": 4, "error": 1},
        "error": {"error": 1},
    }
    ms = {
        row: sum(times * true[name] for name, times in each.items())
        for row, each in copies.items()
    }
    assert variances(ms, copies) == pytest.approx(true)


def test_expected_squares_of_c21_agree_with_random_factors_of_anova() -> None:
    """A small design of the same terms has the same variances either way."""
    random = np.random.default_rng(3)
    sizes = {"topic": 4, "formulation": 3, "system": 3, "corpus": 2}
    index = np.indices([*sizes.values()]).reshape(4, -1)
    scores = Scores(
        {
            name: Factor.of(map(str, codes))
            for name, codes in zip(sizes, index, strict=True)
        },
        Factor.constant("AP", index.shape[1]),
        random.random(index.shape[1]),
    )
    found = mohs.anova(
        scores, model="c21-across", random=["topic", "formulation"], intervals="none"
    )
    assert found.populations is not None
    names = {
        frozenset(term): float(value)
        for term, value in zip(
            found.parts.terms, found.populations.variances, strict=True
        )
    }
    axes = {name: frozenset(_FACTORS[a] for a in orders.AXES[name]) for name in _KEPT}
    terms = map(frozenset, found.parts.terms)
    ms = dict(zip(terms, found.parts.ss / found.parts.df, strict=True))
    copies = {
        row: {
            name: float(np.prod([n for f, n in sizes.items() if f not in axes[name]]))
            for name in _KEPT
            if axes[row] <= axes[name]
        }
        for row in _KEPT
    }
    squares = {
        name: found.parts.mse if name == orders.ERROR else float(ms[axes[name]])
        for name in _KEPT
    }
    solved = variances(squares, copies)
    for name in _KEPT:
        if name != orders.ERROR:
            assert solved[name] == pytest.approx(names[axes[name]]), name


_FACTORS = {"t": "topic", "f": "formulation", "s": "system", "c": "corpus"}
_KEPT = tuple(orders.AXES)
