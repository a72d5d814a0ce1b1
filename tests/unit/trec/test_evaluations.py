from collections.abc import Callable

import pytest

from mohs.errors import FormatError
from mohs.trec.evaluations import is_trec_eval_name, read_evaluation, split_line

TREC_EVAL = """\
map                   \t401\t0.0666
P_10                  \t401\t0.4000
relstring             \t401\t'1011
map                   \t402\t0.2536
P_10                  \t402\t0.5000
runid                 \tall\tCL99SD
map                   \tall\t0.1601
"""

IR_MEASURES = "401\tAP\t0.0666\n402\tAP\tNA\nall\tAP\t0.0666\n"


def knows(*names: str) -> Callable[[str], bool]:
    return set(names).__contains__


def test_trec_eval_writes_the_measure_first() -> None:
    read = read_evaluation(TREC_EVAL, "a.eval", is_measure=knows())
    assert read.topics.texts() == ["401", "401", "402", "402"]
    assert read.measures.texts() == ["map", "P_10", "map", "P_10"]
    assert read.values.tolist() == [0.0666, 0.4, 0.2536, 0.5]
    assert read.lines.tolist() == [1, 2, 4, 5]
    assert read.tag == "CL99SD"


def test_ir_measures_writes_the_topic_first() -> None:
    read = read_evaluation(IR_MEASURES, "a.tsv", is_measure=knows("AP"))
    assert read.topics.texts() == ["401", "402"]
    assert read.measures.levels == ("AP",)
    assert str(read.values.tolist()) == "[0.0666, nan]"
    assert read.tag is None


def test_the_line_of_all_topics_tells_topics_from_measures_nobody_knows() -> None:
    read = read_evaluation("q1 Mine 0.5\nall Mine 0.5\n", "a", is_measure=knows())
    assert read.topics.levels == ("q1",)
    turned = read_evaluation("Mine q1 0.5\nMine all 0.5\n", "a", is_measure=knows())
    assert turned.topics.levels == ("q1",)
    with pytest.raises(FormatError, match="cannot tell which column is the measure"):
        read_evaluation("q1 Mine 0.5\n", "a", is_measure=knows())


def test_means_alone_are_refused_with_the_way_out() -> None:
    with pytest.raises(FormatError, match=r"a\.eval: holds means.*trec_eval with -q"):
        read_evaluation("map all 0.5\n", "a.eval", is_measure=knows())


LAYOUT = "lines read 'measure topic value' or 'topic measure value'"


def test_every_malformed_line_is_gathered() -> None:
    text = "map 401 0.5\nmap 402\nmap 403 0,5\nmap 404 inf\n"
    with pytest.raises(FormatError) as caught:
        read_evaluation(text, "a.eval", is_measure=knows())
    assert caught.value.problems() == (
        f"a.eval:2: expected 3 fields, found 2; {LAYOUT}",
        "a.eval:3: '0,5' has a decimal comma; write 0.5",
        "a.eval:4: 'inf' is infinite; write a finite number, or NA where it is missing",
    )


FIELDS = {
    "map  \t401\t 0.5": ["map", "401", "0.5"],
    "401 nDCG(a=1,b=2)@5 0.5": ["401", "nDCG(a=1,b=2)@5", "0.5"],
    '401,"nDCG(a=1,b=2)@5",0.5': ["401", "nDCG(a=1,b=2)@5", "0.5"],
    "401,AP,0.5\r": ["401", "AP", "0.5"],
}


@pytest.mark.parametrize("line", FIELDS)
def test_fields_are_split_at_tabs_blanks_or_commas(line: str) -> None:
    assert split_line(line) == FIELDS[line]


@pytest.mark.parametrize(
    "name", ["ndcg_cut_1000", "iprec_at_recall_0.00", "set_F.0.5", "11pt_avg"]
)
def test_names_of_trec_eval_are_recognised(name: str) -> None:
    assert is_trec_eval_name(name) is True


@pytest.mark.parametrize("name", ["AP", "MB01", "P301", "401", "all", ""])
def test_other_words_are_no_names_of_trec_eval(name: str) -> None:
    assert is_trec_eval_name(name) is False
