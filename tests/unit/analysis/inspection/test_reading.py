"""What is read right, and what is refused, byte by byte.

Every text here is inspected and evaluated too: an error is found exactly where an
evaluation is refused.
"""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from mohs.analysis.inspection import Inspection, check
from mohs.errors import InputError
from mohs.measures.evaluation import evaluate

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n"
RUN = b"1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n2 Q0 a 1 0.5 tag\n"

ZIP = b"PK\x03\x04" + bytes(26)

# The bytes of a run, and line, severity and problem of what is found.
RUNS = {
    "sound": (RUN, []),
    "without a last line end": (RUN[:-1], []),
    "CRLF": (RUN.replace(b"\n", b"\r\n"), []),
    "tabs": (RUN.replace(b" ", b"\t"), []),
    "blanks around": (
        b"\n \t\n" + RUN.replace(b" ", b" \t ").replace(b"1 ", b" 1 "),
        [],
    ),
    "tag with spaces": (RUN.replace(b"tag", b"my tag, second try"), []),
    "exponents and signs": (RUN.replace(b"2.5", b"+25E-1").replace(b"0.5", b".5"), []),
    "comments": (
        b"# ir_metadata.start\n# tag: x\n" + RUN + b" # end\n",
        [(0, "note", "2 comment lines (ir_metadata) above the data, skipped")],
    ),
    "byte-order mark": (
        b"\xef\xbb\xbf" + RUN,
        [(1, "warning", "starts with a byte-order mark, which is skipped")],
    ),
    "mark within": (
        RUN + b"\xef\xbb\xbf" + RUN.replace(b" Q0 ", b" Q0 x"),
        [(4, "error", "a byte-order mark stands within the text")],
    ),
    "several tags": (
        RUN.replace(b"0.5 tag", b"0.5 gat"),
        [(0, "warning", "several run tags: tag, gat")],
    ),
    "empty": (b"", [(0, "error", "the file is empty")]),
    "nothing but blanks": (b" \n\n", [(0, "error", "the file is empty")]),
    "nothing but comments": (
        b"# a\n",
        [
            (0, "error", "the file is empty"),
            (0, "note", "1 comment line above the data, skipped"),
        ],
    ),
    "UTF-16": (
        RUN.decode().encode("utf-16"),
        [(1, "error", "this is no text in UTF-8")],
    ),
    "UTF-16 without a mark": (
        RUN.decode().encode("utf-16-be"),
        [(line, "error", "this is no text in UTF-8") for line in (1, 2, 3)],
    ),
    "zero byte in an id": (
        RUN.replace(b"1 Q0 b", b"1 Q0 b\0"),
        [(2, "error", "this is no text in UTF-8")],
    ),
    "Latin-1": (
        RUN.replace(b"Q0 b", b"Q0 \xe4"),
        [(2, "error", "'\ufffd' is not UTF-8")],
    ),
    "carriage returns alone": (
        RUN.replace(b"\n", b"\r"),
        [(1, "error", "lines end in carriage returns alone")],
    ),
    "too few fields": (
        b"1 Q0 a 1 2.5\n" + RUN[17:] + b"9\n",
        [
            (1, "error", "expected at least 6 fields, found 5"),
            (4, "error", "expected at least 6 fields, found 1"),
        ],
    ),
    "decimal comma": (
        RUN.replace(b"1.5", b"1,5"),
        [(2, "error", "score is not a number: '1,5'")],
    ),
    "no numbers": (
        RUN.replace(b"2.5", b"1_0").replace(b"1.5", b"0x1p3").replace(b"0.5", b"-"),
        [
            (1, "error", "score is not a number: '1_0'"),
            (2, "error", "score is not a number: '0x1p3'"),
            (3, "error", "score is not a number: '-'"),
        ],
    ),
    "NaN and infinite": (
        RUN.replace(b"2.5", b"NaN").replace(b"1.5", b"-inf").replace(b"0.5", b"1e999"),
        [
            (1, "error", "score is not a number: 'NaN'"),
            (2, "error", "score is not finite: '-inf'"),
            (3, "error", "score is not finite: '1e999'"),
        ],
    ),
    "duplicates": (
        RUN + b"1 Q0 a 3 0.1 tag\n2 Q0 a 2 0.1 tag\n",
        [
            (4, "error", "document 'a' is there twice in one topic"),
            (5, "error", "document 'a' is there twice in one topic"),
        ],
    ),
    "xz": (lzma.compress(RUN), [(0, "error", "xz archives are not read")]),
    "zip": (ZIP + RUN, [(0, "error", "zip archives are not read")]),
    "judgments": (
        QRELS,
        [(line, "error", "expected at least 6 fields, found 4") for line in (1, 2, 3)],
    ),
}

