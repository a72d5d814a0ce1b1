"""Analyses of variance against their definition, on dense matrices small enough."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mohs
from mohs.analysis.anova.decomposition import decompose, left_over
from mohs.analysis.anova.design import Design, Nesting
from mohs.analysis.anova.formula import parse_formula
from mohs.analysis.anova.gaps import Gaps
from mohs.errors import InputError

# Sums of squares from projections that end at rounding, and from dense least squares.
TOLERANCE = 1e-9

FORMULAS = [
    "~ a + b",
    "~ a * b",
    "~ a/b",
    "~ a + b:c",
    "~ a*b + b*c + a:c",
    "~ b + f + a",  # b is a function of f
    "~ f + b + a",
    "~ a:f + c*b",
    "~ (a + b + c)/f",
]


def dense(design: Design, term: tuple[str, ...]) -> np.ndarray:
    """Return the indicators of a term's cells, as they would be laid out."""
    return np.eye(len(design))[design.cells(term)]


def fitted(design: Design, terms: list[tuple[str, ...]]) -> tuple[float, int]:
    """Return residual sum of squares and rank of a model, by dense least squares."""
    columns = [np.ones((len(design), 1)), *(dense(design, term) for term in terms)]
    matrix = np.concatenate(columns, axis=1)
    found = np.linalg.lstsq(matrix, design.values, rcond=1e-10)[0]
    left = design.values - matrix @ found
    return float(left @ left), int(np.linalg.matrix_rank(matrix, tol=1e-8))


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Draw observations of factors a, b, c and f, which has one b at each level."""
    count = draw(st.integers(8, 60))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = {"a": draw(st.integers(2, 5)), "b": draw(st.integers(2, 3)), "c": 3}
    codes = {name: random.integers(0, size, count) for name, size in sizes.items()}
    codes["f"] = codes["b"] * 3 + random.integers(0, 3, count)
    table = pl.DataFrame(
        {name: [f"{name}{code}" for code in each] for name, each in codes.items()}
    ).with_columns(value=pl.Series(random.normal(size=count)))
    assume(all(table[name].n_unique() > 1 for name in codes))
    labelled = table.with_row_index("topic").with_columns(
        pl.col("topic").cast(pl.String), system=pl.lit("s")
    )
    return Design.of(mohs.read_scores(labelled), list(codes))


@pytest.mark.parametrize("formula", FORMULAS)
@settings(max_examples=30)
@given(designs())
def test_sums_of_squares_and_ranks_follow_their_definition(
    formula: str, design: Design
) -> None:
    terms = parse_formula(formula).terms
    nesting = Nesting.of(design)
    closures = [nesting.closure(term) for term in terms]
    parts = decompose(design, terms, 2)
    centred = design.with_values(design.values - design.values.mean())
    scale = TOLERANCE * parts.total_ss
    # A function of a term before it adds nothing.
    kept = [
        place
        for place in range(len(terms))
        if not any(closures[place] <= closures[before] for before in range(place))
    ]
    left, rank = fitted(centred, [terms[place] for place in kept])
    assert parts.residual_df == len(design) - rank
    assert parts.residual_ss == pytest.approx(left, abs=scale)
    assert float(left_over(parts) @ left_over(parts)) == pytest.approx(left, abs=scale)
    for place in range(len(terms)):
        if place not in kept:
            assert parts.df[place] == parts.ss[place] == 0
            continue
        others = [
            terms[other] for other in kept if not closures[place] <= closures[other]
        ]
        without, lower = fitted(centred, others)
        within, higher = fitted(centred, [*others, terms[place]])
        assert parts.df[place] == higher - lower
        if parts.df[place]:
            assert parts.ss[place] == pytest.approx(without - within, abs=scale)


@pytest.mark.parametrize("type_", [1, 2, 3])
@settings(max_examples=30)
@given(st.data())
def test_balanced_designs_have_one_answer_for_every_way(
    type_: int, data: st.DataObject
) -> None:
    shape = data.draw(st.tuples(*[st.integers(2, 4)] * 3))
    copies = data.draw(st.integers(1, 2))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    codes = [each.ravel() for each in np.indices((*shape, copies))][:3]
    names = ["a", "b", "c"]
    design = Design(
        random.normal(size=codes[0].size),
        {n: tuple(map(str, range(k))) for n, k in zip(names, shape, strict=True)},
        dict(zip(names, codes, strict=True)),
    )
    terms = parse_formula("~ a*b + c").terms
    parts = decompose(design, terms, type_)
    assert parts.balance is not None
    ss, df, kept = Gaps(parts.design, parts.nesting, terms).attribute(type_)
    assert kept == [0, 1, 2, 3]
    assert df.tolist() == parts.df.tolist()
    assert ss == pytest.approx(parts.ss, abs=TOLERANCE * parts.total_ss)
    total = parts.ss.sum() + parts.residual_ss
    assert total == pytest.approx(parts.total_ss, rel=TOLERANCE)


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.booleans())
def test_the_order_of_rows_changes_nothing(seed: int, gaps: bool) -> None:  # noqa: FBT001
    random = np.random.default_rng(seed)
    topic, system = (each.ravel() for each in np.indices((6, 4)))
    table = pl.DataFrame(
        {
            "system": [f"s{each}" for each in system],
            "topic": [f"t{each}" for each in topic],
            "value": random.normal(size=24),
        }
    )[: 23 if gaps else 24]
    shuffled = table[random.permutation(len(table))]
    asked = {"tukey": "system", "random": "topic", "sensitivity": True}
    one, other = (
        mohs.anova(each, "~ topic + system", **asked).tables()
        for each in (table, shuffled)
    )
    assert one.keys() == other.keys()
    for name in one:
        assert list(one[name].rows()) == list(other[name].rows())


def test_labels_that_repeat_or_are_unique_nest_alike() -> None:
    random = np.random.default_rng(1)
    topic, formulation, system = (each.ravel() for each in np.indices((5, 3, 4)))
    values = random.normal(size=topic.size)
    kept = random.random(topic.size) < 0.9
    for rows in (np.ones_like(kept), kept):
        repeated, unique = (
            mohs.anova(
                pl.DataFrame(
                    {
                        "system": system[rows].astype(str),
                        "topic": topic[rows].astype(str),
                        "formulation": labels[rows].astype(str),
                        "value": values[rows],
                    }
                ),
                model="c21-within",
                intervals="none",
            ).table
            for labels in (formulation, topic * 3 + formulation)
        )
        for name in ("term", "df", "status"):
            assert repeated[name].to_list() == unique[name].to_list()
        assert unique["ss"].to_list() == pytest.approx(repeated["ss"].to_list())


def test_type_3_is_refused_where_it_means_nothing() -> None:
    topic, system = (each.ravel() for each in np.indices((4, 3)))
    table = pl.DataFrame(
        {
            "system": [*system.astype(str), *system.astype(str)],
            "topic": [*topic.astype(str), *topic.astype(str)],
            "value": np.random.default_rng(0).normal(size=24),
        }
    ).filter(~((pl.col("topic") == "0") & (pl.col("system") == "0")))
    with pytest.raises(InputError, match="of which 1 have no value; use --type 2"):
        mohs.anova(_numbered(table), "~ topic*system", type=3)


def _numbered(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_row_index("copy").with_columns(pl.col("copy").cast(pl.String))


def test_long_chains_of_cells_are_fitted_exactly() -> None:
    # Each topic was answered by three systems, the next by two of them and another.
    count = 250
    pairs = [(topic, topic + step) for topic in range(count) for step in range(3)]
    topics, systems = np.array(pairs).T
    values = np.random.default_rng(1).normal(size=len(pairs)) + topics / 10
    design = Design(
        values,
        {"topic": tuple(map(str, range(count))), "system": tuple(map(str, range(252)))},
        {"topic": topics, "system": systems},
    )
    terms = parse_formula("~ topic + system").terms
    parts = decompose(design, terms, 2)
    left, rank = fitted(design, list(terms))
    assert parts.residual_ss == pytest.approx(left, rel=1e-7)
    assert parts.residual_df == len(design) - rank
    for place in range(2):
        without, _ = fitted(design, [terms[1 - place]])
        assert parts.ss[place] == pytest.approx(without - left, rel=1e-7)


def test_the_order_of_confounded_terms_changes_nothing() -> None:
    # Seven cells in which no interaction can be told from the others.
    cells = ["000", "001", "011", "110", "200", "210", "211"]
    values = np.random.default_rng(0).normal(size=14)
    table = pl.DataFrame(
        {
            **{
                name: [cell[place] for cell in cells * 2]
                for place, name in enumerate(("topic", "system", "corpus"))
            },
            "copy": ["a"] * 7 + ["b"] * 7,
            "value": values,
        }
    )
    pairs = ["topic:system", "topic:corpus", "system:corpus"]
    one, other = (
        mohs.anova(
            table, f"~ topic + system + corpus + {' + '.join(each)}", intervals="none"
        ).table
        for each in (pairs, pairs[::-1])
    )
    assert one.filter(pl.col("term").is_in(pairs))["df"].to_list() == [0, 0, 0]
    found = dict(zip(other["term"], other["ss"], strict=True))
    for term, ss in zip(one["term"], one["ss"], strict=True):
        assert found[term] == pytest.approx(ss, abs=1e-12)


def test_type_3_needs_the_margins_that_contrasts_share() -> None:
    shape = np.indices((3, 3, 3, 2))[:3].reshape(3, -1)[:, 1:]
    table = pl.DataFrame(
        {
            **dict(zip(("topic", "corpus", "system"), shape.astype(str), strict=True)),
            "copy": np.arange(53).astype(str),
            "value": np.random.default_rng(2).normal(size=53),
        }
    )
    formula = "~ topic + corpus + system + topic:corpus + topic:corpus:system"
    with pytest.raises(InputError, match="needs all margins of topic:corpus:system"):
        mohs.anova(table, formula, type=3)
