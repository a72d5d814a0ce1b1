import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.analysis.formulations import Formulations
from mohs.analysis.formulations.wording import Wording
from mohs.errors import InputError, UnknownNameError

COLUMNS = [
    *("rule", "permutations", "pairs", "topics", "formulations"),
    *("mean_best", "sd_best", "mean_pair"),
    *("null", "null_mean_best", "null_low", "null_high", "p"),
]


def table(**options: Any) -> pl.DataFrame:  # noqa: ANN401
    """Lay out four systems in two corpora, whose topics have nothing in common."""
    random = np.random.default_rng(0)
    rows = [
        {
            "system": system,
            "corpus": corpus,
            "topic": str(topic),
            "formulation": str(wording),
            "measure": "AP",
            "value": options.get("ease", 0) * topic + random.random(),
        }
        for system in "abcd"
        for corpus in ("FT", "LA")
        for topic in range(8)
        for wording in range(3)
    ]
    return pl.DataFrame(rows)


def found(scores: pl.DataFrame, **options: Any) -> Formulations:  # noqa: ANN401
    return mohs.formulations(
        scores, **{"permutations": 300, "replicates": 19} | options
    )


def test_the_table_has_the_columns_of_the_contract() -> None:
    result = found(table(), null="independent")
    assert result.table.columns == COLUMNS
    joint, independent = result.table.to_dicts()
    assert [joint[name] for name in COLUMNS[:5]] == ["greedy-low", 300, 8, 8, 3]
    assert (joint["null"], independent["null"]) == ("joint", "independent")
    assert joint["mean_best"] == pytest.approx(result.reached.tau.mean())
    assert joint["sd_best"] == pytest.approx(result.reached.tau.std(ddof=1))
    means = result.nulls[0].means
    below = sum(mean <= joint["mean_best"] for mean in means)
    assert joint["p"] == (below + 1) / 20
    assert independent["p"] is None
    assert joint["null_low"] == pytest.approx(np.quantile(means, 0.05))


def test_topics_that_matter_constrain_the_order_and_noise_does_not() -> None:
    strict = found(table(ease=1))
    assert strict.constrained
    assert strict.table["p"][0] == 1 / 20
    assert "so topics do constrain the order" in strict.reading
    assert "depends on the corpus remains open" in strict.reading
    loose = found(table())
    assert not loose.constrained
    assert "no evidence that topics constrain the order" in loose.reading


def test_a_bound_has_no_mean_over_pairs() -> None:
    assert found(table(), rule="bound").table["mean_pair"].to_list() == [None]


def test_orders_are_those_of_the_permutations_told() -> None:
    result = found(table())
    orders = result.tables()["orders"].to_polars()
    taus = result.reached.tau
    for case, tau in (("worst", taus.min()), ("best", taus.max())):
        rows = orders.filter(case=case)
        assert set(rows["tau"]) == {tau}
        order = result.orders[rows["permutation"][0] - 1]
        assert rows["topic"].to_list() == [result.panel.topics[t] for t in order]
        values = rows["value"].to_numpy()
        signs = np.sign(values[None] - values[:, None])[np.triu_indices(8, 1)]
        assert signs.mean() == pytest.approx(tau)
    keys = ["topic", "formulation", "value"]
    pairs = table().with_columns(pair=pl.concat_str("system", "corpus", separator=" "))
    assert len(orders.join(pairs, on=["pair", *keys])) == len(orders)


def test_distributions_hold_every_permutation() -> None:
    rows = found(table()).tables()["distribution"].to_polars()
    counts = dict(rows.group_by("source").agg(pl.sum("permutations")).rows())
    assert counts == {"observed": 300, "joint": 19 * 300}


def test_fewer_formulations_reach_less() -> None:
    rows = found(table()).tables()["by_formulations"].to_polars()
    assert rows["formulations"].to_list() == [1, 2, 3]
    assert rows["mean_best"].is_sorted()
    inside = (rows["null_low"] <= rows["mean_best"]).all()
    assert inside
    assert (rows["mean_best"] <= rows["null_high"]).all()


def test_wordings_are_described() -> None:
    values = np.array([0.1, 0.5, 0.2, 0.3, 0.7, 0.9, np.nan, 1.0])
    wording = Wording.of(values, (0, 2, 4, 7, 8))
    assert wording.count.tolist() == [2, 2, 2, 1]
    assert wording.mean.tolist() == pytest.approx([0.3, 0.25, 0.8, 1.0])
    assert wording.best.tolist() == [0.5, 0.3, 0.9, 1.0]
    assert wording.worst.tolist() == [0.1, 0.2, 0.7, 1.0]
    assert wording.spread.tolist() == pytest.approx([0.4, 0.1, 0.2, 0.0])
    assert math.isnan(wording.sd[3])
    # Cuts at .2875, .55 and .85.
    assert wording.classes.tolist() == [[1, 0, 2, 3], [0, 0, 2, 3], [1, 1, 3, 3]]
    assert wording.depends.tolist() == [True, True, True, False]
    assert wording.smaller == pytest.approx(1 / 6)
    assert wording.within == pytest.approx(math.sqrt((0.08 + 0.005 + 0.02) / 3))


def test_a_column_of_the_cell_tells_no_pairs_apart() -> None:
    texts = table().with_columns(text=pl.concat_str("topic", "formulation"))
    assert found(texts).panel.pairs == found(table()).panel.pairs
    alone = found(table(), pair="system", where="corpus=FT")
    assert alone.panel.pairs == ("a", "b", "c", "d")


def test_what_was_worked_on_is_told() -> None:
    scores = table()
    plain = scores.filter(formulation="0").drop("formulation")
    assert "no column formulation" in found(plain).notes[0]
    gaps = scores.filter(
        ~((pl.col("topic") == "3") & (pl.col("system") == "a"))
        & ~((pl.col("topic") == "4") & (pl.col("formulation") == "2"))
    )
    left_out, sizes, fewer = found(gaps).notes
    assert left_out.startswith("2 pairs do not have every topic")
    assert sizes == "topics have from 2 to 3 formulations"
    assert fewer.startswith("19 replicates of the null use 300 permutations")
    named = scores.with_columns(system=pl.concat_str("system", "formulation"))
    assert "name with --pair" in " ".join(found(named).notes)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"rule": "greedy"}, "no rule named 'greedy'. Did you mean 'greedy-"),
        ({"null": "jiont"}, "no null named 'jiont'. Did you mean 'joint'?"),
        ({"permutations": 0}, "permutations must be 1 or more, found 0"),
        ({"pair": "sytem"}, "no column named 'sytem'. Did you mean 'system'?"),
        ({"pair": "system"}, "observed twice in one pair"),
        ({"where": "topic=3"}, "topics cannot be ordered unless there are two"),
    ],
)
def test_wrong_requests(options: dict[str, Any], problem: str) -> None:
    with pytest.raises((InputError, UnknownNameError)) as raised:
        found(table(), **options)
    assert problem in str(raised.value)
