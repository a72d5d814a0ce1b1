import numpy as np
import pytest

from mohs.errors import InputError, UnknownNameError
from mohs.measures import canonical
from mohs.scores import Scores, from_cube, to_cube
from mohs.scores.reading import read_scores
from mohs.tables import Factor


def scores(**columns: list[str]) -> Scores:
    rows = len(next(iter(columns.values())))
    measure = Factor.of(columns.pop("measure", ["AP"] * rows))
    values = np.arange(1.0, rows + 1)
    return Scores({k: Factor.of(v) for k, v in columns.items()}, measure, values)


TWO_BY_TWO = scores(
    corpus=["FT", "LA", "FT", "LA"],
    topic=["401", "401", "402", "402"],
    system=["a", "a", "a", "a"],
)


def test_system_and_topic_come_first() -> None:
    assert list(TWO_BY_TWO.factors) == ["system", "topic", "corpus"]
    assert TWO_BY_TWO.topics == ("401", "402")
    table = TWO_BY_TWO.tables()["scores"]
    assert table.names == ("system", "topic", "corpus", "measure", "value")


def test_labels_and_values_must_match() -> None:
    with pytest.raises(ValueError, match="do not match"):
        Scores(TWO_BY_TWO.factors, TWO_BY_TWO.measure, np.zeros(3))


def test_observations_without_a_value_are_left_out_on_the_way_back() -> None:
    cube = to_cube(scores(system=["a", "b"], topic=["1", "2"]))
    assert cube.missing == 2
    assert from_cube(cube).values.tolist() == [1, 2]


def test_values_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        TWO_BY_TWO.values[0] = 0


# Condition on the left, values that are left on the right.
CONDITIONS = {
    "corpus=FT": [1, 3],
    "corpus!=FT": [2, 4],
    "topic=402,401": [1, 2, 3, 4],
    'corpus="FT","LA"': [1, 2, 3, 4],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_choose_observations(condition: str) -> None:
    assert TWO_BY_TWO.where(condition).values.tolist() == CONDITIONS[condition]


def test_all_conditions_must_hold() -> None:
    chosen = TWO_BY_TWO.where(["corpus=FT", "topic!=401"])
    assert chosen.values.tolist() == [3]
    assert chosen.topics == ("402",)
    assert TWO_BY_TWO.where({"corpus": ["LA"], "topic": "401"}).values.tolist() == [2]
    with pytest.raises(InputError, match="no observation fulfils"):
        TWO_BY_TWO.where(["corpus=FT", "corpus!=FT"])


def test_unknown_columns_and_values_name_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'corpus'"):
        TWO_BY_TWO.where("corpsu=FT")
    with pytest.raises(UnknownNameError, match=r"no topic named '410'\. Did you mean"):
        TWO_BY_TWO.where("topic=410")
    with pytest.raises(InputError, match="expected COLUMN=VALUE"):
        TWO_BY_TWO.where("corpus")


def test_columns_are_renamed() -> None:
    assert list(TWO_BY_TWO.rename("part=corpus").factors) == ["system", "topic", "part"]
    swapped = TWO_BY_TWO.rename({"system": "corpus", "team": "system"})
    assert swapped.systems == ("FT", "LA")
    with pytest.raises(UnknownNameError, match="Did you mean 'corpus'"):
        TWO_BY_TWO.rename("a=corpsu")
    with pytest.raises(InputError, match="two columns are called 'topic'"):
        TWO_BY_TWO.rename("topic=corpus")
    with pytest.raises(InputError, match="no column would be system or topic"):
        TWO_BY_TWO.rename("team=system")
    with pytest.raises(InputError, match="expected NEW=OLD"):
        TWO_BY_TWO.rename("corpus")


MEASURED = scores(
    system=["a"] * 4,
    topic=["401"] * 4,
    measure=["map", "ndcg_cut_20", "mine", "Mine"],
)


@pytest.mark.parametrize(
    ("name", "value"),
    [("map", 1), ("AP", 1), ("ap", 1), ("MAP", 1), ("nDCG@20", 2), ("mine", 3)],
)
def test_a_measure_is_found_in_any_spelling(name: str, value: float) -> None:
    found = MEASURED.of_measure(name, canonical=canonical)
    assert found.values.tolist() == [value]
    assert len(found.measures) == 1


def test_one_of_several_measures_must_be_chosen() -> None:
    with pytest.raises(InputError, match="choose one of: map, ndcg_cut_20, mine, Mine"):
        MEASURED.of_measure()
    with pytest.raises(InputError, match="'MINE' may be any of the measures mine, M"):
        MEASURED.of_measure("MINE")
    with pytest.raises(UnknownNameError, match="no measure in the scores named 'RR'"):
        MEASURED.of_measure("RR", canonical=canonical)
    assert len(TWO_BY_TWO.of_measure()) == 4


def test_a_cube_has_one_axis_for_each_factor() -> None:
    cube = to_cube(TWO_BY_TWO, ("topic", "corpus"))
    assert cube.values.tolist() == [[1, 2], [3, 4]]
    assert dict(cube.axes) == {"topic": ("401", "402"), "corpus": ("FT", "LA")}
    assert cube.require_complete() is cube
    both = to_cube(TWO_BY_TWO, ("corpus", "system", "topic"))
    assert both.values[:, 0, :].tolist() == [[1, 3], [2, 4]]


def test_a_cube_returns_to_scores() -> None:
    cube = to_cube(TWO_BY_TWO, ("system", "topic", "corpus"))
    back = from_cube(cube)
    assert list(back.tables()["scores"].rows()) == list(
        TWO_BY_TWO.tables()["scores"].rows()
    )


def test_a_cube_says_what_it_lacks() -> None:
    cube = to_cube(TWO_BY_TWO.take(np.array([0, 3])), ("topic", "corpus"))
    assert np.isnan(cube.values).tolist() == [[False, True], [True, False]]
    assert cube.missing == 2
    with pytest.raises(
        InputError, match=r"2 of 4 .* topic 401, corpus LA; topic 402, c"
    ):
        cube.require_complete()
    with pytest.raises(ValueError, match="scores have no system"):
        from_cube(cube)


def test_observations_that_share_a_cell_are_refused() -> None:
    with pytest.raises(
        InputError,
        match=r"2 observations of system a, topic 401, which differ in corpus \(FT, ",
    ):
        to_cube(TWO_BY_TWO)
    twice = scores(system=["a", "a"], topic=["1", "1"])
    with pytest.raises(InputError, match="topic 1; remove the duplicates"):
        to_cube(twice)
    with pytest.raises(UnknownNameError, match="no factor named 'corpsu'"):
        to_cube(TWO_BY_TWO, ("topic", "corpsu"))


def test_scores_display_as_their_table() -> None:
    read = read_scores({"a": {"1": 0.5}})
    assert (
        repr(read) == "system  topic  measure   value\na       1      value    0.5000"
    )
    assert "<td>0.5000</td>" in read._repr_html_().replace(' class="n"', "")
    assert read.table.rows() == [("a", "1", "value", 0.5)]
    assert read.to_pandas()["value"].tolist() == [0.5]
    assert "0.50 " in read.to_latex(digits=2)