NEGATIVE = (
    "1 grade below 0: not relevant, without gain, and unjudged to Bpref and infAP, "
    "as in trec_eval"
)
FRACTION = (
    "1 grade with a fraction, which nDCG and other graded measures use and trec_eval "
    "cuts off"
)

JUDGMENTS = {
    "CRLF": (QRELS.replace(b"\n", b"\r\n"), []),
    "tabs": (QRELS.replace(b" ", b"\t"), []),
    "comments": (
        b"# pool\n" + QRELS,
        [(0, "note", "1 comment line above the data, skipped")],
    ),
    "byte-order mark": (
        b"\xef\xbb\xbf" + QRELS,
        [(1, "warning", "starts with a byte-order mark, which is skipped")],
    ),
    "negative grade": (
        QRELS.replace(b"b 0", b"b -2"),
        [(0, "note", NEGATIVE)],
    ),
    "fraction": (
        QRELS.replace(b"a 2", b"a 1.5"),
        [(0, "warning", FRACTION)],
    ),
    "no relevant document": (
        QRELS.replace(b"a 2", b"a 0"),
        [(0, "warning", "1 of 2 topics have no relevant document and score 0: 2")],
    ),
    "empty": (b"", [(0, "error", "the file is empty")]),
    "five fields": (
        b"1 0 a 1 2024\n" + QRELS[8:],
        [(1, "error", "expected 4 fields, found 5")],
    ),
    "every fault": (
        b"1 0 a 1\n1 0 a 0\n1 0\n1 0 b x\n1 0 c nan\n2 0 d 0,5\n",
        [
            (2, "error", "document 'a' is there twice in one topic"),
            (3, "error", "expected 4 fields, found 2"),
            (4, "error", "grade is not a number: 'x'"),
            (5, "error", "grade is not a number: 'nan'"),
            (6, "error", "grade is not a number: '0,5'"),
        ],
    ),
    "UTF-16": (
        QRELS.decode().encode("utf-16-le"),
        [(line, "error", "this is no text in UTF-8") for line in (1, 2, 3)]
        + [(4, "error", "this is no text in UTF-8")],
    ),
    "carriage returns alone": (
        QRELS.replace(b"\n", b"\r"),
        [(1, "error", "lines end in carriage returns alone")],
    ),
}

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True),
    "lz4": lambda data: pa.Codec("lz4").compress(data, asbytes=True),
}


def files(folder: Path, qrels: bytes, run: bytes) -> tuple[str, str]:
    """Write judgments and a run, and return their paths."""
    paths = folder / "qrels.txt", folder / "a.run"
    for path, content in zip(paths, (qrels, run), strict=True):
        path.write_bytes(content)
    return str(paths[0]), str(paths[1])


def found(inspection: Inspection, path: str) -> list[tuple[int, str, str]]:
    """Return what was found in a file, having seen that each finding has a remedy."""
    assert all(each.remedy for each in inspection.findings)
    assert {each.file for each in inspection.findings} <= {path}
    return [(each.line, each.severity, each.problem) for each in inspection.findings]


