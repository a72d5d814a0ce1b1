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
    assert caught.value.problems() == (
        f"{path}:1: expected 3 fields, found 2",
        f"{path}:3: expected 3 fields, found 1",
    )
    path.write_text("301-a\t301\ta\n301-a\t302\ta\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"list\.tsv:2: query '301-a' has another"):
        read_rule(path)
    path.write_text("formulation\tx\ttopic\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected the columns query, topic"):
        read_rule(path)
