from pathlib import Path

import pytest

from mohs.errors import FormatError, InputError
from mohs.trec.formulations import read_rule, split_queries

LISTS = {
    "tabs": "301-a\t301\ta\n301-b\t301\tb\n",
    "commas": '301-a,301,a\n301-b,301,"b"\n',
    "header": "formulation,topic,qid\na,301,301-a\nb,301,301-b\r\n",
}


@pytest.mark.parametrize("kind", LISTS)
def test_a_file_lists_queries(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "formulations"
    path.write_text(LISTS[kind], encoding="utf-8")
    rule = read_rule(path)
    assert split_queries(["301-b", "301-a"], rule) == [("301", "b"), ("301", "a")]
    assert rule("301-c") is None


def test_a_pattern_must_match_the_whole_id_and_keeps_its_text() -> None:
    rule = read_rule(r"(?P<topic>\d{3})(?P<formulation>\d{3})")
    assert split_queries(["101001"], rule) == [("101", "001")]
    assert rule("101001x") is None


def test_queries_that_are_not_covered_are_named() -> None:
    rule = read_rule(r"(?P<topic>\d)(?P<formulation>\d)")
    with pytest.raises(InputError, match=r"the queries 'a', 'b', .* and 2 more"):
        split_queries(["11", *"abcdefg"], rule)


def test_what_is_no_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither a file nor a pattern"):
        read_rule("(")
    with pytest.raises(InputError, match=r"needs the groups \(\?P<topic>"):
        read_rule(r"\d+")
    path = tmp_path / "list.tsv"
    path.write_text("301-a\t301\n\n301-b\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_rule(str(path))
    expected = "lines read 'query topic formulation'"
    assert caught.value.problems() == (
        f"{path}:1: expected 3 fields, found 2; {expected}",
        f"{path}:3: expected 3 fields, found 1; {expected}",
    )


# Lists that are no rules, and what is wrong with them.
WRONG = {
    "301-a\t301\ta\n301-a\t302\ta\n": "2: query '301-a' has another topic or",
    "x\t301\ta\ny\t301\ta\n": "2: query 'y' has topic and formulation of 'x' above",
    "formulation\tx\ttopic\n": "1: expected the columns query, topic",
    "a,301,a\nb,301,b\rc\n": "2: is malformed (new-line character",
    f"a,301,{'a' * 140_000}\n": "1: is malformed (field larger than",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_malformed_lists_are_refused_by_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(text.encode())
    with pytest.raises(FormatError) as caught:
        read_rule(path)
    assert str(caught.value).startswith(f"{path}:{WRONG[text]}")


def test_queries_have_a_formulation_of_their_own() -> None:
    with pytest.raises(InputError, match="takes the queries 'q1' and 'q2' for one"):
        split_queries(["q1", "q2"], read_rule(r"(?P<topic>q)(?P<formulation>)\d"))
    with pytest.raises(
        InputError, match="a group of the pattern takes no part in 'q1'"
    ):
        split_queries(["q1"], read_rule(r"(?P<topic>q)(?P<formulation>x)?\d"))
