import pytest

from mohs.errors import InputError, MissingExtraError, UnknownNameError
from mohs.gains.grades import Binary, Exponential
from mohs.measures import (
    MEASURES,
    Measure,
    bridge,
    canonical,
    parse,
    pinned,
    same_measure,
)
from mohs.measures.definition import RANK, measure

# What is written on the left, the canonical spelling of what it means on the right.
SPELLINGS = {
    "AP": "AP",
    "ap": "AP",
    "MAP": "AP",
    "map": "AP",
    " map ": "AP",
    "AP(rel=2)@100": "AP(rel=2)@100",
    "AP( rel = 2 )@100": "AP(rel=2)@100",
    "AP(rel=2.0)": "AP(rel=2)",
    "AP(rel=1.5)": "AP(rel=1.5)",
    "AP(judged_only=true)": "AP(judged_only=True)",
    "map_cut.100": "AP@100",
    "map_cut_100": "AP@100",
    "gm_map": "gm_map",
    "GMAP": "gm_map",
    "nDCG": "nDCG",
    "NDCG@20": "nDCG@20",
    "ndcg": "nDCG",
    "ndcg_cut.20": "nDCG@20",
    "ndcg_cut_20": "nDCG@20",
    "nDCG(dcg='exp-log2')@20": "nDCG(dcg='exp-log2')@20",
    'nDCG(dcg="exp-log2")@20': "nDCG(dcg='exp-log2')@20",
    "nDCG(dcg=exp-log2)@20": "nDCG(dcg='exp-log2')@20",
    "DCG@5": "DCG@5",
    "P@10": "P@10",
    "P.10": "P@10",
    "P_10": "P@10",
    "p_10": "P@10",
    "P()@10": "P@10",
    "P(rel=2)@10": "P(rel=2)@10",
    "Precision@10": "P@10",
    "R@1000": "R@1000",
    "recall.1000": "R@1000",
    "recall_1000": "R@1000",
    "Success@10": "Success@10",
    "success.10": "Success@10",
    "RR": "RR",
    "MRR@10": "RR@10",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "RPrec": "Rprec",
    "bpref": "Bpref",
    "gm_bpref": "gm_bpref",
    "infap": "infAP",
    "Judged@10": "Judged@10",
    "RBP(p=0.5)": "RBP(p=0.5)",
    "RBP(rel=2,p=.5)@9": "RBP(p=0.5,rel=2)@9",
    "grbp(max=1,p=.5)@9": "gRBP(p=0.5,max=1)@9",
    "q_measure@10": "Q@10",
    'Q(gain="exponential", beta=2)': "Q(beta=2.0,gain='exponential')",
    "ERR@20": "ERR@20",
    "ERR(max=2)@20": "ERR(max=2)@20",
    "IPrec@0.1": "IPrec@0.1",
    "IPrec@1": "IPrec@1.0",
    "iprec_at_recall.0.1": "IPrec@0.1",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "11pt_avg": "11pt_avg",
    "set_P": "SetP",
    "SetRelP": "SetP(relative=True)",
    "set_relative_P": "SetP(relative=True)",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_F.0.5": "SetF(beta=0.5)",
    "set_F_2": "SetF(beta=2.0)",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "NumRelRet(rel=2)": "NumRet(rel=2)",
}

CUTOFFS = ["5", "10", "15", "20", "30", "100", "200", "500", "1000"]

# One name of trec_eval, and the measures it stands for.
FAMILIES = {
    "P.5,10": ["P@5", "P@10"],
    "P_5,10": ["P@5", "P@10"],
    "P.5,5": ["P@5"],
    "P": [f"P@{k}" for k in CUTOFFS],
    "recall": [f"R@{k}" for k in CUTOFFS],
    "ndcg_cut": [f"nDCG@{k}" for k in CUTOFFS],
    "map_cut": [f"AP@{k}" for k in CUTOFFS],
    "success": ["Success@1", "Success@5", "Success@10"],
    "iprec_at_recall": [f"IPrec@{tenth / 10}" for tenth in range(11)],
}

