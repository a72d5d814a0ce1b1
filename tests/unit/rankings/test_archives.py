"""Packed text: read as what it holds, and never if it is not whole."""

import bz2
import gzip
from collections.abc import Callable
from typing import Any

import lz4.frame
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from mohs.errors import FormatError
from mohs.files import unpack
from mohs.rankings import Reading, judge, rank
from mohs.trec.inputs import Input
from odd_texts import Choices
from readers import read, texts
from reference import Rules

drawn = st.binary(min_size=40, max_size=400)

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
    "lz4": lambda data: lz4.frame.compress(data, content_checksum=True),
    # Without any checksum or size, only the format itself can tell the end.
    "bare zst": zstandard.ZstdCompressor(
        write_content_size=False, write_checksum=False
    ).compress,
    "bare lz4": lambda data: lz4.frame.compress(
        data, store_size=False, compression_level=-100
    ),
}


@pytest.mark.parametrize("kind", PACKS)
@settings(max_examples=20)
@given(drawn)
def test_packed_text_is_the_text(kind: str, drawn: bytes) -> None:
    pack = PACKS[kind]
    choices = Choices(drawn)
    qrels, (run,) = texts(choices, 1)
    expected = reference.laid_out(read(qrels, [run], Rules()))
    assert reference.laid_out(read(pack(qrels), [pack(run)], Rules())) == expected
    # Archives put one after the other are one archive.
    cut = choices.number(len(run) + 1)
    several = pack(run[:cut]) + pack(b"") + pack(run[cut:])
    assert reference.laid_out(read(qrels, [several], Rules())) == expected


def content(data: bytes, kind: str) -> tuple[bool, dict[str, Any]]:
    """Return whether a text is accepted, and as what."""
    if kind == "run":
        found = read(b"1 0 a 1\n2 0 b 1\n", [data], Rules(top=99))
        return not found.accounts[0].faults, reference.laid_out(found)
    judgments = judge(Input("", "qrels", data), Reading())
    found = {
        "topics": judgments.topics,
        "documents": [*judgments.documents],
        "grades": judgments.grades.tolist(),
    }
    return not judgments.account.faults, found


# The tail of a run is a long tag, in which nobody would miss a few bytes.
LINES = b"".join(b"1 Q0 d%d 1 %d tag\n" % (i, -i) for i in range(15))
TEXTS = {
    "run": [LINES + b"2 Q0 b 1 1 a-long-tag\n", b"1 Q0 a 1 0.5 a-tag-of-many-bytes"],
    "judgments": [b"".join(b"1 0 d%d 1\n" % i for i in range(15)), b"1 0 d 100000000"],
}


@pytest.mark.parametrize("kind", PACKS)
def test_an_archive_cut_off_anywhere_is_not_taken_for_whole(kind: str) -> None:
    pack = PACKS[kind]
    for text, several in TEXTS.items():
        for data in several:
            for packed in (pack(data), pack(data[:3]) + pack(data[3:])):
                whole = content(packed, text)
                assert whole == (True, content(data, text)[1])
                assert len(whole[1]["topics"]) > 0
                cuts = [content(packed[:cut], text) for cut in range(len(packed))]
                assert [cut for cut in cuts if cut[0] and cut != whole] == []
                assert sum(not accepted for accepted, _ in cuts) > len(cuts) / 2


@pytest.mark.parametrize("kind", [kind for kind in PACKS if "bare" not in kind])
def test_an_archive_of_which_a_byte_changed_is_refused_or_the_same(kind: str) -> None:
    packed = PACKS[kind](LINES)
    whole = content(packed, "run")
    changed = [
        content(
            packed[:place] + bytes([packed[place] ^ bits]) + packed[place + 1 :], "run"
        )
        for place in range(len(packed))
        for bits in (1, 0x80, 0xFF)
    ]
    assert [each for each in changed if each[0] and each != whole] == []
    assert sum(not accepted for accepted, _ in changed) > len(changed) / 2


def test_an_archive_may_unpack_to_so_much_and_no_more() -> None:
    for kind, pack in PACKS.items():
        for limit, faults in ((len(LINES), 0), (len(LINES) - 1, 1)):
            reading = Reading(max_bytes=limit)
            judgments = judge(Input("", "qrels", b"1 0 d1 1\n"), reading)
            found = rank(judgments, [Input("r", "r", pack(LINES))], reading)
            assert found.accounts[0].fault_count == faults, kind


def test_a_zst_frame_of_another_size_than_it_says_is_refused() -> None:
    # Without a checksum, the size is all that shows the damage.
    packed = zstandard.compress(b"1 Q0 a 1 1 t\n")
    size = packed.index(13, 4)
    assert unpack(packed, "run") == b"1 Q0 a 1 1 t\n"
    with pytest.raises(FormatError, match="wrong size"):
        unpack(packed[:size] + b"\x0f" + packed[size + 1 :], "run")
