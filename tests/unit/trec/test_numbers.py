import numpy as np
import pytest

from mohs.trec.numbers import is_number, read_numbers

# What is written, and the number it stands for (None: missing) or what is wrong.
TEXTS = {
    "0.5": 0.5,
    " 1 ": 1.0,
    "-.5e-3": -0.0005,
    "+7.": 7.0,
    "": None,
    "NA": None,
    "NaN": None,
    "-nan": None,
    "\x1c 1 ": 1.0,
    "0,5": "'0,5' has a decimal comma; write 0.5",
    "1_000": "'1_000' is not a number",
    "\u0661": "'\u0661' is not a number",
    "inf": "'inf' is infinite",
    "-Infinity": "'-Infinity' is infinite",
    "1e999": "'1e999' is larger than any double",
    "0x1p3": "'0x1p3' is not a number",
    "null": "'null' is not a number",
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_a_number_or_missing_or_wrong(text: str) -> None:
    values, problems = read_numbers(["0.25", text])
    wanted = TEXTS[text]
    assert values[0] == 0.25
    if isinstance(wanted, float):
        assert (values[1], problems) == (wanted, {})
    else:
        assert np.isnan(values[1])
        assert problems == ({1: wanted} if wanted else {})
    assert is_number(text) is not isinstance(wanted, str)
