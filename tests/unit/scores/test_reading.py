"""Every form of a score table, read into the same observations."""

import bz2
import gzip
import io
import json
import sys
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars as pl
import pytest

import mohs
from mohs.errors import FormatError, InputError, MohsError, UnknownNameError
from mohs.scores import Scores
from mohs.scores.reading import read_scores

# Two systems, two topics, one measure.
ROWS = [
    ("a", "001", "AP", 0.1),
    ("a", "NA", "AP", 0.2),
    ("1", "001", "AP", 0.3),
    ("1", "NA", "AP", 0.4),
]
WANTED = sorted(ROWS)
FRAME = pl.DataFrame(ROWS, schema=["system", "topic", "measure", "value"], orient="row")

LONG = """\
system,topic,measure,value
a,001,AP,0.1
a,NA,AP,0.2
1,001,AP,0.3
1,NA,AP,0.4
"""

FORMS = {
    "long": LONG,
    "tabs": LONG.replace(",", "\t"),
    "semicolons": LONG.replace(",", ";"),
    "windows": "\ufeff" + LONG.replace("\n", "\r\n"),
    "no last line end": LONG.rstrip(),
    "quoted": LONG.replace("001", '"001"').replace("AP", '"AP"'),
    "PyTerrier": LONG.replace("system,topic", "name,qid"),
    "capitals": LONG.replace("system,topic", "Run,Topic").replace("value", "Score"),
    "index of pandas": "".join(
        f"{'' if i == 0 else i - 1},{line}"
        for i, line in enumerate(LONG.splitlines(keepends=True))
    ),
    "rows": json.dumps([dict(zip(FRAME.columns, row, strict=True)) for row in ROWS]),
    "our JSON": json.dumps({"meta": {}, "rows": FRAME.to_dicts()}),
    "JSON lines": FRAME.write_ndjson(),
    "nested JSON": json.dumps(
        {s: {t: {"AP": v} for r, t, _, v in ROWS if r == s} for s in ("a", "1")}
    ),
}


def rows(scores: Scores) -> list[tuple[Any, ...]]:
    return list(scores.tables()["scores"].rows())


