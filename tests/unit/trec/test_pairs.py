from pathlib import Path

import pytest

from mohs.errors import FormatError
from mohs.trec.pairs import read_pairs

COLUMNS = ("system", "team")

READ = {
    "tabs": "a b\tT 1\nc\tT2\n",
    "commas": 'a b,"T 1"\nc,T2\n',
    "header": "System\tTeam\na b\tT 1\n# who is who\n\nc\tT2\n",
}


@pytest.mark.parametrize("form", READ)
def test_pairs_are_read_in_every_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "teams"
    path.write_text(READ[form], encoding="utf-8")
    assert read_pairs(path, COLUMNS) == {"a b": "T 1", "c": "T2"}


def test_blanks_part_columns_too(tmp_path: Path) -> None:
    path = tmp_path / "teams"
    path.write_text("a  T1\n", encoding="utf-8")
    assert read_pairs(path, COLUMNS) == {"a": "T1"}


def test_every_fault_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("teams").write_text("a\tT1\nb\nc\t\na\tT2\n", encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_pairs("teams", COLUMNS)
    assert caught.value.problems() == (
        "teams:2: expected 2 fields (system, team), found 1",
        "teams:3: no team is given",
        "teams:4: system 'a' has the team 'T1' above",
    )
