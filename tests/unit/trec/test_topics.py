import gzip
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from mohs.errors import FormatError, InputError
from mohs.trec.formulations import read_rule
from mohs.trec.topics import Topic, find_texts, read_topics, texts_of, topics_of

SGML = """<top>
<num> Number: 401
<title> foreign minorities, Germany

<desc> Description:
What language and cultural differences impede integration?
</top>

<top>
<num> Number: 402 </num>
<title> Topic: behavioral &amp; genetics </title>
</top>
"""
WEB = """<?xml version="1.0"?>
<webtrack2012>
<topic number="151" type="ambiguous">
  <query>403b</query>
  <description>What is a 403b plan?</description>
  <subtopic number="1" type="inf">another</subtopic>
</topic>
</webtrack2012>
"""
CLEF = "<queries>\n<query>\n<id> 151001 </id>\n<title>headache\n relief</title></query>"
JSON = '{"qid": 7, "text": "x"}\n\n{"topic": "8", "formulation": 2, "query": "y"}\n'

READ = {
    "TSV": (
        "301\ta crime\n302\tpolio\n",
        [("301", None, "a crime"), ("302", None, "polio")],
    ),
    "header": ("topic\tquery\n1\ta b\n", [("1", None, "a b")]),
    "header of others": ("id\ttitle\n1\ta b\n", [("1", None, "a b")]),
    "formulations": (
        "topic\tformulation\tquery\n1\ta\tcats\n1\tb\ta cat\n",
        [("1", "a", "cats"), ("1", "b", "a cat")],
    ),
    "formulations of others": (
        "query\tTitle\tvariation\n1\ta\tx\n",
        [("1", "x", "a")],
    ),
    "commas": (
        'topic,formulation,query\n1,a,"cats, dogs"\n\n1,b,"a\ncat"\n2,a,x\n',
        [("1", "a", "cats, dogs"), ("1", "b", "a\ncat"), ("2", "a", "x")],
    ),
    "commas without a header": ("1\tcats, dogs\n", [("1", None, "cats, dogs")]),
    "a query that looks like a header": ("1\tquery\n", [("1", None, "query")]),
    "TREC": (
        SGML,
        [
            ("401", None, "foreign minorities, Germany"),
            ("402", None, "behavioral & genetics"),
        ],
    ),
    "a label within": (
        "<top><num>1</num><title>hot topic: cats</title></top>",
        [("1", None, "hot topic: cats")],
    ),
    "no text": ('<topic number="1" query="x"/>\n', [("1", None, "x")]),
    "formulations in TREC": (
        "<top><num>1<formulation> b <title>x</top><top><num>1<title>y</top>",
        [("1", "b", "x"), ("1", None, "y")],
    ),
    "formulations in XML": (
        '<topic id="1" formulation="a"><title>x</title></topic>',
        [("1", "a", "x")],
    ),
    "TREC Web": (WEB, [("151", None, "403b")]),
    "CLEF": (CLEF + "\n</queries>", [("151001", None, "headache relief")]),
    "JSON": (JSON, [("7", None, "x"), ("8", "2", "y")]),
}

REFUSED = {
    "more than the header": (
        "topic\tquery\n1\tx\ty\n",
        "topics:2: expected 2 fields between tabs, found 3; lines read as the header",
    ),
    "fewer than the header": ("id,query\n1,x\n2\n", "topics:3: expected 2 fields betw"),
    "open quotes": ('id,query\n1,"x\n2,y\n', "topics: is no sound CSV (unexpected end"),
    "no tab": ("301 international crime\n", "topics:1: expected 2 fields"),
    "no id": ('\n{"query": "x"}\n', "topics:2: expected an object with an id"),
    "no object": ("{1}\n", "topics:1: expected an object"),
    "no title": ("<top>\n<num> 5 </num>\n</top>", "topics:1: a topic without number"),
    "no end": (
        "<top>\n<num>1\n<title>x\n\n<top>\n<num>2\n<title>y\n</top>",
        "topics:1: <top> and </top> do not match",
    ),
    "cut off": ("\n<top>\n<num>1\n<title>x", "topics:2: <top> and </top> do not"),
    "twice": ("1\tx\n2\ty\n1\tz\n", "topics:3: topic '1' is there already, in line 1"),
    "formulation twice": (
        "topic\tformulation\tquery\n1\ta\tx\n1\ta\ty\n",
        "topics:3: topic '1' of formulation 'a' is there already, in line 2",
    ),
    "empty id": ("1\tx\n \ty\n", "topics:2: a topic without id"),
    "id that is null": ('{"id": null, "text": "x"}', "topics:1: expected an object"),
    "id that is a list": ('{"id": [1], "text": "x"}', "topics:1: expected an object"),
    "text that is null": ('{"id": 1, "text": null}', "topics:1: expected an object"),
    "half a character": ('{"id": "\\ud800", "text": ""}', "topics:1: expected an obj"),
    "too deep": ('{"id": ' + "[" * 99_999, "topics:1: expected an object"),
    "no topic": ("<nothing/>", "topics: holds no topics"),
    "nothing": ("\n", "topics: holds no topics"),
}