def write(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_read_by_its_content(tmp_path: Path, form: str) -> None:
    assert rows(read_scores(write(tmp_path, FORMS[form], "scores"))) == WANTED


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_compressed_files_are_unpacked(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(pack(LONG.encode()))
    assert rows(read_scores(path)) == WANTED
    with pytest.raises(FormatError, match="unpacks to more than 10 bytes"):
        read_scores(path, max_bytes=10)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(gzip.compress(LONG.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert rows(read_scores("-")) == WANTED
    with pytest.raises(InputError, match="can be read only once"):
        read_scores(["-", "-"])


def test_parquet_is_read_plain_and_compressed(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "scores.parquet")
    assert rows(read_scores(tmp_path / "scores.parquet")) == WANTED
    packed = gzip.compress((tmp_path / "scores.parquet").read_bytes())
    (tmp_path / "scores.gz").write_bytes(packed)
    assert rows(read_scores(tmp_path / "scores.gz")) == WANTED
    (tmp_path / "broken").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(FormatError, match="broken: cannot be read as Parquet"):
        read_scores(tmp_path / "broken")


MATRICES = {
    "topics in rows": "topic,a,1\n001,0.1,0.3\nNA,0.2,0.4\n",
    "another name": "qid,a,1\n001,0.1,0.3\nNA,0.2,0.4\n",
    "systems in rows": "run\t001\tNA\na\t0.1\t0.2\n1\t0.3\t0.4\n",
}


@pytest.mark.parametrize("form", MATRICES)
def test_a_matrix_is_read_by_its_first_column(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, MATRICES[form])
    assert rows(read_scores(path, measure="AP")) == WANTED
    assert read_scores(path).measures == ("value",)


def test_a_matrix_that_does_not_say_needs_telling(tmp_path: Path) -> None:
    path = write(tmp_path, MATRICES["topics in rows"].replace("topic", ""))
    assert rows(read_scores(path, measure="AP", orient="topics")) == WANTED
    turned = write(tmp_path, MATRICES["systems in rows"].replace("run", "x"), "b")
    assert rows(read_scores(turned, measure="AP", orient="systems")) == WANTED
    with pytest.raises(FormatError, match=r"--orient topics\|systems"):
        read_scores(path)
    named = write(tmp_path, "topic,a,score\n1,0.1,0.2\n", "d")
    assert read_scores(named, orient="topics").systems == ("a", "score")
    with pytest.raises(FormatError, match="its rows are no systems"):
        read_scores(write(tmp_path, "topic,a\n1,0\n", "c"), orient="systems")
    with pytest.raises(InputError, match="--orient rows: expected topics or systems"):
        read_scores(path, orient="rows")


def test_three_columns_of_a_matrix_are_no_evaluation(tmp_path: Path) -> None:
    # Split at blanks, the header looks like a line of trec_eval -q.
    path = write(tmp_path, "system, 401, 402\na, 0.1, 0.2\n")
    read = read_scores(path)
    assert (read.systems, read.topics) == (("a",), (" 401", " 402"))


def test_cells_may_be_missing(tmp_path: Path) -> None:
    read = read_scores(write(tmp_path, "topic,a,b\n1,,0.5\n2,NA,nan\n"))
    assert read.missing == 3
    assert len(read) == 4


def trec_eval(system: float) -> str:
    lines = [
        f"map                   \t001\t{system}",
        f"map                   \tNA\t{system + 0.1:.1f}",
        "runid                 \tall\tx",
        f"map                   \tall\t{system}",
    ]
    return "\n".join(lines) + "\n"


def test_output_of_trec_eval_is_one_file_for_each_system(tmp_path: Path) -> None:
    write(tmp_path, trec_eval(0.1), "input.a.eval.gz")
    write(tmp_path, trec_eval(0.3), "1.txt")
    wanted = [(s, t, "map", v) for s, t, _, v in WANTED]
    assert rows(read_scores(tmp_path)) == wanted
    assert rows(read_scores(f"{tmp_path}/*")) == wanted
    assert rows(read_scores(sorted(tmp_path.iterdir(), reverse=True))) == wanted
    assert rows(mohs.read_scores(tmp_path, measure="AP")) == wanted


def test_two_inputs_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [write(tmp_path, trec_eval(0.1), name) for name in ("a.txt", "a.eval")]
    with pytest.raises(FormatError, match=r"a\.eval: .* 'a', and so is .*a\.txt"):
        read_scores(paths)


def test_output_of_ir_measures_has_three_columns(tmp_path: Path) -> None:
    text = "001\tAP\t0.1\nNA\tAP\t0.2\nall\tAP\t0.15\n"
    assert rows(mohs.read_scores(write(tmp_path, text, "a.txt"))) == WANTED[2:]


def test_means_are_never_mixed_with_topics(tmp_path: Path) -> None:
    read = read_scores(write(tmp_path, LONG + "a,all,AP,0.15\n1,all,AP,0.35\n"))
    assert rows(read) == WANTED
    assert read.notes == ("2 rows of means (all) are left out",)
    with pytest.raises(FormatError, match="holds means and no topics"):
        read_scores(write(tmp_path, "topic,a\nall,1\n"))
    means = "system,measure,topics,value\na,AP,50,0.5\n"
    with pytest.raises(FormatError, match=r"scores\.csv: .*no column is called topic"):
        read_scores(write(tmp_path, means))


FRAMES = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "arrow": lambda frame: frame.to_arrow(),
    "pandas": lambda frame: frame.to_pandas(),
    "pandas without arrow": lambda frame: pd.DataFrame(frame.to_dict(as_series=False)),
    "categories": lambda frame: frame.cast({"system": pl.Categorical}),
    "other names": lambda frame: frame.rename({"topic": "qid", "system": "name"}),
    "text": lambda frame: frame.cast(pl.String),
    "matrix": lambda frame: frame.pivot(  # noqa: PD010 - Polars has no other
        on="system", index="topic", values="value"
    ),
    "matrix of pandas": lambda frame: frame.to_pandas().pivot_table(
        columns="system", index="topic", values="value"
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_read_like_a_file(kind: str) -> None:
    assert rows(read_scores(FRAMES[kind](FRAME), measure="AP")) == WANTED


def test_whole_numbers_in_a_frame_become_text_and_it_is_said() -> None:
    frame = pl.DataFrame({"topic": [401, 10], "value": [1, 0]})
    read = read_scores(frame)
    assert read.topics == ("10", "401")
    assert read.systems == ("run",)
    assert read.notes == ("frame: the whole numbers in 'topic' are taken as text",)


def test_decimal_numbers_are_no_ids() -> None:
    with pytest.raises(FormatError, match="'topic' holds decimal numbers"):
        read_scores(pl.DataFrame({"topic": [401.0], "value": [1.0]}))
    frame = pl.DataFrame({"topic": ["401"], "measure": [None], "value": [1.0]})
    with pytest.raises(FormatError, match="frame:1: no measure is given; fill it in"):
        read_scores(frame)


def test_labels_of_frames_are_text() -> None:
    frame = pl.DataFrame(
        {
            "topic": ["1", "2"],
            "k1": [0.4, 1.0],
            "stemmer": [True, None],
            "depth": [1000, 10],
            "value": [0.5, None],
        }
    )
    read = read_scores(frame)
    table = [(*row[1:5], row[6]) for row in rows(read)]
    assert table == [("1", "0.4", "true", "1000", 0.5), ("2", "1.0", "", "10", None)]
    assert read.where("stemmer=").topics == ("2",)


def test_dictionaries_are_read_by_their_depth() -> None:
    nested = {s: {t: {"AP": v} for r, t, _, v in ROWS if r == s} for s in ("a", "1")}
    assert rows(read_scores(nested)) == WANTED
    two = {s: {t: v for r, t, _, v in ROWS if r == s} for s in ("a", "1")}
    assert rows(read_scores(two, measure="AP")) == WANTED
    one = {"001": {"map": 0.1}, "NA": {"map": 0.2}}
    wanted = [("run", "001", "map", 0.1), ("run", "NA", "map", 0.2)]
    assert rows(read_scores(one)) == wanted


@pytest.mark.parametrize(
    ("scores", "problem"),
    [
        ({"a": {401: 0.5}}, "ids must be text, found 401 .*write '401'"),
        ({"a": 0.5}, "is not of the form"),
        ({"a": {"1": 0.5, "2": {"AP": 1}}}, "is not of the form"),
        ({"a": {}}, "holds no observations"),
        ({"a": {"1": "x"}}, "a, 1: 'x' is not a number"),
        ({"a": {"1": float("inf")}}, "value is infinite"),
        ({"a": {"1": True}}, "True is not a number"),
        (7, "scores cannot be read from int"),
        ([], "no scores given"),
    ],
)
def test_other_dictionaries_are_refused(scores: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_scores(scores)


def test_records_of_ir_measures_are_read() -> None:
    qrels = [ir_measures.Qrel("1", "d1", 1)]
    run = [ir_measures.ScoredDoc("1", "d1", 2.0)]
    records = ir_measures.iter_calc([ir_measures.AP, ir_measures.P @ 5], qrels, run)
    read = read_scores(records)
    assert rows(read) == [("run", "1", "AP", 1.0), ("run", "1", "P@5", 0.2)]
    frame = pd.DataFrame(ir_measures.iter_calc([ir_measures.AP], qrels, run))
    assert rows(read_scores(frame)) == [("run", "1", "AP", 1.0)]
    other = namedtuple("Other", ["qid", "value"])  # noqa: PYI024 - as records come
    assert rows(read_scores([other("1", 0.5)])) == [("run", "1", "value", 0.5)]


NO_OBJECT = """is no object; write rows such as \
{{"system": "a", "topic": "401", "value": 0.5}}"""
NO_VALUE = """ no column is called value: 'topic', 'system', 'ap'; \
--rename value=COLUMN, or --orient topics|systems for a matrix"""
NO_NUMBERS = """ column 'query' holds no numbers; \
name the column that does with --rename value=COLUMN"""
NUMBER = "is not a number; write a number such as 0.5, or NA where it is missing"
FINITE = "is infinite; write a finite number, or NA where it is missing"
RAGGED = "give every row as many as the header, and quote those that hold a separator"
UNNAMED = "has no name; name it in the header, or take it out"
UNLABELLED = "is given; fill it in, or drop the row"
EMPTY = " is empty; begin with a header such as system,topic,measure,value"
TEXT = "is a decimal number; make it text, written as in the runs"
BROKEN, JSON = "is malformed JSON", "write it anew"
RENAME = "give one of them another name with --rename NEW=OLD"
TWICE = """5: a second value for system a, topic 1, measure value; \
the first is on line 2"""

# Text on the left; on the right what is wrong, behind the name of the file.
FAULTS = {
    "system,topic,value\na,1,x\na,2\nb,1,0,5\nb,2,inf\n": [
        f"2: value 'x' {NUMBER}",
        f"3: expected 3 fields, found 2; {RAGGED}",
        f"4: expected 3 fields, found 4; {RAGGED}",
        f"5: value 'inf' {FINITE}",
    ],
    'system;topic;value\na;"1\n2";0,5\na;3;1_0\n': [
        "3: value '0,5' has a decimal comma; write 0.5",
        f"4: value '1_0' {NUMBER}",
    ],
    "topic,a,b\n1,x,y\n2,0,0\n": [
        f"2: a 'x' {NUMBER}",
        f"2: b 'y' {NUMBER}",
    ],
    "system,topic,value\na,1,1\n\nb,1,1\na,1,2\n": [
        TWICE,
    ],
    "system,topic,value\na,,1\n,2,1\n": [
        f"2: no topic {UNLABELLED}",
        f"3: no system {UNLABELLED}",
    ],
    "topic,system,ap\n1,a,0.5\n": [
        NO_VALUE,
    ],
    "topic,query,ap\n1,x,0.5\n2,y,0.25\n": [
        NO_NUMBERS,
    ],
    "topic,a,\n1,0,0\n": [f" column 3 {UNNAMED}"],
    "topic,,value\n1,x,0\n": [f" column 2 {UNNAMED}"],
    "topic\n1\n": [" has no column but 'topic'; add a column for each system"],
    "topic,value\n": [
        " holds no observations; add rows such as a,401,AP,0.5 below the header"
    ],
    'topic,value\n1,"0.5\n': [
        "2: is malformed (unexpected end of data); mend its quotes and line ends"
    ],
    "": [EMPTY],
    " \n": [EMPTY],
    "[1, 2]": [f" row 1 {NO_OBJECT}", f" row 2 {NO_OBJECT}"],
    '{"a": \n0.5': [f"2: is malformed JSON (Expecting ',' delimiter); {JSON}"],
    '{"topic": "1", "value": 1}\n{"topic": 2.5, "value": "x"}\n': [
        f"2: topic {TEXT}",
        f"2: value 'x' {NUMBER}",
    ],
    '[{"topic": "\\ud800", "value": 1}]': [
        r" topic '\ud800' holds half a character; write it in full"
    ],
    '{"topic": "1", "value": 1}\n{"topic"\n': [
        f"2: {BROKEN} (Expecting ':' delimiter: line 1 column 9 (char 8)); {JSON}",
    ],
    f'{{"topic": "1", "value": 1}}\n{{"topic": "2", "value": {9 * "1" * 999}}}\n': [
        f"2: is malformed JSON (a number has too many digits); {JSON}",
    ],
    f'{{"topic": "1", "value": {9 * "1" * 999}}}': [
        f" is malformed JSON (a number has too many digits); {JSON}",
    ],
    "topic,a,a\n1,0,0\n": [
        f" two columns are called 'a'; {RENAME}",
    ],
    "system,topic,measure,value\na,1,,0\n": [
        f"2: no measure {UNLABELLED}",
    ],
}


@pytest.mark.parametrize("text", FAULTS)
def test_every_fault_of_a_file_is_told(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_scores(path)
    wanted = [f"{path}:{fault.format(path)}" for fault in FAULTS[text]]
    assert list(caught.value.problems()) == wanted


def test_text_in_another_encoding_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes("topic,value\n1,0\ncafé,1\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"scores\.csv:3: is not UTF-8; save it as"):
        read_scores(path)


def test_duplicates_are_found_across_files(tmp_path: Path) -> None:
    first = write(tmp_path, LONG, "one.csv")
    second = write(tmp_path, "system,topic,measure,value\nb,1,AP,1\na,NA,AP,1\n", "two")
    with pytest.raises(FormatError) as caught:
        read_scores([first, second])
    assert str(caught.value) == (
        f"{second}:3: a second value for system a, topic NA, measure AP; "
        f"the first is on {first}:3"
    )


@pytest.mark.parametrize("form", ["list", "folder"])
def test_every_file_that_cannot_be_read_is_named(tmp_path: Path, form: str) -> None:
    paths = [
        write(tmp_path, text, name)
        for name, text in {"a": "", "b": LONG, "c": "topic,a,a\n1,0,0\n"}.items()
    ]
    with pytest.raises(FormatError) as caught:
        read_scores(paths if form == "list" else tmp_path)
    named = [problem.split(": ")[0] for problem in caught.value.problems()]
    assert named == [paths[0], paths[2]]


def test_a_limit_is_a_whole_number() -> None:
    with pytest.raises(InputError, match="max_bytes: expected a whole number"):
        read_scores(FRAME, max_bytes=2.5)


def test_files_must_have_the_same_columns(tmp_path: Path) -> None:
    first = write(tmp_path, LONG, "one.csv")
    second = write(tmp_path, "system,topic,corpus,value\nb,1,FT,1\n", "two.csv")
    with pytest.raises(
        FormatError, match=r"one\.csv: has no column 'corpus', and .*two"
    ):
        read_scores([first, second])


CORPORA = """\
system,topic,collection,measure,value
a,1,FT,map,0.1
a,1,LA,map,0.2
a,2,LA,map,0.3
a,1,FT,P_10,0.4
"""


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("options", "values"),
    [
        ({"where": "collection=FT"}, [0.4, 0.1]),
        ({"where": "collection!=FT"}, [0.2, 0.3]),
        ({"where": "collection=FT", "measure": "AP"}, [0.1]),
        ({"where": "collection=FT", "measure": "p@10"}, [0.4]),
        ({"where": "collection=FT,LA", "measure": "map"}, [0.1, 0.2, 0.3]),
        ({"where": ["collection=LA", "topic=2"]}, [0.3]),
        ({"where": "corpus=LA", "rename": "corpus=collection"}, [0.2, 0.3]),
        ({"where": "measure=P_10"}, [0.4]),
    ],
)
def test_a_file_is_read_in_part(
    tmp_path: Path, form: str, options: dict[str, Any], values: list[float]
) -> None:
    assert mohs.read_scores(stored(tmp_path, form), **options).values.tolist() == values


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"where": "collection=FT,LB"}, "no collection named 'LB'. Known: FT, LA"),
        ({"where": "collection!=LB"}, "no collection named 'LB'"),
        ({"where": "colection=LA"}, "no column named 'colection'. Did you mean"),
        ({"where": "corpus=LA"}, "no column named 'corpus'"),
        ({"rename": "corpus=colection"}, "no column in .* named 'colection'. Did you"),
        ({"rename": "topic=collection"}, "two columns are called 'topic'"),
        ({"where": ["collection=FT", "topic=2"]}, "no observation fulfils all"),
        ({"measure": "RR"}, "no measure in the scores named 'RR'. Known: P_10, map"),
        ({"where": "collection=FT", "measure": "RR"}, "no measure in the scores"),
    ],
)
def test_what_is_not_in_a_file_is_told(
    tmp_path: Path, form: str, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(MohsError, match=problem):
        mohs.read_scores(stored(tmp_path, form), **options)


def stored(folder: Path, form: str) -> str:
    path = write(folder, CORPORA)
    if form == "parquet":
        frame = pl.read_csv(path, schema_overrides={"topic": pl.Int64})
        path = str(folder / "scores.parquet")
        frame.write_parquet(path)
    return path


def test_a_measure_may_be_spelled_differently_in_each_file(tmp_path: Path) -> None:
    first = write(tmp_path, "system,topic,measure,value\na,1,map,0.1\n", "one.csv")
    second = write(tmp_path, "system,topic,measure,value\nb,1,AP,0.2\n", "two.csv")
    read = mohs.read_scores([first, second], measure="AP")
    assert read.values.tolist() == [0.1, 0.2]
    assert len(read.measures) == 1


def test_formulations_are_split_off_their_topics(tmp_path: Path) -> None:
    path = write(tmp_path, "topic,a\n301-1,0.1\n301-2,0.2\n302-1,0.3\nall,0.2\n")
    rule = r"(?P<topic>\d+)-(?P<formulation>\d)"
    read = read_scores(path, formulation=rule)
    assert [row[1:3] for row in rows(read)] == [
        ("301", "1"),
        ("301", "2"),
        ("302", "1"),
    ]
    part = read_scores(path, formulation=rule, where=["topic=301", "formulation!=1"])
    assert part.values.tolist() == [0.2]
    with pytest.raises(InputError, match="does not cover the queries '301-1'"):
        read_scores(path, formulation="(?P<topic>x)(?P<formulation>y)")
    with pytest.raises(InputError, match="have a column formulation already"):
        read_scores(read.table, formulation=rule)


def test_rows_are_in_natural_order_whatever_the_source(tmp_path: Path) -> None:
    path = write(tmp_path, "topic,s10,s9\n10,1,2\n9,3,4\n")
    assert [row[:2] for row in rows(read_scores(path))] == [
        ("s9", "9"),
        ("s9", "10"),
        ("s10", "9"),
        ("s10", "10"),
    ]


def test_unknown_names_list_what_is_there() -> None:
    with pytest.raises(UnknownNameError, match="Known: a, b"):
        read_scores({"a": {"1": 1}, "b": {"1": 1}}, where="system=c")


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    table = pl.DataFrame({"system": ["a"], "topic": ["1"], "value": [0.5]})
    table.write_parquet(path)
    whole = path.read_bytes()
    for place in range(4, len(whole), 5):
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        with suppress(MohsError):
            assert len(read_scores(path)) == 1
    for size in range(4, len(whole), 9):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="cannot be read as Parquet"):
            read_scores(path)
