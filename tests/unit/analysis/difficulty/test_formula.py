import numpy as np
import pytest

from mohs.analysis.difficulty.formula import read_formula
from mohs.errors import InputError, UnknownNameError

COLUMNS = {
    "difficulty": np.array([0.25, 1.0, np.nan]),
    "margin": np.array([-2.0, 4.0, 0.0]),
}
NAN = np.nan

GOOD = {
    "1 - difficulty": [0.75, 0.0, NAN],
    "1": [1.0, 1.0, 1.0],
    "-margin": [2.0, -4.0, 0.0],
    "+margin * 2 / 4": [-1.0, 2.0, 0.0],
    "(1 - difficulty) ** 2": [0.5625, 0.0, NAN],
    "max(0, margin) + min(difficulty, 0.5)": [0.25, 4.5, NAN],
    "sqrt(abs(margin))": [2**0.5, 2.0, 0.0],
    "log(exp(margin))": [-2.0, 4.0, 0.0],
    # What has no finite value is missing, not infinite.
    "1 / margin": [-0.5, 0.25, NAN],
    "log(margin)": [NAN, np.log(4), NAN],
    "9 ** 9 ** 9 ** 9": [NAN] * 3,
    "1e999": [NAN] * 3,
    "  1\t": [1.0] * 3,
}
BAD = {
    "": "is no arithmetic",
    "1 +": "is no arithmetic",
    "a := 1": "is no arithmetic",
    "difficulty.real": "difficulty.real is no arithmetic",
    "difficulty[0]": "difficulty[0] is no arithmetic",
    "__import__('os').system('true')": "is no arithmetic",
    "open(1)": "there is no function open",
    "(lambda: 1)()": "is no arithmetic",
    "min(1)": "min takes 2, found 1",
    "max(1, 2, key=3)": "is no arithmetic",
    "min(*margin)": "min takes 2, found 1",
    "sqrt(*margin)": "*margin is no arithmetic",
    "'a'": "'a' is no arithmetic",
    "True": "True is no arithmetic",
    "1j": "1j is no arithmetic",
    "1 < 2": "1 < 2 is no arithmetic",
    "1 // 2": "1 // 2 is no arithmetic",
    "~1": "~1 is no arithmetic",
    "1 if 1 else 2": "is no arithmetic",
    "[1]": "[1] is no arithmetic",
    "\0": "is no arithmetic",
    "(" * 101 + ")" * 101: "formula of 202 characters",
    "(" * 100 + ")" * 100: "is no arithmetic",
}


@pytest.mark.parametrize("text", GOOD)
def test_formulas_are_computed_for_every_row(text: str) -> None:
    np.testing.assert_allclose(read_formula(text)(COLUMNS), GOOD[text], rtol=1e-15)
    assert str(read_formula(text)) == text


@pytest.mark.parametrize("text", BAD)
def test_all_but_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_formula(text)
    assert BAD[text] in str(refused.value)


@pytest.mark.parametrize("text", ["dificulty", "1 - dificulty", "sqrt(dificulty)"])
def test_unknown_columns_are_answered_with_the_nearest(text: str) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'difficulty'"):
        read_formula(text)(COLUMNS)


def test_a_deep_formula_is_computed() -> None:
    assert read_formula("-" * 199 + "1")(COLUMNS).tolist() == [-1.0] * 3
