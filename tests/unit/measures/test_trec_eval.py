from dataclasses import replace

import numpy as np
import pytest

from mohs.errors import InputError
from mohs.measures import Measure, parse, trec_eval_name, trec_eval_text
from mohs.measures.example import listed
from mohs.rankings import Rankings

# What we call it on the left, what trec_eval prints on the right.
NAMES = {
    "AP": "map",
    "AP@5": "map_cut_5",
    "nDCG": "ndcg",
    "nDCG@20": "ndcg_cut_20",
    "IPrec@0.1": "iprec_at_recall_0.10",
    "SetF": "set_F",
    "SetF(beta=0.5)": "set_F_0.5",
    "SetP(relative=True)": "set_relative_P",
    "NumRelRet": "num_rel_ret",
    "11pt_avg": "11pt_avg",
    "AP(rel=2)": None,
    "nDCG(dcg='exp-log2')@5": None,
    "RR@10": None,
    "DCG": None,
}


@pytest.mark.parametrize("name", NAMES)
def test_names_are_those_of_trec_eval(name: str) -> None:
    (measure,) = parse(name)
    assert trec_eval_name(measure) == NAMES[name]


def three_topics() -> Rankings:
    rankings = listed([0, 1], [], [2]).rankings
    return replace(rankings, topics=("10", "9", "1"))


def rows(text: str) -> list[tuple[str, ...]]:
    assert text.endswith("\n")
    return [
        tuple(field.strip() for field in line.split("\t")) for line in text.splitlines()
    ]


def test_measures_stand_in_the_order_of_trec_eval_and_others_last() -> None:
    asked = [m for n in ("ERR@5", "P.10,5", "map", "P@5", "num_q") for m in parse(n)]
    text = trec_eval_text(asked, three_topics(), runid="me", each=True)
    assert rows(text) == [
        *(("map", "1", "1.0000"), ("P_5", "1", "0.2000")),
        *(("P_10", "1", "0.1000"), ("ERR@5", "1", "0.1875")),
        *(("map", "10", "0.5000"), ("P_5", "10", "0.2000")),
        *(("P_10", "10", "0.1000"), ("ERR@5", "10", "0.0312")),
        *(("runid", "all", "me"), ("num_q", "all", "3"), ("map", "all", "0.5000")),
        *(("P_5", "all", "0.1333"), ("P_10", "all", "0.0667")),
        ("ERR@5", "all", "0.0729"),
    ]


def test_topics_not_retrieved_count_only_when_complete() -> None:
    asked = [m for n in ("num_q", "num_rel", "map", "gm_map") for m in parse(n)]
    plain = rows(trec_eval_text(asked, three_topics(), complete=False))
    assert [value for *_, value in plain] == ["2", "2", "0.7500", "0.7071"]
    complete = rows(trec_eval_text(asked, three_topics()))
    assert [value for *_, value in complete] == ["3", "2", "0.5000", "0.0171"]


def test_a_topic_emptied_by_an_option_still_counts() -> None:
    rankings = listed([None, None], [1]).rankings
    asked = [m for n in ("num_q", "num_ret", "map") for m in parse(n)]
    text = trec_eval_text(asked, rankings, judged=True, each=True, complete=False)
    assert rows(text)[0] == ("num_ret", "1", "0")
    assert rows(text)[-3:] == [
        ("num_q", "all", "2"),
        ("num_ret", "all", "1"),
        ("map", "all", "0.5000"),
    ]


def test_nothing_retrieved_at_all_is_printed_as_nothing() -> None:
    asked = [m for n in ("num_q", "map", "gm_map") for m in parse(n)]
    text = trec_eval_text(asked, listed([], []).rankings, complete=False)
    assert [value for *_, value in rows(text)] == ["0", "0.0000", "0.0000"]


def test_one_of_several_systems_is_printed() -> None:
    alone = listed([0, 1], [1]).rankings
    both = replace(
        alone,
        systems=("one", "two"),
        offsets=np.array([0, 2, 3, 3, 4]),
        ranks=np.array([1, 2, 1, 1], np.int32),
        judged=np.array([0, 1, 2, 2], np.int32),
        mirrored=np.array([1, 2, 1, 1], np.int32),
        retrieved=np.array([[2, 1], [0, 1]], np.int32),
        tied=np.zeros((2, 2), np.int32),
        judged_top=np.array([[2, 1], [0, 1]], np.int32),
    )
    texts = [trec_eval_text(parse("map"), both, system=place) for place in (0, 1)]
    assert [rows(text)[0][2] for text in texts] == ["0.7500", "0.5000"]


def test_the_layout_is_that_of_trec_eval() -> None:
    text = trec_eval_text(parse("map"), listed([1]).rankings)
    assert text == "map                   \tall\t1.0000\n"


def test_a_measure_of_another_program_cannot_be_printed() -> None:
    with pytest.raises(InputError, match="Compat cannot be printed"):
        trec_eval_text([Measure("Compat")], listed([1]).rankings)
