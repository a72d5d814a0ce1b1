"""Whatever the bytes of two files: an error is found just where they are refused."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mohs.analysis.inspection import check
from mohs.errors import MohsError
from mohs.measures.evaluation import evaluate

QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n03 0 c -1\n"
RUN = b"1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n2 Q0 a 1 0.5 tag\n03 Q0 x 1 1 tag\n"

# What files are spoiled by: marks, line ends, numbers, the first bytes of archives.
SPOILS = [
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\0", b"\r", b"\n", b"\t", b" ", b"#"),
    *(b"nan", b"-inf", b"1e999", b",", b"1 Q0 a 1 1 t\n", b"1 0 a 1\n"),
    *(b"\x1f\x8b", b"BZh91AY&SY", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"),
]


@st.composite
def spoiled(draw: st.DrawFn, text: bytes) -> bytes:
    """Draw a text with up to three places spoiled, or cut."""
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 12))
        text = text[:start] + draw(st.sampled_from([b"", *SPOILS])) + text[end:]
    return text


@given(
    qrels=spoiled(QRELS),
    run=spoiled(RUN),
    duplicates=st.sampled_from(["error", "last"]),
    ties=st.sampled_from(["docid", "rank"]),
)
@example(qrels=QRELS, run=RUN, duplicates="error", ties="rank")
@example(qrels=b"", run=b"", duplicates="error", ties="docid")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_error_is_found_just_where_files_are_refused(
    tmp_path: Path, qrels: bytes, run: bytes, duplicates: str, ties: str
) -> None:
    paths = tmp_path / "qrels", tmp_path / "a.run"
    for path, text in zip(paths, (qrels, run), strict=True):
        path.write_bytes(text)
    found = check(*paths, duplicates=duplicates, ties=ties)
    assert all(each.problem and each.remedy for each in found.findings)
    if found.count("error"):
        with pytest.raises(MohsError):
            evaluate(*paths, measures="AP", duplicates=duplicates, ties=ties)
    else:
        result = evaluate(*paths, measures="AP", duplicates=duplicates, ties=ties)
        assert len(result.scores.topics) == found.topics
