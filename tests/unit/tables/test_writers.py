"""Every output form of one small table, byte by byte."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from mohs.errors import UnknownNameError
from mohs.tables import FORMS, Factor, Integers, Table, form_of

TINY = Table(
    {
        "system": Factor.of(['a,"b"', "tab\there", None]),
        "topic": ("001", "NA", ""),
        "value": np.array([0.1 + 0.2, np.nan, -np.inf]),
        "rank": Integers(np.array([1, 0, 3]), np.array([True, False, True])),
        "hard": np.array([True, False, True]),
        "p_50%|x": np.array([1, 2, 3]),
    }
)

WRITTEN = {
    ".csv": """\
system,topic,value,rank,hard,p_50%|x
"a,""b\""",001,0.30000000000000004,1,true,1
tab\there,NA,,,false,2
,"",-inf,3,true,3
""",
    ".tsv": """\
system\ttopic\tvalue\trank\thard\tp_50%|x
"a,""b\"""\t001\t0.30000000000000004\t1\ttrue\t1
"tab\there"\tNA\t\t\tfalse\t2
\t""\t-inf\t3\ttrue\t3
""",
    ".jsonl": """\
{"system": "a,\\"b\\"", "topic": "001", "value": 0.30000000000000004, "rank": 1,\
 "hard": true, "p_50%|x": 1}
{"system": "tab\\there", "topic": "NA", "value": null, "rank": null, "hard": false,\
 "p_50%|x": 2}
{"system": null, "topic": "", "value": null, "rank": 3, "hard": true, "p_50%|x": 3}
""",
    ".md": r"""| system | topic | value | rank | hard | p_50%\|x |
| --- | --- | ---: | ---: | ---: | ---: |
| a,"b" | 001 | 0.30000000000000004 | 1 | true | 1 |
| tab\\there | NA |  |  | false | 2 |
|  |  | -inf | 3 | true | 3 |
""",
    ".tex": r"""\begin{tabular}{llrrrr}
\toprule
system & topic & value & rank & hard & p\_50\%\textbar{}x \\
\midrule
a,"b" & 001 & 0.30000000000000004 & 1 & true & 1 \\
tab\textbackslash{}there & NA &  &  & false & 2 \\
 &  & -inf & 3 & true & 3 \\
\bottomrule
\end{tabular}
""",
}


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_form_writes_this(suffix: str) -> None:
    assert FORMS[suffix](TINY).decode() == WRITTEN[suffix]


def test_json_holds_the_rows_and_how_they_were_made() -> None:
    data = FORMS[".json"](TINY, {"seed": 0, "command": "é"})
    assert data.startswith(
        '{"meta": {"command": "é", "seed": 0},\n"rows": [\n'.encode()
    )
    rows = [json.loads(line) for line in WRITTEN[".jsonl"].splitlines()]
    assert json.loads(data)["rows"] == rows
    assert json.loads(FORMS[".json"](TINY.take(np.array([], dtype=int)))) == {
        "meta": {},
        "rows": [],
    }


def test_parquet_holds_the_rows_and_how_they_were_made(tmp_path: Path) -> None:
    path = tmp_path / "tiny.parquet"
    data = FORMS[".parquet"](TINY, {"seed": 0})
    path.write_bytes(data)
    frame = pl.read_parquet(path)
    assert frame.rows() == list(TINY.rows())
    assert frame.columns == list(TINY.names)
    assert pl.read_parquet_metadata(path)["mohs"] == '{"seed": 0}'
    assert FORMS[".parquet"](TINY, {"seed": 0}) == data


def test_html_is_one_page_with_everything_escaped() -> None:
    page = FORMS[".html"](Table({"<a>": ("&\n",), "n": np.array([0.1])})).decode()
    assert page.startswith("<!DOCTYPE html>")
    assert '<th>&lt;a&gt;</th><th class="n">n</th>' in page
    assert '<td>&amp;\\n</td><td class="n">0.1</td>' in page
    assert "http" not in page


def test_latex_escapes_whatever_has_a_meaning_there() -> None:
    table = Table({"x": ("[a]", r"&%$#_{}~", r"^\<>|", "* b")})
    body = table.to_latex().split("\\midrule\n")[1].split("\\bottomrule")[0]
    assert body.splitlines() == [
        r"{}[a] \\",
        r"\&\%\$\#\_\{\}\textasciitilde{} \\",
        r"\textasciicircum{}\textbackslash{}\textless{}\textgreater{}\textbar{} \\",
        r"{}* b \\",
    ]


def test_latex_rounds_when_asked() -> None:
    assert "0.333 \\\\" in Table({"x": np.array([1 / 3])}).to_latex(digits=3)


def test_an_unknown_suffix_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"no output form named '\.xlsx'.*\.csv"):
        form_of("scores.xlsx")
    with pytest.raises(UnknownNameError, match="no output form named ''"):
        form_of("scores")
    assert form_of("SCORES.CSV") is FORMS[".csv"]
