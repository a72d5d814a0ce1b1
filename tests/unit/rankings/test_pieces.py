"""Files so large that they are read in pieces, by several threads."""

from pathlib import Path

import pytest

from mohs.rankings import Rankings, Reading, judge, rank
from mohs.trec.inputs import Input

# Files of twice this size are cut into pieces of about this size.
PIECE = 8 << 20

# One line: a topic of one letter, a document, its score.
LINE = b"%b Q0 d%07d 1 %08d t\n"
WIDTH = len(LINE % (b"a", 0, 0))

# Which topic has how many lines, one after the other.
LAYOUTS = {
    "one": [("a", 650_000)],
    "many": [(topic, 30_000) for topic in "abcdefghijklmnopqrstu"],
    "scattered": [(topic, 25_000) for topic in "abcde" * 5],
    "huge between small": [("a", 10), ("b", 620_000), ("c", 7), ("d", 20_000)],
    # The second piece holds nothing but the first topic, which ends with it, in the
    # line across its end or in the one behind, as two lines more will be put in.
    **{
        f"up to a border {more:+}": [
            ("a", 2 * PIECE // WIDTH - 2 + more),
            ("b", PIECE // WIDTH + 99),
        ]
        for more in (-1, 0, 1)
    },
}
JUDGED = range(0, 650_000, 997)


def lines(layout: list[tuple[str, int]]) -> list[bytes]:
    """Write the lines; scores descend, so that documents of a topic are in order."""
    counts = dict.fromkeys((topic for topic, _ in layout), 0)
    written = []
    for topic, count in layout:
        first = counts[topic]
        counts[topic] += count
        name = topic.encode()
        written += [LINE % (name, i, 10**7 - i) for i in range(first, first + count)]
    return written


def ranked(path: Path, layout: list[tuple[str, int]], workers: int = 2) -> Rankings:
    topics = sorted({topic for topic, _ in layout})
    qrels = "".join(f"{t} 0 d{i:07} 1\n" for t in topics for i in JUDGED)
    judgments = judge(Input("", "qrels", qrels.encode()), Reading())
    return rank(judgments, [Input("r", "r", str(path))], Reading(), workers=workers)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_line_is_lost_between_pieces(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "run"
    written = lines(LAYOUTS[layout])
    # A comment where the second piece starts, and blank lines where the third does.
    written.insert(PIECE // WIDTH, b"#" * (WIDTH - 1) + b"\n")
    written.insert(2 * PIECE // WIDTH - 3, b"\n" * WIDTH)
    path.write_bytes(b"".join(written))
    assert path.stat().st_size > 2 * PIECE
    found = ranked(path, LAYOUTS[layout])
    account = found.accounts[0]
    counts = dict.fromkeys(found.topics, 0)
    for topic, count in LAYOUTS[layout]:
        counts[topic] += count
    assert account.faults == []
    assert account.records == sum(counts.values()) == len(written) - 2
    assert account.lines == account.records + 1 + WIDTH
    assert dict(zip(found.topics, found.retrieved[0].tolist(), strict=True)) == counts
    expected = [i + 1 for count in counts.values() for i in JUDGED if i < count]
    assert found.ranks.tolist() == expected


def test_faults_know_their_lines_in_every_piece(tmp_path: Path) -> None:
    written = lines(LAYOUTS["scattered"])
    bad = list(range(0, len(written), 60_007))
    for place in bad:
        written[place] = b"oops\n"
    # Two copies of documents, far from where these were first.
    written[510_000], written[149_999] = written[1], written[30_000]
    path = tmp_path / "run"
    path.write_bytes(b"".join(written))
    for workers in (1, 2):
        found = ranked(path, LAYOUTS["scattered"], workers)
        account = found.accounts[0]
        places = sorted([*bad, 510_000, 149_999])
        assert [line for line, *_ in account.faults] == [place + 1 for place in places]
        copies = [text for _, code, text in account.faults if code == "duplicate"]
        assert copies == ["d0005000", "d0000001"]
        assert account.records == len(written) - len(bad)
