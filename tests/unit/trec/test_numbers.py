import numpy as np
import pytest

from mohs.errors import InputError
from mohs.trec.numbers import is_number, read_numbers, whole

FINITE = "write a finite number, or NA where it is missing"
NUMBER = "is not a number; write a number such as 0.5, or NA where it is missing"

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
    "1_000": f"'1_000' {NUMBER}",
    "\u0661": f"'\u0661' {NUMBER}",
    "inf": f"'inf' is infinite; {FINITE}",
    "-Infinity": f"'-Infinity' is infinite; {FINITE}",
    "1e999": f"'1e999' is larger than any double; {FINITE}",
    "0x1p3": f"'0x1p3' {NUMBER}",
    "null": f"'null' {NUMBER}",
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


@pytest.mark.parametrize("value", [0, -1, 2.5, 2.0, True, "20", None, 1 << 63])
def test_what_is_no_whole_number_in_range_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"depth: expected a whole number from 1 to 2"):
        whole(value, "depth")