# A name that nothing has, and the one that it is likely to be.
NEAREST = {
    "nDGC@10": "nDCG@10",
    "nDCG10": "nDCG@10",
    "recal.5": "recall.5",
    "ndcg_cutt_20": "ndcg_cut_20",
    "ERRR(max=3)@20": "ERR(max=3)@20",
    "mpa": "MAP",
    "Precison@10": "Precision@10",
    "AP;x": "AP",
}

TOO_MUCH = "2147483647"

# What cannot be, and what is said about it.
WRONG = {
    "P@0": f"the cut-off must be a whole number from 1 to {TOO_MUCH}, found '0'",
    "P@1.5": f"the cut-off must be a whole number from 1 to {TOO_MUCH}, found '1.5'",
    "P@2147483648": f"a whole number from 1 to {TOO_MUCH}, found '2147483648'",
    "P@1_0": "found '1_0'",
    "P@": "found ''",
    "P.5,": "found ''",
    "P.x": "found 'x'",
    "P(rel=2)": "a cut-off is missing, as in P@10",
    "R": "a cut-off is missing, as in R@10",
    "IPrec": "a cut-off is missing, as in IPrec@0.1",
    "IPrec@2": "the cut-off must be a recall from 0 to 1, found '2'",
    "Rprec@10": "Rprec has no cut-off; it accepts rel, judged_only",
    "NumQ@10": "NumQ has no cut-off; it accepts no parameters",
    "map.5": r"map takes no number here; it accepts rel, judged_only, a cut-off \(AP@…",
    "AP.5": "AP takes no number here",
    "RBP(p=2)": "p must be a number above 0 and below 1, found '2'",
    "RBP(p=1)": "p must be a number above 0 and below 1, found '1'",
    "RBP(p=nan)": "p must be a number above 0 and below 1, found 'nan'",
    "AP(rel=-1)": "rel must be a grade, 0 or more, found '-1'",
    "AP(rel=inf)": "rel must be a grade, 0 or more, found 'inf'",
    "AP(rel=1e999)": "rel must be a grade, 0 or more, found '1e999'",
    "SetF(beta=-1)": "beta must be a number, 0 or more, found '-1'",
    "ERR(max=0)": "max must be a grade above 0, found '0'",
    "ERR(max=9999)": "max must be a grade above 0, found '9999'",
    "SetP(relative=maybe)": "relative must be True or False, found 'maybe'",
    "nDCG(dcg=foo)": "dcg must be 'log2' or 'exp-log2', found 'foo'",
    "P(foo=1)@10": r"P has no parameter 'foo'; it accepts rel, judged_only, a cut-off",
    "AP(2)": r"expected name=value pairs, found \(2\)",
    "AP(rel=1,rel=2)": "expected name=value pairs",
    "AP(rel=1 2)": "expected name=value pairs",
    "P(cutoff=10)": "expected name=value pairs",
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_spelling_means_one_measure(text: str) -> None:
    (measure,) = parse(text)
    assert str(measure) == SPELLINGS[text]
    assert parse(str(measure)) == (measure,)


@pytest.mark.parametrize("text", FAMILIES)
def test_a_name_of_trec_eval_stands_for_several(text: str) -> None:
    assert [str(measure) for measure in parse(text)] == FAMILIES[text]


@pytest.mark.parametrize("text", NEAREST)
def test_a_mistyped_measure_is_answered_with_the_nearest(text: str) -> None:
    with pytest.raises(UnknownNameError) as problem:
        parse(text)
    said = f"no measure named {text!r}. Did you mean {NEAREST[text]!r}?"
    assert str(problem.value).startswith(said)


@pytest.mark.parametrize("text", ["", "(((", "@", "foo bar baz", "xyzzy", "@10", "."])
def test_nonsense_is_not_answered_with_a_guess(text: str) -> None:
    with pytest.raises(UnknownNameError, match="Known: 11pt_avg, AP, "):
        parse(text)


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_value_is_answered_with_what_is_accepted(text: str) -> None:
    with pytest.raises(InputError, match=WRONG[text]) as problem:
        parse(text)
    assert str(problem.value).startswith(f"{text}: ")


def test_the_sets_of_trec_eval_hold_what_we_have() -> None:
    official = [str(measure) for measure in parse("official")]
    assert official[:5] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "AP"]
    assert len(official) == 9 + 11 + 9
    every = parse("ALL_TREC")
    assert set(parse("official")) < set(every)
    assert set(parse("set")) < set(every)
    assert len(every) == len(set(every)) == 9 + 11 + 9 + 9 + 3 + 1 + 9 + 9 + 3 + 5 + 1


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("ap", "map", True),
        ("map", "AP", True),
        ("AP(rel=1)", "map", True),
        ("P_10", "P@10", True),
        ("num_rel_ret", "NumRet(rel=1)", True),
        ("RBP(p=0.8)", "rbp", True),
        ("nDCG(dcg='log2')", "ndcg", True),
        ("SetF(beta=1)", "set_F", True),
        ("my own", "my own", True),
        ("My Own", "my own", True),
        ("P", "P", True),
        ("AP(rel=2)", "AP", False),
        ("P@10", "P@20", False),
        ("my own", "AP", False),
        ("P@0", "P@00", False),
    ],
)
def test_names_are_compared_by_meaning(left: str, right: str, same: bool) -> None:  # noqa: FBT001
    assert same_measure(left, right) is same
    assert same_measure(right, left) is same


