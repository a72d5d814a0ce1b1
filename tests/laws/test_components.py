"""What must never move an effect: the order of rows, and other topics."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mohs

LEVELS = [(s, m) for s in ("none", "porter", "lovins") for m in ("BM25", "LM", "TFIDF")]
TOPICS = [str(number) for number in range(1, 6)]


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Draw scores of a grid of systems, in two corpora, of which some are missing."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = [
        (f"{stemmer}-{model}", topic, corpus, stemmer, model, random.random())
        for stemmer, model in LEVELS
        for topic in TOPICS
        for corpus in ("FT", "LA")
        if random.random() < 0.9 or topic == "3"
    ]
    names = ["system", "topic", "corpus", "stemmer", "model", "value"]
    return pl.DataFrame(rows, names, orient="row").with_columns(measure=pl.lit("AP"))


@pytest.mark.parametrize("way", [{}, {"unmatched": True}], ids=["pairs", "means"])
@given(tables(), st.integers(0, 2**32))
def test_row_order_changes_no_byte(
    way: dict[str, bool],
    scores: pl.DataFrame,
    seed: int,
) -> None:
    one = mohs.components(scores, **way)
    other = mohs.components(scores.sample(fraction=1, shuffle=True, seed=seed), **way)
    for name, table in one.tables().items():
        assert table.to_polars().equals(other.tables()[name].to_polars())


@pytest.mark.parametrize("way", [{}, {"unmatched": True}], ids=["pairs", "means"])
@given(tables(), st.lists(st.sampled_from(TOPICS)))
def test_other_topics_change_no_byte(
    way: dict[str, bool],
    scores: pl.DataFrame,
    others: list[str],
) -> None:
    chosen = pl.col("topic").is_in(["3", *others])
    one = mohs.components(scores, **way)
    other = mohs.components(scores.filter(chosen), **way)
    assert one.table.filter(chosen).equals(other.table)


@given(tables())
def test_exchanging_the_sides_turns_the_effect_around(scores: pl.DataFrame) -> None:
    one = mohs.components(scores, baseline="stemmer=none").table
    other = mohs.components(scores, baseline="stemmer=porter").table
    forth, back = (
        table.filter(level=level)["delta"].to_numpy()
        for table, level in ((one, "porter"), (other, "none"))
    )
    np.testing.assert_array_equal(forth, -back)