def test_topics_of_a_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ir_datasets")
    query = SimpleNamespace(query_id="7", default_text=lambda: "gold")
    sets = {"some/set": SimpleNamespace(queries_iter=lambda: [query])}
    sets["empty"] = SimpleNamespace()
    monkeypatch.setattr("ir_datasets.load", sets.__getitem__)
    assert read_topics("some/set") == (Topic("7", None, "gold"),)
    with pytest.raises(FormatError, match="empty: this ir_datasets id has no topics"):
        read_topics("empty")
    with pytest.raises(FormatError, match=r"no such file, and no such ir_datasets id"):
        read_topics("gone.tsv")


@pytest.mark.parametrize("form", READ)
def test_every_form_is_told_by_its_content(form: str, tmp_path: Path) -> None:
    text, expected = READ[form]
    path = tmp_path / "topics"
    path.write_text(text, encoding="utf-8")
    assert read_topics(path) == tuple(Topic(*each) for each in expected)


def test_topic_files_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "topics.gz"
    path.write_bytes(gzip.compress(b"1\tx\n"))
    assert read_topics(path) == (Topic("1", None, "x"),)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_said_where_it_is(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    Path("topics").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_topics("topics")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["<top>", "<top ", "<top><x", "<top " + "a" * 9])
def test_hostile_files_are_read_in_one_go(text: str, tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text(text * (1_000_000 // len(text)), encoding="utf-8")
    with pytest.raises(FormatError, match=r"do not match|holds no topics"):
        read_topics(path)


def test_runs_of_formulations_find_their_texts() -> None:
    topics = [Topic("1", "a", "cats"), Topic("1", "b", "a cat"), Topic("2", None, "x")]
    assert texts_of(topics) == {"1_a": "cats", "1": "cats", "1_b": "a cat", "2": "x"}


TEXTS = {
    # By formulation, by the id that the runs have, then by topic; never by another's.
    "101001": "hello a",
    "101002": "hello b",
    "101003": None,
    "102001": "by its id",
    "102002": "a topic",
    "103001": "one of two",
    "103002": "the topic",
    "104001": None,
}


def test_no_formulation_is_shown_with_the_text_of_another() -> None:
    topics = [
        Topic("101", "001", "hello a"),
        Topic("101", "002", "hello b"),
        Topic("102", None, "a topic"),
        Topic("102001", None, "by its id"),
        Topic("103", "001", "one of two"),
        Topic("103", None, "the topic"),
    ]
    rule = read_rule(r"(?P<topic>\d{3})(?P<formulation>\d{3})")
    assert find_texts(topics, [*TEXTS], rule) == tuple(TEXTS.values())
    assert find_texts(topics, ["101", "101_002", "101002"]) == (
        "hello a",
        "hello b",
        None,
    )


HELD = {
    "a dict": ({"1": "gold", 2: "talc"}, [("1", None, "gold"), ("2", None, "talc")]),
    "a dict of dicts": (
        {"1": {1: "gold", "b": "ore"}},
        [("1", "1", "gold"), ("1", "b", "ore")],
    ),
    "a frame": (
        pl.DataFrame({"query": ["gold"], "qid": [1], "n": [2]}),
        [("1", None, "gold")],
    ),
    "a frame of formulations": (
        pl.DataFrame({"topic": ["1"], "formulation": ["a"], "query": ["gold"]}),
        [("1", "a", "gold")],
    ),
}


@pytest.mark.parametrize("case", HELD)
def test_topics_from_memory(case: str) -> None:
    given, expected = HELD[case]
    assert topics_of(given) == tuple(Topic(*each) for each in expected)


NOT_HELD = {
    "no text": (
        {"1": None, "2": 3},
        "topics:1: expected a text to each id, found None",
    ),
    "no id": ({" ": "gold"}, "a topic without id"),
    "one id": ({"1": "gold", 1: "talc"}, "topic '1' is there already"),
    "half a character": ({"1": "go\ud800ld"}, "topics:1: expected a text to each id"),
    "no query": (pl.DataFrame({"topic": ["1"]}), "found columns topic"),
    "no topics": ([("1", "gold")], "topics cannot be read from list"),
    "nothing": (None, "topics cannot be read from NoneType"),
}


@pytest.mark.parametrize("case", NOT_HELD)
def test_no_topics_from_memory(case: str) -> None:
    given, problem = NOT_HELD[case]
    with pytest.raises(InputError) as error:
        topics_of(given)
    assert problem in str(error.value)