@pytest.mark.parametrize("name", ["P", "P.5,10", "official", "my own", "P@0", ""])
def test_what_is_not_one_measure_has_no_other_spelling(name: str) -> None:
    assert canonical(name) == name


def test_a_level_and_a_gain_are_written_into_the_name() -> None:
    (precision, ndcg, ratio) = (*parse("P@5"), *parse("nDCG@5"), *parse("RR(rel=1)"))
    assert str(pinned(precision, level=2)) == "P(rel=2)@5"
    assert str(pinned(precision, level=0.5)) == "P(rel=0.5)@5"
    assert str(pinned(ratio, level=2)) == "RR"
    assert str(pinned(ndcg, level=2)) == "nDCG@5"
    assert str(pinned(ndcg, gain=Exponential())) == "nDCG(dcg='exp-log2')@5"
    assert str(pinned(ndcg, gain=Binary())) == "nDCG@5"
    assert pinned(Measure("theirs"), level=2) == Measure("theirs")


def test_a_foreign_measure_is_read_by_ir_measures() -> None:
    (measure,) = parse("alpha_nDCG(alpha=0.9)@20")
    assert bridge.is_foreign(measure)
    assert parse(str(measure)) == (measure,)
    (gains,) = parse("nDCG(gains={1:3})@10")
    assert str(gains) == "nDCG(gains={1:3})@10"


def test_a_measure_registered_late_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MEASURES, "_items", dict(MEASURES._items))  # noqa: SLF001
    assert canonical("late") == "late"
    measure("Late", cutoff=RANK)(lambda cells, *, cutoff: cells.retrieved * cutoff)
    assert canonical("late@5") == "Late@5"


@pytest.fixture
def _without_ir_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)


@pytest.mark.usefixtures("_without_ir_measures")
def test_a_foreign_measure_without_ir_measures_names_the_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'mohs\[ir\]'"):
        parse("alpha_nDCG@20")
    with pytest.raises(InputError, match="nDCG has no parameter 'gains'"):
        parse("nDCG(gains={1:3})@10")
    with pytest.raises(UnknownNameError, match="Did you mean 'nDCG@20'"):
        parse("nDGC@20")
