import bz2
import gzip
import io
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pytest

from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.trec import document_forms
from mohs.trec.documents import read_documents

SGML = """<DOC>
<DOCNO> FT911-3 </DOCNO>
<PROFILE>_AN-BEOA7AAIFT</PROFILE>
<!-- a comment -->
<TEXT type="x">
Fish &amp; chips,<br> caf&eacute; &lt;b&gt;
</TEXT>
</DOC>
<doc><docno>WT-1</docno><dochdr>HTTP/1.0 200</dochdr>
<![CDATA[raw < text]]></doc>
"""

READ = {
    "JSON": (
        '{"docno": "d1", "text": "a rose"}\n\n{"docno": 2, "text": ""}\n',
        [("d1", "a rose"), ("2", "")],
    ),
    "JSON of several texts": (
        '{"title": "T", "_id": "d", "n": 1, "b": null, "text": null, "url": "u"}',
        [("d", "T\nu")],
    ),
    "other names": (
        '{"docid": "a", "contents": "x"}\n{"doc_id": "b", "body": "y"}\n',
        [("a", "x"), ("b", "y")],
    ),
    "the name of an id that goes first": (
        '{"id": "not this", "docno": "d", "text": "x"}',
        [("d", "not this\nx")],
    ),
    "a mark and lines of Windows": (
        '\ufeff{"id": "d", "text": "x"}\r\n{"id": "e", "text": "y"}\r\n',
        [("d", "x"), ("e", "y")],
    ),
    "TREC": (
        SGML,
        [("FT911-3", "_AN-BEOA7AAIFT Fish & chips, café <b>"), ("WT-1", "raw < text")],
    ),
    "TREC in one element": ("<all><DOC><DOCNO>d</DOCNO>x</DOC></all>\n", [("d", "x")]),
    "TREC without text": ("<DOC>\n<DOCNO>d</DOCNO>\n</DOC>", [("d", "")]),
    "tabs": ("d1\ta rose\nd2\tis\ta rose\n", [("d1", "a rose"), ("d2", "is\na rose")]),
    "tabs and no text": ("d1\t\n", [("d1", "")]),
    "a header": (
        "docno\turl\ttext\r\nd1\tu\ta rose\r\n",
        [("d1", "u\na rose")],
    ),
    "no header": ("id\tidea\n", [("id", "idea")]),
}