def is_refused(qrels: str, run: str, **options: int) -> bool:
    """Return whether an evaluation refuses the files."""
    try:
        evaluate(qrels, run, measures="AP", **options)
    except InputError:
        return True
    return False


@pytest.mark.parametrize("case", RUNS)
def test_runs(tmp_path: Path, case: str) -> None:
    text, expected = RUNS[case]
    qrels, run = files(tmp_path, QRELS, text)
    inspection = check(qrels, run)
    assert found(inspection, run) == expected
    assert is_refused(qrels, run) == bool(inspection.count("error"))


@pytest.mark.parametrize("case", JUDGMENTS)
def test_judgments(tmp_path: Path, case: str) -> None:
    text, expected = JUDGMENTS[case]
    qrels, run = files(tmp_path, text, RUN)
    inspection = check(qrels, run)
    assert found(inspection, qrels) == expected
    assert is_refused(qrels, run) == bool(inspection.count("error"))


@pytest.mark.parametrize("pack", PACKS)
def test_archives_are_read(tmp_path: Path, pack: str) -> None:
    # Several archives in one file are one text.
    packed = PACKS[pack](RUN[:20]) + PACKS[pack](RUN[20:])
    qrels, run = files(tmp_path, PACKS[pack](QRELS), packed)
    inspection = check(qrels, run)
    assert (inspection.findings, inspection.topics) == ((), 2)


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("size", [0.3, 0.6, 0.95])
def test_truncated_archives_are_refused(tmp_path: Path, pack: str, size: float) -> None:
    lines = [f"{i % 9} Q0 d{i} {i} {i * 7919 % 1000} tag" for i in range(500)]
    packed = PACKS[pack]("\n".join(lines).encode())
    qrels, run = files(tmp_path, QRELS, packed[: int(len(packed) * size)])
    ((line, severity, problem),) = found(check(qrels, run), run)
    assert (line, severity) == (0, "error")
    assert problem.startswith("damaged or truncated archive (")
    assert is_refused(qrels, run)


@pytest.mark.parametrize("pack", PACKS)
def test_archives_that_unpack_to_too_much_are_refused(
    tmp_path: Path, pack: str
) -> None:
    bomb = b"#" * 100_000 + b"\n" + RUN
    qrels, run = files(tmp_path, QRELS, PACKS[pack](bomb))
    problem = "unpacks to more than 100000 bytes"
    limited = check(qrels, run, max_bytes=100_000)
    assert found(limited, run) == [(0, "error", problem)]
    assert is_refused(qrels, run, max_bytes=100_000)
    assert check(qrels, run, max_bytes=len(bomb)).count("error") == 0


def test_an_archive_within_the_judgments_is_limited_too(tmp_path: Path) -> None:
    qrels, run = files(tmp_path, gzip.compress(QRELS * 100), RUN)
    (problem,) = found(check(qrels, run, max_bytes=500), qrels)
    assert problem == (0, "error", "unpacks to more than 500 bytes")


def test_ids_stay_text(tmp_path: Path) -> None:
    text = b"NA Q0 001 1 3 t\nNA Q0 1 2 2 t\n01 Q0 nan 1 1 t\nnull Q0 1e3 1 1 t\n"
    qrels, run = files(tmp_path, b"NA 0 001 1\n01 0 nan 1\nnull 0 1000 1\n", text)
    inspection = check(qrels, run)
    # Were 001 the same as 1, a document would be there twice; 1e3 is not 1000.
    assert found(inspection, run) == [
        (0, "note", "50.0% of the documents in the top 10 are unjudged")
    ]


def test_faults_beyond_a_thousand_are_counted(tmp_path: Path) -> None:
    qrels, run = files(tmp_path, QRELS, RUN + b"1 Q0 a\n" * 1500)
    inspection = check(qrels, run)
    assert inspection.count("error") == 1001
    assert inspection.findings[-1].problem == "500 more problems like these"
    lines = [each.line for each in inspection.findings[:-1]]
    assert lines == list(range(4, 1004))
