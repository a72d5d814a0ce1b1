"""Readers hold what they promise, whatever bytes they are given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile import CHECKS, SEEDS

# What broke a reader once, found by fuzzing.
FOUND = {
    "score-tables": (
        b"name,qid,re,value\nBM25,1,map,\x1c 1 ",
        b' v,c1",\r5|\n',
        b"system,topic,value\na,1,-nan\n",
        b"map\t1\t0.5\nP_10\t1\t0.1\nmap\t\t0.5\n",
        b'{"": {"1": 0.5}}',
    ),
    "topics": (
        b"<top>\n<num> 1\n<title> hot topic: cats\n</top>\n",
        b"<top><num>1<title>x<top><num>2<title>y</top>",
        b'{"id": null, "text": null}',
        b'{"id": ' + b"[" * 4000,
        b"\tx\n1\ty\n1\tz\n",
    ),
    "archives": (b"\xed\xa0\xc0\x80", b"\x03\x8b\x08"),
}
CASES = [
    (name, data)
    for given in (SEEDS, FOUND)
    for name in given
    for data in given[name]
]  # fmt: skip


@pytest.mark.parametrize(("name", "data"), CASES)
def test_found_cases_stay_mended(name: str, data: bytes) -> None:
    CHECKS[name](data)


@pytest.mark.parametrize("name", CHECKS)
@settings(max_examples=200)
@given(st.data(), st.binary(max_size=300), st.integers(0, 300))
def test_no_bytes_break_a_reader(
    name: str, data: st.DataObject, drawn: bytes, place: int
) -> None:
    seed = data.draw(st.sampled_from(SEEDS[name]))
    CHECKS[name](seed[:place] + drawn + seed[place + len(drawn) // 2 :])
