from pathlib import Path

import pytest

from mohs.errors import InputError
from mohs.measures import Measure, bridge, parse

JUDGMENTS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
RUN = {"1": {"b": 2.0, "a": 1.0}}


def test_values_come_topic_by_topic_in_the_order_asked_for() -> None:
    measures = [Measure("Compat(p=0.8)"), Measure("Accuracy")]
    values = bridge.calculate(measures, JUDGMENTS, RUN, ["2", "1"])
    # On depths 1 and 2 the ideal ranking, a alone, overlaps by 1 and 1/2 with itself,
    # by 0 and 1/2 with the run.
    compatibility = (0.8 / 2) / (1 + 0.8 / 2)
    assert values.tolist() == [[0.0, pytest.approx(compatibility)], [0.0, 0.0]]


def test_files_give_what_dicts_give(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n", "utf-8")
    run.write_text("1 Q0 b 1 2.0 me\n1 Q0 a 2 1.0 me\n", "utf-8")
    measures = parse("Compat(p=0.8)")
    of_files = bridge.calculate(measures, qrels, str(run), ["1", "2"])
    of_dicts = bridge.calculate(measures, JUDGMENTS, RUN, ["1", "2"])
    assert of_files.tolist() == of_dicts.tolist()
    assert of_files[0, 0] > 0


def test_a_measure_it_cannot_compute_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match=r"cannot compute NERR9\(max_rel=3\)@20"):
        bridge.calculate(parse("NERR9(max_rel=3)@20"), JUDGMENTS, RUN, ["1"])


def test_what_it_divides_by_zero_is_no_fault_of_ours() -> None:
    with pytest.raises(InputError, match=r"cannot compute Accuracy@10: .*division"):
        bridge.calculate(
            parse("Accuracy@10"), {"1": {"a": 1}}, {"1": {"a": 1.0}}, ["1"]
        )


@pytest.mark.parametrize("text", ["xyzzy", "Compat(q=1)", "((", "P@10 P@20", ""])
def test_what_it_does_not_know_is_not_its_measure(text: str) -> None:
    assert bridge.parse(text) is None