REFUSED = {
    "bad JSON": (
        '{"id": "d", "text": "x"}\n{"id": "e", text}\n',
        "docs:2: expected a JSON object; write lines such as",
    ),
    "too deep": ('{"id": ' + "[" * 99_999, "docs:1: expected a JSON object"),
    "no object": ('{"id": "d", "text": ""}\n[1]\n', "docs:2: expected a JSON object"),
    "no id": ('{"text": "x"}', "docs:1: a document without id; call its field docno, "),
    "an id that is a list": ('{"id": [1], "text": "x"}', "docs:1: the id is [1]; ids"),
    "an id that is null": ('{"id": null, "text": "x"}', "docs:1: the id is null"),
    "an id that is true": ('{"id": true, "text": "x"}', "docs:1: the id is true"),
    "an empty id": ('{"id": " ", "text": "x"}', "docs:1: a document without id"),
    "a blank in an id": ("a b\tx\n", "docs:1: the id 'a b' has a blank in it"),
    "a text that is a number": (
        '{"id": "d", "text": 5}',
        "docs:1: the field 'text' is 5; give it a text",
    ),
    "no text": (
        '{"id": "d", "n": 5}',
        "docs:1: a document without a text; its fields are id, n",
    ),
    "half a character": (
        '{"id": "d", "text": "\\ud800"}',
        "docs:1: document 'd' holds half a character",
    ),
    "half an id": ('{"id": "\\ud800", "text": ""}', "docs:1: document '\\ud800' holds"),
    "twice": ("d\tx\ne\ty\nd\tz\n", "docs:3: document 'd' is there already"),
    "twice in TREC": (
        SGML + "\n" + SGML,
        "docs:12: document 'FT911-3' is there already",
    ),
    "no tab": ("d1\tx\n\nd2 y\n", "docs:3: expected 2 or more fields between tabs, fo"),
    "too few tabs": (
        "id\ttitle\ttext\nd\tx\n",
        "docs:2: expected 3 fields between tabs, found 2",
    ),
    "too many tabs": ("id\ttext\nd\tx\ty\n", "docs:2: expected 2 fields between tabs"),
    "no end": (
        "<DOC><DOCNO>a</DOCNO></DOC>\n\n<DOC>\n<DOCNO>b</DOCNO>\n",
        "docs:3: <DOC> without </DOC>; put each document",
    ),
    "no end before the next": (
        "<DOC>\n<DOCNO>a</DOCNO>\n<DOC>\n<DOCNO>b</DOCNO>\n</DOC>",
        "docs:1: <DOC> without </DOC>",
    ),
    "no start": ("<x>\n</DOC>", "docs:2: </DOC> without <DOC>"),
    "text outside": (
        "<DOC><DOCNO>a</DOCNO></DOC> lost\n<DOC><DOCNO>b</DOCNO></DOC>",
        "docs:2: there is text outside of <DOC>",
    ),
    "text at the end": ("<DOC><DOCNO>a</DOCNO></DOC> lost", "docs:1: there is text"),
    "no DOCNO": ("<DOC>\n<TEXT>x</TEXT></DOC>", "docs:1: a document without <DOCNO>"),
    "an open DOCNO": ("<DOC><DOCNO>a\n<TEXT>x</DOC>", "docs:1: a document without <DO"),
    "an empty DOCNO": ("<DOC><DOCNO> </DOCNO></DOC>", "docs:1: a document without <DO"),
    "two DOCNOs": (
        "<DOC><DOCNO>a</DOCNO><DOCNO>b</DOCNO></DOC>",
        "docs:1: the id 'a b' has a blank in it",
    ),
    "nothing": ("\n", "docs: holds no documents"),
    "no byte": ("", "docs: holds no documents"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(source: Any, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [
        (name, text)
        for batch in read_documents(source, **options)
        for name, text in zip(batch.ids, batch.texts, strict=True)
    ]


def squeezed(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, " ".join(text.split())) for name, text in found]


@pytest.mark.parametrize("form", READ)
def test_every_form_is_told_by_its_content(form: str, here: Path) -> None:
    text, expected = READ[form]
    (here / "docs").write_text(text, encoding="utf-8", newline="")
    found = read("docs")
    assert (squeezed(found) if text.startswith("<") else found) == expected


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_said_where_it_is(case: str, here: Path) -> None:
    text, message = REFUSED[case]
    (here / "docs").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read("docs")
    assert str(caught.value).startswith(message)


def test_all_that_is_wrong_is_said_at_once(here: Path) -> None:
    (here / "docs").write_text("d\tx\nd\ty\nno tab\ne\tz\ne\tz\n")
    with pytest.raises(FormatError) as caught:
        read("docs")
    lines = [problem.split(":")[1] for problem in caught.value.problems()]
    assert lines == ["2", "3", "5"]


def test_fields_choose_the_text_and_its_order(here: Path) -> None:
    (here / "j").write_text('{"id": "d", "a": "1", "b": "2", "c": "3"}')
    assert read("j", fields=["c", "a", "z"]) == [("d", "3\n1")]
    (here / "t").write_text("id\ta\ttext\nd\t1\t2\n")
    assert read("t", fields=["a"]) == [("d", "1")]
    (here / "s").write_text("<DOC><DOCNO>d</DOCNO><H>x</H>y<b>z</b> w</DOC>")
    assert squeezed(read("s", fields=["B", "h"])) == [("d", "x z")]
    pl.DataFrame({"id": ["d"], "a": ["1"], "b": ["2"]}).write_parquet(here / "p")
    assert read("p", fields=["b", "a"]) == [("d", "2\n1")]
    with pytest.raises(FormatError, match=r"j:1: a document without x or y; its fiel"):
        read("j", fields=["x", "y"])
    with pytest.raises(FormatError, match=r"p: no column of x; its columns are id, a"):
        read("p", fields=["x"])
    (here / "n").write_text("d\tx\n")
    with pytest.raises(FormatError, match="n:1: no header says which field is which"):
        read("n", fields=["text"])
    with pytest.raises(InputError, match="must be a list of names, not 'text'"):
        read("j", fields="text")


def test_files_of_another_encoding_are_read_if_it_is_said(here: Path) -> None:
    (here / "docs").write_bytes("<DOC>\n<DOCNO>d</DOCNO>\ncafé</DOC>".encode("latin-1"))
    with pytest.raises(FormatError, match=r"docs:3: is not UTF-8; save it as UTF-8"):
        read("docs")
    assert squeezed(read("docs", encoding="latin-1")) == [("d", "café")]
    (here / "tabs").write_bytes(b"a\tx\nb\t\xff\n")
    with pytest.raises(FormatError, match=r"tabs:2: is not UTF-8"):
        read("tabs")
    with pytest.raises(UnknownNameError, match="encoding named 'utf8'"):
        read("docs", encoding="utf8")


def test_files_folders_and_patterns_are_read_in_order(here: Path) -> None:
    (here / "all").mkdir()
    (here / "all" / "b.gz").write_bytes(gzip.compress(b"b\t2\n"))
    (here / "all" / "a.bz2").write_bytes(bz2.compress(b'{"id": "a", "text": "1"}'))
    (here / "all" / "c").write_text("<DOC><DOCNO>c</DOCNO></DOC>")
    expected = [("a", "1"), ("b", "2"), ("c", " ")]
    assert read("all") == expected
    assert read(Path("all")) == expected
    assert read("all/[ab]*") == expected[:2]
    assert read(["all/c", here / "all" / "a.bz2"]) == [expected[2], expected[0]]
    with pytest.raises(FormatError, match=r"all/c:1: document 'c' is there already"):
        read(["all", "all/c"])
    with pytest.raises(FormatError, match=r"none: no such file"):
        read("none")
    (here / "cut.gz").write_bytes(gzip.compress(b"b\t2\n" * 999)[:-9])
    with pytest.raises(FormatError, match=r"cut.gz: damaged or truncated archive"):
        read("cut.gz")
    with pytest.raises(FormatError, match="unpacks to more than 3 bytes"):
        read("all/b.gz", max_bytes=3)


def test_documents_may_come_through_standard_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    piped = types.SimpleNamespace(buffer=io.BytesIO(gzip.compress(b"d\tx\n")))
    monkeypatch.setattr(sys, "stdin", piped)
    assert read("-") == [("d", "x")]


@pytest.mark.parametrize("packed", [False, True])
def test_parquet_is_read_row_by_row(packed: bool, here: Path) -> None:  # noqa: FBT001
    frame = pl.DataFrame(
        {
            "n": [1, 2, 3],
            "title": ["t", None, "v"],
            "docno": [7, 8, 9],
            "text": ["a"] * 3,
        }
    )
    file = io.BytesIO()
    frame.write_parquet(file, row_group_size=2)
    data = file.getvalue()
    (here / "docs").write_bytes(gzip.compress(data) if packed else data)
    assert read("docs") == [("7", "t\na"), ("8", "a"), ("9", "v\na")]


def test_what_is_wrong_with_parquet_is_said(here: Path) -> None:
    def refused(**columns: list[Any]) -> str:
        pl.DataFrame(columns).write_parquet(here / "docs")
        with pytest.raises(FormatError) as caught:
            read("docs")
        return str(caught.value)

    assert refused(id=["a", "a"], text=["x", "y"]).startswith("docs:2: document 'a' is")
    assert refused(id=["a", None], text=["x", "y"]).startswith("docs:2: the id is null")
    assert refused(text=["x"]) == "docs: no column of ids; its columns are text"
    assert refused(id=["x"], n=[1]) == "docs: no column of texts; its columns are id, n"
    assert refused(id=[1.5], text=["x"]).startswith("docs:1: the id is 1.5; ids are")
    (here / "docs").write_bytes((here / "docs").read_bytes()[:99])
    with pytest.raises(FormatError, match=r"docs: is no sound Parquet file \("):
        read("docs")


def test_records_are_no_texts_by_id() -> None:
    records = [{"docno": "d1", "text": "a rose"}, {"docno": "d2", "text": "is a rose"}]
    batches = list(read_documents([{"d0": "roses"}, *records]))
    found = [
        pair for each in batches for pair in zip(each.ids, each.texts, strict=True)
    ]
    assert found == [("d0", "roses"), ("d1", "a rose"), ("d2", "is a rose")]


def test_documents_may_be_in_memory() -> None:
    assert read({"d": "x", 5: "y"}) == [("d", "x"), ("5", "y")]
    frame = {"docno": ["d"], "text": ["x"]}
    assert read(pl.DataFrame(frame)) == read(pd.DataFrame(frame)) == [("d", "x")]
    with pytest.raises(FormatError, match=r"documents:1: the field 'text' is 5"):
        read({"d": 5})
    with pytest.raises(InputError, match="documents cannot be read from int"):
        read(5)


class Plain(NamedTuple):
    doc_id: str
    url: str
    body: str


class WithText(NamedTuple):
    doc_id: str
    body: str

    def default_text(self) -> str:
        return f"<{self.body}>"


@pytest.mark.parametrize(
    ("kind", "options", "text"),
    [
        (Plain("d", "u", "b"), {}, "u\nb"),
        (WithText("d", "b"), {}, "<b>"),
        (WithText("d", "b"), {"fields": ["body"]}, "b"),
    ],
)
def test_data_sets_are_known_by_their_ids(
    kind: NamedTuple,
    options: dict[str, Any],
    text: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("ir_datasets")
    found = types.SimpleNamespace(docs_iter=lambda: iter([kind]))
    sets = {"made/up": found, "empty": types.SimpleNamespace()}
    monkeypatch.setattr("ir_datasets.load", sets.__getitem__)
    assert read("made/up", **options) == [("d", text)]
    with pytest.raises(FormatError, match="empty: this ir_datasets id has no docum"):
        read("empty")
    with pytest.raises(FormatError, match=r"no such file, and no such ir_datasets id"):
        read("made/down")


def test_large_collections_come_in_batches(here: Path) -> None:
    lines = "".join(
        f"d{number}\t{number} " + "x" * 3000 + "\n" for number in range(9000)
    )
    (here / "docs.gz").write_bytes(gzip.compress(lines.encode(), 1))
    batches = list(read_documents("docs.gz"))
    assert [len(batch.ids) for batch in batches] == [2792, 2792, 2792, 624]
    ids = [name for batch in batches for name in batch.ids]
    assert ids == [f"d{number}" for number in range(9000)]
    assert batches[3].texts[-1].startswith("8999 x")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("form", READ)
def test_pieces_may_end_anywhere(
    form: str, size: int, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pieces(path: str, _: str, *, max_bytes: int) -> Iterator[bytes]:
        assert max_bytes > 0
        data = Path(path).read_bytes()
        yield data[:9]
        yield from (data[at : at + size] for at in range(9, len(data), size))

    whole = _read_form(form, here)
    monkeypatch.setattr("mohs.trec.documents.read_pieces", pieces)
    assert _read_form(form, here) == whole


def _read_form(form: str, folder: Path) -> list[tuple[str, str]]:
    (folder / "docs").write_text(READ[form][0], encoding="utf-8", newline="")
    return read("docs")


def test_a_record_does_not_fill_the_memory(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_forms, "LONGEST", 1 << 20)
    for start in ("<DOC>", "d\t"):
        (here / "docs").write_text("\n" + start + "x" * (3 << 20))
        with pytest.raises(FormatError, match=r"docs:\d: a document of more than"):
            read("docs")


@pytest.mark.parametrize(
    "text", ["<", "<DOC>", "<!--", "<![CDATA[", "<a", "&", "<DOCNO>"]
)
def test_hostile_files_are_read_in_one_go(text: str, here: Path) -> None:
    (here / "docs").write_text("<DOC>" + text * 300_000 + "</DOC>")
    with pytest.raises(FormatError, match="without"):
        read("docs")
