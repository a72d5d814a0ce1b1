"""Rules of sub-corpora, and what is wrong with some."""

from pathlib import Path

import pytest

from mohs.errors import InputError
from mohs.rankings import Reading, read_qrels
from mohs.rankings.corpora import read_corpora

WRONG = {
    "A=(": "no pattern (unclosed group); mend the pattern",
    "A=(?=x)": "no pattern (look-around",
    "A=": "expected NAME=REGEX, shards:N or a file",
    "shards:0": "expected 1 to 1,000 shards",
    "shards:99999999999999999999": "expected 1 to 1,000 shards",
}


@pytest.mark.parametrize("rule", WRONG)
def test_wrong_rules_are_refused(rule: str) -> None:
    with pytest.raises(InputError) as caught:
        read_corpora([rule])
    assert str(caught.value).startswith(f"--corpus {rule}: {WRONG[rule]}")


def test_files_of_lists_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpora.csv"
    path.write_bytes(b'document,corpus\r\n"a,b",FT\r\nc,LA\r\n')
    assert read_corpora([str(path)]) == {"FT": ["a,b"], "LA": ["c"]}
    path.write_bytes(b"DocNo,Corpus\n" + b"a,FT\n")
    assert read_corpora([str(path)]) == {"FT": ["a"]}
    for text in (b"", b"\n \n", b"docno,corpus\n"):
        path.write_bytes(text)
        with pytest.raises(
            InputError, match=r"corpora\.csv: lists no documents; lines"
        ):
            read_corpora([str(path)])
    path.write_bytes(b"a,FT\nb\rc,LA\n")
    with pytest.raises(InputError, match=r"corpora\.csv:2: expected 2 fields"):
        read_corpora([str(path)])


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(InputError, match=r"seed: expected a whole number, found 1\.5"):
        read_corpora(["shards:2"], seed=1.5)


@pytest.mark.parametrize("seed", [-1, 1 << 99])
def test_any_seed_makes_shards_that_the_core_takes(seed: int) -> None:
    qrels = {"q": {f"d{i}": 1 for i in range(40)}}
    rules = read_corpora(["shards:2"], seed=seed)
    parts = [read_qrels(qrels, reading=Reading(corpus=each)) for each in rules.values()]
    found = [set(part.documents) for part in parts]
    assert found[0] | found[1] == set(qrels["q"])
    assert not found[0] & found[1]
